//===- TileExtents.cpp - Extents of tiles that are evaluated --------------===//

#include "rooftile/Planning/Space/TileExtents.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

/// A tile that exceeds a side by less than this share is not fitted to it.
static constexpr double kFittedShare = 1.0 / 8;
static constexpr int64_t kSmallestMacro = 8;

/// The extents for `size` elements, 0 where it is not known, the smallest powers of two first.
static llvm::SmallVector<MicroExtent> extentsOf(const Problem &problem, int64_t size, int64_t least,
                                                int64_t lanes, int64_t most) {
  llvm::SmallVector<MicroExtent> extents;
  for (int64_t micro = least; micro <= kMaxMicro; micro *= 2)
    extents.push_back({micro, 0});
  double exceeded = double(llvm::PowerOf2Ceil(size)) / size - 1;
  if (size <= kSmallestMacro || size > kMaxMacro || exceeded < kFittedShare)
    return extents;
  auto fit = [&](int64_t threads) {
    for (int64_t run = least; run <= 4; run *= 2) {
      int64_t micro = llvm::alignTo(llvm::divideCeil(size, threads), run);
      bool isNew = llvm::none_of(extents, [&](MicroExtent extent) {
        return extent.micro == micro && (extent.threads == 0 || extent.threads == threads);
      });
      if (micro <= most && micro * threads < int64_t(llvm::PowerOf2Ceil(size)) && isNew)
        extents.push_back({micro, threads});
    }
  };
  for (int64_t threads = lanes; threads <= kMaxThreads; threads *= 2)
    fit(threads);
  // 72 by three subgroups, not 96 by two.
  if (lanes > 1 && isTallSkinny(problem))
    fit(3 * lanes);
  return extents;
}

llvm::SmallVector<MicroExtent> planning::extentsOfM(const Problem &problem, int64_t least,
                                                    int64_t lanes, int64_t most) {
  llvm::SmallVector<MicroExtent> extents =
      extentsOf(problem, problem.knownM ? problem.m : 0, least, lanes, most);
  auto fitted = llvm::find_if(extents, [](MicroExtent extent) { return extent.threads != 0; });
  std::reverse(extents.begin(), fitted);
  return extents;
}

llvm::SmallVector<MicroExtent> planning::extentsOfN(const Problem &problem, int64_t least,
                                                    int64_t lanes, int64_t most) {
  return extentsOf(problem, problem.knownN ? problem.n : 0, least, lanes, most);
}

bool planning::isOfUse(const Plan &plan, const Problem &problem) {
  auto ofUse = [](int64_t macro, int64_t size) {
    return macro <= kMaxMacro && macro / 2 < std::max(size, kSmallestMacro);
  };
  return ofUse(plan.macroM, problem.m) && ofUse(plan.macroN, problem.n);
}
