//===- InstructionTiles.cpp - Tiles of matrix instructions ----------------===//
//
// Every instruction of the chip that multiplies the types of a product, as it is; and with A and B
// exchanged where that fits M better: 104 or 56 rows by m8n16k4, where m16n8k4 takes 112 or 64. Of
// several of the same rows and columns one is evaluated everywhere, of real numbers the longest, of
// complex ones the shortest, and a shorter one of real numbers for block vectors with many
// accumulators.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Space/InstructionTiles.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Copying.h"
#include "rooftile/Planning/Space/KSteps.h"
#include "rooftile/Planning/Space/NarrowTiles.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Planning/Space/TallSkinnyTiles.h"
#include "rooftile/Planning/Space/TileExtents.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

/// Elements of a thread along a side that tiles hold whole, at most.
static constexpr int64_t kMaxFittedMicro = 32;
/// Depth of slices beyond which fragments take registers that more workgroups need: at 4096 none
/// measured on an H200 was among the fastest.
static constexpr int64_t kMostDepth = 8;
/// Subgroups along a side.
static constexpr int64_t kSubgroups[] = {1, 2, 3, 4, 5, 7, 8, 16, 32};
/// Subgroups of a tile of block vectors at most where a side has an odd number of them.
static constexpr int64_t kMostOdd = 8;
/// Instructions that reach less of the ceiling of all multipliers are not evaluated.
static constexpr double kWorthwhile = 0.75;

/// Of subgroups along a side.
static bool isOdd(int64_t subgroups) { return subgroups > 1 && subgroups % 2 == 1; }

/// Whether an odd number of subgroups along a side makes a tile of block vectors that holds C with
/// nothing to spare: 80 columns by five, where four take 128.
static bool holdsNarrow(const Problem &problem, const Plan &plan, int64_t subgroups) {
  return isTallSkinny(problem) && subgroups <= kMostOdd &&
         plan.macroM == int64_t(llvm::alignTo(problem.m, plan.instruction->m)) &&
         plan.macroN == int64_t(llvm::alignTo(problem.n, plan.instruction->n));
}

/// Whether the chip has another instruction of the same rows and columns for which `holds`.
static bool hasOther(const tile::Instruction &own, blas::TargetAttr target,
                     llvm::function_ref<bool(const tile::Instruction &)> holds) {
  return llvm::any_of(target.getInstructions(), [&](blas::InstructionRateAttr rate) {
    const tile::Instruction *other = tile::findInstruction(rate.getName());
    bool same = other->type == own.type && other->m == own.m && other->n == own.n;
    return same && holds(*other);
  });
}

/// Whether real products have an instruction that does several of `own` in a row, and waits less
/// often (f64 4096 on an H200: 62.3 and 58.5 TFLOP/s in NN, 60.7 and 57.0 in TN).
static bool hasLonger(const tile::Instruction &own, const Problem &problem,
                      blas::TargetAttr target) {
  auto longer = [&](const tile::Instruction &other) {
    return other.k > own.k && other.depth() <= kMostDepth;
  };
  return problem.multiplyAdds == 1 && hasOther(own, target, longer);
}

/// Whether complex products have one of which `own` does several, and whose registers are moved
/// less (c128 4096 in NN: 9.4 and 10.7 ms).
static bool hasShorter(const tile::Instruction &own, const Problem &problem,
                       blas::TargetAttr target) {
  auto shorter = [&](const tile::Instruction &other) { return other.k < own.k; };
  return problem.multiplyAdds > 1 && hasOther(own, target, shorter);
}

/// Workgroups of one subgroup to the most threads, of any shape, with micro tiles of two extents,
/// and the lanes of the instruction of `plan`.
static void forEachWorkgroup(const Problem &problem, Plan plan, MicroExtent m, MicroExtent n,
                             llvm::function_ref<void(const Plan &)> visit) {
  int64_t subgroups = kMaxThreads / plan.instruction->lanes();
  for (int64_t alongM : kSubgroups)
    for (int64_t alongN : kSubgroups) {
      if (alongM * alongN > subgroups)
        continue;
      if (!m.takes(plan.lanesM * alongM) || !n.takes(plan.lanesN * alongN))
        continue;
      plan.macroM = plan.microM * plan.lanesM * alongM;
      plan.macroN = plan.microN * plan.lanesN * alongN;
      if (!isOfUse(plan, problem))
        continue;
      if ((isOdd(alongM) || isOdd(alongN)) && !holdsNarrow(problem, plan, alongM * alongN))
        continue;
      visit(plan);
    }
}

/// Elements of a fragment read along M or N. An instruction that takes several K of a lane in
/// neighbouring registers gets them one by one: of a run they would be moved there.
static int64_t runOfFragments(const Plan &plan, int64_t elementBytes) {
  const tile::Instruction &own = *plan.instruction;
  // Rows of A and columns of B that a lane holds, for each K.
  int64_t lanes = own.lanes() / own.lanesOfK();
  int64_t rows = plan.microM * plan.lanesM / lanes, columns = plan.microN * plan.lanesN / lanes;
  bool single = own.k > own.lanesOfK();
  return single ? 1
                : std::min(
                      {kMaxAccessBytes / elementBytes, largestPower(rows), largestPower(columns)});
}

/// Whether tiles of `own` may be worth their time: with operands exchanged, where its rows fit M
/// better than those of the machine's instruction, which are as many as its columns.
static bool fits(const tile::Instruction &own, const Problem &problem) {
  bool better = llvm::alignTo(problem.m, own.m) < llvm::alignTo(problem.m, own.n);
  return !own.isExchanged() || (problem.knownM && problem.m <= kMaxMacro && better);
}

/// All tiles of one matrix instruction.
static void forEachTileOf(const tile::Instruction &own, const Problem &problem,
                          llvm::function_ref<void(const Plan &)> visit) {
  Plan plan;
  plan.instruction = &own;
  std::tie(plan.lanesM, plan.lanesN) = std::pair(own.lanesOfC()[0], own.lanesOfC()[1]);
  int64_t leastM = own.m / plan.lanesM, leastN = own.n / plan.lanesN;
  for (MicroExtent m : extentsOfM(problem, leastM, plan.lanesM, kMaxFittedMicro))
    for (MicroExtent n : extentsOfN(problem, leastN, plan.lanesN, kMaxFittedMicro)) {
      plan.microM = m.micro, plan.microN = n.micro;
      if (plan.microM * plan.microN > kMaxMicroElements)
        continue;
      plan.vector = runOfFragments(plan, problem.elementBytes);
      forEachWorkgroup(problem, plan, m, n, visit);
    }
}

void planning::forEachInstructionTile(const Problem &problem, blas::TargetAttr target,
                                      llvm::function_ref<void(const Tile &)> visit) {
  double best = roofline(problem, target).flopsPerSecond;
  for (blas::InstructionRateAttr rate : target.getInstructions()) {
    const tile::Instruction *own = tile::findInstruction(rate.getName());
    if (!multiplies(*own, problem) || hasShorter(*own, problem, target) ||
        own->depth() > kMostDepth || rate.getGflops() * 1e9 < kWorthwhile * best)
      continue;
    bool single = hasLonger(*own, problem, target);
    if (single && !isTallSkinny(problem))
      continue;
    auto visitTile = [&](const Plan &plan) { visit({plan, single ? Steps::Short : Steps::All}); };
    for (const tile::Instruction *variant : tile::instructionsOf(rate.getName()))
      if (fits(*variant, problem))
        forEachTileOf(*variant, problem, visitTile);
  }
}
