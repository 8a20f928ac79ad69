//===- TensorMap.h - Descriptors of matrices --------------------*- C++ -*-===//
#ifndef ROOFTILE_RUNTIME_DEVICE_TENSORMAP_H
#define ROOFTILE_RUNTIME_DEVICE_TENSORMAP_H

#include <cstdint>

namespace rooftile {

/// In place of the bytes of a real element: those of f32, each of which is rounded on its way to
/// the nearest number of tf32.
constexpr int64_t kToTf32 = 256 + 4;

/// The arguments of rooftileTensorMap.
struct TensorMap {
  int64_t address, realBytes, length, vectors, vectorBytes, boxLength, boxVectors;
  /// 128: vectors of a box have so many bytes, and their units of 16 bytes lie in shared memory as
  /// the 128-byte swizzle of the hardware has them; 0: as they are.
  int64_t swizzleBytes = 0;

  bool isToTf32() const { return realBytes == kToTf32; }
  /// Bytes of a real element.
  int64_t bytes() const { return isToTf32() ? 4 : realBytes; }
  /// Nothing is copied from such a matrix, but its product may be written (K = 0).
  bool isEmpty() const { return length == 0 || vectors == 0; }
};

/// Bytes of a descriptor of the hardware, or of the CPU runtime.
constexpr int64_t kDescriptorBytes = 128;

/// A box of it begins in shared memory at a multiple of so many bytes (PTX ISA 8.0,
/// cp.async.bulk.tensor).
constexpr int64_t kBoxBytes = 128;
/// With a swizzle, whose vectors have kSwizzleBytes, whose pattern repeats after as many as this,
/// and which moves units of kSwizzleUnit bytes.
constexpr int64_t kSwizzledBoxBytes = 1024, kSwizzleBytes = 128, kSwizzleUnit = 16;

/// True if hardware supports it; else records an error with the wrong value.
bool checkTensorMap(const TensorMap &map);

/// The number of tf32 that is the nearest to one of f32, of these bits; of two the larger one.
/// Infinities and NaN stay.
constexpr uint32_t toTf32(uint32_t bits) {
  constexpr uint32_t kExponent = 0x7F800000, kKept = 0xFFFFE000, kHalf = 0x1000;
  return (bits & kExponent) == kExponent ? bits : (bits + kHalf) & kKept;
}

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_DEVICE_TENSORMAP_H
