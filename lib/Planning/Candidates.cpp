//===- Candidates.cpp - The plans that are weighed ------------------------===//
//
// Powers of two in every direction: micro tiles 1 .. 16, workgroups of one subgroup to 512 threads,
// macro K 8, 16, 32. What follows from these (lanes, widths, padding) is not searched. Tiles far
// larger than the matrix are left out; so are single-slot plans for more than two steps. Operands
// go one way: through registers, asynchronously, in bulk. Matrix instructions come last: of equals,
// multiply-adds are simpler. Of those for complex numbers none that copies asynchronously, or has
// two slots for one or two steps, was among the fastest on an H200.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Candidates.h"
#include "Bulk.h"
#include "Copying.h"
#include "Paths.h"
#include "rooftile/Planning/Estimate.h"
#include "llvm/Support/MathExtras.h"

#include <array>

using namespace rooftile;
using namespace rooftile::planning;

static constexpr int64_t kMaxMicro = 16;
static constexpr int64_t kMaxMicroElements = 128;
static constexpr int64_t kMaxMicroRatio = 4;
static constexpr int64_t kSmallestMacro = 8;
static constexpr int64_t kMaxMacro = 256;
static constexpr int64_t kMaxThreads = 256;
static constexpr int64_t kMacroK[] = {8, 16, 32};
/// Rows of a turned tile below which not every padding or swizzle is to be had.
static constexpr int64_t kNarrow = 16;
/// Multiplications of a thread in one unrolled step: 16 KiB of code. The fastest
/// kernels measured on an H200 keep to it; longer ones take up to a second to assemble.
static constexpr int64_t kMaxUnrolled = 1024;
/// K step beyond which tiles on their way through registers take those of matrix instructions.
static constexpr int64_t kMostStaged = 16;
/// Elements of tiles of C, and K, beyond which matrix instructions get real numbers asynchronously
/// alone, and steps that such a loop has at least: of 8192^2 x 64 others took 1.1 to 1.4 times as
/// long on an H200.
static constexpr int64_t kMostStagedTile = 2048, kMostStagedK = 32, kLeastSteps = 4;
/// Depth of slices beyond which fragments take registers that more workgroups need: at 4096 none
/// measured on an H200 was among the fastest.
static constexpr int64_t kMostDepth = 8;
/// Instructions that reach less of the ceiling of all multipliers are not weighed.
static constexpr double kWorthwhile = 0.75;

/// At least half of `macro` elements would lie beyond an extent of `size`, and
/// the tile is larger than the smallest workgroups are.
static bool wasteful(int64_t macro, int64_t size) {
  return macro / 2 >= std::max(size, kSmallestMacro);
}

/// The arrangement of a subgroup that reads the fewest different elements:
/// lanes M * micro M + lanes N * micro N.
static void chooseLanes(Plan &plan, int64_t subgroup) {
  int64_t threadsM = plan.macroM / plan.microM, threadsN = plan.macroN / plan.microN;
  int64_t fewest = INT64_MAX;
  for (int64_t lanesM = 1; lanesM <= std::min(subgroup, threadsM); lanesM *= 2) {
    int64_t lanesN = subgroup / lanesM;
    int64_t read = lanesM * plan.microM + lanesN * plan.microN;
    if (lanesN > threadsN || read >= fewest)
      continue;
    fewest = read;
    plan.lanesM = lanesM;
    plan.lanesN = lanesN;
  }
}

