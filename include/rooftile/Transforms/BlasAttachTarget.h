//===- BlasAttachTarget.h - The target of a module --------------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_BLASATTACHTARGET_H
#define ROOFTILE_TRANSFORMS_BLASATTACHTARGET_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "mlir/IR/BuiltinOps.h"

namespace rooftile {

/// The #blas.target of `module`. Where it has none, puts that of `chip` on it;
/// with an empty `chip` that of the GPU present, else of the default chip, and
/// a remark says which. Fails with an error on an unknown chip, or where
/// `blas.target` is something else.
llvm::FailureOr<blas::TargetAttr> attachTarget(mlir::ModuleOp module, llvm::StringRef chip);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_BLASATTACHTARGET_H
