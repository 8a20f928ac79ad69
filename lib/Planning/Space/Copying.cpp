//===- Copying.cpp - How a tile gets to shared memory ---------------------===//

#include "rooftile/Planning/Space/Copying.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Tile/BankConflicts.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace rooftile;
using namespace rooftile::planning;

double planning::storeReplays(const TileCopy &copy, const Plan &plan, blas::TargetAttr target) {
  // Rows that lie behind each other without a gap are one run: nothing can meet.
  bool gapless = !isTransposed(copy.matrix, copy.path) && copy.path.pad == 0;
  if (blas::arrivesInBulk(copy.path.copy) || gapless)
    return 1;
  int64_t lanes = copyLanes(copy.matrix, copy.path, copy.extent, plan);
  // Rows of the map: along M or N; columns: along K.
  bool alongK = copy.matrix.alongK();
  tile::Mode along{lanes, alongK ? 0 : copy.path.vector, alongK ? copy.path.vector : 0};
  llvm::SmallVector<tile::Mode> modes{along};
  bool planar = copy.path.layout == blas::ComplexLayout::Planar;
  for (auto [size, step] : tile::digitsAcross(planar, lanes, plan.threads() / lanes))
    modes.push_back({size, alongK ? step : 0, alongK ? 0 : step});
  int64_t elementBytes = stepBytes(copy.matrix, copy.path);
  std::array<int64_t, 2> strides =
      blas::tileStrides(copy.extent, plan.macroK, blas::layoutOf(copy.path, plan.threads()));
  tile::SharedAccess access{modes, strides, storedVector(copy.matrix, copy.path), elementBytes,
                            copy.path.swizzle};
  tile::Banks banks{target.getSharedBanks(), target.getSubgroup()};
  int64_t bytes = access.elements * elementBytes;
  int64_t together = std::max<int64_t>(1, banks.count * 4 / bytes);
  int64_t fewest = llvm::divideCeil(std::min(banks.subgroup, plan.threads()), together);
  return double(tile::wavefronts(access, banks)) / fewest;
}

/// Rows of a transposed tile below which not every padding or swizzle is to be had.
static constexpr int64_t kNarrow = 16;
/// Times that a tile must be as wide as the other operand's for its bank conflicts to matter less.
static constexpr int64_t kSmallPart = 8;
/// Lines that a swizzle tells apart.
static constexpr int64_t kMostLines =
    tile::BufferType::kSwizzleLines * tile::BufferType::kSwizzleWays;

bool planning::storesMeet(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  auto meet = [&](const Matrix &matrix, const Path &path, int64_t extent, int64_t other) {
    bool matters = plan.instruction ? extent * kSmallPart > other
                                    : extent < kNarrow || plan.macroK > kMostLines;
    return matters && storeReplays({matrix, path, extent}, plan, target) > 1;
  };
  return meet(problem.a, plan.a, plan.macroM, plan.macroN) ||
         meet(problem.b, plan.b, plan.macroN, plan.macroM);
}

/// Elements that all banks hold in one clock.
static int64_t bankElements(int64_t elementBytes, blas::TargetAttr target) {
  return target.getSharedBanks() * 4 / elementBytes;
}

/// Elements that lines should be apart in the banks, or an odd multiple of it. Lanes of a matrix
/// instruction read neighbours along K: of one line, or one of each of as many lines, which fill
/// the banks. Else 8 lines do.
static int64_t bankDistance(const TileCopy &copy, const Plan &plan, blas::TargetAttr target) {
  int64_t width = bankElements(stepBytes(copy.matrix, copy.path), target);
  // K elements that lanes side by side hold, of a line or of a line each.
  int64_t neighbours =
      plan.instruction ? plan.instruction->lanesOfK * plan.instruction->runOfK : plan.depth;
  if (copy.path.major == blas::Major::K)
    return neighbours;
  int64_t lines = plan.instruction ? neighbours : tile::BufferType::kSwizzleLines;
  return std::max(plan.vector, width / lines);
}

/// Padding of the lines of a tile with which those that are read at once fill the banks.
static int64_t paddingOf(const TileCopy &copy, const Plan &plan, blas::TargetAttr target) {
  int64_t apart = bankDistance(copy, plan, target);
  int64_t length = blas::linesOf(copy.extent, plan.macroK, copy.path.major)[1];
  int64_t pad = llvm::alignTo(length, apart) - length;
  return pad + ((length + pad) / apart % 2 == 0 ? apart : 0);
}

void planning::layLines(Path &path, const Matrix &matrix, int64_t extent, const Plan &plan,
                        bool whole, blas::TargetAttr target) {
  int64_t width = bankElements(stepBytes(matrix, path), target);
  if (whole && blas::linesOf(extent, plan.macroK, path.major)[1] % width == 0) {
    int64_t apart = bankDistance({matrix, path, extent}, plan, target);
    path.swizzle = apart < width ? std::max(apart, path.vector) : 0;
    return;
  }
  path.pad = paddingOf({matrix, path, extent}, plan, target);
  if (!plan.instruction || storeReplays({matrix, path, extent}, plan, target) == 1)
    return;
  // Short lines along K: as many of each at a time as fragments are read of it.
  int64_t lanes = std::max<int64_t>(1, plan.instruction->lanesOfK / path.vector);
  int64_t across = plan.threads() / lanes;
  path.lanes = matrix.alongK() && plan.threads() % lanes == 0 && extent % across == 0 ? lanes : 0;
}

void planning::spreadOverBanks(Path &path, const Matrix &matrix, int64_t extent, const Plan &plan,
                               blas::TargetAttr target) {
  int64_t elementBytes = stepBytes(matrix, path);
  path.pad = paddingOf({matrix, path, extent}, plan, target);
  int64_t stored = path.copy == blas::Copy::Async ? 1 : path.vector;
  int64_t along = std::gcd(plan.macroK / stored, plan.threads());
  // Of elements as wide as 16 bytes no more lanes than lines are served together.
  int64_t together = std::min(along, bankElements(elementBytes, target));
  if (together * stored <= tile::BufferType::kSwizzleLines)
    return;
  // Rows beyond the eighth start in the same banks: their elements change places with those that
  // other lanes do not touch. But lanes of a matrix instruction read runs in rows of their own,
  // which must stay together.
  int64_t moved = std::max<int64_t>(1, bankElements(elementBytes, target) / along);
  bool parts = plan.instruction && moved < plan.vector;
  path.swizzle = parts ? 0 : moved;
  if (!parts && extent % tile::BufferType::getSwizzled(moved, plan.macroK, {}) == 0)
    return;
  // Else fewer lanes along K, as long as all rows have a thread.
  path.swizzle = 0;
  int64_t lanes = tile::BufferType::kSwizzleLines / stored, across = plan.threads() / lanes;
  path.lanes = plan.threads() % lanes == 0 && across > 0 && extent % across == 0 ? lanes : 0;
}
