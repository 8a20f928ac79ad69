//===- KernelBinary.h - A gpu.module becomes a gpu.binary -------*- C++ -*-===//
//
// What nvvm-to-binary and rocdl-to-binary share.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_CONVERSION_KERNELBINARY_H
#define ROOFTILE_LIB_CONVERSION_KERNELBINARY_H

#include "rooftile/Conversion/Passes.h"

namespace llvm {
class Module;
} // namespace llvm

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

/// Replaces `module` by a gpu.binary of the same name that holds `object`, and the contracts of the
/// kernels that have one.
void replaceByBinary(mlir::gpu::GPUModuleOp module, mlir::gpu::ObjectAttr object);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_KERNELBINARY_H
