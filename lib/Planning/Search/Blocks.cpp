//===- Blocks.cpp - How a triangular operation is cut ---------------------===//

#include "rooftile/Planning/Search/Blocks.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;
using llvm::formatv;

/// Orders that are evaluated.
static constexpr int64_t kOrders[] = {8, 16, 32, 64, 128, 256};

FailureOr<TriangularProblem> TriangularProblem::of(blas::TriangularOpInterface op) {
  Type element = cast<ShapedType>(op.getC().getType()).getElementType();
  if (!element.isF32() && !element.isF64())
    return op->emitOpError("no kernel takes operand ")
           << op.getOutputName() << " of " << element << "; supported: f32, f64";
  TriangularProblem problem;
  auto known = [&](int64_t size, int64_t assumption) {
    problem.assumed |= ShapedType::isDynamic(size);
    return ShapedType::isDynamic(size) ? assumption : size;
  };
  bool left = op.getSide() == blas::Side::Left;
  problem.order = known(op.getK(), kAssumedSize);
  problem.lines =
      blas::batchOf({known(left ? op.getN() : op.getM(), kAssumedSize), known(op.getBatch(), 1)});
  problem.elementBytes = element.getIntOrFloatBitWidth() / 8;
  return problem;
}

/// (C17) One kernel, of a thread a line. In registers: each step takes an access of the unit to T,
/// or the line waits for what it divides by, element after element; B is moved once. In memory:
/// each step waits for the L2 cache.
static double blockSeconds(const TriangularProblem &problem, double b, blas::TargetAttr target) {
  double steps = b * (b + 1) / 2, clock = target.getClockMHz() * 1e6, units = target.getUnits();
  double launch = target.getLaunchNs() * 1e-9, fma = target.getFmaLatencyCycles();
  bool inRegisters = !problem.assumed && blas::fitsRegisters(b, problem.elementBytes);
  if (!inRegisters) {
    double waves = std::ceil(problem.lines / (units * target.getThreadsPerUnit()));
    double waiting = waves * steps * (target.getL2LatencyCycles() + fma) / clock;
    double moving = problem.lines * steps * problem.elementBytes / (target.getL2GBps() * 1e9);
    return launch + std::max(waiting, moving);
  }
  constexpr double kDivision = 8; // in multiply-adds, one after the other
  double subgroups = std::ceil(problem.lines / double(target.getSubgroup()) / units);
  double waiting = 2 * target.getL2LatencyCycles() + b * (kDivision + 1) * fma;
  double moving = 2 * problem.lines * b * problem.elementBytes / (target.getDramCopyGBps() * 1e9);
  return launch + std::max(std::max(waiting, subgroups * steps) / clock, moving);
}

/// (C18) A product of rows x lines x depth at the roofline.
static double productSeconds(const TriangularProblem &problem, double rows, double depth,
                             blas::TargetAttr target) {
  double lines = problem.lines, flops = 2 * rows * lines * depth;
  double bytes = (2 * rows * lines + depth * lines + rows * depth) * problem.elementBytes;
  return target.getLaunchNs() * 1e-9 +
         std::max(flops / (2 * fmaPerSecond(problem.elementBytes, target)),
                  bytes / (target.getDramCopyGBps() * 1e9));
}

/// (C18) All products: one a block, by powers of 2 where the order is known; else of all that is
/// behind each block, half of it in the mean.
static double updateSeconds(const TriangularProblem &problem, double b, int64_t count,
                            blas::TargetAttr target) {
  if (problem.assumed)
    return (count - 1) * productSeconds(problem, b * count / 2, b, target);
  double seconds = 0;
  for (int64_t blocks = 1; blocks < count; blocks *= 2)
    seconds += llvm::divideCeil(count - blocks, 2 * blocks) *
               productSeconds(problem, blocks * b, blocks * b, target);
  return seconds;
}

Blocks planning::estimateBlocks(const TriangularProblem &problem, int64_t diagonal,
                                int64_t workgroup, blas::TargetAttr target) {
  Blocks blocks;
  blocks.diagonal = diagonal;
  blocks.workgroup = workgroup;
  double b = diagonal == 0 ? problem.order : std::min(diagonal, problem.order);
  blocks.count = diagonal == 0 ? 1 : llvm::divideCeil(problem.order, diagonal);
  blocks.diagonalSeconds = blocks.count * blockSeconds(problem, b, target);
  blocks.updateSeconds = blocks.count > 1 ? ::updateSeconds(problem, b, blocks.count, target) : 0;
  return blocks;
}

Blocks planning::chooseBlocks(const TriangularProblem &problem, blas::TargetAttr target) {
  int64_t workgroup = std::max<int64_t>(64, target.getSubgroup());
  int64_t oneWave = target.getUnits() * target.getBlocksPerUnit() * workgroup;
  if (problem.lines > oneWave)
    workgroup *= 2;
  workgroup = std::min(workgroup, target.getThreadsPerBlock());
  // (C19) A matrix that no candidate cuts is one block.
  Blocks best = estimateBlocks(problem, kOrders[0], workgroup, target);
  for (int64_t order : kOrders)
    if (Blocks blocks = estimateBlocks(problem, order, workgroup, target);
        blocks.seconds() < best.seconds())
      best = blocks;
  if (best.diagonal >= problem.order && !problem.assumed)
    best = estimateBlocks(problem, 0, workgroup, target);
  return best;
}

llvm::SmallVector<Reason> planning::explain(const TriangularProblem &problem,
                                            const Blocks &blocks) {
  std::string plan = blocks.diagonal == 0 ? formatv("one block of order {0}", problem.order).str()
                                          : counted(blocks.count, "block") +
                                                formatv(" of order {0}", blocks.diagonal).str();
  std::string assumed = problem.assumed ? " (dynamic sizes taken as 4096)" : "";
  return {{"plan", formatv("{0}, workgroups of {1}{2}", plan, blocks.workgroup, assumed)},
          {"predicted", duration(blocks.seconds())},
          {"diagonal", formatv("{0} in {1} of one thread a line", duration(blocks.diagonalSeconds),
                               counted(blocks.count, "kernel"))},
          {"updates", formatv("{0} in {1}", duration(blocks.updateSeconds),
                              counted(std::max<int64_t>(0, blocks.count - 1), "product"))}};
}
