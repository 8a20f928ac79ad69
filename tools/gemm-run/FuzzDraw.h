//===- FuzzDraw.h - Cases at random -----------------------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_FUZZDRAW_H
#define ROOFTILE_TOOLS_GEMM_RUN_FUZZDRAW_H

#include "CaseRunner.h"

namespace rooftile::run {

/// Random numbers; the same seed gives the same ones everywhere (SplitMix64).
class Draw {
public:
  explicit Draw(uint64_t seed) : state(seed * 0x2545F4914F6CDD1Dull + 1) {}

  /// 0 .. count - 1.
  uint64_t below(uint64_t count);
  bool chance(int percent) { return int(below(100)) < percent; }
  template <typename T> const T &of(const std::vector<T> &values) {
    return values[below(values.size())];
  }

private:
  uint64_t state;
};

/// A kernel with a plan at random (or the planner's own) and the cases that it serves: one, or
/// several sizes and scalars where these are given at run time. The plan need not be legal.
Kernel drawKernel(Draw &draw, const std::string &name);

/// The same case, simpler in one way each: smaller, without a scalar, with a plainer layout or
/// plan. The simplest come first.
std::vector<Case> simplerCases(const Case &single);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_FUZZDRAW_H
