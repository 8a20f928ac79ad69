//===- TriangularLine.h - One line of a triangular operation ----*- C++ -*-===//
//
// A thread computes one line of the output: a column, or with A on the right a row.
// A line of known, small order is in registers, and the loops over it are unrolled:
// B is read and written once, and all loads of T can be under way at once. They go
// column by column, so that additions do not wait for each other:
//
//     for k = 0, 1, ...                        for k = ..., 1, 0
//       x[k] = b[k] / T[k, k]                    for i > k: b[i] += T[i, k] b[k]
//       for i > k: b[i] -= T[i, k] x[k]          b[k] = T[k, k] b[k]
//
// T is lower here: lines and rows of an upper one count from its other end.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_TRANSFORMS_KERNEL_TRIANGULARLINE_H
#define ROOFTILE_LIB_TRANSFORMS_KERNEL_TRIANGULARLINE_H

#include "rooftile/Transforms/Kernel/ElementMath.h"

namespace rooftile {

/// What a line meets, in the type of the sums.
struct LineFactors {
  /// T[i, k] for i >= k, as it enters.
  llvm::function_ref<Components(int64_t i, int64_t k)> triangle;
  bool unit = false; ///< The diagonal counts as ones, and is not asked for.
  /// What divides by T[k, k], where that is known; null: the element is prepared here.
  llvm::function_ref<Divisor(int64_t k)> divisor{};
  /// Multiplies an element by alpha; null: it is 1.
  llvm::function_ref<Components(Components)> scale{};
};

/// Replaces the elements of a line b by those of T^-1 alpha b.
void solveLine(ElementMath &math, const LineFactors &factors,
               llvm::MutableArrayRef<Components> line);
/// And by those of alpha T b.
void multiplyLine(ElementMath &math, const LineFactors &factors,
                  llvm::MutableArrayRef<Components> line);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_KERNEL_TRIANGULARLINE_H
