//===- KernelBinary.cpp - A gpu.module becomes a gpu.binary ---------------===//

#include "KernelBinary.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

StringRef rooftile::libraryCall(const llvm::Module &module, ArrayRef<StringRef> prefixes) {
  for (const llvm::Function &function : module)
    for (StringRef prefix : prefixes)
      if (function.isDeclaration() && function.getName().starts_with(prefix))
        return function.getName();
  return "";
}

void rooftile::namePlan(InFlightDiagnostic &diagnostic, Operation *function) {
  if (Attribute plan = function->getAttr(BlasDialect::kKernelPlanName))
    diagnostic << "; its plan is " << plan;
}

void rooftile::noteRefused(gpu::GPUModuleOp module, gpu::KernelTableAttr kernels,
                           function_ref<ThreadUse(gpu::KernelMetadataAttr)> read) {
  SmallVector<Attribute> refused;
  for (gpu::KernelMetadataAttr kernel : kernels) {
    Operation *function = module.lookupSymbol(kernel.getName());
    Attribute plan = function ? function->getAttr(BlasDialect::kKernelPlanName) : Attribute();
    ThreadUse use = read(kernel);
    if (plan && use.scratchBytes > 0)
      refused.push_back(RefusalAttr::get(module.getContext(), kernel.getName().getValue(),
                                         dyn_cast<PlanAttr>(plan), dyn_cast<BlocksAttr>(plan),
                                         use.scratchBytes, use.registers));
  }
  if (!refused.empty())
    module->setAttr(BlasDialect::kRefusedName, ArrayAttr::get(module.getContext(), refused));
}

void rooftile::replaceByBinary(gpu::GPUModuleOp module, Attribute target, bool binary,
                               ArrayRef<char> bytes, gpu::KernelTableAttr kernelTable,
                               DictionaryAttr properties) {
  OpBuilder builder(module);
  auto format = binary ? gpu::CompilationTarget::Binary : gpu::CompilationTarget::Assembly;
  StringAttr content = builder.getStringAttr(StringRef(bytes.data(), bytes.size()));
  auto object = gpu::ObjectAttr::get(target, format, content, properties, kernelTable);
  auto holder = gpu::BinaryOp::create(builder, module.getLoc(), module.getName(), Attribute(),
                                      builder.getArrayAttr(object));
  SmallVector<Attribute> kernels;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (auto contract = function->getAttrOfType<ContractAttr>(BlasDialect::kContractName))
      kernels.push_back(KernelAttr::get(module.getContext(), function.getName(), contract));
  if (!kernels.empty())
    holder->setAttr(BlasDialect::kKernelsName, builder.getArrayAttr(kernels));
  if (Attribute refused = module->getAttr(BlasDialect::kRefusedName))
    holder->setAttr(BlasDialect::kRefusedName, refused);
  module.erase();
}
