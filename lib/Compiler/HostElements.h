//===- HostElements.h - Elements that host code works on --------*- C++ -*-===//
#ifndef ROOFTILE_LIB_COMPILER_HOSTELEMENTS_H
#define ROOFTILE_LIB_COMPILER_HOSTELEMENTS_H

#include "mlir/IR/BuiltinOps.h"

namespace rooftile::compiler {

/// Whether host functions have work on elements: what planning leaves of products without terms,
/// where C is filled, or scaled; or what the user's code does around its products.
bool hasElements(mlir::ModuleOp module);

/// Makes linalg operations of copies of memrefs in host functions.
void makeCopiesLinalg(mlir::ModuleOp module);

/// Makes loads and stores of transfers of vectors in host functions, masked ones at edges: kernels
/// have no form for transfers.
llvm::LogicalResult lowerTransfers(mlir::ModuleOp module);

/// Puts operations of host functions that code as data cannot run, above all stores of elements,
/// into parallel loops of one iteration, which become kernels.
void wrapElements(mlir::ModuleOp module);

} // namespace rooftile::compiler

#endif // ROOFTILE_LIB_COMPILER_HOSTELEMENTS_H
