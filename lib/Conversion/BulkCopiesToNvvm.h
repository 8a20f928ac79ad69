//===- BulkCopiesToNvvm.h - cp.async.bulk and its mbarriers -----*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_BULKCOPIESTONVVM_H
#define ROOFTILE_LIB_CONVERSION_BULKCOPIESTONVVM_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Lowers bulk copies, their counters of arrivals and lane.elect; an error where `target` has none,
/// or smaller subgroups.
llvm::LogicalResult lowerBulkCopies(mlir::gpu::GPUModuleOp module, blas::TargetAttr target);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_BULKCOPIESTONVVM_H
