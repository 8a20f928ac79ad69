//===- ThreadToCpu.cpp - Kernels and launches on the host -----------------===//
//
// Runs the per-thread code itself without a GPU: thread mapping, barriers, tails
// and collectives are those that the GPU will run. Each kernel becomes a
// coroutine, each launch a call of
//
//   rooftileCpuLaunch(name, kernel, gridX, blockX, sharedBytes, params)
//
// which runs the threads of a block from barrier to barrier. Kernels must be in
// CFG form (convert-scf-to-cf); gpu modules are gone afterwards.
//
//===----------------------------------------------------------------------===//

#include "Coroutine.h"
#include "rooftile/Conversion/Passes.h"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_THREADTOCPU
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

static constexpr StringLiteral kLaunch = "rooftileCpuLaunch";

/// malloc, free and the launch function of the runtime.
static void declareRuntime(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto nothing = LLVM::LLVMVoidType::get(module.getContext());
  Type i64 = builder.getI64Type();
  auto declare = [&](StringRef name, Type result, ArrayRef<Type> arguments) {
    if (!module.lookupSymbol(name))
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, LLVM::LLVMFunctionType::get(result, arguments));
  };
  declare("malloc", pointer, {i64});
  declare("free", nothing, {pointer});
  declare(kLaunch, nothing, {pointer, pointer, i64, i64, i64, pointer});
}

/// Stores an operand on the stack and returns the slot; memrefs of one element
/// are passed as bare pointers.
static Value spill(OpBuilder &builder, Location loc, Value operand) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  if (isa<MemRefType>(operand.getType())) {
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, operand);
    Value number = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
    operand = LLVM::IntToPtrOp::create(builder, loc, pointer, number);
  }
  OpBuilder entry = builder;
  if (auto function = builder.getInsertionBlock()->getParentOp()->getParentOfType<func::FuncOp>())
    entry.setInsertionPointToStart(&function.getBody().front());
  Value one = LLVM::ConstantOp::create(entry, loc, entry.getI64Type(), 1);
  Value slot = LLVM::AllocaOp::create(entry, loc, pointer, operand.getType(), one);
  LLVM::StoreOp::create(builder, loc, operand, slot);
  return slot;
}

static LogicalResult lowerLaunch(gpu::LaunchFuncOp launch, LLVM::LLVMFuncOp kernel) {
  Location loc = launch.getLoc();
  OpBuilder builder(launch);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  Value count = LLVM::ConstantOp::create(builder, loc, i64, launch.getNumKernelOperands());
  Value params = LLVM::AllocaOp::create(builder, loc, pointer, pointer, count);
  for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands())) {
    Value place = LLVM::GEPOp::create(builder, loc, pointer, pointer, params,
                                      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
    LLVM::StoreOp::create(builder, loc, spill(builder, loc, operand), place);
  }
  auto number = [&](Value value) -> Value {
    return arith::IndexCastOp::create(builder, loc, i64, value);
  };
  Value shared = launch.getDynamicSharedMemorySize();
  Value sharedBytes = shared ? LLVM::SExtOp::create(builder, loc, i64, shared).getResult()
                             : LLVM::ConstantOp::create(builder, loc, i64, 0).getResult();
  Value name = LLVM::createGlobalString(loc, builder, (kernel.getSymName() + "_name").str(),
                                        StringRef(kernel.getSymName().str() + std::string(1, '\0')),
                                        LLVM::Linkage::Private);
  Value address = LLVM::AddressOfOp::create(builder, loc, kernel);
  auto run = launch->getParentOfType<ModuleOp>().lookupSymbol<LLVM::LLVMFuncOp>(kLaunch);
  LLVM::CallOp::create(builder, loc, run,
                       ValueRange{name, address, number(launch.getGridSizeX()),
                                  number(launch.getBlockSizeX()), sharedBytes, params});
  launch.erase();
  return success();
}

namespace {
struct ThreadToCpuPass : rooftile::impl::ThreadToCpuBase<ThreadToCpuPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    declareRuntime(module);
    SmallVector<gpu::LaunchFuncOp> launches;
    module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
    llvm::DenseMap<Attribute, LLVM::LLVMFuncOp> kernels;
    for (gpu::LaunchFuncOp launch : launches) {
      LLVM::LLVMFuncOp &kernel = kernels[launch.getKernelAttr()];
      if (!kernel) {
        auto source = dyn_cast_or_null<gpu::GPUFuncOp>(SymbolTable::lookupSymbolIn(module, launch.getKernelAttr()));
        if (!source)
          return (void)(launch.emitOpError("names no kernel"), signalPassFailure());
        OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
        std::string name = (launch.getKernelModuleName().getValue() + "_" + launch.getKernelName().getValue()).str();
        kernel = createCoroutine(builder, source, name);
      }
      if (failed(lowerLaunch(launch, kernel)))
        return signalPassFailure();
    }
    for (auto gpuModule : llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
      gpuModule.erase();
  }
};
} // namespace
