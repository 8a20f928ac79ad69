//===- Types.h - What is passed to cuBLAS -----------------------*- C++ -*-===//
//
// The constants of cuBLAS's stable C ABI, so that nothing here needs its headers.
// Source: cuBLAS 13.1 documentation, sections 2.2 and 2.3.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_TYPES_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_TYPES_H

#include <cstdint>

namespace rooftile::cublas {

using Handle = void *;

using Status = int32_t;
constexpr Status kSuccess = 0, kNotInitialized = 1, kAllocFailed = 3, kExecutionFailed = 13,
                 kInternalError = 14;

/// Form of a factor: the matrix itself, transposed, conjugated and transposed, conjugated.
using Transpose = int32_t;

/// cublasSideMode_t, cublasFillMode_t and cublasDiagType_t: left, lower and non-unit are 0, the
/// others 1.
using Choice = int32_t;

using PointerMode = int32_t;
constexpr PointerMode kHostPointers = 0;

/// The low bits of cublasMath_t are the mode, those above are flags.
using MathMode = int32_t;
constexpr MathMode kMathModeMask = 15, kDefaultMath = 0, kTensorOpMath = 1, kPedanticMath = 2,
                   kTf32Math = 3;

using DataType = int32_t;
constexpr DataType kReal32 = 0, kReal64 = 1, kComplex32 = 4, kComplex64 = 5;

using ComputeType = int32_t;
constexpr ComputeType kCompute32 = 68, kCompute32Pedantic = 69, kCompute64 = 70,
                      kCompute64Pedantic = 71;

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_TYPES_H
