//===- Dram.cpp - What comes from DRAM, and how fast ----------------------===//

#include "Dram.h"
#include "rooftile/Planning/Constants.h"
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

/// Share of the bandwidth that is left to an operand whose rows along K are read in runs of one
/// step. What other workgroups read of a row at the same time makes these longer.
static double shareOfRuns(const Matrix &matrix, const Plan &plan) {
  if (!matrix.turned())
    return 1;
  double run = double(plan.macroK) * matrix.elementBytes / constants::kLineBytes;
  return run < 1 ? constants::kHalfLines * 2 * run : 1 - constants::kLineRuns / run;
}

DramReads planning::dramReads(const Problem &problem, const Plan &plan, int64_t tiles,
                              int64_t active) {
  int64_t tilesM = llvm::divideCeil(problem.m, plan.macroM);
  int64_t tilesN = llvm::divideCeil(problem.n, plan.macroN);
  int64_t perMatrix =
      std::max<int64_t>(1, tiles / plan.splits / std::max<int64_t>(1, problem.batch));
  int64_t shares = std::min(active, plan.splits);
  active = llvm::divideCeil(active, plan.splits);
  double matrices = std::max(1.0, double(active) / perMatrix);
  int64_t resident = std::min(active, perMatrix);
  int64_t high = std::min(plan.raster, std::max<int64_t>(1, tilesM));
  int64_t columns = llvm::divideCeil(resident, high);
  int64_t wide = std::min(columns, std::max<int64_t>(1, tilesN));
  high = std::min(tilesM, high * static_cast<int64_t>(llvm::divideCeil(columns, wide)));
  double depth = double(shares) * plan.macroK;
  double ofA = depth * high * plan.macroM * (problem.a.batched ? matrices : 1);
  double ofB = depth * wide * plan.macroN * (problem.b.batched ? matrices : 1);
  ofA *= problem.a.elementBytes, ofB *= problem.b.elementBytes;
  double asStream = ofA / shareOfRuns(problem.a, plan) + ofB / shareOfRuns(problem.b, plan);
  return {ofA + ofB, asStream / (ofA + ofB) / constants::kStreams};
}
