//===- Roofline.cpp - Rates of multipliers and of memory ------------------===//

#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Dialect/Blas/SixProducts.h"
#include "rooftile/Planning/Problem/Induced.h"
#include "rooftile/Planning/Problem/SixProducts.h"

#include <cmath>

using namespace rooftile;
using namespace rooftile::planning;

/// Share of the L2 cache that operands can hold on to.
static constexpr double kCacheShare = 0.6;

int64_t planning::fmaPerClock(int64_t realBytes, blas::TargetAttr target) {
  return realBytes == 4 ? target->fmaF32PerClock : target->fmaF64PerClock;
}

double planning::fmaPerSecond(int64_t realBytes, blas::TargetAttr target) {
  int64_t measured = realBytes == 4 ? target->fmaF32GFlops : target->fmaF64GFlops;
  if (measured > 0)
    return measured * 1e9 / 2;
  return double(fmaPerClock(realBytes, target)) * target->units * target->clockMHz * 1e6;
}

int64_t planning::packedFmas(int64_t realBytes, blas::TargetAttr target) {
  return realBytes == 4 ? target->packedF32 : 1;
}

double planning::singleFmaPerSecond(int64_t realBytes, blas::TargetAttr target) {
  return fmaPerSecond(realBytes, target) / packedFmas(realBytes, target);
}

double planning::dramRate(double bytesRead, double bytesWritten, blas::TargetAttr target) {
  double total = bytesRead + bytesWritten;
  double writes = total > 0 ? bytesWritten / total : 0;
  double copy = target->dramCopyGBps;
  double pure = writes < 0.5 ? target->dramReadGBps : target->dramWriteGBps;
  double mixed = 1 - std::abs(2 * writes - 1);
  return 1e9 * (pure + (copy - pure) * mixed);
}

Roofline planning::roofline(const Problem &problem, blas::TargetAttr target) {
  Roofline result;
  result.flopsPerSecond = 2 * fmaPerSecond(problem.realBytes, target);
  for (const blas::InstructionRate &rate : target->instructions)
    if (multiplies(*rate.instruction, problem))
      result.flopsPerSecond = std::max(result.flopsPerSecond, 1e9 * rate.gflops);
  if (problem.sixProducts)
    result.flopsPerSecond =
        std::max(result.flopsPerSecond,
                 roofline(toParts(problem), target).flopsPerSecond / blas::kPartBlocks);
  if (problem.canBeInducedInParts) {
    blas::PlanData parts;
    parts.products = blas::kPartBlocks;
    result.flopsPerSecond =
        std::max(result.flopsPerSecond, roofline(toInduced(problem, parts), target).flopsPerSecond);
  }
  result.computeSeconds = problem.flops() / result.flopsPerSecond;
  double read = problem.bytesRead(), written = problem.bytesWritten();
  result.memorySeconds = (read + written) / dramRate(read, written, target);
  return result;
}

bool planning::isCached(double bytes, blas::TargetAttr target) {
  return bytes <= kCacheShare * target->l2Bytes;
}
