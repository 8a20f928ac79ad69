//===- Candidates.cpp - The plans that are weighed ------------------------===//
//
// Powers of two in every direction: micro tiles 1 .. 16, workgroups of one
// subgroup to 512 threads, macro K 8, 16, 32. What follows from these (lanes,
// widths, padding) is not searched. Tiles far larger than the matrix are left
// out; so are single-slot plans unless the K loop has hardly a next step.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Candidates.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

static constexpr int64_t kMaxMicro = 16;
static constexpr int64_t kMaxMicroElements = 128;
static constexpr int64_t kMaxMicroRatio = 4;
static constexpr int64_t kSmallestMacro = 8;
static constexpr int64_t kMaxMacro = 256;
static constexpr int64_t kMaxThreads = 256;
static constexpr int64_t kMaxAccessBytes = 16;
static constexpr int64_t kMacroK[] = {8, 16, 32};
/// Multiplications of a thread in one unrolled step: 16 KiB of code. The fastest
/// kernels measured on an H200 keep to it; longer ones take up to a second to assemble.
static constexpr int64_t kMaxUnrolled = 1024;

/// At least half of `macro` elements would lie beyond an extent of `size`, and
/// the tile is larger than the smallest workgroups are.
static bool wasteful(int64_t macro, int64_t size) {
  return macro / 2 >= std::max(size, kSmallestMacro);
}

/// The widest legal access whose loads divide among the threads, and the padding.
static Path choosePath(const Matrix &matrix, int64_t extent, const Plan &plan) {
  Path path;
  int64_t along = matrix.turned() ? plan.macroK : extent;
  path.vector = matrix.maxVector;
  while (path.vector > 1 &&
         (along % path.vector != 0 || extent * plan.macroK / path.vector % plan.threads() != 0))
    path.vector /= 2;
  // A tile that is turned on its way is padded: columns of it meet in one bank otherwise.
  if (matrix.contiguous == Contiguous::Inner)
    path.pad = plan.vector;
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

/// All K steps and slots for fixed macro M, macro N and micro tile.
static void forEachDepth(const Problem &problem, Plan plan,
                         llvm::function_ref<void(const Plan &)> weigh) {
  for (int64_t macroK : kMacroK) {
    if (macroK > kMacroK[0] && macroK * plan.microM * plan.microN > kMaxUnrolled)
      break;
    plan.macroK = macroK;
    plan.a = choosePath(problem.a, plan.macroM, plan);
    plan.b = choosePath(problem.b, plan.macroN, plan);
    plan.stages = 2;
    weigh(plan);
    if (problem.k > 2 * macroK)
      continue;
    plan.stages = 1;
    weigh(plan);
  }
}

void planning::forEachCandidate(const Problem &problem, blas::TargetAttr target,
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
      forEachDepth(problem, plan, weigh);
    }
  };
  for (plan.microM = 1; plan.microM <= kMaxMicro; plan.microM *= 2)
    for (plan.microN = 1; plan.microN <= kMaxMicro; plan.microN *= 2) {
      int64_t small = std::min(plan.microM, plan.microN),
              large = std::max(plan.microM, plan.microN);
      if (plan.microM * plan.microN > kMaxMicroElements || large / small > kMaxMicroRatio)
        continue;
      plan.vector = std::min(kMaxAccessBytes / problem.elementBytes, small);
      for (int64_t threads = subgroup; threads <= kMaxThreads; threads *= 2)
        weighThreads(threads);
    }
}
