//===- Build.cpp - From a module to an executable -------------------------===//

#include "rooftile/Compiler/Build.h"
#include "CompileThread.h"
#include "HostArrays.h"
#include "HostElements.h"
#include "HostKernels.h"
#include "HostSizes.h"
#include "OnModule.h"
#include "rooftile/Compiler/HostCode.h"
#include "rooftile/Compiler/Nesting.h"
#include "rooftile/Compiler/OperationModule.h"
#include "rooftile/Compiler/PlanReport.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Pipelines/Pipelines.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::compiler;

LogicalResult compiler::runPasses(ModuleOp module, function_ref<void(OpPassManager &)> build) {
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  build(passes);
  // After each pass it would need half of the time of a compilation; gemm-opt does so.
  passes.enableVerifier(false);
  return failure(failed(passes.run(module)) || failed(verify(module)));
}

LogicalResult compiler::prepareFunctions(ModuleOp module) {
  auto inlineCalls = [](OpPassManager &pm) {
    pm.addPass(createInlinerPass({}, /*defaultPipelineBuilder=*/[](OpPassManager &) {}));
    pm.addPass(createSymbolDCEPass());
  };
  if (failed(runPasses(module, inlineCalls)))
    return failure();
  testSizes(module);
  return success();
}

namespace {
/// Kernels in the order in which host code names them first.
struct KernelList {
  SmallVector<gpu::LaunchFuncOp> launches; ///< The first of each.
  KernelNumbers numbers;

  explicit KernelList(ModuleOp module) {
    module.walk([&](gpu::LaunchFuncOp launch) {
      std::string group = launch.getKernelModuleName().str(), name = launch.getKernelName().str();
      if (numbers.try_emplace(group + "::" + name, launches.size()).second)
        launches.push_back(launch);
    });
  }
};
} // namespace

/// The code of all public functions, and the arrays that they use.
static LogicalResult readFunctions(ModuleOp module, const KernelList &kernels,
                                   ExecutableData &data) {
  ArrayNumbers arrays;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || function.isPrivate())
      continue;
    FailureOr<Code> code = toCode(function, kernels.numbers, arrays);
    if (failed(code))
      return failure();
    data.functions.push_back(std::move(*code));
  }
  data.arrays.resize(arrays.size());
  for (auto &[name, number] : arrays) {
    FailureOr<std::string> bytes = bytesOf(module.lookupSymbol<memref::GlobalOp>(name));
    if (failed(bytes))
      return failure();
    data.arrays[number] = std::move(*bytes);
  }
  return success();
}

/// Binaries, one image for each gpu module that is launched.
static LogicalResult readImages(ModuleOp module, const KernelList &kernels, ExecutableData &data) {
  llvm::StringMap<uint32_t> images;
  for (gpu::LaunchFuncOp launch : kernels.launches) {
    StringRef group = launch.getKernelModuleName();
    auto [image, isNew] = images.try_emplace(group, data.images.size());
    if (isNew) {
      auto binary = module.lookupSymbol<gpu::BinaryOp>(group);
      if (!binary || binary.getObjects().size() != 1)
        return module.emitError("no binary of ") << group;
      auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
      std::string bytes = object.getObject().getValue().str();
      bytes.push_back('\0'); // the driver reads PTX as a C string
      data.images.push_back({std::move(bytes)});
    }
    data.kernels.push_back({launch.getKernelName().str(), image->second});
  }
  return success();
}

LogicalResult compiler::takeExecutable(ModuleOp module, ExecutableData &data) {
  if (failed(runPasses(module, buildHostCodePipeline)))
    return failure();
  KernelList kernels(module);
  return success(succeeded(readImages(module, kernels, data)) &&
                 succeeded(readFunctions(module, kernels, data)));
}

LogicalResult compiler::makeElementKernels(ModuleOp module) {
  if (!hasElements(module))
    return success();
  makeCopiesLinalg(module);
  if (failed(runPasses(module, buildParallelLoops)) || failed(lowerTransfers(module)))
    return failure();
  // Twice: parallel loops with what the host alone does, as an assertion, become its own loops.
  for (int round = 0; round < 2 && hasElements(module); ++round) {
    wrapElements(module);
    if (failed(runPasses(module, buildLoopKernels)))
      return failure();
  }
  return success();
}

