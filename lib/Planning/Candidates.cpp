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
static constexpr int64_t kMaxAccessBytes = 16;
/// What asynchronous copies move at least.
static constexpr int64_t kLeastCopyBytes = 4;
static constexpr int64_t kMacroK[] = {8, 16, 32};
/// Slots of a ring that is filled asynchronously: three tiles on their way.
static constexpr int64_t kAsyncStages = 4;
/// Rows of a turned tile below which not every padding or swizzle is to be had.
static constexpr int64_t kNarrow = 16;
/// Multiplications of a thread in one unrolled step: 16 KiB of code. The fastest
/// kernels measured on an H200 keep to it; longer ones take up to a second to assemble.
static constexpr int64_t kMaxUnrolled = 1024;
/// K step beyond which tiles on their way through registers take those of matrix instructions.
static constexpr int64_t kMostStaged = 16;
/// Depth of slices beyond which fragments take registers that more workgroups need: at 4096 none
/// measured on an H200 was among the fastest.
static constexpr int64_t kMostDepth = 8;
/// K up to which C is most of what a product moves.
static constexpr int64_t kShortK = 256;
/// Instructions that reach less of the ceiling of all multipliers are not weighed.
static constexpr double kWorthwhile = 0.75;

/// At least half of `macro` elements would lie beyond an extent of `size`, and
/// the tile is larger than the smallest workgroups are.
static bool wasteful(int64_t macro, int64_t size) {
  return macro / 2 >= std::max(size, kSmallestMacro);
}

