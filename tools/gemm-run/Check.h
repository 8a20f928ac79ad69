//===- Check.h - One product against its reference --------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_CHECK_H
#define ROOFTILE_TOOLS_GEMM_RUN_CHECK_H

#include "Fill.h"
#include "Reference.h"

namespace rooftile::run {

/// C = alpha * op(A) * op(B) + beta * C before and after, as host copies.
struct Product {
  Element element;
  const void *a, *b, *before, *after;
  Matrices left, right, result;
  double alpha, beta;
  /// Results that must be among those compared when not all are: tile sizes along M and N.
  int64_t tileM = 1, tileN = 1;
  uint64_t seed = 0;

  int64_t batches() const { return int64_t(result.batch.size()); }
  int64_t k() const { return left.columns; }
};

/// What a comparison found.
struct Finding {
  double ratio = 0;     ///< largest |error| / bound
  int64_t compared = 0; ///< elements
  int64_t wrong = 0;    ///< elements beyond the bound, or NaN
  bool sampled = false; ///< only rows and columns of a sample were compared
  std::string first;    ///< the first wrong element, with both values
};

/// Test integers for which every partial sum of the product is exact in `element`: their range,
/// or 0 when alpha, beta or K allow no exact test.
int64_t exactRange(Element element, double alpha, double beta, int64_t k, int64_t most = 8);

/// Compares all of C; above 2^33 operations 64 rows and 64 columns that include the tile edges,
/// and all of C for NaN. `exact`: equality of values. Otherwise
/// |C - Cref| <= (K + 4) u (|alpha||A||B| + |beta||C|) + u |Cref|.
Finding compare(const Product &product, bool exact);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_CHECK_H
