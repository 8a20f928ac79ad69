//===- Fill.h - Test data ---------------------------------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_FILL_H
#define ROOFTILE_TOOLS_GEMM_RUN_FILL_H

#include "View.h"

namespace rooftile::run {

/// What elements are filled with. The same seed and index always give the same value.
struct Values {
  enum Kind {
    Integers, ///< -range .. range without 0, so that a missing product always shows
    Uniform,  ///< [-1, 1)
    Positive, ///< [1/2, 1), whose sums grow with every term
    Constant, ///< `constant` throughout
    Poison    ///< NaN
  } kind = Uniform;
  int64_t range = 1;
  uint64_t seed = 0;
  double constant = 0;
};

/// Fills the elements of `view` (and nothing else) in a copy of memory that starts at
/// `view.first()`.
void fill(void *data, Element element, const View &view, const Values &values);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_FILL_H