/// The widest legal access whose loads divide among the threads; a tile that is turned on its
/// way is spread over the banks.
static Path choosePath(const Problem &problem, bool isA, const Plan &plan, blas::Copy copy,
                       blas::TargetAttr target) {
  const Matrix &matrix = isA ? problem.a : problem.b;
  int64_t extent = isA ? plan.macroM : plan.macroN;
  Path path;
  path.copy = copy;
  int64_t along = matrix.turned() ? plan.macroK : extent;
  path.vector = copy == blas::Copy::Async && matrix.turned() ? 1 : matrix.maxVector;
  while (path.vector > 1 &&
         (along % path.vector != 0 || extent * plan.macroK / path.vector % plan.threads() != 0))
    path.vector /= 2;
  // Lanes of a matrix instruction read several rows of a slice at once.
  if (matrix.turned())
    spreadOverBanks(path, extent, plan, matrix.elementBytes, target);
  else if (plan.instruction)
    path.pad = paddingOf(extent, plan, matrix.elementBytes, target);
  return path;
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

/// Slots of asynchronous copies: enough to cover the latency of memory, no more than steps.
static int64_t asyncStages(int64_t k, int64_t macroK) {
  return std::clamp<int64_t>(llvm::divideCeil(k, macroK), 2, kAsyncStages);
}

/// Through shared memory where lanes would write the sectors of C in parts, and these are narrow or
/// meet memory: C is most of what moves, or more than the cache holds; and the room for it costs no
/// workgroup of its place.
static blas::Via chooseOutput(const Problem &problem, Plan plan, blas::TargetAttr target) {
  plan.c = blas::Via::Register;
  bool narrow = problem.c.maxVector * problem.c.elementBytes < kMaxAccessBytes;
  bool most = problem.k <= kShortK;
  bool leaves = plan.instruction && !isCached(problem.bytesOfC(), target);
  leaves |= multipliesParts(problem, plan); // a workgroup alone on its unit
  bool divided = sectorTouches(problem, plan) > 1;
  if (problem.c.contiguous != Contiguous::Inner || !divided || !(narrow || most || leaves) ||
      !surelyExchanges(problem, plan, target))
    return blas::Via::Register;
  int64_t registers = registersPerThread(problem, plan, target.getVendor());
  int64_t blocks = occupancy(problem, plan, target, registers).blocks;
  plan.c = blas::Via::Shared;
  bool fits = sharedBytes(problem, plan) <= target.getSharedBytesPerBlock() &&
              occupancy(problem, plan, target, registers).blocks == blocks;
  return fits ? blas::Via::Shared : blas::Via::Register;
}

/// Tiles of both operands can be copied without registers: by whole elements where they are turned.
static bool canCopyAsync(const Problem &problem, blas::TargetAttr target) {
  return llvm::all_of(std::array{&problem.a, &problem.b}, [&](const Matrix *matrix) {
    int64_t narrowest = matrix->elementBytes * (matrix->turned() ? 1 : matrix->maxVector);
    return narrowest >= kLeastCopyBytes && matrix->elementBytes <= target.getAsyncCopyBytes();
  });
}

/// All K steps, copies and slots for fixed macro M, macro N and micro tile.
static void forEachDepth(const Problem &problem, Plan plan, blas::TargetAttr target,
                         llvm::function_ref<void(const Plan &)> weigh) {
  // Measured at 4095: with narrow loads, and with complex<f64> everywhere, the first fragments of a
  // step should be there before its barrier, in most forms; with wide ones it depends on the form.
  bool narrow = problem.a.maxVector == 1 || problem.b.maxVector == 1;
  auto weighWith = [&](blas::Copy copy, int64_t stages, int64_t ahead) {
    plan.a = choosePath(problem, true, plan, copy, target);
    plan.b = choosePath(problem, false, plan, copy, target);
    plan.stages = stages;
    plan.ahead = ahead;
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
    if ((!plan.instruction || macroK <= kMostStaged) && !(complex && few))
      weighWith(blas::Copy::Register, 2, narrow ? 1 : 0);
    if (few)
      weighWith(blas::Copy::Register, 1, 0);
    if (canCopyAsync(problem, target) && problem.k > macroK && !complex)
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

/// Whether the chip has an instruction of which `own` does several at once, in the same slices: the
/// shorter one leaves the assembler more freedom (measured on an H200: 0.89 against 0.75 of
/// cuBLAS in NN with 64x64x16, micro 4x8, no difference in NT and TN).
static bool isSeveral(const tile::Instruction &own, blas::TargetAttr target) {
  return llvm::any_of(target.getInstructions(), [&](blas::InstructionRateAttr rate) {
    const tile::Instruction *other = tile::findInstruction(rate.getName());
    return other->type == own.type && other->m == own.m && other->n == own.n && other->k < own.k &&
           other->depth() == own.depth();
  });
}

/// All tiles of the matrix instructions that multiply the types of `problem`.
static void forEachInstruction(const Problem &problem, blas::TargetAttr target,
                               llvm::function_ref<void(const Plan &)> weigh) {
  double best = roofline(problem, target).flopsPerSecond;
  for (blas::InstructionRateAttr rate : target.getInstructions()) {
    const tile::Instruction *own = tile::findInstruction(rate.getName());
    if (!multiplies(*own, problem) || isSeveral(*own, target) || own->depth() > kMostDepth ||
        rate.getGflops() * 1e9 < kWorthwhile * best)
      continue;
    Plan plan;
    plan.instruction = own;
    std::tie(plan.lanesM, plan.lanesN) = std::pair(own->lanesOfC()[0], own->lanesOfC()[1]);
    int64_t leastM = own->m / plan.lanesM, leastN = own->n / plan.lanesN;
    for (plan.microM = kMaxMicro; plan.microM >= leastM; plan.microM /= 2)
      for (plan.microN = leastN; plan.microN <= kMaxMicro; plan.microN *= 2) {
        if (plan.microM * plan.microN > kMaxMicroElements)
          continue;
        int64_t columns = plan.microN / leastN; // of B that a lane holds, for each K
        plan.vector = std::min({kMaxAccessBytes / problem.elementBytes, plan.microM, columns});
        forEachInstructionTile(problem, plan, target, weigh);
      }
  }
}

/// Whether a narrow tile is turned with a bank conflict.
static bool storesMeet(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  auto meet = [&](const Matrix &matrix, const Path &path, int64_t extent) {
    return extent < kNarrow &&
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
  forEachTile(problem, target, [&](const Plan &plan) {
    if (storesMeet(problem, plan, target))
      return;
    any = true;
    weigh(plan);
  });
  // Eight columns of two bytes, say, turned by subgroups of 64.
  if (!any)
    forEachTile(problem, target, weigh);
}
