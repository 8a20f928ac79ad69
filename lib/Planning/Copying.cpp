//===- Copying.cpp - How a tile gets to shared memory ---------------------===//

#include "Copying.h"
#include "rooftile/Dialect/Tile/BankConflicts.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace rooftile;
using namespace rooftile::planning;

int64_t planning::copyLanes(const Matrix &matrix, const Path &path, int64_t extent,
                            const Plan &plan) {
  if (path.lanes > 0)
    return path.lanes;
  int64_t accesses = (matrix.turned() ? plan.macroK : extent) / path.vector;
  return std::gcd(std::max<int64_t>(1, accesses), plan.threads());
}

double planning::storeReplays(const TileCopy &copy, const Plan &plan, int64_t elementBytes,
                              blas::TargetAttr target) {
  // Rows that lie behind each other without a gap are one run: nothing can meet.
  if (copy.path.copy == blas::Copy::Bulk || (!copy.matrix.turned() && copy.path.pad == 0))
    return 1;
  int64_t lanes = copyLanes(copy.matrix, copy.path, copy.extent, plan);
  // Rows of the map: along M or N; columns: along K.
  bool turned = copy.matrix.turned();
  tile::Mode along{lanes, turned ? 0 : copy.path.vector, turned ? copy.path.vector : 0};
  tile::Mode across{plan.threads() / lanes, turned ? 1 : 0, turned ? 0 : 1};
  tile::Mode modes[] = {along, across};
  tile::SharedAccess access{modes,
                            {1, copy.extent + copy.path.pad},
                            turned ? 1 : copy.path.vector,
                            elementBytes,
                            copy.path.swizzle};
  tile::Banks banks{target.getSharedBanks(), target.getSubgroup()};
  int64_t bytes = access.elements * elementBytes;
  int64_t together = std::max<int64_t>(1, banks.count * 4 / bytes);
  int64_t fewest = llvm::divideCeil(std::min(banks.subgroup, plan.threads()), together);
  return double(tile::wavefronts(access, banks)) / fewest;
}

/// Elements that all banks hold in one clock.
static int64_t bankElements(int64_t elementBytes, blas::TargetAttr target) {
  return target.getSharedBanks() * 4 / elementBytes;
}

int64_t planning::paddingOf(int64_t extent, const Plan &plan, int64_t elementBytes,
                            blas::TargetAttr target) {
  // Elements that rows are apart in the banks: 8 rows fill them.
  int64_t width = bankElements(elementBytes, target);
  int64_t apart = std::max(plan.vector, width / tile::BufferType::kSwizzleLines);
  int64_t pad = llvm::alignTo(extent, apart) - extent;
  return pad + ((extent + pad) / apart % 2 == 0 ? apart : 0);
}

void planning::spreadOverBanks(Path &path, int64_t extent, const Plan &plan, int64_t elementBytes,
                               blas::TargetAttr target) {
  path.pad = paddingOf(extent, plan, elementBytes, target);
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
  if (!parts && extent % tile::BufferType::getSwizzled(moved, plan.macroK) == 0)
    return;
  // Else fewer lanes along K, as long as all rows have a thread.
  path.swizzle = 0;
  int64_t lanes = tile::BufferType::kSwizzleLines / stored, across = plan.threads() / lanes;
  path.lanes = plan.threads() % lanes == 0 && across > 0 && extent % across == 0 ? lanes : 0;
}
