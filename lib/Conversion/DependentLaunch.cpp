//===- DependentLaunch.cpp - Kernels that begin early ---------------------===//
//
// Between two kernels of a stream a GPU stands still for microseconds, as long as a small product
// takes. A kernel here allows the next one to begin as soon as all its own workgroups have
// (griddepcontrol.launch_dependents), and waits in front of its first access to memory for the end
// of the one before it (griddepcontrol.wait; without a dependent launch that is no wait at all).
// Each kernel waits for the end of its predecessor, which has waited for the end of its own: the
// order of the stream holds. An array `rooftile_dependent` in the module tells the runtime that
// its kernels may be launched so (CUDA: programmatic stream serialization).
//
//===----------------------------------------------------------------------===//

#include "DependentLaunch.h"
#include "KernelPreparation.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace rooftile;

static constexpr unsigned kGlobalSpace = 1;
/// The runtime looks for it.
static constexpr StringLiteral kDependentName = "rooftile_dependent";

/// In front of the first operation of the entry block that may touch memory.
static void waitBeforeMemory(gpu::GPUFuncOp kernel) {
  Block &entry = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  auto control = [&](NVVM::GridDepActionKind kind) {
    NVVM::GriddepcontrolOp::create(builder, kernel.getLoc(), kind);
  };
  control(NVVM::GridDepActionKind::launch_dependents);
  auto touches = [](Operation &op) {
    return !isMemoryEffectFree(&op) && !isa<gpu::DynamicSharedMemoryOp, NVVM::GriddepcontrolOp>(op);
  };
  auto first = llvm::find_if(entry, touches);
  builder.setInsertionPoint(&entry, first == entry.end() ? std::prev(first) : first);
  control(NVVM::GridDepActionKind::wait);
}

void rooftile::beginEarly(gpu::GPUModuleOp module) {
  auto kernels = module.getOps<gpu::GPUFuncOp>();
  if (!llvm::all_of(kernels, contractOf))
    return;
  for (gpu::GPUFuncOp kernel : kernels)
    waitBeforeMemory(kernel);
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(builder, module.getLoc(), builder.getI8Type(), /*isConstant=*/true,
                         LLVM::Linkage::External, kDependentName, builder.getI8IntegerAttr(1),
                         /*alignment=*/0, kGlobalSpace);
}
