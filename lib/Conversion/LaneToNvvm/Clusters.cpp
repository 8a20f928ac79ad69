//===- Clusters.cpp - Clusters in NVVM ------------------------------------===//
//
// * lane.peer: the same address in the shared memory of another workgroup of the cluster
//   (mapa), read through address space 7 (ld.shared::cluster).
// * lane.cluster_barrier: arrive and wait, which release and acquire.
//
// Pointers come from the memref descriptors that upstream's convert-gpu-to-nvvm makes afterwards.
//
//===----------------------------------------------------------------------===//

#include "../LaneToGpu/KernelPreparation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "rooftile/Conversion/LaneToNvvm/LaneToNvvm.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;

static constexpr unsigned kSharedSpace = 3, kClusterSpace = 7;

namespace {
struct PeerPattern : OpRewritePattern<lane::PeerOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::PeerOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value own = flatPointer(rewriter, loc, op.getShared(), kSharedSpace);
    Value rank = arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(), op.getRank());
    auto pointer = LLVM::LLVMPointerType::get(op.getContext(), kClusterSpace);
    Value place = NVVM::MapaOp::create(rewriter, loc, pointer, own, rank);
    auto type = cast<MemRefType>(op.getType());
    auto there = MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(),
                                 rewriter.getI64IntegerAttr(kClusterSpace));
    rewriter.replaceOp(op, flatMemref(rewriter, loc, there, place));
    return success();
  }
};

struct ClusterBarrierPattern : OpRewritePattern<lane::ClusterBarrierOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::ClusterBarrierOp op,
                                PatternRewriter &rewriter) const override {
    NVVM::ClusterArriveOp::create(rewriter, op.getLoc(), rewriter.getUnitAttr());
    NVVM::ClusterWaitOp::create(rewriter, op.getLoc(), rewriter.getUnitAttr());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void rooftile::populateClusterToNvvmPatterns(RewritePatternSet &patterns) {
  patterns.add<PeerPattern, ClusterBarrierPattern>(patterns.getContext());
}

LogicalResult rooftile::checkClusters(gpu::GPUModuleOp module, blas::TargetAttr target) {
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    if (blas::ContractAttr contract = contractOf(kernel);
        contract && contract.getCluster() > target->clusterBlocks)
      return kernel.emitError("kernel is launched in clusters of ")
             << contract.getCluster() << " workgroups, but one of " << target->chip
             << " has at most " << target->clusterBlocks;
  if (target->clusterBlocks > 1)
    return success();
  WalkResult result = module.walk([&](Operation *op) {
    if (!isa<lane::PeerOp, lane::ClusterBarrierOp>(op))
      return WalkResult::advance();
    op->emitOpError("needs clusters of workgroups, which ")
        << target->chip << " does not have (clusterBlocks)";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
