//===- Reduction.cpp - Sharing out K, and what it costs -------------------===//

#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Dialect/Tile/Triangle.h"
#include "rooftile/Planning/Space/Plan.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

/// More slices than this cost more to add up than they save.
static constexpr int64_t kMostSplits = 4096;

/// M and N of block vectors at most, N and K of those times a small matrix; and the rest at least.
static constexpr int64_t kNarrow = 112, kSmall = 64, kLong = 4096;

bool planning::isTallSkinny(const Problem &problem) {
  return problem.knownM && problem.knownN && problem.batch == 1 && problem.k >= kLong &&
         std::max(problem.m, problem.n) <= kNarrow;
}

bool planning::isTsmm(const Problem &problem) {
  bool rows = problem.m >= kLong && problem.n <= kSmall;
  bool columns = problem.n >= kLong && problem.m <= kSmall;
  bool few = problem.k <= kSmall && std::min({problem.m, problem.n, problem.k}) > 0;
  return problem.knownM && problem.knownN && problem.knownK && problem.batch == 1 && few &&
         (rows || columns);
}

bool planning::dividesExchange(const Plan &plan) {
  int64_t ranks = plan.ranks(), threads = plan.threads();
  return plan.macroM % ranks == 0 &&
         blas::exchangeShare(plan.macroM / ranks, plan.macroN, threads, 1).threads == threads;
}

double planning::tilesOf(const Problem &problem, const Plan &plan) {
  double rows = llvm::divideCeil(problem.m, plan.macroM);
  double ofOne = problem.triangle ? tile::tilesOfTriangle(rows)
                                  : rows * llvm::divideCeil(problem.n, plan.macroN);
  return problem.batch * ofOne;
}

/// Elements of a slice of C, of which all are there where one triangle is computed.
static double elementsOfSlice(const Problem &problem) {
  return double(problem.batch) * problem.m * problem.n;
}

static void evaluateSplits(const Problem &problem, Plan plan, blas::TargetAttr target,
                           int64_t splits, llvm::function_ref<void(const Plan &)> evaluate) {
  plan.splits = splits;
  plan.reduction = blas::Reduction::Workspace;
  // Other shares need no groups: those of a narrow C, whose tile has few threads, do.
  int64_t ofTile = plan.threads() / plan.slicedK;
  bool narrow = plan.instruction || ofTile <= target->subgroup;
  bool streams = narrow && tilesOf(problem, plan) == 1 && isTallSkinny(problem);
  if (elementsOfSlice(problem) * splits <= problem.roomElements && (plan.slicedK == 1 || streams))
    evaluate(plan);
  if (splits <= target->clusterBlocks && llvm::isPowerOf2_64(splits)) {
    Plan cluster = plan;
    cluster.reduction = blas::Reduction::Cluster;
    cluster.c = blas::Via::Register; // the exchange writes rows anyway
    if (dividesExchange(cluster))
      evaluate(cluster);
  }
  if (problem.anyOrder) {
    plan.reduction = blas::Reduction::Atomic;
    evaluate(plan);
  }
}

void planning::forEachSplit(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                            int64_t resident, llvm::function_ref<void(const Plan &)> evaluate) {
  if (problem.slices > 1) {
    Plan partial = plan;
    partial.splits = problem.slices;
    partial.reduction = blas::Reduction::Workspace;
    return evaluate(partial);
  }
  evaluate(plan);
  // The workspace of a C without bounds would have none either; threads with whole matrices share
  // nothing.
  if (problem.isUnbounded() || plan.matrices > 1)
    return;
  double room = resident / std::max(1.0, tilesOf(problem, plan));
  int64_t most =
      std::min<int64_t>(kMostSplits, llvm::divideCeil(problem.k, plan.macroK) / kLeastSteps);
  if (room < 2 || most < 2)
    return;
  // The number that fills the chip, too. All of a stream should: fewer are not evaluated.
  int64_t filling = std::min<int64_t>(most, room);
  int64_t least = isTallSkinny(problem) ? llvm::bit_floor<uint64_t>(filling) / 2 : 2;
  for (int64_t splits = std::max<int64_t>(2, least); splits <= most && splits <= room; splits *= 2)
    evaluateSplits(problem, plan, target, splits, evaluate);
  if (!llvm::isPowerOf2_64(filling))
    evaluateSplits(problem, plan, target, filling, evaluate);
}

double planning::workspaceBytes(const Problem &problem, const Plan &plan) {
  if (plan.reduction != blas::Reduction::Workspace)
    return 0;
  return elementsOfSlice(problem) * plan.splits * problem.elementBytes;
}
