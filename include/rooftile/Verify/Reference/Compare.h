//===- Compare.h - One product against its reference ------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_REFERENCE_COMPARE_H
#define ROOFTILE_VERIFY_REFERENCE_COMPARE_H

#include "rooftile/Verify/Operands/Operand.h"
#include "rooftile/Verify/Reference/Epilogue.h"
#include "rooftile/Verify/Reference/Product.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rooftile::verify {

/// An extra operand of an epilogue: a scalar, or a host copy of a matrix, seen with the sizes of C.
struct ProductExtra {
  Element element = Element::F32;
  Scalar scalar = 0;
  const void *data = nullptr; ///< null for a scalar
  Matrices walk;
};

/// Terms of compensated summation that may be added up plainly: by a kernel, and by the one that
/// adds up its slices.
inline constexpr int64_t kCompensatedTerms = 2 * 144;

/// Terms, of `terms` of a sum, whose roundings add up.
inline int64_t roundedTerms(int64_t terms, bool compensated) {
  return compensated ? std::min(terms, kCompensatedTerms) : terms;
}

/// C = alpha * op(A) * op(B) + beta * C before and after, as host copies.
struct Product {
  Element sum = Element::F32, element = Element::F32; ///< of the accumulator, of C
  Factor left, right;
  Matrices result;
  const void *before = nullptr, *after = nullptr;
  Scalar alpha = 1, beta = 0;
  bool emulated =
      false;         ///< Components of complex results may be wrong by what both components add up.
  bool tf32 = false; ///< Factors of f32 may be rounded to tf32.
  bool compensated = false;                ///< Errors do not grow with K beyond kCompensatedTerms.
  int64_t roundings = 1;                   ///< Number of roundings of the sum to C's type.
  const ScalarProgram *epilogue = nullptr; ///< null for none
  std::vector<ProductExtra> extras = {};
  Part part = Part::All;
  /// Only elements that were written are compared: those that hold another number than before.
  bool onlyWritten = false;
  bool realDiagonal = false; ///< C counts as real on its diagonal, before and after.
  /// Results that must be among those compared when not all are: tile sizes along M and N.
  int64_t tileM = 1, tileN = 1;
  uint64_t seed = 0;

  int64_t batches() const { return int64_t(result.batch.size()); }
  int64_t k() const { return left.walk.columns; }
  /// Products that a component of one result is the sum of; with compensated summation, those whose
  /// errors count.
  int64_t terms() const {
    return roundedTerms(k(), compensated) *
           std::min(componentsOf(left.element), componentsOf(right.element));
  }
};

/// The distance between two values of type T, in units of the last place of `wanted`.
template <typename T> double ulpsBetween(double got, double wanted) {
  if (got == wanted || (std::isnan(got) && std::isnan(wanted)))
    return 0;
  if (!std::isfinite(got) || !std::isfinite(wanted))
    return INFINITY;
  double least = std::numeric_limits<T>::denorm_min();
  double ulp = wanted == 0 ? least : std::ldexp(2 * roundoffOf<T>(), std::ilogb(wanted));
  return std::fabs(got - wanted) / std::max(ulp, least);
}

/// Result of a comparison.
struct Finding {
  double ratio = 0;      ///< largest |error| / bound
  double ulps = -1;      ///< largest distance from the exact results, rounded; -1: not counted
  int64_t unbounded = 0; ///< elements of which an epilogue may make anything: not compared
  int64_t compared = 0;  ///< elements
  int64_t wrong = 0;     ///< elements beyond the bound, or NaN
  bool sampled = false;  ///< only rows and columns of a sample were compared
  std::string first;     ///< the first wrong element, with both values
};

/// Test integers for which every partial sum of `terms` products is exact in `element`: their
/// range, `most` at most, or 0 when alpha, beta or the number of terms allow no exact test.
int64_t exactRange(Element element, Scalar alpha, Scalar beta, int64_t terms, int64_t most = 8);

/// Where the components of element (batch, i, j) of C may lie when those of the sum lie in `sums`:
/// what the epilogue makes of them, rounded to C's type.
std::vector<Interval> applyEpilogue(const Product &product, int64_t batch, int64_t i, int64_t j,
                                    std::vector<Interval> sums);

/// Compares all of C; above 2^33 operations 64 rows and 64 columns that include the tile edges,
/// and all of C for NaN. `exact`: equality of values, rounded once. Otherwise, for K terms that are
/// summed with roundoff u, and C of roundoff v,
/// |C - Cref| <= (K + 4) u (|alpha||A||B| + |beta||C|) (1 + v) + v |Cref|;
/// for complex elements each component by itself, with 2 K terms and 8 for 4, or `emulated` with
/// |A||B| of both components. With an epilogue the accumulators have that bound without v, and C
/// must be a number that it makes of one of them. Each of `roundings` but the last adds v
/// |alpha||A||B|.
Finding compare(const Product &product, bool exact);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_REFERENCE_COMPARE_H
