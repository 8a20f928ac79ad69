//===- Product.h - Products that results are compared with ------*- C++ -*-===//
//
// Accumulators of kernels in f32 are computed in f64 here; those in f64 in twice the working
// precision (Dot2 of Ogita, Rump and Oishi, "Accurate sum and dot product", 2005),
// so that the reference's own error is far below the bound that is tested. A complex
// product is the four of its components.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_REFERENCE_PRODUCT_H
#define ROOFTILE_VERIFY_REFERENCE_PRODUCT_H

#include "rooftile/Verify/Operands/Operand.h"

#include <algorithm>
#include <functional>

namespace rooftile::verify {

/// Which elements of a matrix an operation computes, or reads.
enum class Part { All, Lower, Upper };

/// Whether element (i, j) belongs to it.
inline bool belongs(Part part, int64_t i, int64_t j) {
  return part == Part::All || i == j || (part == Part::Lower) == (i > j);
}

/// op(A) or op(B): a host copy and how to walk it.
struct Factor {
  Element element = Element::F32;
  const void *data = nullptr;
  Matrices walk;
  bool conjugate = false;
  Part part = Part::All; ///< The others are zeros,
  bool unit = false;     ///< and those on the diagonal ones.
};

/// Both factors of one batch entry.
struct Factors {
  Factor left, right;
  int64_t batch;
  bool compensate; ///< accumulators in f64 alone would not be accurate enough

  /// Real elements in an element of the product.
  int64_t parts() const {
    return std::max(componentsOf(left.element), componentsOf(right.element));
  }
};

/// A component of one element of op(A) * op(B): `sum + rest`, and the sum of the absolute products.
struct Dot {
  double sum = 0, rest = 0, magnitude = 0;

  void add(const Dot &other, bool negative);
};

/// A block of results: component p of element (rows[i], columns[j]) is
/// dots[(i * columns.size() + j) * parts + p].
struct DotBlock {
  const std::vector<int64_t> &rows, &columns;
  const std::vector<Dot> &dots;
};

/// Computes all elements rows x columns, block by block, on all cores; `consume` is called once
/// per block, from several threads.
void multiply(const Factors &factors, const std::vector<int64_t> &rows,
              const std::vector<int64_t> &columns,
              const std::function<void(const DotBlock &)> &consume);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_REFERENCE_PRODUCT_H
