//===- Messages.h - Why calls of this thread failed -------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CAPI_MESSAGES_H
#define ROOFTILE_LIB_CAPI_MESSAGES_H

#include <cstdint>
#include <string>

namespace rooftile::capi {

/// Keeps `message` for this thread and the handle of number `handle`; 0: of no handle. The message
/// of the handle that failed longest ago may go.
void keepMessage(uint64_t handle, std::string message) noexcept;

/// Empty where there is none.
const char *messageOf(uint64_t handle) noexcept;

} // namespace rooftile::capi

#endif // ROOFTILE_LIB_CAPI_MESSAGES_H
