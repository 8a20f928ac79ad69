//===- DLPack.h - Tensors that packages exchange ----------------*- C++ -*-===//
//
// The structures of DLPack, whose layout is fixed: a plain one, one of version 1
// with flags, and the functions of a package that exchange tensors without an
// object of Python. Source: dmlc/dlpack, include/dlpack/dlpack.h; test/Python/dlpack.test
// compares the layout with the header that PyTorch brings.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PYTHON_DLPACK_H
#define ROOFTILE_PYTHON_DLPACK_H

#include <cstdint>

namespace rooftile::python::dlpack {

enum DeviceType : int32_t {
  kCpu = 1,
  kCuda = 2,
  kCudaHost = 3,
  kRocm = 10,
  kRocmHost = 11,
  kCudaManaged = 13
};

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

/// A capsule "dlpack_exchange_api", the attribute `__dlpack_c_exchange_api__` of a type. Functions
/// return 0, or set an exception of Python.
struct ExchangeApi {
  uint32_t major, minor;
  ExchangeApi *previous;
  void (*unused[3])();
  /// Fills a tensor in that is valid until the caller returns to Python; may be null. It specifies
  /// nothing of gradients, or of elements that are conjugated or negated when they are read.
  int (*tensorOf)(void *object, Tensor *tensor);
  int (*currentStream)(int32_t deviceType, int32_t deviceNumber, void **stream);
};

} // namespace rooftile::python::dlpack

#endif // ROOFTILE_PYTHON_DLPACK_H
