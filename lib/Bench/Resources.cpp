//===- Resources.cpp - Predicted time by resource -------------------------===//

#include "rooftile/Bench/Resources.h"
#include "llvm/ADT/STLExtras.h"

using namespace rooftile;
using namespace rooftile::bench;

static constexpr const char *kBoundNames[] = {"FMA", "issue", "shared", "L2", "DRAM", "latency"};
static_assert(std::size(kBoundNames) == planning::kBounds);

Resources rooftile::bench::resourcesOf(const planning::Estimate &estimate) {
  Resources resources;
  for (auto [name, seconds] : llvm::zip(kBoundNames, estimate.stepSeconds))
    resources.emplace_back(name, seconds);
  resources.emplace_back("C", estimate.epilogueSeconds);
  resources.emplace_back("launch", estimate.launchSeconds);
  return resources;
}

Resources rooftile::bench::resourcesOf(const planning::Blocks &blocks) {
  return {{"diagonal", blocks.diagonalSeconds}, {"updates", blocks.updateSeconds}};
}

void rooftile::bench::addTo(Resources &sum, const Resources &more) {
  for (const auto &own : more) {
    auto known = llvm::find_if(sum, [&](const auto &each) { return each.first == own.first; });
    if (known == sum.end())
      sum.push_back(own);
    else
      known->second += own.second;
  }
}
