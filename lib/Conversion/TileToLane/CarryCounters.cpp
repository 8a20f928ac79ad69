//===- CarryCounters.cpp - Stages of rings from step to step --------------===//
//
// Counter i of a ring of S stages is stage i mod S, in phase i / S. Where S is no power of two
// these are multiplications, one after the other, at the start of a step, before the first read of
// the stage. So a K loop carries them from one step to the next:
//
//   for i:  stage = (i + c) mod S, parity = ((i + c) / S) mod 2
//   ->
//   for i, stage, parity:  ...  yield stage + 1 = S ? 0 : stage + 1, stage + 1 = S ? 1 - parity :
//   parity
//
// which is done among the multiplications of the step before. Measured on an H200, 128x128x16 with
// bulk copies into 3 stages took 9 % longer than with 2 or 4 otherwise.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Conversion/TileToLane/TileToLane.h"
#include "rooftile/Dialect/Tile/Tile.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "carry-counters"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace rooftile {
#define GEN_PASS_DEF_CARRYCOUNTERS
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

namespace {
/// Uses of one counter, i + shift, of rings of `stages` stages.
struct Carried {
  int64_t shift, stages;
  SmallVector<Operation *> remainders; // (i + shift) mod stages
  SmallVector<Operation *> parities;   // ((i + shift) / stages) mod 2
};
} // namespace

/// The constant that is added to `iv`; nothing for other values.
static std::optional<int64_t> shiftFrom(Value value, Value iv) {
  int64_t shift = 0;
  while (auto add = value.getDefiningOp<arith::AddIOp>()) {
    auto constant = getConstantIntValue(add.getRhs());
    if (!constant)
      return std::nullopt;
    shift += *constant;
    value = add.getLhs();
  }
  return value == iv ? std::optional(shift) : std::nullopt;
}

static bool isCostly(int64_t stages) { return stages > 2 && !llvm::isPowerOf2_64(stages); }

static Carried &entryOf(SmallVectorImpl<Carried> &list, int64_t shift, int64_t stages) {
  for (Carried &carried : list)
    if (carried.shift == shift && carried.stages == stages)
      return carried;
  return list.emplace_back(Carried{shift, stages, {}, {}});
}

static SmallVector<Carried> countersIn(scf::ForOp loop) {
  SmallVector<Carried> list;
  loop.walk([&](Operation *op) {
    if (!isa<arith::RemUIOp, arith::DivUIOp>(op))
      return;
    auto shift = shiftFrom(op->getOperand(0), loop.getInductionVar());
    auto stages = getConstantIntValue(op->getOperand(1));
    if (!shift || *shift < 0 || !stages || !isCostly(*stages))
      return;
    Carried &carried = entryOf(list, *shift, *stages);
    if (isa<arith::RemUIOp>(op)) {
      carried.remainders.push_back(op);
      return;
    }
    for (Operation *user : op->getUsers())
      if (isa<arith::RemUIOp>(user) && getConstantIntValue(user->getOperand(1)) == 2)
        carried.parities.push_back(user);
  });
  return list;
}

/// Values of `stage` and `parity` in the next step.
static std::array<Value, 2> nextOf(OpBuilder &builder, Location loc, const Carried &carried,
                                   ArrayRef<BlockArgument> now) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  };
  Value more = arith::AddIOp::create(builder, loc, now[0], number(1));
  Value wraps =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, more, number(carried.stages));
  Value flipped = arith::XOrIOp::create(builder, loc, now[1], number(1));
  return {arith::SelectOp::create(builder, loc, wraps, number(0), more),
          arith::SelectOp::create(builder, loc, wraps, flipped, now[1])};
}

static void carry(RewriterBase &rewriter, scf::ForOp loop, int64_t first,
                  ArrayRef<Carried> counters) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> starts;
  for (const Carried &carried : counters)
    for (int64_t start :
         {(first + carried.shift) % carried.stages, (first + carried.shift) / carried.stages % 2})
      starts.push_back(arith::ConstantIntOp::create(rewriter, loc, start, 32));
  auto next = [&](OpBuilder &builder, Location where, ArrayRef<BlockArgument> now) {
    SmallVector<Value> values;
    for (auto [index, carried] : llvm::enumerate(counters))
      llvm::append_range(values, nextOf(builder, where, carried, now.slice(2 * index, 2)));
    return values;
  };
  auto result = loop.replaceWithAdditionalYields(rewriter, starts,
                                                 /*replaceInitOperandUsesInLoop=*/false, next);
  if (failed(result))
    return;
  auto carrying = cast<scf::ForOp>(result->getOperation());
  ArrayRef<BlockArgument> now = carrying.getRegionIterArgs().take_back(starts.size());
  rewriter.setInsertionPointToStart(carrying.getBody());
  for (auto [index, carried] : llvm::enumerate(counters))
    for (auto [part, ops] : {std::pair(0, &carried.remainders), {1, &carried.parities}}) {
      if (ops->empty())
        continue;
      Value value = arith::IndexCastUIOp::create(rewriter, loc, rewriter.getIndexType(),
                                                 now[2 * index + part]);
      for (Operation *op : *ops)
        rewriter.replaceOp(op, value);
    }
}

/// Has `loop` carry what its rings ask for; returns of how many counters.
static int64_t carryCounters(RewriterBase &rewriter, scf::ForOp loop) {
  loop->removeDiscardableAttr(TileDialect::kStepsName);
  auto first = getConstantIntValue(loop.getLowerBound());
  if (!first || *first < 0 || getConstantIntValue(loop.getStep()) != 1)
    return 0;
  SmallVector<Carried> counters = countersIn(loop);
  if (!counters.empty())
    carry(rewriter, loop, *first, counters);
  return counters.size();
}

int64_t rooftile::carryCounters(gpu::GPUFuncOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    if (loop->hasAttr(TileDialect::kStepsName))
      loops.push_back(loop);
  });
  IRRewriter rewriter(kernel.getContext());
  int64_t counters = 0;
  for (scf::ForOp loop : loops)
    counters += ::carryCounters(rewriter, loop);
  return counters;
}

namespace {
struct CarryCountersPass : rooftile::impl::CarryCountersBase<CarryCountersPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      int64_t counters = rooftile::carryCounters(kernel);
      numCounters += counters;
      LDBG() << kernel.getName() << ": " << counters << " counters";
    }
  }
};
} // namespace
