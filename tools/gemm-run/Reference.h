//===- Reference.h - Products that results are compared with ----*- C++ -*-===//
//
// f32 products are summed in f64; f64 products in twice the working precision
// (Dot2 of Ogita, Rump and Oishi, "Accurate sum and dot product", 2005), so
// that the reference's own error is far below the bound that is tested.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_REFERENCE_H
#define ROOFTILE_TOOLS_GEMM_RUN_REFERENCE_H

#include "View.h"

#include <functional>

namespace rooftile::run {

/// op(A) and op(B) of one batch entry: host copies and how to walk them.
struct Factors {
  Element element;
  const void *a, *b;
  Matrices left, right;
  int64_t batch;
  bool exact; ///< every partial sum is exact in f64: no compensation needed
};

/// One element of op(A) * op(B): `sum + rest`, and the sum of the absolute products.
struct Dot {
  double sum = 0, rest = 0, magnitude = 0;
};

/// A block of results: element (rows[i], columns[j]) is dots[i * columns.size() + j].
struct DotBlock {
  const std::vector<int64_t> &rows, &columns;
  const std::vector<Dot> &dots;
};

/// Computes all elements rows x columns, block by block, on all cores; `consume` is called once
/// per block, from several threads.
void multiply(const Factors &factors, const std::vector<int64_t> &rows,
              const std::vector<int64_t> &columns,
              const std::function<void(const DotBlock &)> &consume);

/// Calls `work(i)` for 0 <= i < count on all cores.
void parallelFor(int64_t count, const std::function<void(int64_t)> &work);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_REFERENCE_H
