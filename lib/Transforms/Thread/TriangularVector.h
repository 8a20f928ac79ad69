//===- TriangularVector.h - Vectors of one thread of a triangular kernel -*- C++ -*-===//
//
// A thread computes one vector of the output, or several: columns, or with A on the right rows.
// So many rows of them are in registers at a time, where the loops over them are unrolled. These
// go column by column of T, so that additions do not wait for each other, and an element of T that
// was read once serves all vectors:
//
//     for k = 0, 1, ...                        for k = ..., 1, 0
//       x[k] = b[k] / T[k, k]                    for i > k: b[i] += T[i, k] b[k]
//       for i > k: b[i] -= T[i, k] x[k]          b[k] = T[k, k] b[k]
//
// Where vectors are longer, that is done for one part of them after the other, the first ones first
// of a solve, the last ones first of a product, so that both work in place. What rows before a
// part add to it is read again, in a loop:
//
//     part = alpha b[first ..]                 part = T[first .., first ..] b[first ..]
//     for k < first:                           for k < first:
//       part -= T[first .., k] x[k]              part += T[first .., k] b[k]
//     x[first ..] = solve part                 c[first ..] = alpha part
//
// T is lower here: vectors and rows of an upper one count from its other end.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_TRANSFORMS_THREAD_TRIANGULARVECTOR_H
#define ROOFTILE_LIB_TRANSFORMS_THREAD_TRIANGULARVECTOR_H

#include "rooftile/Transforms/Thread/ElementMath.h"

namespace rooftile {

/// Elements that multiply rows in registers, in the accumulator type.
struct VectorFactors {
  /// T[i, k] for i >= k, as it enters.
  llvm::function_ref<Components(int64_t i, int64_t k)> triangle;
  bool unit = false; ///< The diagonal counts as ones, and is not asked for.
  /// Divisor for T[k, k], where that is known; null: the element is prepared here.
  llvm::function_ref<Divisor(int64_t k)> divisor{};
};

/// Replaces rows b of `vectors` vectors, row by row, by those of T^-1 b.
void solveRows(ElementMath &math, const VectorFactors &factors,
               llvm::MutableArrayRef<Components> rows, int64_t vectors);
/// And by those of T b.
void multiplyRows(ElementMath &math, const VectorFactors &factors,
                  llvm::MutableArrayRef<Components> rows, int64_t vectors);

/// The vectors of one thread, and how it reads and writes them: in the accumulator type, rows as a
/// lower T counts them. Only existing rows are requested.
struct ThreadVectors {
  int64_t rows = 1;    ///< In registers at a time.
  int64_t vectors = 1; ///< Vectors of the thread.
  mlir::Value order;   ///< Rows of each.
  bool whole = false;  ///< `rows` is the order.
  bool ragged = false; ///< The last part may have fewer.
  bool solves = true, unit = false;
  /// T[row + i, column + k], where `row` and `column` are the first ones of a part, or k is 0.
  llvm::function_ref<Components(mlir::Value row, int64_t i, mlir::Value column, int64_t k)>
      triangle{};
  /// Divisor for T[row + k, row + k]; null: the element is prepared.
  llvm::function_ref<Divisor(mlir::Value row, int64_t k)> divisor{};
  /// The row to solve or multiply; and the value that later rows use: a solution, or itself.
  llvm::function_ref<Components(int64_t vector, mlir::Value row)> load{}, loadAgain{};
  llvm::function_ref<void(const Components &element, int64_t vector, mlir::Value row)> store{};
  /// Multiplies an element by alpha; null: it is 1.
  llvm::function_ref<Components(const Components &)> scale{};
};

/// Emits the work of the thread where `builder` stands.
void emitThreadVectors(mlir::OpBuilder &builder, mlir::Location loc, const ThreadVectors &vectors);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_THREAD_TRIANGULARVECTOR_H
