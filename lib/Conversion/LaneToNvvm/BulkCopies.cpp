//===- BulkCopies.cpp - cp.async.bulk and its mbarriers -------------------===//
//
// * lane.arrivals: mbarrier.init of each counter, then the fences that show them to bulk copies,
//   which go by the async proxy (PTX ISA 8.0, mbarrier.init and fence.proxy).
// * lane.expect: mbarrier.arrive.expect_tx, which releases: what this thread wrote before is seen
//   by those that wait.
// * lane.bulk_copy: cp.async.bulk, which completes on the mbarrier.
// * lane.tensor_copy: cp.async.bulk.tensor, which reads its descriptor where it is, among the
//   arguments of the kernel: passDescriptors says so of them once they are those of an llvm.func.
// * lane.arrived: mbarrier.try_wait.parity in a loop, which acquires: what the copies of the phase
//   wrote is seen by the loads of this thread. A load before the workgroup's barrier is ordered
//   before a bulk copy behind it; a store would need fence.proxy.async: there is none to such a
//   ring (micro-tile refuses it).
// * lane.elect: elect.sync.
//
// A copy and a wait are written as they stand in PTX: the operation of NVVM asks for an address of
// the cluster, and the one that waits is expanded by a pass that is not run here.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "../LaneToGpu/KernelPreparation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
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

static void lower(lane::ElectOp op, int64_t subgroup) {
  OpBuilder builder(op);
  auto threads = static_cast<int64_t>(op.getThreads());
  Value members =
      threads == subgroup ? Value() : number(builder, op.getLoc(), (int64_t(1) << threads) - 1);
  op.replaceAllUsesWith(
      NVVM::ElectSyncOp::create(builder, op.getLoc(), builder.getI1Type(), members).getResult());
  op.erase();
}

static void lower(lane::ArrivalsOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  for (int64_t stage = 0; stage < static_cast<int64_t>(op.getStages()); ++stage) {
    Value index = arith::ConstantIndexOp::create(builder, loc, stage);
    NVVM::MBarrierInitOp::create(builder, loc,
                                 elementPointer(builder, loc, op.getCounters(), index),
                                 number(builder, loc, op.getCopiers()), Value());
  }
  NVVM::FenceMbarrierInitOp::create(builder, loc);
  NVVM::FenceProxyOp::create(
      builder, loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(builder.getContext(), NVVM::SharedSpace::shared_cta));
  op.erase();
}

static void lower(lane::ExpectOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  NVVM::MBarrierArriveExpectTxOp::create(
      builder, loc, Type(), elementPointer(builder, loc, op.getCounters(), op.getStage()),
      number(builder, loc, op.getBytes()), NVVM::MemScopeKind::CTA, /*relaxed=*/false, Value());
  op.erase();
}

static void lower(lane::BulkCopyOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value source = elementPointer(builder, loc, op.getSource(), op.getSourceIndex());
  auto global = LLVM::LLVMPointerType::get(builder.getContext(), kGlobalSpace);
  Value operands[] = {elementPointer(builder, loc, op.getTarget(), op.getTargetIndex()),
                      LLVM::AddrSpaceCastOp::create(builder, loc, global, source),
                      number(builder, loc, op.getBytes()),
                      elementPointer(builder, loc, op.getCounters(), op.getStage())};
  createText(builder, loc, operands, kCopyText, "l,l,r,l,~{memory}");
  op.erase();
}

static void lower(lane::TensorCopyOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto coordinate = [&](Value index) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
  };
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value descriptor =
      UnrealizedConversionCastOp::create(builder, loc, pointer, op.getDescriptor()).getResult(0);
  Value operands[] = {elementPointer(builder, loc, op.getTarget(), op.getTargetIndex()), descriptor,
                      coordinate(op.getElement()), coordinate(op.getLine()),
                      elementPointer(builder, loc, op.getCounters(), op.getStage())};
  createText(builder, loc, operands, kTensorText, "l,l,r,r,l,~{memory}");
  op.erase();
}

