//===- Program.cpp - From a module to callable functions ------------------===//

#include "rooftile/Verify/Engine/Program.h"
#include "Functions/Loops.h"
#include "Instrument.h"
#include "Mutate.h"
#include "Operands/Array.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Pipelines/Pipelines.h"
#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Runtime/Symbols.h"
#include "rooftile/Verify/Operands/Memory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ExecutionEngine/Orc/CoreContainers.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <cmath>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

void rooftile::verify::registerEngine(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerLoops(registry);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
}

/// What the blas.batch that takes an argument says of it; nothing for one that none takes.
static std::optional<Addressed> addressedBy(Value argument) {
  for (mlir::Operation *user : argument.getUsers())
    if (auto batch = dyn_cast<blas::BatchOp>(user)) {
      auto type = cast<MemRefType>(batch.getMatrices().getType());
      Addressed result{{elementOf(type.getElementType()), batch.getLayout().getAlign()}, {}, {}};
      llvm::append_range(result.sizes, type.getShape().drop_front());
      llvm::append_range(result.strides, batch.getLayout().getStrides());
      return result;
    }
  return std::nullopt;
}

static Signature signatureOf(func::FuncOp function) {
  Signature signature;
  signature.name = function.getName().str();
  llvm::append_range(signature.arguments, function.getArgumentTypes());
  llvm::append_range(signature.results, function.getResultTypes());
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto sizes = function.getArgAttrOfType<DenseI64ArrayAttr>(i, "rooftile.sizes");
    auto value = function.getArgAttrOfType<FloatAttr>(i, "rooftile.value");
    signature.sizes.push_back(sizes ? std::vector<int64_t>(sizes.asArrayRef())
                                    : std::vector<int64_t>());
    signature.values.push_back(value ? value.getValueAsDouble() : NAN);
    signature.addressed.push_back(addressedBy(function.getArgument(i)));
  }
  return signature;
}

/// Whether gemm-run can make up an argument of this type.
static bool canBePassed(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return memref.isStrided() && canEncode(memref.getElementType());
  return canEncode(type);
}

/// Attributes of arguments that say what to pass.
static LogicalResult checkHints(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Attribute sizes = function.getArgAttr(i, "rooftile.sizes");
    Attribute value = function.getArgAttr(i, "rooftile.value");
    if (sizes && !isa<DenseI64ArrayAttr>(sizes))
      return function.emitOpError("argument ") << i << ": rooftile.sizes is " << sizes
                                               << ", expected the like of array<i64: 512, 64>";
    if (value && !isa<FloatAttr>(value))
      return function.emitOpError("argument ")
             << i << ": rooftile.value is " << value << ", expected the like of 2.0 : f32";
  }
  return success();
}

/// Located errors for what cannot be called, before it is compiled. Constants become
/// writable: verification puts its own data into every operand.
static LogicalResult prepareCalls(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(checkHints(function)))
      return failure();
  for (auto function : module.getOps<func::FuncOp>())
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
      if (function.isPublic() && !canBePassed(type))
        return function.emitOpError("cannot be run: argument ")
               << index << " is " << type
               << "; strided memrefs of numbers, integers and floats of at most 64 bits can be "
                  "passed";
  for (auto global : module.getOps<memref::GlobalOp>())
    global.setConstant(false);
  WalkResult walk = module.walk([&](func::CallOp call) {
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (!callee || !callee.isExternal() || callee.getName().starts_with("rooftile") ||
        llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(callee.getName().str()))
      return WalkResult::advance();
    call.emitOpError("cannot be run: function '") << callee.getName() << "' has no body";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult rooftile::verify::runPasses(ModuleOp module,
                                          llvm::function_ref<void(OpPassManager &)> build) {
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  build(passes);
  return passes.run(module);
}

/// Compiled code may call the runtime, the heap and the callbacks by name.
static llvm::orc::SymbolMap symbolsOfCalls(llvm::orc::MangleAndInterner intern,
                                           const std::vector<Site> &sites) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](StringRef name, void *address) {
    symbols[intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                             llvm::JITSymbolFlags::Exported};
  };
  for (auto &[name, address] : rooftile::runtimeSymbols())
    add(name, address);
  for (auto &[name, address] : heapSymbols())
    add(name, address);
  for (auto &[name, address] : narrowFloatSymbols())
    add(name, address);
  for (auto &[name, address] : callbackSymbols(sites))
    add(name, address);
  return symbols;
}

