//===- ThreadToNvvm.cpp - What NVVM needs to know of a kernel -------------===//
//
// Puts #nvvm.target of the module's chip on each gpu.module, and names its
// dynamic shared memory: one external array of no size, which the launch
// provides (upstream's lowering of gpu.dynamic_shared_memory is a static
// variable, which would lie over static buffers). The per-thread code itself is
// lowered by upstream's convert-gpu-to-nvvm.
//
//===----------------------------------------------------------------------===//

#include "AsyncCopiesToNvvm.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Dialect/Blas/Blas.h"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_THREADTONVVM
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

static constexpr unsigned kSharedSpace = 3;
static constexpr StringLiteral kSharedName = "rooftile_shared";
/// The oldest PTX version that knows sm_90a, for the widest choice of ptxas.
static constexpr StringLiteral kPtxFeature = "+ptx80";

static LLVM::GlobalOp declareShared(gpu::GPUModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
  return LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false,
                                LLVM::Linkage::External, kSharedName, Attribute(),
                                /*alignment=*/1024, kSharedSpace);
}

/// memref<?xi8, workgroup> over the external array.
static void lowerShared(gpu::DynamicSharedMemoryOp op, LLVM::GlobalOp global) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type i64 = builder.getI64Type(), one = LLVM::LLVMArrayType::get(i64, 1);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), kSharedSpace);
  auto descriptor =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), {pointer, pointer, i64, one, one});
  Value base = LLVM::AddressOfOp::create(builder, loc, global);
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, i64, value);
  };
  const std::pair<Value, SmallVector<int64_t>> parts[] = {
      {base, {0}}, {base, {1}}, {number(0), {2}}, {number(0), {3, 0}}, {number(1), {4, 0}}};
  Value value = LLVM::UndefOp::create(builder, loc, descriptor);
  for (auto &[part, position] : parts)
    value = LLVM::InsertValueOp::create(builder, loc, value, part, ArrayRef<int64_t>(position));
  auto cast = UnrealizedConversionCastOp::create(builder, loc, op.getType(), value);
  op.replaceAllUsesWith(cast.getResult(0));
  op.erase();
}

/// math.fma as the instruction: upstream calls libdevice, which is not there
/// without a CUDA toolkit.
static void lowerMultiplyAdd(gpu::GPUModuleOp module) {
  module.walk([](math::FmaOp op) {
    OpBuilder builder(op);
    Value sum = LLVM::FMAOp::create(builder, op.getLoc(), op.getA(), op.getB(), op.getC());
    op.replaceAllUsesWith(sum);
    op.erase();
  });
}

/// As many workgroups as the contract says are to fit on a unit.
static void boundRegisters(gpu::GPUModuleOp module) {
  Builder builder(module.getContext());
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    if (auto contract = kernel->getAttrOfType<blas::ContractAttr>(blas::BlasDialect::kContractName))
      kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      builder.getI32IntegerAttr(contract.getResidency()));
}

namespace {
struct ThreadToNvvmPass : rooftile::impl::ThreadToNvvmBase<ThreadToNvvmPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto target = module->getAttrOfType<blas::TargetAttr>(blas::BlasDialect::kTargetName);
    for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
      if (!target || target.getVendor() != blas::Vendor::Nvidia)
        return (
            void)(module.emitError(
                      "thread-to-nvvm needs a #blas.target of an NVIDIA chip on the module, got ")
                      << (target ? target.getChip() : "none"),
                  signalPassFailure());
      auto features = kPtxFeature;
      gpuModule.setTargetsAttr(ArrayAttr::get(
          &getContext(), NVVM::NVVMTargetAttr::get(&getContext(), 3, "nvptx64-nvidia-cuda",
                                                   target.getArch(), features)));
      boundRegisters(gpuModule);
      if (failed(lowerAsyncCopies(gpuModule, target.getAsyncCopyBytes())))
        return signalPassFailure();
      lowerMultiplyAdd(gpuModule);
      SmallVector<gpu::DynamicSharedMemoryOp> uses;
      gpuModule.walk([&](gpu::DynamicSharedMemoryOp op) { uses.push_back(op); });
      if (uses.empty())
        continue;
      LLVM::GlobalOp global = declareShared(gpuModule);
      for (gpu::DynamicSharedMemoryOp op : uses)
        lowerShared(op, global);
    }
  }
};
} // namespace
