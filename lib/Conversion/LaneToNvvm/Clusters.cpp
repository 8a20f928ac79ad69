//===- Clusters.cpp - Clusters in NVVM ------------------------------------===//
//
// * lane.peer: the same place in the shared memory of another workgroup of the cluster
//   (mapa), read through address space 7 (ld.shared::cluster).
// * lane.cluster_barrier: arrive and wait, which release and acquire.
//
// Pointers come from the memref descriptors that upstream's convert-gpu-to-nvvm makes afterwards.
//
//===----------------------------------------------------------------------===//

#include "Clusters.h"
#include "../LaneToGpu/KernelPreparation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;

static constexpr unsigned kSharedSpace = 3, kClusterSpace = 7;

static void lowerPeer(lane::PeerOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value own = flatPointer(builder, loc, op.getShared(), kSharedSpace);
  Value rank = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), op.getRank());
  auto pointer = LLVM::LLVMPointerType::get(op.getContext(), kClusterSpace);
  Value place = NVVM::MapaOp::create(builder, loc, pointer, own, rank);
  auto type = cast<MemRefType>(op.getType());
  auto there = MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(),
                               builder.getI64IntegerAttr(kClusterSpace));
  op.replaceAllUsesWith(flatMemref(builder, loc, there, place));
  op.erase();
}

static void lowerBarrier(lane::ClusterBarrierOp op) {
  OpBuilder builder(op);
  NVVM::ClusterArriveOp::create(builder, op.getLoc(), builder.getUnitAttr());
  NVVM::ClusterWaitOp::create(builder, op.getLoc(), builder.getUnitAttr());
  op.erase();
}

/// A size that is compiled in, so that any launch makes clusters.
static void stateClusters(gpu::GPUModuleOp module) {
  Builder builder(module.getContext());
  for (auto kernel : module.getOps<gpu::GPUFuncOp>()) {
    blas::ContractAttr contract = contractOf(kernel);
    if (!contract || contract.getCluster() == 1)
      continue;
    int32_t size = contract.getCluster();
    kernel->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                    builder.getDenseI32ArrayAttr({size, 1, 1}));
  }
}

static LogicalResult checkClusters(gpu::GPUModuleOp module, blas::TargetAttr target) {
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    if (blas::ContractAttr contract = contractOf(kernel);
        contract && contract.getCluster() > target.getClusterBlocks())
      return kernel.emitError("kernel is launched in clusters of ")
             << contract.getCluster() << " workgroups, but one of " << target.getChip()
             << " has at most " << target.getClusterBlocks();
  if (target.getClusterBlocks() > 1)
    return success();
  WalkResult result = module.walk([&](Operation *op) {
    if (!isa<lane::PeerOp, lane::ClusterBarrierOp>(op))
      return WalkResult::advance();
    op->emitOpError("needs clusters of workgroups, which ")
        << target.getChip() << " does not have (clusterBlocks)";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult rooftile::lowerClusters(gpu::GPUModuleOp module, blas::TargetAttr target) {
  if (failed(checkClusters(module, target)))
    return failure();
  stateClusters(module);
  module.walk([](Operation *op) {
    if (auto peer = dyn_cast<lane::PeerOp>(op))
      lowerPeer(peer);
    else if (auto barrier = dyn_cast<lane::ClusterBarrierOp>(op))
      lowerBarrier(barrier);
  });
  return success();
}
