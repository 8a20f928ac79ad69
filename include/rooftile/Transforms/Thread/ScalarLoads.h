//===- ScalarLoads.h - Scalars that kernels read themselves -----*- C++ -*-===//
//
// A scalar that host code loads from memory of the device would make it wait for the device. A
// kernel that is given the address reads it when it runs, in the order of the stream: alpha and
// beta that another kernel has computed.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TRANSFORMS_THREAD_SCALARLOADS_H
#define ROOFTILE_TRANSFORMS_THREAD_SCALARLOADS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace rooftile {

/// The operations of host code that `scalar` is computed by, in order, loads of rank-0 memrefs
/// among them. Empty where there is no load, or where a kernel could read something else: after
/// the load the function may write the memory.
llvm::SmallVector<mlir::Operation *> scalarLoads(mlir::Value scalar);

/// The memrefs that `loads` read, each once.
llvm::SmallVector<mlir::Value> memrefsOf(llvm::ArrayRef<mlir::Operation *> loads);

/// Repeats `loads` where `builder` stands, with what `mapping` has for their memrefs; the value of
/// `scalar` there.
mlir::Value repeatLoads(mlir::OpBuilder &builder, mlir::Value scalar,
                        llvm::ArrayRef<mlir::Operation *> loads, mlir::IRMapping &mapping);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_THREAD_SCALARLOADS_H
