//===- Sides.cpp - Sides of tiles that are weighed ------------------------===//

#include "Sides.h"
#include "rooftile/Planning/Reduction.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

/// A tile that exceeds a side by less than this share is not fitted to it.
static constexpr double kFittedShare = 1.0 / 8;
static constexpr int64_t kSmallestMacro = 8;

/// The sides for `size` elements, 0 where it is not known, the smallest powers of two first.
static llvm::SmallVector<Side> sidesOf(const Problem &problem, int64_t size, int64_t least,
                                       int64_t lanes, int64_t most) {
  llvm::SmallVector<Side> sides;
  for (int64_t micro = least; micro <= kMaxMicro; micro *= 2)
    sides.push_back({micro, 0});
  double exceeded = double(llvm::PowerOf2Ceil(size)) / size - 1;
  if (size <= kSmallestMacro || size > kMaxMacro || exceeded < kFittedShare)
    return sides;
  auto fit = [&](int64_t threads) {
    for (int64_t run = least; run <= 4; run *= 2) {
      int64_t micro = llvm::alignTo(llvm::divideCeil(size, threads), run);
      bool isNew = llvm::none_of(sides, [&](Side side) {
        return side.micro == micro && (side.threads == 0 || side.threads == threads);
      });
      if (micro <= most && micro * threads < int64_t(llvm::PowerOf2Ceil(size)) && isNew)
        sides.push_back({micro, threads});
    }
  };
  for (int64_t threads = lanes; threads <= kMaxThreads; threads *= 2)
    fit(threads);
  // 72 by three subgroups, not 96 by two.
  if (lanes > 1 && isTallSkinny(problem))
    fit(3 * lanes);
  return sides;
}

llvm::SmallVector<Side> planning::sidesOfM(const Problem &problem, int64_t least, int64_t lanes,
                                           int64_t most) {
  llvm::SmallVector<Side> sides =
      sidesOf(problem, problem.knownM ? problem.m : 0, least, lanes, most);
  auto fitted = llvm::find_if(sides, [](Side side) { return side.threads != 0; });
  std::reverse(sides.begin(), fitted);
  return sides;
}

llvm::SmallVector<Side> planning::sidesOfN(const Problem &problem, int64_t least, int64_t lanes,
                                           int64_t most) {
  return sidesOf(problem, problem.knownN ? problem.n : 0, least, lanes, most);
}

bool planning::isOfUse(const Plan &plan, const Problem &problem) {
  auto ofUse = [](int64_t macro, int64_t size) {
    return macro <= kMaxMacro && macro / 2 < std::max(size, kSmallestMacro);
  };
  return ofUse(plan.macroM, problem.m) && ofUse(plan.macroN, problem.n);
}
