//===- Arrays.h - What a function leaves, element by element ----*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_ARRAYS_H
#define ROOFTILE_TOOLS_GEMM_RUN_ARRAYS_H

#include "Memory.h"
#include "Number.h"

#include "mlir/IR/BuiltinTypes.h"

#include <functional>
#include <string>
#include <vector>

namespace rooftile::run {

/// The elements of a memref or a scalar in order, the last index fastest.
struct Array {
  mlir::Type element;
  std::vector<int64_t> sizes; ///< empty for a scalar
  std::vector<char> bytes;
};

/// Copies the elements that a memref descriptor names.
Array readArray(Device device, mlir::MemRefType type, const int64_t *descriptor);

/// Gives the elements the numbers that `next` returns, in order.
void writeArray(Device device, mlir::MemRefType type, const int64_t *descriptor,
                const std::function<Scalar()> &next);

/// The largest magnitude of a finite part of a float; 0 for integers.
double largestIn(const Array &array);

/// How far an array is from the one that is right.
struct Distance {
  bool equal = true;    ///< every element, by its value; NaN is equal to NaN
  double worst = 0;     ///< largest |x - reference|; infinite where only one is a number
  std::string place;    ///< "[3, 4] is 1.5, loops have 1.25" of the worst element
  bool useless = false; ///< floats of which the reference has nothing but NaN
};

/// Compares two arrays of one element type and of the same sizes.
Distance distanceOf(const Array &array, const Array &reference);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_ARRAYS_H
