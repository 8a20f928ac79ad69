//===- DLPack.h - Tensors that packages exchange ----------------*- C++ -*-===//
//
// The structures of DLPack, whose layout is fixed: a plain one, and one of
// version 1 with flags. Source: dmlc/dlpack, include/dlpack/dlpack.h.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PYTHON_DLPACK_H
#define ROOFTILE_PYTHON_DLPACK_H

#include <cstdint>

namespace rooftile::python::dlpack {

enum DeviceType : int32_t { kCpu = 1, kCuda = 2, kCudaHost = 3, kCudaManaged = 13 };

struct Tensor {
  void *data;
  int32_t deviceType, deviceNumber;
  int32_t rank;
  uint8_t typeCode, typeBits;
  uint16_t typeLanes;
  int64_t *shape, *strides; ///< Strides in elements; null: contiguous.
  uint64_t byteOffset;
};

/// A capsule "dltensor".
struct Managed {
  Tensor tensor;
  void *context;
  void (*deleter)(Managed *);
};

/// A capsule "dltensor_versioned".
struct ManagedVersioned {
  uint32_t major, minor;
  void *context;
  void (*deleter)(ManagedVersioned *);
  uint64_t flags;
  Tensor tensor;
};

} // namespace rooftile::python::dlpack

#endif // ROOFTILE_PYTHON_DLPACK_H
