//===- LaneToCpu.cpp - Kernels and launches on the host -------------------===//
//
// Runs the per-thread code itself without a GPU: thread mapping, barriers, tails
// and collectives are those that the GPU will run. Each kernel becomes a
// coroutine, each launch a call of
//
//   rooftileCpuLaunch(name, kernel, gridX, blockX, clusterX, sharedBytes, params, sites, granule)
//
// which runs the threads of a block from barrier to barrier. Kernels must be in
// CFG form (convert-scf-to-cf); gpu modules are gone afterwards.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/LaneToCpu/LaneToCpu.h"
#include "Copies.h"
#include "Coroutine.h"
#include "MatrixUnits.h"
#include "Products.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Conversion/LaneToGpu/LaneToGpu.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Transforms/Kernel/KernelLaunch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "lane-to-cpu"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_LANETOCPU
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

static constexpr StringLiteral kLaunch = "rooftileCpuLaunch";

/// The widest access of a kernel, in bytes, is 16; a cache line is what an allocation begins at.
static constexpr int64_t kAlignment = 64;

/// malloc, free and the functions of the runtime. An error where the user's own functions have
/// these names.
static LogicalResult declareRuntime(ModuleOp module, bool record) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto nothing = LLVM::LLVMVoidType::get(module.getContext());
  Type i64 = builder.getI64Type();
  auto declare = [&](StringRef name, Type result, ArrayRef<Type> arguments) -> LogicalResult {
    auto type = LLVM::LLVMFunctionType::get(result, arguments);
    Operation *present = module.lookupSymbol(name);
    if (!present) {
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
      return success();
    }
    auto function = dyn_cast<LLVM::LLVMFuncOp>(present);
    if (function && function.getFunctionType() == type)
      return success();
    return present->emitOpError("has the name '") << name << "', which compiled code calls";
  };
  SmallVector<Type> launch{pointer, pointer, i64, i64, i64, i64, pointer, pointer, i64};
  SmallVector<Type> access{pointer, pointer, i64, i64, i64};
  bool right = succeeded(declare("malloc", pointer, {i64})) &&
               succeeded(declare("free", nothing, {pointer})) &&
               succeeded(declare(kLaunch, nothing, launch));
  if (right && record)
    right = succeeded(declare(kRecordRead, nothing, access)) &&
            succeeded(declare(kRecordWrite, nothing, access)) &&
            succeeded(declare(kRecordGlobal, nothing, access));
  return success(right);
}

/// The user's buffers begin where vector accesses may: host compilers align them
/// to one element only.
static void alignBuffers(ModuleOp module) {
  module.walk([](Operation *op) {
    if (auto alloca = dyn_cast<memref::AllocaOp>(op))
      alloca.setAlignment(std::max<uint64_t>(alloca.getAlignment().value_or(1), kAlignment));
    else if (auto global = dyn_cast<memref::GlobalOp>(op))
      global.setAlignment(std::max<uint64_t>(global.getAlignment().value_or(1), kAlignment));
  });
}

/// Stores an operand on the stack and returns the stage; memrefs of one element
/// are passed as bare pointers.
static Value spill(OpBuilder &builder, Location loc, Value operand) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  if (isa<MemRefType>(operand.getType())) {
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, operand);
    Value number = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
    operand = LLVM::IntToPtrOp::create(builder, loc, pointer, number);
  }
  if (auto complex = dyn_cast<ComplexType>(operand.getType()))
    operand =
        UnrealizedConversionCastOp::create(builder, loc, structOf(complex), operand).getResult(0);
  Value stage = reserveOnStack(builder, loc, operand.getType(), 1);
  LLVM::StoreOp::create(builder, loc, operand, stage);
  return stage;
}

/// A C string that belongs to a kernel; its launches share it.
static Value kernelText(OpBuilder &builder, Location loc, StringRef symbol, StringRef text) {
  auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (auto global = module.lookupSymbol<LLVM::GlobalOp>(symbol))
    return LLVM::AddressOfOp::create(builder, loc, global);
  return LLVM::createGlobalString(loc, builder, symbol, text.str() + '\0', LLVM::Linkage::Private);
}

static void lowerLaunch(gpu::LaunchFuncOp launch, HostKernel &kernel) {
  Location loc = launch.getLoc();
  OpBuilder builder(launch);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  Value params = reserveOnStack(builder, loc, pointer, launch.getNumKernelOperands());
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
  if (kernel.staticBytes)
    sharedBytes = LLVM::AddOp::create(
        builder, loc, sharedBytes,
        LLVM::ConstantOp::create(builder, loc, i64, kernel.staticBytes).getResult());
  Value cluster = launch.hasClusterSize()
                      ? number(launch.getClusterSizeX())
                      : LLVM::ConstantOp::create(builder, loc, i64, 1).getResult();
  std::string symbol = kernel.function.getSymName().str();
  Value name = kernelText(builder, loc, symbol + "_name", launch.getKernelName().getValue());
  Value sites = kernel.sites ? kernelText(builder, loc, symbol + "_sites", kernel.sites->text)
                             : LLVM::ZeroOp::create(builder, loc, pointer).getResult();
  Value granule =
      LLVM::ConstantOp::create(builder, loc, i64, kernel.sites ? kernel.sites->granuleBytes : 0);
  Value address = LLVM::AddressOfOp::create(builder, loc, kernel.function);
  auto run = launch->getParentOfType<ModuleOp>().lookupSymbol<LLVM::LLVMFuncOp>(kLaunch);
  LLVM::CallOp::create(builder, loc, run,
                       ValueRange{name, address, number(launch.getGridSizeX()),
                                  number(launch.getBlockSizeX()), cluster, sharedBytes, params,
                                  sites, granule});
  launch.erase();
}

