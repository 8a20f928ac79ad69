//===- TensorMap.h - What a descriptor of a matrix says ---------*- C++ -*-===//
#ifndef ROOFTILE_LIB_RUNTIME_TENSORMAP_H
#define ROOFTILE_LIB_RUNTIME_TENSORMAP_H

#include "rooftile/Runtime/Runtime.h"

namespace rooftile {

/// The arguments of rooftileTensorMap.
struct TensorMap {
  int64_t address, numberBytes, length, lines, lineBytes, boxLength, boxLines;

  /// Nothing is copied from such a matrix, but its product may be written (K = 0).
  bool isEmpty() const { return length == 0 || lines == 0; }
};

/// Of what the hardware, or the CPU runtime, reads.
constexpr int64_t kDescriptorBytes = 128;

/// True if hardware takes it; else records an error with the number that is wrong.
bool checkTensorMap(const TensorMap &map);

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_TENSORMAP_H