static LogicalResult buildForGpu(ModuleOp module, const CompilerOptions &options, Built &built) {
  bool isAmd = options.device == DeviceKind::Hip;
  blas::Vendor vendor = isAmd ? blas::Vendor::Amd : blas::Vendor::Nvidia;
  // AMD's driver accepts no assembly.
  Format format = isAmd ? Format::Bin : Format::Auto;
  auto raise = [&](OpPassManager &pm) {
    requireVendor(pm, vendor, options.chip);
    buildRaisePipeline(pm);
  };
  auto plan = [&](OpPassManager &pm) {
    buildSelectPipeline(pm, options.chip, options.plans);
    buildSplitPipeline(pm);
    buildProgramPipeline(pm);
  };
  auto toBinaries = [&](OpPassManager &pm) { buildKernelsOnly(pm, format, vendor); };
  auto finish = [&] {
    return success(succeeded(runPasses(module, buildThreadPipeline)) &&
                   succeeded(makeElementKernels(module)) &&
                   succeeded(runPasses(module, toBinaries)));
  };
  bool counted = isAmd || countsRegisters(format);
  return success(
      succeeded(prepareFunctions(module)) && succeeded(runPasses(module, raise)) &&
      succeeded(fitPlans(module, counted, {[&] { return runPasses(module, plan); }, finish})) &&
      succeeded(takeExecutable(module, built.data)));
}

/// The host functions of `module`, which stays as it is, as code.
static LogicalResult readHostFunctions(ModuleOp module, const KernelList &kernels,
                                       ExecutableData &data) {
  OwningOpRef<ModuleOp> host = module.clone();
  return success(succeeded(runPasses(*host, buildHostCodePipeline)) &&
                 succeeded(readFunctions(*host, kernels, data)));
}

static LogicalResult buildForCpu(ModuleOp module, const CompilerOptions &options, Built &built) {
  auto plan = [&](OpPassManager &pm) {
    buildPlanPipeline(pm, options.chip, options.plans);
    buildKernelPipeline(pm);
  };
  return success(succeeded(prepareFunctions(module)) && succeeded(runPasses(module, plan)) &&
                 succeeded(takeOnHost(module, {}, built)));
}

LogicalResult compiler::takeOnHost(ModuleOp module, ArrayRef<HostFunction> callees, Built &built) {
  if (failed(makeElementKernels(module)))
    return failure();
  KernelList kernels(module);
  for (const HostFunction &callee : callees)
    kernels.numbers.try_emplace(callee.name, kernels.numbers.size());
  if (failed(readHostFunctions(module, kernels, built.data)))
    return failure();
  built.host = hostKernels(module, kernels.launches);
  for (gpu::LaunchFuncOp launch : kernels.launches)
    built.data.kernels.push_back({launch.getKernelName().str(), 0});
  for (const HostFunction &callee : callees) {
    built.data.kernels.push_back({callee.name, 0});
    built.host.kernels.push_back(callee.run);
  }
  return success();
}

static Built buildModule(MakeModule makeModule, const CompilerOptions &options) {
  Built built;
  bool isCpu = options.device == DeviceKind::Cpu;
  built.data.chip = isCpu ? "cpu" : options.chip;
  built.error = onModule(makeModule, options.parallel && !isCpu, [&](ModuleOp module) {
    return isCpu ? buildForCpu(module, options, built) : buildForGpu(module, options, built);
  });
  return built;
}

Built compiler::build(const std::string &text, const CompilerOptions &options) {
  TextPlace deep;
  if (std::string why = whyTooDeep(text, Language::Mlir, deep); !why.empty()) {
    Built built;
    built.error = "line " + std::to_string(deep.line) + ": " + why;
    return built;
  }
  auto parse = [&](MLIRContext *context) {
    return parseSourceString<ModuleOp>(text, context, kOperationName);
  };
  return buildModule(parse, options);
}

Built compiler::build(const operation::Operation &operation, const CompilerOptions &options) {
  return buildModule([&](MLIRContext *context) { return moduleOf(operation, context); }, options);
}

std::shared_ptr<const std::string> compiler::plan(const operation::Operation &operation,
                                                  const CompilerOptions &options,
                                                  std::string &why) {
  std::string report;
  auto makeModule = [&](MLIRContext *context) { return moduleOf(operation, context); };
  why = onModule(makeModule, /*parallel=*/false, [&](ModuleOp module) {
    if (failed(runPasses(module, buildRaisePipeline)))
      return failure();
    FailureOr<std::string> reported = reportPlans(module, options);
    if (succeeded(reported))
      report = *reported;
    return LogicalResult(reported);
  });
  return why.empty() ? std::make_shared<const std::string>(std::move(report)) : nullptr;
}