//===----------------------------------------------------------------------===//
// Kernels of others
//===----------------------------------------------------------------------===//

/// Operations that the runtime replaces: x of both ids, barriers, dynamic shared memory.
static bool runsOnHost(Operation *op) {
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return id.getDimension() == gpu::Dimension::x;
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return id.getDimension() == gpu::Dimension::x;
  if (auto id = dyn_cast<gpu::ClusterBlockIdOp>(op))
    return id.getDimension() == gpu::Dimension::x;
  if (auto size = dyn_cast<gpu::ClusterDimBlocksOp>(op))
    return size.getDimension() == gpu::Dimension::x;
  return !isa_and_nonnull<gpu::GPUDialect>(op->getDialect()) ||
         isa<gpu::BarrierOp, gpu::DynamicSharedMemoryOp, gpu::ReturnOp, gpu::GPUFuncOp>(op);
}

/// Kernels of this project have pointers as arguments and grids along x; others may do what the
/// runtime does not offer.
static LogicalResult checkKernel(gpu::LaunchFuncOp launch, gpu::GPUFuncOp kernel) {
  for (Type type : kernel.getArgumentTypes())
    if (auto memref = dyn_cast<MemRefType>(type); memref && memref.getRank() != 0)
      return kernel.emitOpError("cannot run on the CPU: its argument ")
             << memref << " is no pointer";
  SmallVector<Value> sizes{launch.getGridSizeY(), launch.getGridSizeZ(), launch.getBlockSizeY(),
                           launch.getBlockSizeZ()};
  if (launch.hasClusterSize())
    sizes.append({launch.getClusterSizeY(), launch.getClusterSizeZ()});
  for (Value size : sizes)
    if (getConstantIntValue(size) != 1)
      return launch.emitOpError("cannot run on the CPU: a grid of more than one dimension");
  WalkResult walk = kernel.walk([](Operation *op) {
    if (runsOnHost(op))
      return WalkResult::advance();
    op->emitOpError("cannot run on the CPU");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

static LogicalResult checkLaunches(ModuleOp module) {
  WalkResult walk = module.walk([](gpu::LaunchOp launch) {
    launch.emitOpError("cannot run on the CPU: a kernel of others");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

namespace {
/// Threads of the host run one after the other: their compiler may move what it likes.
struct CompilerFencePattern : OpRewritePattern<lane::CompilerFenceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::CompilerFenceOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, op.getValues());
    return success();
  }
};

struct UniformPattern : OpRewritePattern<lane::UniformOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::UniformOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, op.getNumber());
    return success();
  }
};
} // namespace

void rooftile::populateLaneToCpuPatterns(RewritePatternSet &patterns, Value thread) {
  populateAsyncCopyToCpuPatterns(patterns, thread);
  populateBulkCopyToCpuPatterns(patterns, thread);
  populateProductToCpuPatterns(patterns, thread);
  populateClusterToCpuPatterns(patterns, thread);
  populateLanePointerPatterns(patterns, /*globalSpace=*/0);
  patterns.add<CompilerFencePattern, UniformPattern>(patterns.getContext());
}

namespace {
struct LaneToCpuPass : rooftile::impl::LaneToCpuBase<LaneToCpuPass> {
  using LaneToCpuBase::LaneToCpuBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkLaunches(module)) || failed(declareRuntime(module, record)) ||
        failed(declareAsyncCopies(module)) || failed(declareBulkCopies(module)) ||
        failed(declareProducts(module)))
      return signalPassFailure();
    alignBuffers(module);
    SmallVector<gpu::LaunchFuncOp> launches;
    module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
    llvm::DenseMap<Attribute, HostKernel> kernels;
    for (gpu::LaunchFuncOp launch : launches) {
      HostKernel &kernel = kernels[launch.getKernelAttr()];
      if (!kernel.function && failed(convertKernel(launch, kernel)))
        return signalPassFailure();
      lowerLaunch(launch, kernel);
      ++numLaunches;
    }
    for (auto gpuModule : llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
      gpuModule.erase();
  }

private:
  LogicalResult convertKernel(gpu::LaunchFuncOp launch, HostKernel &result) {
    auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(
        SymbolTable::lookupSymbolIn(getOperation(), launch.getKernelAttr()));
    if (!kernel)
      return launch.emitOpError("names no kernel");
    if (failed(checkKernel(launch, kernel)) || failed(checkMatrixUnits(kernel)) ||
        (record && failed(checkRecordable(kernel))))
      return failure();
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    StringRef module = launch.getKernelModuleName().getValue();
    std::string name = (module + "_" + launch.getKernelName().getValue()).str();
    FailureOr<int64_t> staticBytes = placeAttributions(kernel);
    if (failed(staticBytes))
      return failure();
    result = createCoroutine(builder, kernel, name, record);
    result.staticBytes = *staticBytes;
    ++numKernels;
    LDBG() << "kernel " << name << ", " << *staticBytes << " bytes of its own buffers";
    return success();
  }
};
} // namespace
