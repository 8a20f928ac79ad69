//===- Structs.h - Structs that grow from version to version ----*- C++ -*-===//
#ifndef ROOFTILE_LIB_CAPI_STRUCTS_H
#define ROOFTILE_LIB_CAPI_STRUCTS_H

#include "Failure.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace rooftile::capi {

/// Bytes of a struct in its first version: callers that were compiled with it state as many.
template <typename Struct> constexpr size_t kFirstBytes = sizeof(Struct);
template <>
inline constexpr size_t kFirstBytes<rooftile_gemm_args> = offsetof(rooftile_gemm_args, sizes);
template <>
inline constexpr size_t kFirstBytes<rooftile_operation> = offsetof(rooftile_operation, math);
template <>
inline constexpr size_t kFirstBytes<rooftile_triangular_args> =
    offsetof(rooftile_triangular_args, pointer_align);

/// Copies `given`. A caller that was compiled with an earlier version has fewer members, which are
/// 0 in `read`; one with a later version has more of them, and may where they are 0.
template <typename Struct> Failure readStruct(const char *name, const Struct *given, Struct &read) {
  constexpr size_t kMostBytes = 4096; // No version has as many.
  if (!given)
    return invalid(std::string(name) + " is NULL");
  if (given->size < kFirstBytes<Struct> || given->size > kMostBytes)
    return invalid(std::string(name) + ": size is " + std::to_string(given->size) + ", not " +
                   std::to_string(sizeof(Struct)));
  auto *bytes = reinterpret_cast<const unsigned char *>(given);
  for (size_t i = sizeof(Struct); i < given->size; ++i)
    if (bytes[i])
      return unsupported(std::string(name) + ": byte " + std::to_string(i) +
                         " is of a later version than Rooftile " ROOFTILE_VERSION);
  read = {};
  std::memcpy(&read, given, std::min(given->size, sizeof(Struct)));
  return {};
}

} // namespace rooftile::capi

#endif // ROOFTILE_LIB_CAPI_STRUCTS_H