/// All K steps, copies and slots for fixed macro M, macro N and micro tile.
static void forEachDepth(const Problem &problem, Plan plan, blas::TargetAttr target,
                         llvm::function_ref<void(const Plan &)> weigh) {
  // Measured at 4095: with narrow loads, and with complex<f64> everywhere, the first fragments of a
  // step should be there before its barrier, in most forms; with wide ones it depends on the form.
  bool narrow = problem.a.maxVector == 1 || problem.b.maxVector == 1;
  // Lanes of a matrix instruction read lines along K as well: nothing is turned.
  plan.a.major = plan.instruction && problem.a.alongK() ? blas::Major::K : blas::Major::MN;
  plan.b.major = plan.instruction && problem.b.alongK() ? blas::Major::K : blas::Major::MN;
  // Of one product nothing stands between two turns of a K loop.
  bool single = plan.instruction && problem.multiplyAdds == 1 &&
                plan.microM * plan.lanesM == plan.instruction->m &&
                plan.microN * plan.lanesN == plan.instruction->n;
  auto weighWith = [&](blas::Copy copy, int64_t stages, int64_t ahead) {
    plan.a = choosePath(problem, true, plan, copy, target);
    plan.b = choosePath(problem, false, plan, copy, target);
    plan.stages = stages;
    plan.ahead = single ? 0 : ahead;
    plan.c = chooseOutput(problem, plan, target);
    weigh(plan);
  };
  for (int64_t macroK : kMacroK) {
    int64_t products = macroK * plan.microM * plan.microN * problem.multiplyAdds;
    if (!plan.instruction && macroK > kMacroK[0] && products > kMaxUnrolled)
      break;
    if (plan.instruction && macroK % plan.instruction->depth() != 0)
      continue;
    plan.macroK = macroK;
    bool few = problem.k <= 2 * macroK, complex = multipliesParts(problem, plan);
    bool async = canCopyAsync(problem, target) && problem.k > macroK && !complex;
    bool staged = !plan.instruction || complex || problem.k <= kMostStagedK ||
                  plan.macroM * plan.macroN <= kMostStagedTile;
    if (plan.instruction && problem.k > kMostStagedK)
      async &= problem.k >= kLeastSteps * macroK;
    if (staged && (!plan.instruction || macroK <= kMostStaged) && !(complex && few))
      weighWith(blas::Copy::Register, 2, narrow ? 1 : 0);
    if (staged && few)
      weighWith(blas::Copy::Register, 1, 0);
    if (async)
      weighWith(blas::Copy::Async, asyncStages(problem.k, macroK), 1);
  }
  if (std::optional<Plan> bulk = bulkPlan(problem, plan, target))
    weigh(*bulk);
}

/// Workgroups of one subgroup to the most threads, of any shape, with the micro tile of `plan`,
/// whose lanes are those of its instruction.
static void forEachInstructionTile(const Problem &problem, Plan plan, blas::TargetAttr target,
                                   llvm::function_ref<void(const Plan &)> weigh) {
  int64_t subgroups = kMaxThreads / plan.instruction->lanes();
  for (int64_t alongM = 1; alongM <= subgroups; alongM *= 2)
    for (int64_t alongN = 1; alongM * alongN <= subgroups; alongN *= 2) {
      plan.macroM = plan.microM * plan.lanesM * alongM;
      plan.macroN = plan.microN * plan.lanesN * alongN;
      if (plan.macroM <= kMaxMacro && plan.macroN <= kMaxMacro &&
          !wasteful(plan.macroM, problem.m) && !wasteful(plan.macroN, problem.n))
        forEachDepth(problem, plan, target, weigh);
    }
}

/// Whether the chip has another instruction to prefer, which does several of `own` in the same
/// slices, or of which `own` does several. Of real numbers the longer one waits less often (f64
/// 4096 on an H200: 62.3 and 58.5 TFLOP/s in NN, 60.7 and 57.0 in TN). Of complex ones the shorter
/// one does, whose registers are moved less (c128 4096 in NN: 9.4 and 10.7 ms).
static bool hasBetter(const tile::Instruction &own, const Problem &problem,
                      blas::TargetAttr target) {
  bool complex = problem.a.parts * problem.b.parts > 1;
  return llvm::any_of(target.getInstructions(), [&](blas::InstructionRateAttr rate) {
    const tile::Instruction *other = tile::findInstruction(rate.getName());
    bool same = other->type == own.type && other->m == own.m && other->n == own.n &&
                other->depth() == own.depth();
    return same && (complex ? other->k < own.k : other->k > own.k);
  });
}

/// Elements of a fragment read along M or N. An instruction that takes several K of a lane in
/// neighbouring registers gets them one by one: of a run they would be moved there.
static int64_t runOfFragments(const Plan &plan, int64_t elementBytes) {
  const tile::Instruction &own = *plan.instruction;
  int64_t columns = plan.microN * plan.lanesN / own.n; // of B that a lane holds, for each K
  bool single = own.k > own.lanesOfK();
  return single ? 1 : std::min({kMaxAccessBytes / elementBytes, plan.microM, columns});
}