static void lower(lane::ArrivedOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value operands[] = {
      elementPointer(builder, loc, op.getCounters(), op.getStage()),
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), op.getParity())};
  createText(builder, loc, operands, kWaitText, "l,r,~{memory}");
  op.erase();
}

/// A whole subgroup, or a workgroup that is smaller.
static bool isSubgroup(lane::ElectOp op, blas::TargetAttr target) {
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  auto block = kernel ? kernel.getKnownBlockSize() : std::nullopt;
  auto threads = static_cast<int64_t>(op.getThreads());
  return threads == target.getSubgroup() ||
         (threads < target.getSubgroup() && block && block->front() == threads);
}

static LogicalResult check(gpu::GPUModuleOp module, blas::TargetAttr target) {
  WalkResult result = module.walk([&](Operation *op) {
    if (auto elect = dyn_cast<lane::ElectOp>(op); elect && !isSubgroup(elect, target)) {
      elect.emitOpError("elects one of ") << elect.getThreads() << " threads, but a subgroup of "
                                          << target.getChip() << " has " << target.getSubgroup();
      return WalkResult::interrupt();
    }
    bool bulk = isa<lane::ElectOp, lane::ArrivalsOp, lane::ExpectOp, lane::BulkCopyOp,
                    lane::TensorCopyOp, lane::ArrivedOp>(op);
    if (target.getBulkCopy() || !bulk)
      return WalkResult::advance();
    op->emitOpError("needs bulk copies, which ") << target.getChip() << " does not have (bulkCopy)";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult rooftile::lowerBulkCopies(gpu::GPUModuleOp module, blas::TargetAttr target) {
  if (failed(check(module, target)))
    return failure();
  module.walk([&](Operation *op) {
    if (auto elect = dyn_cast<lane::ElectOp>(op))
      lower(elect, target.getSubgroup());
    else if (auto arrivals = dyn_cast<lane::ArrivalsOp>(op))
      lower(arrivals);
    else if (auto expect = dyn_cast<lane::ExpectOp>(op))
      lower(expect);
    else if (auto copy = dyn_cast<lane::BulkCopyOp>(op))
      lower(copy);
    else if (auto copy = dyn_cast<lane::TensorCopyOp>(op))
      lower(copy);
    else if (auto arrived = dyn_cast<lane::ArrivedOp>(op))
      lower(arrived);
  });
  return success();
}

/// Bytes at a multiple of which the hardware reads a descriptor (PTX ISA 8.0, tensor maps).
static constexpr int64_t kDescriptorAlign = 64;

static void passDescriptor(LLVM::LLVMFuncOp kernel, BlockArgument argument) {
  MLIRContext *context = kernel.getContext();
  Builder builder(context);
  Type pointer = LLVM::LLVMPointerType::get(context), type = argument.getType();
  unsigned number = argument.getArgNumber();
  argument.setType(pointer);
  for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
    auto cast = llvm::cast<UnrealizedConversionCastOp>(user);
    cast.getResult(0).replaceAllUsesWith(argument);
    cast.erase();
  }
  kernel.setArgAttr(number, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(type));
  kernel.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(),
                    builder.getI64IntegerAttr(kDescriptorAlign));
  kernel.setArgAttr(number, NVVM::NVVMDialect::getGridConstantAttrName(), builder.getUnitAttr());
}

void rooftile::passDescriptors(gpu::GPUModuleOp module) {
  Type descriptor = lane::descriptorType(module.getContext());
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
    if (kernel.isExternal() || !kernel->hasAttr(blas::BlasDialect::kContractName))
      continue;
    SmallVector<Type> types;
    for (BlockArgument argument : kernel.getArguments()) {
      if (argument.getType() == descriptor)
        passDescriptor(kernel, argument);
      types.push_back(argument.getType());
    }
    kernel.setFunctionType(
        LLVM::LLVMFunctionType::get(kernel.getFunctionType().getReturnType(), types));
  }
}
