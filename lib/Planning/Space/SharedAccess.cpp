//===- SharedAccess.cpp - Accesses to tiles in shared memory --------------===//

#include "rooftile/Planning/Space/SharedAccess.h"
#include "rooftile/Dialect/Blas/LaneStep.h"
#include "rooftile/Dialect/Tile/BankConflicts.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace rooftile;
using namespace rooftile::planning;

/// Clocks of an access by so many threads, as a multiple of the fewest.
static double replays(const tile::SharedAccess &access, int64_t threads, blas::TargetAttr target) {
  tile::Banks banks{target->sharedBanks, target->subgroup};
  int64_t together = std::max<int64_t>(1, banks.count * 4 / access.elementBytes / access.elements);
  int64_t fewest = llvm::divideCeil(std::min(banks.subgroup, threads), together);
  return double(tile::wavefronts(access, banks)) / fewest;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

double planning::storeReplays(const TileCopy &copy, const Plan &plan, blas::TargetAttr target) {
  // Rows that lie after each other without a gap are one run: nothing can meet.
  bool gapless = !isTransposed(copy.matrix, copy.path) && copy.path.pad == 0;
  if (blas::arrivesInBulk(copy.path.copy) || copy.path.isDirect() || gapless)
    return 1;
  int64_t lanes = copyLanes(copy.matrix, copy.path, copy.extent, plan);
  // Rows of the map: along M or N; columns: along K.
  bool alongK = copy.matrix.alongK();
  llvm::SmallVector<tile::Mode> modes{
      {lanes, alongK ? 0 : copy.path.vector, alongK ? copy.path.vector : 0}};
  bool planar = copy.path.layout == blas::ComplexLayout::Planar;
  for (auto [size, step] : tile::digitsAcross(planar, lanes, plan.threads() / lanes))
    modes.push_back({size, alongK ? step : 0, alongK ? 0 : step});
  std::array<int64_t, 2> strides =
      blas::tileStrides(copy.extent, plan.macroK, blas::layoutOf(copy.path, plan.threads()));
  return replays({modes, strides, storedVector(copy.matrix, copy.path),
                  stepBytes(copy.matrix, copy.path), copy.path.swizzle},
                 plan.threads(), target);
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

int64_t planning::fragmentVector(const Plan &plan, const Path &path, int64_t elementBytes) {
  int64_t widest = std::max<int64_t>(1, blas::kMaxAccessBytes / elementBytes);
  if (path.major == blas::Major::MN)
    return path.flat ? std::gcd(plan.vector, path.flat) : std::min(plan.vector, widest);
  if (plan.instruction)
    return plan.instruction->rowsFirst > 1 ? std::min(blas::laneStep(plan), widest)
                                           : plan.instruction->runOfK;
  // Runs along K, which divide the vectors. LLVM joins those of slices that are written out one
  // after the other, but for offsets that a swizzle permutes.
  int64_t apart = path.flat ? path.flat : plan.macroK + path.pad;
  int64_t slices = plan.unroll ? plan.unroll : plan.macroK / plan.depth;
  int64_t run = path.swizzle ? plan.depth : plan.depth * slices;
  return std::gcd(std::gcd(run, apart), widest);
}

int64_t planning::fragmentBytes(const Problem &problem, const Plan &plan, bool isA) {
  const Matrix &matrix = isA ? problem.a : problem.b;
  return plan.instruction ? matrix.elementBytes / matrix.components : problem.realBytes;
}

double planning::fragmentElements(const Plan &plan, int64_t micro, int64_t lanes) {
  return plan.instruction
             ? double(micro) * lanes * plan.instruction->copies / plan.instruction->lanes()
             : micro;
}

double planning::fragmentReplays(const Problem &problem, const Plan &plan, bool isA,
                                 blas::TargetAttr target) {
  const Path &path = isA ? plan.a : plan.b;
  if (plan.readsShared())
    return 1;
  int64_t step = blas::laneStep(plan), least = plan.instruction ? plan.instruction->runOfK : 1;
  if (!path.flat && step == least)
    return 1;
  int64_t bytes = stepBytes(isA ? problem.a : problem.b, path);
  tile::Instruction own = plan.instruction
                              ? *plan.instruction
                              : tile::multiplyAdd(plan.lanesM, plan.lanesN, plan.depth);
  bool alongK = plan.runsAlongK(path);
  std::array<int64_t, 2> strides = blas::tileStrides(isA ? plan.macroM : plan.macroN, plan.macroK,
                                                     blas::layoutOf(path, plan.threads()));
  int64_t apart = std::max(strides[0], strides[1]);
  int64_t elements = alongK ? fragmentVector(plan, path, bytes) : std::gcd(plan.vector, apart);
  // Rows: along M or N; columns: along K.
  llvm::SmallVector<tile::Mode> lanes;
  for (const tile::Mode &mode : (isA ? own.a : own.b).threads) {
    auto [outer, k] = isA ? std::pair(mode.row, mode.column) : std::pair(mode.column, mode.row);
    lanes.push_back({mode.size, outer * plan.runOf(isA ? 0 : 1), k * step});
  }
  return replays({lanes, strides, elements, bytes, /*swizzle=*/0}, plan.lanesM * plan.lanesN,
                 target);
}

bool planning::readsSingly(const Problem &problem, const Plan &plan) {
  // A lane of a longer instruction has several K of a row, which do not fit.
  bool isShort = plan.instruction && plan.instruction->k == plan.instruction->lanesOfK;
  bool async = plan.a.copy == blas::Copy::Async && plan.b.copy == blas::Copy::Async;
  return isShort && async && plan.stages > 1 && !plan.prefetch && problem.multiplyAdds == 1 &&
         plan.microM * plan.microN >= kSingleAccumulators &&
         plan.ownK() <= kSingleSlices * plan.sliceDepth();
}

int64_t planning::singleFragmentReals(const Plan &plan) {
  const tile::Instruction &own = *plan.instruction;
  int64_t a = plan.microM * plan.lanesM, b = plan.microN * plan.lanesN;
  return std::min(a + own.n, b + own.m) * own.depth() / own.lanes();
}
