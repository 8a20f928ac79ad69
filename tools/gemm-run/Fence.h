//===- Fence.h - Host memory that ends where it ends ------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_FENCE_H
#define ROOFTILE_TOOLS_GEMM_RUN_FENCE_H

#include <cstdint>
#include <string>

namespace rooftile::run {

/// `bytes` bytes, a multiple of 16, of which the last one is the last of a page: pages behind it
/// can be neither read nor written. Who touches them ends the program, which first says how far
/// behind the end that was. Null when there is not that much memory.
char *allocateFenced(int64_t bytes);
void freeFenced(char *memory);
/// What runs from now on, for that message.
void sayRunning(const std::string &what);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_FENCE_H
