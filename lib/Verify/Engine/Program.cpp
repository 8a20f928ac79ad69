//===- Program.cpp - From a module to callable functions ------------------===//

#include "rooftile/Verify/Engine/Program.h"
#include "Instrument.h"
#include "Mutate.h"
#include "NarrowFloats.h"
#include "Operands/Array.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/ElementType.h"
#include "rooftile/Pipelines/Pipelines.h"
#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Verify/Operands/Memory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/DynamicLibrary.h"

#include <cmath>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

Program::Program() = default;
Program::~Program() = default;

void rooftile::verify::registerEngine(DialectRegistry &registry) {
  compiler::registerHostEngine(registry);
}

/// The batch that a blas.batch makes of an argument; nothing for other arguments.
static std::optional<Addressed> addressedBy(Value argument) {
  for (mlir::Operation *user : argument.getUsers())
    if (auto batch = dyn_cast<blas::BatchOp>(user)) {
      auto type = cast<MemRefType>(batch.getMatrices().getType());
      Addressed result{{*elementOf(type.getElementType()), batch.getLayout().getAlign()}, {}, {}};
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

/// Attributes of arguments that specify what to pass.
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

/// The rank of each argument that is a memref, else 0.
static std::vector<int64_t> ranksOf(func::FuncOp function) {
  std::vector<int64_t> ranks;
  for (Type type : function.getArgumentTypes()) {
    auto memref = dyn_cast<MemRefType>(type);
    ranks.push_back(memref ? memref.getRank() : 0);
  }
  return ranks;
}

/// Functions that compiled code calls by name beside the runtime: the heap and the callbacks.
static compiler::Symbols symbolsOfCalls(const std::vector<Site> &sites) {
  compiler::Symbols symbols = heapSymbols();
  llvm::append_range(symbols, narrowFloatSymbols());
  llvm::append_range(symbols, callbackSymbols(sites));
  return symbols;
}

static FailureOr<std::unique_ptr<ExecutionEngine>> load(ModuleOp module, Effort effort,
                                                        const std::vector<Site> &sites) {
  auto engine = compiler::createHostEngine(module, effort, symbolsOfCalls(sites));
  if (failed(engine))
    return failure();
  (*engine)->initialize();
  if (std::string error = rooftileLastError(); !error.empty())
    return module.emitError("kernels cannot be loaded: ") << error;
  return std::move(*engine);
}

/// An executable for the CPU, whose host code calls the session as it calls kernels.
static LogicalResult takeExecutable(ModuleOp module, Program &program) {
  std::vector<compiler::HostFunction> callbacks;
  for (auto function : module.getOps<func::FuncOp>())
    if (HostKernel callback = callbackOf(function.getName(), ranksOf(function)))
      callbacks.push_back({function.getName().str(), callback});
  compiler::Built built;
  built.data.chip = "cpu";
  if (failed(compiler::takeOnHost(module, callbacks, built)))
    return failure();
  std::string why;
  program.executable = Executable::onHost(std::move(built.data), std::move(built.host), why);
  return program.executable ? success() : module.emitError("is no executable: ") << why;
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
  bool isAmd = options.device == DeviceKind::Hip;
  auto plan = [&](OpPassManager &pm) {
    if (options.device != DeviceKind::Cpu)
      requireVendor(pm, isAmd ? blas::Vendor::Amd : blas::Vendor::Nvidia, options.chip);
    buildPlanPipeline(pm, options.chip, options.plans);
  };
  auto surround = [&] { return options.verify ? instrument(module, program->sites) : success(); };
  auto lower = [&](OpPassManager &pm) {
    if (options.device == DeviceKind::Cuda)
      buildNvvmPipeline(pm, options.format);
    else if (isAmd)
      buildRocdlPipeline(pm, Format::Bin, /*trial=*/true, /*ownRuntime=*/true);
    else
      buildCpuPipeline(pm, options.record);
  };
  bool isData = options.form == Form::Executable;
  auto finish = [&] {
    return isData ? takeExecutable(module, *program) : runPasses(module, lower);
  };
  auto toPrograms = [&]() -> LogicalResult {
    program = std::make_unique<Program>();
    if (isData && failed(compiler::prepareFunctions(module)))
      return failure();
    if (failed(surround()) || failed(runPasses(module, plan)) || failed(surround()) ||
        failed(readFunctions(module, *program)))
      return failure();
    program->roofline = rooflineOf(module);
    if (failed(runPasses(module, buildSplitPipeline)))
      return failure();
    if (options.verify)
      markPlans(module, program->plans);
    return runPasses(module, buildProgramPipeline);
  };
  auto toBinaries = [&] {
    return failure(failed(runPasses(module, buildThreadPipeline)) ||
                   failed(mutate(module, options.mutation)) || failed(finish()));
  };
  auto compileFitting = [&]() -> LogicalResult {
    // Coroutines of the host have no assembler to ask.
    if (options.device == DeviceKind::Cpu)
      return success(succeeded(toPrograms()) && succeeded(toBinaries()));
    bool counted = isAmd || countsRegisters(options.format);
    return fitPlans(module, counted, {toPrograms, toBinaries});
  };
  if (failed(exposeFunctions(module)) || failed(compileFitting()) ||
      (!isData && failed(loadProgram(module, *program, options.effort))))
    return failure();
  return program;
}
