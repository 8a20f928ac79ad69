//===- Products.h - Products that arrive at a wait, on the host -*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETOCPU_PRODUCTS_H
#define ROOFTILE_LIB_CONVERSION_LANETOCPU_PRODUCTS_H

#include "mlir/IR/BuiltinOps.h"

namespace rooftile {

/// Declares the runtime's functions where `module` has asynchronous products. An error where the
/// user's own functions have their names.
llvm::LogicalResult declareProducts(mlir::ModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETOCPU_PRODUCTS_H
