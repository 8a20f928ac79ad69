//===- Candidates.cpp - The plans that are weighed ------------------------===//
//
// Powers of two in every direction: micro tiles 1 .. 16, workgroups of one subgroup to 512 threads,
// macro K 8 .. 64; and tiles that hold the whole of a side that a power of two would exceed by far,
// such as 112 or 104 rows for 100. What follows from these (lanes, widths, padding) is not
// searched. Tiles far larger than the matrix are left out; so are single-slot plans for more than
// two steps. Groups that share out each step are weighed where tiles are too few to fill the chip
// with threads. Operands go one way: through registers, asynchronously, in bulk. Matrix
// instructions come last: of equals, multiply-adds are simpler. Of those for complex numbers none
// that has two slots for one or two steps was among the fastest on an H200, and one that copies
// asynchronously for narrow products alone (Depths.cpp).
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Candidates.h"
#include "Copying.h"
#include "Depths.h"
#include "rooftile/Planning/Estimate.h"
#include "llvm/Support/MathExtras.h"

#include <array>

using namespace rooftile;
using namespace rooftile::planning;

static constexpr int64_t kMaxMicro = 16;
/// The same along a side that tiles hold whole, by a matrix instruction.
static constexpr int64_t kMaxFittedMicro = 32;
/// A tile that exceeds a side by less than this share is not fitted to it.
static constexpr double kFittedShare = 1.0 / 8;
static constexpr int64_t kMaxMicroElements = 128;
static constexpr int64_t kMaxMicroRatio = 4;
static constexpr int64_t kSmallestMacro = 8;
static constexpr int64_t kMaxMacro = 256;
static constexpr int64_t kMaxThreads = 256;
/// Rows of a turned tile below which not every padding or swizzle is to be had.
static constexpr int64_t kNarrow = 16;
/// Lines that a swizzle tells apart.
static constexpr int64_t kMostLines =
    tile::BufferType::kSwizzleLines * tile::BufferType::kSwizzleWays;
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

namespace {
/// One side of tiles: elements of a thread, and threads along it (lanes and subgroups); 0: any
/// power of two of them.
struct Side {
  int64_t micro, threads;
};
} // namespace

/// M and N as far as tiles can be fitted to them: 0 where a kernel is for any size.
static int64_t sizeM(const Problem &problem) { return problem.knownM ? problem.m : 0; }
static int64_t sizeN(const Problem &problem) { return problem.knownN ? problem.n : 0; }