/// All tiles of the matrix instructions that multiply the types of `problem`.
static void forEachInstruction(const Problem &problem, blas::TargetAttr target,
                               llvm::function_ref<void(const Plan &)> weigh) {
  double best = roofline(problem, target).flopsPerSecond;
  for (blas::InstructionRateAttr rate : target.getInstructions()) {
    const tile::Instruction *own = tile::findInstruction(rate.getName());
    if (!multiplies(*own, problem) || hasBetter(*own, problem, target) ||
        own->depth() > kMostDepth || rate.getGflops() * 1e9 < kWorthwhile * best)
      continue;
    Plan plan;
    plan.instruction = own;
    std::tie(plan.lanesM, plan.lanesN) = std::pair(own->lanesOfC()[0], own->lanesOfC()[1]);
    int64_t leastM = own->m / plan.lanesM, leastN = own->n / plan.lanesN;
    for (plan.microM = kMaxMicro; plan.microM >= leastM; plan.microM /= 2)
      for (plan.microN = leastN; plan.microN <= kMaxMicro; plan.microN *= 2) {
        if (plan.microM * plan.microN > kMaxMicroElements)
          continue;
        plan.vector = runOfFragments(plan, problem.elementBytes);
        forEachInstructionTile(problem, plan, target, weigh);
      }
  }
}

/// Whether a narrow tile, or one of a matrix instruction, is stored with a bank conflict.
static bool storesMeet(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  auto meet = [&](const Matrix &matrix, const Path &path, int64_t extent) {
    return (extent < kNarrow || plan.instruction) &&
           storeReplays({matrix, path, extent}, plan, matrix.elementBytes, target) > 1;
  };
  return meet(problem.a, plan.a, plan.macroM) || meet(problem.b, plan.b, plan.macroN);
}

/// All tiles of all multipliers.
static void forEachTile(const Problem &problem, blas::TargetAttr target,
                        llvm::function_ref<void(const Plan &)> weigh) {
  int64_t subgroup = target.getSubgroup();
  Plan plan;
  auto weighThreads = [&](int64_t threads) {
    for (int64_t threadsM = 1; threadsM <= threads; threadsM *= 2) {
      plan.macroM = plan.microM * threadsM;
      plan.macroN = plan.microN * (threads / threadsM);
      if (plan.macroM > kMaxMacro || plan.macroN > kMaxMacro || wasteful(plan.macroM, problem.m) ||
          wasteful(plan.macroN, problem.n))
        continue;
      chooseLanes(plan, subgroup);
      forEachDepth(problem, plan, target, weigh);
    }
  };
  // Taller micro tiles first: where the model sees no difference, 16x8 was faster than 8x16.
  for (plan.microM = kMaxMicro; plan.microM > 0; plan.microM /= 2)
    for (plan.microN = 1; plan.microN <= kMaxMicro; plan.microN *= 2) {
      int64_t small = std::min(plan.microM, plan.microN),
              large = std::max(plan.microM, plan.microN);
      if (plan.microM * plan.microN > kMaxMicroElements || large / small > kMaxMicroRatio)
        continue;
      plan.vector = std::min(problem.widest(kMaxAccessBytes), small);
      for (int64_t threads = subgroup; threads <= kMaxThreads; threads *= 2)
        weighThreads(threads);
    }
  forEachInstruction(problem, target, weigh);
}

void planning::forEachCandidate(const Problem &problem, blas::TargetAttr target,
                                llvm::function_ref<void(const Plan &)> weigh) {
  bool any = false;
  forEachTile(problem, target, [&](Plan plan) {
    if (storesMeet(problem, plan, target))
      return;
    any = true;
    weigh(plan);
    if (!problem.threeProducts)
      return;
    plan.products = 3;
    weigh(plan);
  });
  // Eight columns of two bytes, say, turned by subgroups of 64.
  if (!any)
    forEachTile(problem, target, weigh);
}
