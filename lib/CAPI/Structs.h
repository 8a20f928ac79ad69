//===- Structs.h - Structs that grow from version to version ----*- C++ -*-===//
#ifndef ROOFTILE_LIB_CAPI_STRUCTS_H
#define ROOFTILE_LIB_CAPI_STRUCTS_H

#include "Failure.h"

namespace rooftile::capi {

/// Copies `given`. A caller that was compiled with a later version has more members; it may, where
/// they are zero.
template <typename Struct> Failure readStruct(const char *name, const Struct *given, Struct &read) {
  constexpr size_t kMostBytes = 4096; // No version has as many.
  if (!given)
    return invalid(std::string(name) + " is NULL");
  if (given->size < sizeof(Struct) || given->size > kMostBytes)
    return invalid(std::string(name) + ": size is " + std::to_string(given->size) + ", not " +
                   std::to_string(sizeof(Struct)));
  auto *bytes = reinterpret_cast<const unsigned char *>(given);
  for (size_t i = sizeof(Struct); i < given->size; ++i)
    if (bytes[i])
      return unsupported(std::string(name) + ": byte " + std::to_string(i) +
                         " is of a later version than Rooftile " ROOFTILE_VERSION);
  read = *given;
  return {};
}

} // namespace rooftile::capi

#endif // ROOFTILE_LIB_CAPI_STRUCTS_H
