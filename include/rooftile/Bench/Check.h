//===- Check.h - Is the result right? ---------------------------*- C++ -*-===//
//
// Two checks against f64 (f64 results: long double where single elements
// are computed): every row of C at once, C x = op(A) (op(B) x) for a vector x of
// signs, which notices a wrong or missing tile anywhere; and up to 64 rows times
// 64 columns, the edges among them, each element within the bound of the
// algorithm, |C - Cref| <= (K + 4) u |A||B|. Triangular
// operations by rows alone, solves by what X gives back. gemm-run checks every element.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_BENCH_CHECK_H
#define ROOFTILE_BENCH_CHECK_H

#include "rooftile/Bench/Operands.h"

namespace rooftile::bench {

/// Empty, or what is wrong with `c`, the result for `shape` (f32 or f64) on operands that begin at
/// elements `firstA` and `firstB` of the pattern.
std::string checkResult(const Shape &shape, const Operands &operands, const Pattern &pattern,
                        const std::vector<char> &c);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_CHECK_H
