//===- Kernel.cpp - A problem compiled to a loaded kernel -----------------===//

#include "Kernel.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Parser/Parser.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/InitAll.h"
#include "rooftile/Pipelines/Pipelines.h"
#include <chrono>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;

static llvm::Error failed(const char *what) { return llvm::createStringError(what); }

static LogicalResult run(ModuleOp module, llvm::function_ref<void(OpPassManager &)> build) {
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  build(passes);
  return passes.run(module);
}

/// The number `name` in the properties of the kernel's object, in milliseconds.
static double stageMs(gpu::ObjectAttr object, StringRef name) {
  auto value =
      object.getProperties() ? object.getProperties().getAs<IntegerAttr>(name) : IntegerAttr();
  return value ? value.getInt() : 0;
}

static llvm::Error loadObject(Kernel &kernel, ModuleOp module, StringRef name,
                              const CudaDriver &driver) {
  gpu::ObjectAttr object;
  module.walk(
      [&](gpu::BinaryOp binary) { object = cast<gpu::ObjectAttr>(binary.getObjects()[0]); });
  kernel.ptxMs = stageMs(object, "LLVMIRToISATimeInMs");
  kernel.cubinMs = stageMs(object, "ISAToBinaryTimeInMs");
  std::string image = object.getObject().getValue().str();
  void *loaded = nullptr;
  if (!driver.check(driver.moduleLoadDataEx(&loaded, image.c_str(), 0, nullptr, nullptr),
                    "cuModuleLoadDataEx") ||
      !driver.check(driver.moduleGetFunction(&kernel.function, loaded, name.str().c_str()),
                    "cuModuleGetFunction"))
    return failed("the driver does not take the kernel");
  constexpr int maxDynamicSharedBytes = 8; // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  driver.funcSetAttribute(kernel.function, maxDynamicSharedBytes, kernel.sharedBytes);
  return llvm::Error::success();
}

llvm::Expected<Kernel> rooftile::bench::compile(const Problem &problem, const CudaDriver &driver,
                                                StringRef chip, StringRef format) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // tile-select explains itself in remarks; a benchmark wants errors only.
  context.getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      llvm::errs() << diagnostic << '\n';
  });
  auto module = parseSourceString<ModuleOp>(problem.module(), &context);
  if (!module || mlir::failed(run(*module, [&](OpPassManager &pm) { buildPlanLine(pm, chip); })))
    return failed("cannot be planned");
  Kernel kernel;
  module->walk([&](blas::GemmOp op) { llvm::raw_string_ostream(kernel.plan) << op.getPlanAttr(); });
  auto start = std::chrono::steady_clock::now();
  if (mlir::failed(run(*module, buildKernelLine)))
    return failed("cannot be tiled");
  std::string name;
  module->walk([&](gpu::GPUFuncOp function) {
    auto contract = function->getAttrOfType<blas::ContractAttr>(blas::BlasDialect::kContractName);
    name = function.getName().str();
    kernel.threads = contract.getWorkgroup();
    kernel.sharedBytes = contract.getSharedBytes();
    kernel.grid = llvm::divideCeil(problem.m, contract.getTile()[0]) *
                  llvm::divideCeil(problem.n, contract.getTile()[1]);
  });
  if (mlir::failed(run(*module, [&](OpPassManager &pm) { buildNvvmLine(pm, format); })))
    return failed("cannot be lowered");
  std::chrono::duration<double, std::milli> all = std::chrono::steady_clock::now() - start;
  if (llvm::Error error = loadObject(kernel, *module, name, driver))
    return error;
  kernel.irMs = all.count() - kernel.ptxMs - kernel.cubinMs;
  return kernel;
}

bool Kernel::launch(const CudaDriver &driver, uint64_t a, uint64_t b, uint64_t c,
                    void *stream) const {
  void *arguments[] = {&a, &b, &c};
  return driver.check(driver.launchKernel(function, grid, 1, 1, threads, 1, 1, sharedBytes, stream,
                                          arguments, nullptr),
                      "cuLaunchKernel");
}
