//===- SeparateModules.cpp - Modules that can be in one program -----------===//
//
// Objects of several modules are linked into one program, beside other code that MLIR compiled.
// Two kinds of symbols would meet there: private functions, which LLVM's dialect leaves external,
// and the functions that MLIR's lowering of host code calls, whose names MLIR's own runtime has,
// too. The former become internal. The latter are called by names of this project. MLIR writes some
// of these calls when it translates to LLVM IR, after the last pass: it uses a function of the
// module where there is one of the name, so these names are internal functions that call ours.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "rooftile/Conversion/OtherOps/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "separate-modules"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_SEPARATEMODULES
#include "rooftile/Conversion/OtherOps/Passes.h.inc"
} // namespace rooftile

/// The name by which this project's runtime has a function of MLIR's; empty for all others.
static std::string ownName(StringRef name) {
  constexpr StringLiteral kFunctions[] = {"ModuleLoad",
                                          "ModuleLoadJIT",
                                          "ModuleUnload",
                                          "ModuleGetFunction",
                                          "LaunchKernel",
                                          "LaunchClusterKernel",
                                          "StreamCreate",
                                          "StreamDestroy",
                                          "StreamSynchronize",
                                          "StreamWaitEvent",
                                          "EventCreate",
                                          "EventDestroy",
                                          "EventSynchronize",
                                          "EventRecord",
                                          "MemAlloc",
                                          "MemFree",
                                          "Memcpy",
                                          "Memset16",
                                          "Memset32",
                                          "SetDefaultDevice",
                                          "MemHostRegisterMemRef",
                                          "MemHostUnregisterMemRef"};
  if (name == "memrefCopy")
    return "rooftileMemrefCopy";
  return name.consume_front("mgpu") && llvm::is_contained(kFunctions, name)
             ? ("rooftile" + name).str()
             : "";
}

static LLVM::LLVMFuncOp declare(OpBuilder &builder, ModuleOp module, StringRef name,
                                LLVM::LLVMFunctionType type) {
  if (auto present = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return present;
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
}

//===----------------------------------------------------------------------===//
// Existing calls
//===----------------------------------------------------------------------===//

/// Renames declarations of MLIR's functions, and their calls. Returns how many there were.
static unsigned renameCalls(ModuleOp module) {
  unsigned count = 0;
  for (auto function : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>())) {
    std::string own = function.isExternal() ? ownName(function.getName()) : "";
    if (own.empty())
      continue;
    ++count;
    if (module.lookupSymbol(own))
      function.erase();
    else
      function.setName(own);
  }
  module.walk([](LLVM::CallOp call) {
    std::string own = call.getCallee() ? ownName(*call.getCallee()) : "";
    if (!own.empty())
      call.setCallee(StringRef(own));
  });
  return count;
}

//===----------------------------------------------------------------------===//
// Calls that the translation writes
//===----------------------------------------------------------------------===//

namespace {
/// Which functions the translation of binaries and launches calls.
struct Translated {
  bool binary = false, text = false, launch = false, cluster = false, stream = false;

  explicit Translated(ModuleOp module) {
    for (auto op : module.getOps<gpu::BinaryOp>())
      for (Attribute object : op.getObjects())
        (cast<gpu::ObjectAttr>(object).getFormat() == gpu::CompilationTarget::Assembly ? text
                                                                                       : binary) =
            true;
    module.walk([&](gpu::LaunchFuncOp op) {
      (op.hasClusterSize() ? cluster : launch) = true;
      stream |= !op.getAsyncObject();
    });
  }
};
} // namespace

/// An internal function `name` that calls `own`.
static LogicalResult forward(ModuleOp module, StringRef name, Type result, ArrayRef<Type> types) {
  if (Operation *present = module.lookupSymbol(name)) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(present);
    if (function && function.getLinkage() == LLVM::Linkage::Internal)
      return success(); // of an earlier run
    return present->emitOpError("has the name '") << name << "', which compiled code calls";
  }
  Location loc = module.getLoc();
  auto type = LLVM::LLVMFunctionType::get(result, types);
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  LLVM::LLVMFuncOp target = declare(builder, module, ownName(name), type);
  auto function = LLVM::LLVMFuncOp::create(builder, loc, name, type, LLVM::Linkage::Internal);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  auto call = LLVM::CallOp::create(builder, loc, target, function.getArguments());
  LLVM::ReturnOp::create(builder, loc, call.getResults());
  return success();
}

/// As MLIR's translation of gpu.binary and gpu.launch_func declares them.
static LogicalResult forwardTranslated(ModuleOp module) {
  Translated has(module);
  MLIRContext *context = module.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context), nothing = LLVM::LLVMVoidType::get(context),
       i32 = IntegerType::get(context, 32), i64 = IntegerType::get(context, 64);
  SmallVector<Type> launch{pointer, i64, i64, i64, i64, i64, i64, i32, pointer, pointer, pointer};
  SmallVector<Type> cluster(launch);
  cluster.insert(cluster.begin() + 1, 3, i64);
  launch.push_back(i64);
  auto add = [&](bool isCalled, StringRef name, Type result, ArrayRef<Type> types) {
    return success(!isCalled || succeeded(forward(module, name, result, types)));
  };
  bool isLaunched = has.launch || has.cluster;
  bool right = succeeded(add(has.binary, "mgpuModuleLoad", pointer, {pointer, i64})) &&
               succeeded(add(has.text, "mgpuModuleLoadJIT", pointer, {pointer, i32})) &&
               succeeded(add(has.binary || has.text, "mgpuModuleUnload", nothing, {pointer})) &&
               succeeded(add(isLaunched, "mgpuModuleGetFunction", pointer, {pointer, pointer})) &&
               succeeded(add(has.launch, "mgpuLaunchKernel", nothing, launch)) &&
               succeeded(add(has.cluster, "mgpuLaunchClusterKernel", nothing, cluster)) &&
               succeeded(add(has.stream, "mgpuStreamCreate", pointer, {})) &&
               succeeded(add(has.stream, "mgpuStreamSynchronize", nothing, {pointer})) &&
               succeeded(add(has.stream, "mgpuStreamDestroy", nothing, {pointer}));
  return success(right);
}

//===----------------------------------------------------------------------===//
// Functions of the module
//===----------------------------------------------------------------------===//

static unsigned hidePrivate(ModuleOp module) {
  unsigned count = 0;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal() && function.isPrivate() &&
        function.getLinkage() == LLVM::Linkage::External) {
      function.setLinkage(LLVM::Linkage::Internal);
      ++count;
    }
  return count;
}

LogicalResult rooftile::separateModule(ModuleOp module, bool ownRuntime) {
  unsigned hidden = hidePrivate(module), renamed = 0;
  if (ownRuntime) {
    if (failed(forwardTranslated(module)))
      return failure();
    renamed = renameCalls(module);
  }
  LDBG() << hidden << " functions hidden, " << renamed << " functions of the runtime renamed";
  return success();
}

namespace {
struct SeparateModulesPass : rooftile::impl::SeparateModulesBase<SeparateModulesPass> {
  using SeparateModulesBase::SeparateModulesBase;

  void runOnOperation() override {
    if (failed(rooftile::separateModule(getOperation(), ownRuntime)))
      signalPassFailure();
  }
};
} // namespace
