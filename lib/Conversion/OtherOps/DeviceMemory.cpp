//===- DeviceMemory.cpp - Intermediates of host code on the device --------===//
//
// Memory that a host function allocates between kernels must be that of the GPU:
// memref.alloc, dealloc and copy become their gpu forms, constants a copy that
// the runtime makes once. All of it, and the kernels, go on the stream of the
// caller, in program order: the function waits for nothing, so that it can be
// captured into a graph. Kernels are left alone, and so are functions that have
// nothing to do with any. Host code that touches memory of the GPU itself, element
// by element, does so on a copy (StageHostCode), and there the function waits.
//
//===----------------------------------------------------------------------===//

#include "HostFunctions.h"
#include "StageHostCode.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "rooftile/Conversion/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "device-memory"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_DEVICEMEMORY
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

//===----------------------------------------------------------------------===//
// Access of host code
//===----------------------------------------------------------------------===//

static LogicalResult checkLaunch(gpu::LaunchFuncOp launch) {
  for (Value operand : launch.getKernelOperands())
    if (isa<BaseMemRefType>(operand.getType()) && isOfHost(operand))
      return launch.emitOpError(
          "a kernel cannot reach memory of memref.alloca, which is the host's: "
          "use memref.alloc");
  return success();
}

static LogicalResult checkLaunches(func::FuncOp function) {
  WalkResult walk =
      function.walk([](gpu::LaunchFuncOp launch) { return WalkResult(checkLaunch(launch)); });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// On the caller's stream
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kStreamName = "rooftileGetStream", kGlobalName = "rooftileGlobal";

/// Type of a function of the runtime: void *rooftileGetStream(), void *rooftileGlobal(void
/// **copies, const void *host, int64_t bytes), and those of a stage.
static FunctionType typeOf(MLIRContext *context, StringRef name) {
  Type pointer = LLVM::LLVMPointerType::get(context), i64 = IntegerType::get(context, 64);
  if (name == kStagedName)
    return FunctionType::get(context, {pointer, i64, pointer}, i64);
  if (name == kUnstageName)
    return FunctionType::get(context, {pointer, pointer}, TypeRange());
  SmallVector<Type> inputs;
  if (name == kGlobalName)
    inputs = {pointer, pointer, i64};
  else if (name == kStageName)
    inputs = {pointer, i64, i64, IntegerType::get(context, 1)};
  return FunctionType::get(context, inputs, pointer);
}

/// The user's own symbols leave these names to the runtime.
static LogicalResult checkNames(ModuleOp module) {
  for (StringRef name : {kStreamName, kGlobalName, kStageName, kStagedName, kUnstageName}) {
    Operation *present = module.lookupSymbol(name);
    auto function = dyn_cast_or_null<func::FuncOp>(present);
    FunctionType type = typeOf(module.getContext(), name);
    if (present && !(function && function.getFunctionType() == type))
      return present->emitOpError("has the name '") << name << "', which compiled code calls";
  }
  return success();
}

/// The declaration of a function of the runtime.
static func::FuncOp declare(ModuleOp module, StringRef name) {
  if (auto function = module.lookupSymbol<func::FuncOp>(name))
    return function;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto function =
      func::FuncOp::create(builder, module.getLoc(), name, typeOf(module.getContext(), name));
  function.setPrivate();
  return function;
}

namespace {
/// Turns the operations of one function, which all depend on the same token.
struct StreamOrder {
  func::FuncOp function;
  Value handle = {}; ///< the caller's stream, from the start of the function
  Value stream = {}; ///< its token

  Value pointer();
  Value token();
  void replace(memref::AllocOp alloc);
  void replace(memref::DeallocOp dealloc);
  void replace(memref::CopyOp copy);
  void replace(memref::GetGlobalOp global);
  void replace(gpu::LaunchFuncOp launch);
};
} // namespace

Value StreamOrder::pointer() {
  if (handle)
    return handle;
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  func::FuncOp callee = declare(function->getParentOfType<ModuleOp>(), kStreamName);
  return handle = func::CallOp::create(builder, function.getLoc(), callee).getResult(0);
}

Value StreamOrder::token() {
  if (stream)
    return stream;
  Value start = pointer();
  OpBuilder builder(start.getContext());
  builder.setInsertionPointAfterValue(start);
  Type type = gpu::AsyncTokenType::get(builder.getContext());
  return stream =
             UnrealizedConversionCastOp::create(builder, start.getLoc(), type, start).getResult(0);
}

void StreamOrder::replace(memref::AllocOp alloc) {
  Value start = token();
  OpBuilder builder(alloc);
  auto onDevice = gpu::AllocOp::create(builder, alloc.getLoc(), alloc.getType(), start.getType(),
                                       start, alloc.getDynamicSizes(), alloc.getSymbolOperands());
  alloc.replaceAllUsesWith(onDevice.getMemref());
  alloc.erase();
}

void StreamOrder::replace(memref::DeallocOp dealloc) {
  Value start = token();
  OpBuilder builder(dealloc);
  gpu::DeallocOp::create(builder, dealloc.getLoc(), start.getType(), start, dealloc.getMemref());
  dealloc.erase();
}

void StreamOrder::replace(memref::CopyOp copy) {
  Value start = token();
  OpBuilder builder(copy);
  gpu::MemcpyOp::create(builder, copy.getLoc(), start.getType(), start, copy.getTarget(),
                        copy.getSource());
  copy.erase();
}

void StreamOrder::replace(gpu::LaunchFuncOp launch) {
  if (launch.getAsyncToken() || launch.getAsyncObject())
    return; // somebody else has ordered it
  Value start = token();
  OpBuilder builder(launch);
  std::optional<gpu::KernelDim3> cluster;
  if (launch.hasClusterSize())
    cluster = launch.getClusterSizeOperandValues();
  auto ordered = gpu::LaunchFuncOp::create(
      builder, launch.getLoc(), launch.getKernel(), launch.getGridSizeOperandValues(),
      launch.getBlockSizeOperandValues(), launch.getDynamicSharedMemorySize(),
      launch.getKernelOperands(), start.getType(), start, cluster);
  ordered->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
  launch.erase();
}

/// Memory of the program for the addresses of the copies of constant `name`, one a device.
static LLVM::GlobalOp addressesOf(ModuleOp module, StringRef name) {
  std::string symbol = (name + "_on_device").str();
  if (auto global = module.lookupSymbol<LLVM::GlobalOp>(symbol))
    return global;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = LLVM::LLVMArrayType::get(pointer, /*numElements=*/64); // rooftileGlobal returns that
  auto global = LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false,
                                       LLVM::Linkage::Internal, symbol, Attribute());
  builder.createBlock(&global.getInitializerRegion());
  Value none = LLVM::ZeroOp::create(builder, module.getLoc(), type);
  LLVM::ReturnOp::create(builder, module.getLoc(), none);
  return global;
}

