//===- BlasAttachTarget.h - The target of a module --------------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PLAN_BLASATTACHTARGET_H
#define ROOFTILE_TRANSFORMS_PLAN_BLASATTACHTARGET_H

#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Dialect/Blas/Blas.h"

#include <optional>

namespace rooftile {

/// The #blas.target of `module`. Where it has none, puts that of `chip` on it;
/// with an empty `chip` that of the GPU present, else of the default chip, and
/// a remark names it. Fails with an error on an unknown chip, and with a `vendor` on a chip of
/// another one.
llvm::FailureOr<blas::TargetAttr> attachTarget(mlir::ModuleOp module, llvm::StringRef chip,
                                               std::optional<blas::Vendor> vendor = std::nullopt);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PLAN_BLASATTACHTARGET_H
