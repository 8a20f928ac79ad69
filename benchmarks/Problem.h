//===- Problem.h - One line of a benchmark list -----------------*- C++ -*-===//
#ifndef ROOFTILE_BENCHMARKS_PROBLEM_H
#define ROOFTILE_BENCHMARKS_PROBLEM_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace rooftile::bench {

/// C (m x n) = op(A) * op(B), row-major, beta = 0. `f32 nn 4096x4096x4096 [#blas.plan text]`.
struct Problem {
  bool isDouble = false;
  bool transposeA = false, transposeB = false;
  int64_t m = 0, n = 0, k = 0;
  std::string plan; ///< text of a #blas.plan without its name, or empty: tile-select's choice

  static llvm::Expected<Problem> parse(llvm::StringRef line);
  std::string type() const { return isDouble ? "f64" : "f32"; }
  std::string op() const { return {transposeA ? 't' : 'n', transposeB ? 't' : 'n'}; }
  int64_t elementBytes() const { return isDouble ? 8 : 4; }
  double flops() const { return 2.0 * m * n * k; }
  /// A function @f of three memrefs with the one operation.
  std::string module() const;
};

/// Whether 64 rows and columns of `c`, edges included, obey the componentwise
/// bound |C - Cref| <= (K + 4) u |A||B| against sums in twice the precision.
template <typename T>
bool verify(const Problem &problem, const std::vector<T> &a, const std::vector<T> &b,
            const std::vector<T> &c);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCHMARKS_PROBLEM_H
