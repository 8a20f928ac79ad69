//===- AsyncCopies.cpp - cp.async and its groups --------------------------===//
//
// lane.copy is cp.async.shared.global: 16 bytes bypass the L1 cache, 4 and 8 go through
// it, which is all that the hardware offers. Where nothing is to be read a predicate is false, the
// source size what is left of the matrix, and zeros arrive for the rest. Pointers come from the
// memref descriptors that upstream's convert-gpu-to-nvvm makes afterwards.
//
//===----------------------------------------------------------------------===//

#include "../LaneToGpu/KernelPreparation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "rooftile/Conversion/LaneToNvvm/LaneToNvvm.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rooftile;

static constexpr unsigned kGlobalSpace = 1;
/// Bytes of a copy that bypasses the L1 cache.
static constexpr int64_t kUncachedBytes = 16;

/// Bytes that `op` reads where the matrix ends before all of them; null: all.
static Value bytesLeft(OpBuilder &builder, lane::CopyOp op) {
  if (!op.getFirst())
    return Value();
  Location loc = op.getLoc();
  // The remainder may have more bytes than 32 bits count.
  Value most = arith::ConstantIndexOp::create(builder, loc, op.getElements());
  Value left = arith::MinSIOp::create(builder, loc, op.getFirst(), most);
  left = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), left);
  Value each = arith::ConstantIntOp::create(builder, loc, op.getBytes() / op.getElements(), 32);
  Value bytes = arith::MulIOp::create(builder, loc, left, each);
  if (!op.getInside())
    return bytes;
  Value none = arith::ConstantIntOp::create(builder, loc, 0, 32);
  return arith::SelectOp::create(builder, loc, op.getInside(), bytes, none);
}

/// Zeros where nothing is inside: a predicate of the copy, which NVVM has no operation for. Of a
/// number of bytes ptxas makes one again, by two instructions more.
static void copyOrIgnore(OpBuilder &builder, lane::CopyOp op, Value target, Value source,
                         NVVM::LoadCacheModifierKind cache) {
  Location loc = op.getLoc();
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value outside = arith::XOrIOp::create(builder, loc, op.getInside(), yes);
  std::string text = llvm::formatv("cp.async.{0}.shared.global [$0], [$1], {1}, $2;",
                                   NVVM::stringifyLoadCacheModifierKind(cache), op.getBytes());
  createText(builder, loc, {target, source, outside}, text, "l,l,b,~{memory}");
}

namespace {
struct CopyPattern : OpRewritePattern<lane::CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::CopyOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value target = elementPointer(rewriter, loc, op.getTarget(), op.getTargetIndex());
    Value source = elementPointer(rewriter, loc, op.getSource(), op.getSourceIndex());
    auto global = LLVM::LLVMPointerType::get(rewriter.getContext(), kGlobalSpace);
    source = LLVM::AddrSpaceCastOp::create(rewriter, loc, global, source);
    int64_t bytes = op.getBytes();
    auto cache =
        bytes == kUncachedBytes ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
    if (op.getInside() && !op.getFirst())
      copyOrIgnore(rewriter, op, target, source, cache);
    else
      NVVM::CpAsyncOp::create(rewriter, loc, target, source, bytes, cache, bytesLeft(rewriter, op));
    rewriter.eraseOp(op);
    return success();
  }
};

struct CommitPattern : OpRewritePattern<lane::CommitOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::CommitOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncCommitGroupOp>(op);
    return success();
  }
};

struct WaitPattern : OpRewritePattern<lane::WaitOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::WaitOp op, PatternRewriter &rewriter) const override {
    if (op.getProducts())
      rewriter.replaceOpWithNewOp<NVVM::WgmmaWaitGroupSyncOp>(op, op.getPending());
    else
      rewriter.replaceOpWithNewOp<NVVM::CpAsyncWaitGroupOp>(op, op.getPending());
    return success();
  }
};
} // namespace

void rooftile::populateAsyncCopyToNvvmPatterns(RewritePatternSet &patterns) {
  patterns.add<CopyPattern, CommitPattern, WaitPattern>(patterns.getContext());
}

LogicalResult rooftile::checkAsyncCopies(gpu::GPUModuleOp module, blas::TargetAttr target) {
  int64_t widestBytes = target->asyncCopyBytes;
  WalkResult result = module.walk([&](Operation *op) {
    auto wait = dyn_cast<lane::WaitOp>(op);
    if (wait && wait.getProducts())
      return WalkResult::advance();
    if (widestBytes == 0 && isa<lane::CopyOp, lane::CommitOp, lane::WaitOp>(op)) {
      op->emitOpError("needs copies without registers, which ")
          << target->chip << " does not have (asyncCopyBytes)";
      return WalkResult::interrupt();
    }
    auto copy = dyn_cast<lane::CopyOp>(op);
    if (!copy || copy.getBytes() <= widestBytes)
      return WalkResult::advance();
    copy.emitOpError("moves ") << copy.getBytes() << " bytes, but the chip copies at most "
                               << widestBytes << " without registers (asyncCopyBytes)";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