/// Micro tiles of powers of two from `least` on, and those of which some power of two of `lanes`
/// threads, or more, hold a side of `size` elements with little to spare, in multiples of `least`
/// of 1, 2 or 4 elements.
static llvm::SmallVector<Side> sidesOf(int64_t size, int64_t least, int64_t lanes, int64_t most) {
  llvm::SmallVector<Side> sides;
  for (int64_t micro = least; micro <= kMaxMicro; micro *= 2)
    sides.push_back({micro, 0});
  double exceeded = double(llvm::PowerOf2Ceil(size)) / size - 1;
  if (size <= kSmallestMacro || size > kMaxMacro || exceeded < kFittedShare)
    return sides;
  for (int64_t threads = lanes; threads <= kMaxThreads; threads *= 2)
    for (int64_t run = least; run <= 4; run *= 2) {
      int64_t micro = llvm::alignTo(llvm::divideCeil(size, threads), run);
      bool isNew = llvm::none_of(sides, [&](Side side) {
        return side.micro == micro && (side.threads == 0 || side.threads == threads);
      });
      if (micro <= most && micro * threads < int64_t(llvm::PowerOf2Ceil(size)) && isNew)
        sides.push_back({micro, threads});
    }
  return sides;
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

/// As `sides`, those of powers of two from the largest on.
static llvm::SmallVector<Side> largestFirst(llvm::SmallVector<Side> sides) {
  auto fitted = llvm::find_if(sides, [](Side side) { return side.threads != 0; });
  std::reverse(sides.begin(), fitted);
  return sides;
}

/// Whether `threads` along a side are what it asks for.
static bool takes(Side side, int64_t threads) {
  return side.threads == 0 || side.threads == threads;
}

/// Workgroups of one subgroup to the most threads, of any shape, with micro tiles of two sides, and
/// the lanes of the instruction of `plan`.
static void forEachInstructionTile(const Problem &problem, Plan plan, Side m, Side n,
                                   blas::TargetAttr target,
                                   llvm::function_ref<void(const Plan &)> weigh) {
  int64_t subgroups = kMaxThreads / plan.instruction->lanes();
  for (int64_t alongM = 1; alongM <= subgroups; alongM *= 2)
    for (int64_t alongN = 1; alongM * alongN <= subgroups; alongN *= 2) {
      if (!takes(m, plan.lanesM * alongM) || !takes(n, plan.lanesN * alongN))
        continue;
      plan.macroM = plan.microM * plan.lanesM * alongM;
      plan.macroN = plan.microN * plan.lanesN * alongN;
      if (plan.macroM <= kMaxMacro && plan.macroN <= kMaxMacro &&
          !wasteful(plan.macroM, problem.m) && !wasteful(plan.macroN, problem.n))
        forEachDepth(problem, plan, target, weigh);
    }
}

/// Whether the chip has another instruction to prefer, which does several of `own` in a row, or of
/// which `own` does several. Of real numbers the longer one waits less often (f64
/// 4096 on an H200: 62.3 and 58.5 TFLOP/s in NN, 60.7 and 57.0 in TN). Of complex ones the shorter
/// one does, whose registers are moved less (c128 4096 in NN: 9.4 and 10.7 ms).
static bool hasBetter(const tile::Instruction &own, const Problem &problem,
                      blas::TargetAttr target) {
  bool complex = problem.a.parts * problem.b.parts > 1;
  return llvm::any_of(target.getInstructions(), [&](blas::InstructionRateAttr rate) {
    const tile::Instruction *other = tile::findInstruction(rate.getName());
    bool same = other->type == own.type && other->m == own.m && other->n == own.n;
    bool longer = other->k > own.k && other->depth() <= kMostDepth;
    return same && (complex ? other->k < own.k : longer);
  });
}

/// The largest power of two that divides `size`.
static int64_t largestPower(int64_t size) { return size & -size; }

/// Elements of a fragment read along M or N. An instruction that takes several K of a lane in
/// neighbouring registers gets them one by one: of a run they would be moved there.
static int64_t runOfFragments(const Plan &plan, int64_t elementBytes) {
  const tile::Instruction &own = *plan.instruction;
  int64_t columns = plan.microN * plan.lanesN / own.n; // of B that a lane holds, for each K
  bool single = own.k > own.lanesOfK();
  return single ? 1
                : std::min({kMaxAccessBytes / elementBytes, largestPower(plan.microM),
                            largestPower(columns)});
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
    for (Side m : largestFirst(sidesOf(sizeM(problem), leastM, plan.lanesM, kMaxFittedMicro)))
      for (Side n : sidesOf(sizeN(problem), leastN, plan.lanesN, kMaxFittedMicro)) {
        plan.microM = m.micro, plan.microN = n.micro;
        if (plan.microM * plan.microN > kMaxMicroElements)
          continue;
        plan.vector = runOfFragments(plan, problem.elementBytes);
        forEachInstructionTile(problem, plan, m, n, target, weigh);
      }
  }
}

/// Whether a narrow tile, or one of a matrix instruction, is stored with a bank conflict.
static bool storesMeet(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  auto meet = [&](const Matrix &matrix, const Path &path, int64_t extent) {
    return (extent < kNarrow || plan.macroK > kMostLines || plan.instruction) &&
           storeReplays({matrix, path, extent}, plan, target) > 1;
  };
  return meet(problem.a, plan.a, plan.macroM) || meet(problem.b, plan.b, plan.macroN);
}

/// All tiles of all multipliers.
static void forEachTile(const Problem &problem, blas::TargetAttr target,
                        llvm::function_ref<void(const Plan &)> weigh) {
  int64_t subgroup = target.getSubgroup();
  Plan plan;
  auto weighThreads = [&](int64_t threads, Side m, Side n) {
    for (int64_t threadsM = 1; threadsM <= threads; threadsM *= 2) {
      if (!takes(m, threadsM) || !takes(n, threads / threadsM))
        continue;
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
  for (Side m : largestFirst(sidesOf(sizeM(problem), 1, 1, kMaxMicro)))
    for (Side n : sidesOf(sizeN(problem), 1, 1, kMaxMicro)) {
      plan.microM = m.micro, plan.microN = n.micro;
      int64_t small = std::min(plan.microM, plan.microN),
              large = std::max(plan.microM, plan.microN);
      if (plan.microM * plan.microN > kMaxMicroElements || large / small > kMaxMicroRatio)
        continue;
      int64_t run = std::min(largestPower(m.micro), largestPower(n.micro));
      plan.vector = std::min(problem.widest(kMaxAccessBytes), run);
      for (int64_t threads = subgroup; threads <= kMaxThreads; threads *= 2)
        weighThreads(threads, m, n);
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
    // On matrix units the sums of parts take longer than the products that they save: c128 4096^3
    // 13.5 ms, and 10.2 with four products.
    if (!problem.threeProducts || plan.instruction)
      return;
    plan.products = 3;
    weigh(plan);
  });
  // Eight columns of two bytes, say, turned by subgroups of 64.
  if (!any)
    forEachTile(problem, target, weigh);
}