/// The runtime copies the constant at its first use.
void StreamOrder::replace(memref::GetGlobalOp global) {
  if (llvm::all_of(global->getUsers(), llvm::IsaPred<memref::ExtractAlignedPointerAsIndexOp>))
    return; // its copy is in use
  MemRefType type = global.getType();
  auto module = function->getParentOfType<ModuleOp>();
  OpBuilder builder(global->getContext());
  builder.setInsertionPointAfter(global);
  Location loc = global.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext()), i64 = builder.getI64Type();
  func::FuncOp callee = declare(module, kGlobalName);
  Value index = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, global);
  Value number = arith::IndexCastOp::create(builder, loc, i64, index);
  Value host = LLVM::IntToPtrOp::create(builder, loc, pointer, number);
  Value copies = LLVM::AddressOfOp::create(builder, loc, addressesOf(module, global.getName()));
  int64_t bytes = type.getNumElements() *
                  DataLayout::closest(global).getTypeSize(type.getElementType()).getFixedValue();
  Value size = arith::ConstantIntOp::create(builder, loc, bytes, 64);
  auto call = func::CallOp::create(builder, loc, callee, ValueRange{copies, host, size});
  LLVMTypeConverter converter(builder.getContext());
  Value descriptor =
      MemRefDescriptor::fromStaticShape(builder, loc, converter, type, call.getResult(0));
  auto memory = UnrealizedConversionCastOp::create(builder, loc, type, descriptor);
  global.getResult().replaceAllUsesExcept(memory.getResult(0), index.getDefiningOp());
}

/// The operations of one function, but for those that work on copies of the host's.
static LogicalResult putOnStream(func::FuncOp function) {
  StreamOrder order{function};
  llvm::DenseSet<Operation *> onHost;
  auto stream = [&] { return order.pointer(); };
  auto callee = [&](StringRef name) {
    return declare(function->getParentOfType<ModuleOp>(), name);
  };
  if (failed(stageHostCode(function, {stream, callee, onHost})))
    return failure();
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (!onHost.contains(op) && !op->hasAttr(kOfHost))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    llvm::TypeSwitch<Operation *>(op)
        .Case<memref::AllocOp, memref::DeallocOp, memref::CopyOp, memref::GetGlobalOp,
              gpu::LaunchFuncOp>([&](auto known) { order.replace(known); });
  return success();
}

namespace {
struct DeviceMemoryPass : rooftile::impl::DeviceMemoryBase<DeviceMemoryPass> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions = functionsOfDevice(getOperation());
    if (!functions.empty() && failed(checkNames(getOperation())))
      return signalPassFailure();
    for (func::FuncOp function : functions)
      if (failed(checkLaunches(function)))
        return signalPassFailure();
    for (func::FuncOp function : functions) {
      LDBG() << "function " << function.getSymName();
      if (failed(putOnStream(function)))
        return signalPassFailure();
      ++numFunctions;
    }
  }
};
} // namespace
