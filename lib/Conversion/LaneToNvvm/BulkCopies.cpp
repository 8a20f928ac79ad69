//===- BulkCopies.cpp - cp.async.bulk and its mbarriers -------------------===//
//
// * lane.arrivals: mbarrier.init of each counter, then the fences that show them to bulk copies,
//   which go by the async proxy (PTX ISA 8.0, mbarrier.init and fence.proxy).
// * lane.expect: mbarrier.arrive.expect_tx, which releases: what this thread wrote before is seen
//   by those that wait.
// * lane.bulk_copy: cp.async.bulk, which completes on the mbarrier.
// * lane.tensor_copy: cp.async.bulk.tensor, which reads its descriptor where it is, among the
//   arguments of the kernel: the pass pass-descriptors marks them once they are those of an
//   llvm.func.
// * lane.arrived: mbarrier.try_wait.parity in a loop, which acquires: what the copies of the phase
//   wrote is seen by the loads of this thread. A load before the workgroup's barrier is ordered
//   before a bulk copy after it; a store would need fence.proxy.async: there is none to such a
//   ring (micro-tile refuses it).
// * lane.elect: elect.sync.
//
// A copy and a wait are written as they stand in PTX: the operation of NVVM asks for an address of
// the cluster, and the one that waits is expanded by a pass that is not run here.
//
//===----------------------------------------------------------------------===//

#include "../LaneToGpu/KernelPreparation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "rooftile/Conversion/LaneToNvvm/LaneToNvvm.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;

static constexpr unsigned kGlobalSpace = 1;

static constexpr StringLiteral kCopyText =
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];";
static constexpr StringLiteral kTensorText =
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], "
    "[$1, {$2, $3}], [$4];";
static constexpr StringLiteral kWaitText =
    "{\n\t.reg .pred arrived;\n"
    "wait:\n\t"
    "mbarrier.try_wait.parity.shared::cta.b64 arrived, [$0], "
    "$1;\n\t"
    "@!arrived bra wait;\n\t}";

static Value number(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
}

namespace {
struct ElectPattern : OpRewritePattern<lane::ElectOp> {
  ElectPattern(MLIRContext *context, int64_t subgroup)
      : OpRewritePattern(context), subgroup(subgroup) {}

  LogicalResult matchAndRewrite(lane::ElectOp op, PatternRewriter &rewriter) const override {
    auto threads = static_cast<int64_t>(op.getThreads());
    Value members =
        threads == subgroup ? Value() : number(rewriter, op.getLoc(), (int64_t(1) << threads) - 1);
    rewriter.replaceOpWithNewOp<NVVM::ElectSyncOp>(op, rewriter.getI1Type(), members);
    return success();
  }

private:
  int64_t subgroup;
};

struct ArrivalsPattern : OpRewritePattern<lane::ArrivalsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::ArrivalsOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    for (int64_t stage = 0; stage < static_cast<int64_t>(op.getStages()); ++stage) {
      Value index = arith::ConstantIndexOp::create(rewriter, loc, stage);
      NVVM::MBarrierInitOp::create(rewriter, loc,
                                   elementPointer(rewriter, loc, op.getCounters(), index),
                                   number(rewriter, loc, op.getCopiers()), Value());
    }
    NVVM::FenceMbarrierInitOp::create(rewriter, loc);
    NVVM::FenceProxyOp::create(
        rewriter, loc, NVVM::ProxyKind::async_shared,
        NVVM::SharedSpaceAttr::get(rewriter.getContext(), NVVM::SharedSpace::shared_cta));
    rewriter.eraseOp(op);
    return success();
  }
};

struct ExpectPattern : OpRewritePattern<lane::ExpectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::ExpectOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    NVVM::MBarrierArriveExpectTxOp::create(
        rewriter, loc, Type(), elementPointer(rewriter, loc, op.getCounters(), op.getStage()),
        number(rewriter, loc, op.getBytes()), NVVM::MemScopeKind::CTA, /*relaxed=*/false, Value());
    rewriter.eraseOp(op);
    return success();
  }
};

struct BulkCopyPattern : OpRewritePattern<lane::BulkCopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::BulkCopyOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = elementPointer(rewriter, loc, op.getSource(), op.getSourceIndex());
    auto global = LLVM::LLVMPointerType::get(rewriter.getContext(), kGlobalSpace);
    Value operands[] = {elementPointer(rewriter, loc, op.getTarget(), op.getTargetIndex()),
                        LLVM::AddrSpaceCastOp::create(rewriter, loc, global, source),
                        number(rewriter, loc, op.getBytes()),
                        elementPointer(rewriter, loc, op.getCounters(), op.getStage())};
    createText(rewriter, loc, operands, kCopyText, "l,l,r,l,~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};

struct TensorCopyPattern : OpRewritePattern<lane::TensorCopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::TensorCopyOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto coordinate = [&](Value index) -> Value {
      return arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(), index);
    };
    auto pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    Value descriptor =
        UnrealizedConversionCastOp::create(rewriter, loc, pointer, op.getDescriptor()).getResult(0);
    Value operands[] = {elementPointer(rewriter, loc, op.getTarget(), op.getTargetIndex()),
                        descriptor, coordinate(op.getElement()), coordinate(op.getVector()),
                        elementPointer(rewriter, loc, op.getCounters(), op.getStage())};
    createText(rewriter, loc, operands, kTensorText, "l,l,r,r,l,~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};

struct ArrivedPattern : OpRewritePattern<lane::ArrivedOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::ArrivedOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value operands[] = {
        elementPointer(rewriter, loc, op.getCounters(), op.getStage()),
        arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(), op.getParity())};
    createText(rewriter, loc, operands, kWaitText, "l,r,~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void rooftile::populateBulkCopyToNvvmPatterns(RewritePatternSet &patterns, int64_t subgroup) {
  patterns.add<ElectPattern>(patterns.getContext(), subgroup);
  patterns.add<ArrivalsPattern, ExpectPattern, BulkCopyPattern, TensorCopyPattern, ArrivedPattern>(
      patterns.getContext());
}

/// A whole subgroup, or a workgroup that is smaller.
static bool isSubgroup(lane::ElectOp op, blas::TargetAttr target) {
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  auto block = kernel ? kernel.getKnownBlockSize() : std::nullopt;
  auto threads = static_cast<int64_t>(op.getThreads());
  return threads == target->subgroup ||
         (threads < target->subgroup && block && block->front() == threads);
}

LogicalResult rooftile::checkBulkCopies(gpu::GPUModuleOp module, blas::TargetAttr target) {
  WalkResult result = module.walk([&](Operation *op) {
    if (auto elect = dyn_cast<lane::ElectOp>(op); elect && !isSubgroup(elect, target)) {
      elect.emitOpError("elects one of ") << elect.getThreads() << " threads, but a subgroup of "
                                          << target->chip << " has " << target->subgroup;
      return WalkResult::interrupt();
    }
    bool bulk = isa<lane::ElectOp, lane::ArrivalsOp, lane::ExpectOp, lane::BulkCopyOp,
                    lane::TensorCopyOp, lane::ArrivedOp>(op);
    if (target->bulkCopy || !bulk)
      return WalkResult::advance();
    op->emitOpError("needs bulk copies, which ") << target->chip << " does not have (bulkCopy)";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
