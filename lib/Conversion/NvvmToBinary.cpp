//===- NvvmToBinary.cpp - Kernels of NVVM as PTX or cubin -----------------===//
//
// Upstream's gpu-module-to-binary with CUDA's assembler found beforehand: where
// a cubin is asked for and no ptxas is there, the error says where it was looked
// for and what to do.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/NvvmToBinary.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

namespace rooftile {
#define GEN_PASS_DEF_NVVMTOBINARY
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// The folder whose bin/ holds ptxas, from the usual variables, then CUDA's own place; empty when
/// PATH has it, or when there is none.
static std::string findToolkit() {
  if (llvm::sys::findProgramByName("ptxas"))
    return "";
  for (const char *variable : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (const char *folder = std::getenv(variable))
      if (llvm::sys::findProgramByName("ptxas", {std::string(folder) + "/bin"}))
        return folder;
  // A toolkit that is not there would be an error even where nothing is assembled.
  std::string standard = "/usr/local/cuda";
  return llvm::sys::fs::exists(standard + "/nvvm/libdevice/libdevice.10.bc") ? standard : "";
}

bool rooftile::havePtxas() {
  if (llvm::sys::findProgramByName("ptxas"))
    return true;
  std::string toolkit = findToolkit();
  return !toolkit.empty() && llvm::sys::findProgramByName("ptxas", {toolkit + "/bin"});
}

/// The kernels of a module that have a contract.
static ArrayAttr contractsOf(gpu::GPUModuleOp module) {
  SmallVector<Attribute> kernels;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (auto contract = function->getAttrOfType<ContractAttr>(BlasDialect::kContractName))
      kernels.push_back(KernelAttr::get(module.getContext(), function.getName(), contract));
  return ArrayAttr::get(module.getContext(), kernels);
}

LogicalResult rooftile::nvvmToBinary(ModuleOp module, StringRef format) {
  auto kernels = module.getOps<gpu::GPUModuleOp>();
  if (kernels.empty())
    return success();
  if (format != "auto" && format != "isa" && format != "bin")
    return module.emitError("nvvm-to-binary: format = '") << format << "' is not auto, isa or bin";
  if (format == "bin" && !havePtxas())
    return (*kernels.begin())
        .emitError("a cubin (format=bin) needs ptxas, which is not in PATH, CUDA_ROOT, CUDA_HOME, "
                   "CUDA_PATH or /usr/local/cuda: install CUDA's cuda-nvcc, or use format=isa, "
                   "which the driver compiles");
  bool binary = format == "bin" || (format == "auto" && havePtxas());
  auto kind = binary ? gpu::CompilationTarget::Binary : gpu::CompilationTarget::Assembly;
  std::optional<SymbolTable> symbols;
  auto table = [&] { return symbols ? &*symbols : &symbols.emplace(module); };
  gpu::TargetOptions options(findToolkit(), {}, "", "", kind, table);
  llvm::StringMap<ArrayAttr> contracts;
  for (gpu::GPUModuleOp kernel : kernels)
    contracts[kernel.getName()] = contractsOf(kernel);
  if (failed(gpu::transformGpuModulesToBinaries(module, nullptr, options)))
    return failure();
  for (auto object : module.getOps<gpu::BinaryOp>())
    if (ArrayAttr list = contracts.lookup(object.getName()); list && !list.empty())
      object->setAttr(BlasDialect::kKernelsName, list);
  return success();
}

namespace {
struct NvvmToBinaryPass : rooftile::impl::NvvmToBinaryBase<NvvmToBinaryPass> {
  using NvvmToBinaryBase::NvvmToBinaryBase;

  void runOnOperation() override {
    if (failed(nvvmToBinary(getOperation(), format)))
      signalPassFailure();
  }
};
} // namespace
