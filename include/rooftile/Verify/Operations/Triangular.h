//===- Triangular.h - Data and checks with a triangular matrix --*- C++ -*-===//
//
// Products (trmm) are compared as gemm is, solutions (trsm) by two tests: with
// small integers the solution is known, and must be equal; with uniform data the
// residual is bounded, element by element:
//
//   |op(A) X - alpha B| <= (K + 4) u (|op(A)||X| + |alpha B|)
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_OPERATIONS_TRIANGULAR_H
#define ROOFTILE_VERIFY_OPERATIONS_TRIANGULAR_H

#include "rooftile/Verify/Reference/Compare.h"

namespace rooftile::verify {

/// What a triangular operation says of itself.
struct Triangle {
  bool solves = false; ///< trsm
  bool right = false;  ///< A on the right
  bool lower = true;   ///< as stored
  bool unit = false;
};

/// One triangular operation: how to walk the host copies of its operands.
struct TriangularRun {
  Triangle triangle;
  Element element = Element::F32;
  Matrices stored;        ///< A as stored
  Matrices entering;      ///< op(A)
  Matrices input, output; ///< B and C
  double alpha = 1;
  bool exact = false; ///< small integers
  int64_t order() const { return stored.rows; }
  int64_t batches() const { return int64_t(output.batch.size()); }
};

/// Fills the triangle of A and poisons the rest: NaN in the other triangle, on a unit diagonal,
/// and everywhere where alpha is 0. `range` is that of integers; 0: uniform numbers, and for
/// solving a matrix that is well-conditioned (off-diagonal elements / order, diagonal +-[1, 1.5)).
void fillTriangle(void *a, const TriangularRun &run, int64_t range, uint64_t seed);

/// A copy of the `bytes` of A with zeros in the other triangle and ones on a unit diagonal.
std::vector<char> expandTriangle(const void *a, int64_t bytes, const TriangularRun &run);

/// Replaces Y in `b` by op(A) * Y (or Y * op(A)), which is exact for integers.
void multiplyInto(void *b, const void *expanded, const TriangularRun &run);

/// Compares the output. `b` is the input as it was; `solution` is Y where B was made from it.
Finding compareTriangular(const void *expanded, const void *b, const void *solution,
                          const void *output, const TriangularRun &run);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_OPERATIONS_TRIANGULAR_H
