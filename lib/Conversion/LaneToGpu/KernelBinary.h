//===- KernelBinary.h - A gpu.module becomes a gpu.binary -------*- C++ -*-===//
//
// Shared by nvvm-to-binary and rocdl-to-binary.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETOGPU_KERNELBINARY_H
#define ROOFTILE_LIB_CONVERSION_LANETOGPU_KERNELBINARY_H

#include "mlir/Target/LLVM/ModuleToObject.h"
#include "rooftile/Conversion/Passes.h"

namespace rooftile {

/// The target of type `Target` that `module` has and no other; null otherwise.
template <typename Target> Target onlyTarget(mlir::gpu::GPUModuleOp module) {
  mlir::ArrayAttr targets = module.getTargetsAttr();
  return targets && targets.size() == 1 ? mlir::dyn_cast<Target>(targets[0]) : Target();
}

/// The first function that `module` calls whose name starts with one of `prefixes`; empty if none.
llvm::StringRef libraryCall(const llvm::Module &module, llvm::ArrayRef<llvm::StringRef> prefixes);

/// Adds the plan of the kernel `function` to a diagnostic, where it has one.
void namePlan(mlir::InFlightDiagnostic &diagnostic, mlir::Operation *function);

/// Resources of a thread as an assembler reports them.
struct ThreadUse {
  int64_t scratchBytes = 0; ///< Memory in place of registers that do not fit.
  int64_t registers = 0;    ///< With those that do not fit.
};

/// Lists on `module`, as `blas.refused`, the kernels that have a plan and need scratch memory: for
/// fitPlans. `read` reads the entries of a vendor in the table.
void noteRefused(mlir::gpu::GPUModuleOp module, mlir::gpu::KernelTableAttr kernels,
                 llvm::function_ref<ThreadUse(mlir::gpu::KernelMetadataAttr)> read);

/// Serializes one gpu.module: LLVM IR, libraries, optimizer, assembly text and, where `binary` is
/// set, an object. `Base` is upstream's serializer of a vendor.
template <typename Base> class KernelSerializer : public Base {
public:
  template <typename... Args>
  KernelSerializer(mlir::gpu::GPUModuleOp module, bool binary, Args &&...args)
      : Base(*module, std::forward<Args>(args)...), kernels(module), binary(binary) {}

  /// Reports of the vendor's tools for each kernel; null where none was asked.
  mlir::gpu::KernelTableAttr getKernels() const { return table; }

protected:
  using Bytes = llvm::SmallVector<char, 0>;
  using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

  /// Makes of `text` what the gpu.binary holds, and notes in `table` what is known of the kernels.
  virtual llvm::FailureOr<Bytes> assemble(llvm::StringRef text, EmitError emitError) = 0;

  llvm::FailureOr<Bytes> moduleToObject(llvm::Module &llvmModule) override {
    auto emitError = [&] { return this->getOperation().emitError(); };
    llvm::FailureOr<llvm::TargetMachine *> machine = this->getOrCreateTargetMachine();
    if (failed(machine))
      return emitError() << "LLVM has no code generator for " << this->chip;
    auto text = this->translateModuleToISA(llvmModule, **machine, emitError);
    if (failed(text))
      return mlir::failure();
    return assemble(*text, emitError);
  }

  mlir::gpu::GPUModuleOp kernels;
  bool binary;
  mlir::gpu::KernelTableAttr table;
};

/// Replaces `module` by a gpu.binary of the same name that holds `bytes`, an object or assembly
/// text with `properties`, the contracts of the kernels that have one, and the list of those that
/// were refused.
void replaceByBinary(mlir::gpu::GPUModuleOp module, mlir::Attribute target, bool binary,
                     llvm::ArrayRef<char> bytes, mlir::gpu::KernelTableAttr kernels,
                     mlir::DictionaryAttr properties = {});

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETOGPU_KERNELBINARY_H
