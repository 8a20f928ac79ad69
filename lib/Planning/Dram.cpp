//===- Dram.cpp - What comes from DRAM, and how fast ----------------------===//

#include "Dram.h"
#include "Copying.h"
#include "Raster.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Planning/Constants.h"
#include "rooftile/Planning/Occupancy.h"
#include "rooftile/Planning/Reduction.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

double planning::dramRate(double bytesRead, double bytesWritten, blas::TargetAttr target) {
  double total = bytesRead + bytesWritten;
  double writes = total > 0 ? bytesWritten / total : 0;
  double copy = target.getDramCopyGBps();
  double pure = writes < 0.5 ? target.getDramReadGBps() : target.getDramWriteGBps();
  double mixed = 1 - std::abs(2 * writes - 1);
  return 1e9 * (pure + (copy - pure) * mixed);
}

/// Bytes that rows are apart, in multiples, where those read at a time meet in parts of memory.
static constexpr int64_t kFarRows = 128 * 1024;

/// Share of the bandwidth that is left to an operand of `bytes` whose rows of `rowBytes` along K
/// are read in runs of one step. What other shares of K read of a row at the same time makes these
/// longer.
static double shareOfRuns(const Matrix &matrix, double bytes, int64_t rowBytes, const Plan &plan,
                          blas::TargetAttr target) {
  if (!matrix.alongK() || isCached(bytes, target))
    return 1;
  if (rowBytes % kFarRows == 0)
    return plan.splits == 1 ? constants::kFarRowsShare : 1;
  double run = double(plan.macroK) * matrix.elementBytes / blas::kLineBytes;
  bool joined = plan.reduction == blas::Reduction::Workspace;
  if (run < 1)
    return (joined && run >= 0.5 ? constants::kJoinedHalfLines : constants::kHalfLines) * 2 * run;
  return joined ? 1 : 1 - constants::kLineRuns / run;
}

/// (C27) Share of the bandwidth that a stream reaches with what is on its way to a unit.
static double shareOfFlight(const Problem &problem, const Plan &plan, int64_t blocks,
                            blas::TargetAttr target) {
  if (!isTallSkinny(problem) || plan.stages < 2)
    return 1;
  if (!copiesAsync(plan))
    return isColumnMajorTallSkinny(problem, target) && isTransposed(problem.a, plan.a)
               ? constants::kTransposedFlight
               : 1;
  double bytes = double(copiedElements(plan.a, plan.macroM, plan.macroK)) * problem.a.elementBytes +
                 double(copiedElements(plan.b, plan.macroN, plan.macroK)) * problem.b.elementBytes;
  return 1 - std::exp(-bytes * (plan.stages - 1) * blocks / constants::kFlightBytes);
}

/// Share of the bandwidth that is left to workgroups which wait for each other.
static double shareOfClusters(const Plan &plan) {
  bool streams = plan.instruction && copiesAsync(plan);
  bool waits = plan.reduction == blas::Reduction::Cluster && !streams;
  return waits ? std::pow(constants::kClusterStreams, std::log2(plan.splits)) : 1;
}

DramReads planning::dramReads(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                              int64_t tiles, int64_t active) {
  int64_t tilesM = walkedM(problem, plan), tilesN = walkedN(problem, plan);
  bool asOne = problem.a.batched != problem.b.batched; // the matrices of a batch
  int64_t matrixDistance = asOne ? 1 : std::max<int64_t>(1, problem.batch);
  int64_t perMatrix = std::max<int64_t>(1, tiles / plan.splits / matrixDistance);
  int64_t shares = std::min(active, plan.splits);
  active = llvm::divideCeil(active, plan.splits);
  double matrices = std::max(1.0, double(active) / perMatrix);
  int64_t resident = std::min(active, perMatrix);
  int64_t high = std::min(plan.raster, std::max<int64_t>(1, tilesM));
  int64_t columns = llvm::divideCeil(resident, high);
  int64_t wide = std::min(columns, std::max<int64_t>(1, tilesN));
  high = std::min(tilesM, high * static_cast<int64_t>(llvm::divideCeil(columns, wide)));
  double depth = double(shares) * plan.macroK;
  // Of block vectors whose operands are column-major, those beyond the last are not read.
  int64_t rowsOfA = high * plan.macroM, columnsOfB = wide * plan.macroN;
  if (isColumnMajorTallSkinny(problem, target))
    rowsOfA = std::min(rowsOfA, problem.m), columnsOfB = std::min(columnsOfB, problem.n);
  double ofA = depth * rowsOfA * (problem.a.batched ? matrices : 1);
  double ofB = depth * columnsOfB * (problem.b.batched ? matrices : 1);
  ofA *= problem.a.elementBytes, ofB *= problem.b.elementBytes;
  double bytesOfA = double(problem.m) * problem.k * problem.a.elementBytes,
         bytesOfB = double(problem.n) * problem.k * problem.b.elementBytes;
  int64_t rowOfA = problem.k * problem.a.elementBytes, rowOfB = problem.k * problem.b.elementBytes;
  double asStream = ofA / shareOfRuns(problem.a, bytesOfA, rowOfA, plan, target) +
                    ofB / shareOfRuns(problem.b, bytesOfB, rowOfB, plan, target);
  int64_t ofUnit = llvm::divideCeil(shares * active, target.getUnits());
  double share = shareOfClusters(plan) * shareOfFlight(problem, plan, ofUnit, target);
  return {ofA + ofB, asStream / (ofA + ofB) / share};
}