/// What coroutines need, and what makes little code of much in little time.
static constexpr StringLiteral kQuickPasses =
    "coro-early,function(sroa,early-cse,simplifycfg),cgscc(coro-split),coro-cleanup,globaldce,"
    "function(sroa,early-cse,simplifycfg)";

static llvm::Error optimizeQuickly(llvm::Module *module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, kQuickPasses))
    return error;
  passes.run(*module, modules);
  return llvm::Error::success();
}

/// For this machine, with code generation as `effort` says.
static FailureOr<std::unique_ptr<ExecutionEngine>> createEngine(ModuleOp module, Effort effort) {
  bool quick = effort == Effort::Quick;
  auto level = quick ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  auto optimize = makeOptimizingTransformer(2, 0, nullptr);
  ExecutionEngineOptions options;
  options.transformer = optimize;
  if (quick)
    options.transformer = optimizeQuickly;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return module.emitError("this machine is unknown: ") << llvm::toString(host.takeError());
  auto machine = host->setCodeGenOptLevel(level).createTargetMachine();
  if (!machine)
    return module.emitError("this machine is no target: ") << llvm::toString(machine.takeError());
  auto engine = ExecutionEngine::create(module, options, std::move(*machine));
  if (!engine)
    return module.emitError("cannot be compiled for this machine: ")
           << llvm::toString(engine.takeError());
  return std::move(*engine);
}

static FailureOr<std::unique_ptr<ExecutionEngine>> load(ModuleOp module, Effort effort,
                                                        const std::vector<Site> &sites) {
  auto engine = createEngine(module, effort);
  if (failed(engine))
    return failure();
  (*engine)->registerSymbols(
      [&](llvm::orc::MangleAndInterner intern) { return symbolsOfCalls(intern, sites); });
  (*engine)->initialize();
  if (std::string error = rooftileLastError(); !error.empty())
    return module.emitError("kernels cannot be loaded: ") << error;
  return std::move(*engine);
}

LogicalResult rooftile::verify::readFunctions(ModuleOp module, Program &program) {
  if (failed(prepareCalls(module)))
    return failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      program.functions.push_back(signatureOf(function));
  return success();
}

LogicalResult rooftile::verify::loadProgram(ModuleOp module, Program &program, Effort effort) {
  FailureOr<std::unique_ptr<ExecutionEngine>> engine = load(module, effort, program.sites);
  if (failed(engine))
    return failure();
  program.engine = std::move(*engine);
  return success();
}

FailureOr<std::unique_ptr<Program>> rooftile::verify::compile(ModuleOp module,
                                                              const CompileOptions &options) {
  auto program = std::make_unique<Program>();
  auto plan = [&](OpPassManager &pm) {
    if (options.device == Device::Cuda)
      requireVendor(pm, blas::Vendor::Nvidia, options.chip);
    buildPlanPipeline(pm, options.chip, options.plans);
  };
  auto surround = [&] { return options.verify ? instrument(module, program->sites) : success(); };
  auto lower = [&](OpPassManager &pm) {
    if (options.device == Device::Cuda)
      buildNvvmPipeline(pm, options.format);
    else
      buildCpuPipeline(pm, options.record);
  };
  auto compileOnce = [&]() -> LogicalResult {
    *program = Program();
    if (failed(surround()) || failed(runPasses(module, plan)) || failed(surround()) ||
        failed(readFunctions(module, *program)))
      return failure();
    program->roofline = rooflineOf(module);
    if (failed(runPasses(module, buildSplitPipeline)))
      return failure();
    if (options.verify)
      markPlans(module, program->plans);
    return failure(failed(runPasses(module, buildTilePipeline)) ||
                   failed(mutate(module, options.mutation)) || failed(runPasses(module, lower)));
  };
  auto compileFitting = [&]() -> LogicalResult {
    // Coroutines of the host have no assembler to ask.
    return options.device == Device::Cuda ? LogicalResult(fitPlans(module, compileOnce))
                                          : compileOnce();
  };
  if (failed(exposeFunctions(module)) || failed(compileFitting()) ||
      failed(loadProgram(module, *program, options.effort)))
    return failure();
  return program;
}
