//===- OperationModule.h - An operation as a module -------------*- C++ -*-===//
#ifndef ROOFTILE_COMPILER_OPERATIONMODULE_H
#define ROOFTILE_COMPILER_OPERATIONMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Operation/Operation.h"

namespace rooftile::compiler {

/// Name of the function of the module.
inline constexpr const char *kOperationName = "operation";

/// A module of one function in the dialect blas, whose dialects `context` has. Its arguments are
/// the matrices in order, then alpha and beta where calls state these, or memrefs of them where
/// they are in memory, then the bias: argumentsOf (Arguments.h). The operation is valid.
mlir::OwningOpRef<mlir::ModuleOp> moduleOf(const operation::Operation &operation,
                                           mlir::MLIRContext *context);

/// Its text, for people.
std::string textOfModule(const operation::Operation &operation);

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_OPERATIONMODULE_H
