//===- TensorMaps.h - Descriptors of matrices, for tensor copies -*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_TENSORMAPS_H
#define ROOFTILE_LIB_TRANSFORMS_TENSORMAPS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile {

/// Lines of what a tensor copy moves, and real numbers of each.
using TensorBox = std::array<int64_t, 2>;

/// The box of op(A), or op(B), that the plan of `op` has copied at once.
TensorBox tensorBoxOf(blas::GemmOp op, bool isA);

/// A descriptor of type lane::descriptorType, and whether there is one: an i1.
struct DescribedMatrix {
  mlir::Value descriptor, isMade;
};

/// Emits the call of the runtime that describes `matrix`, a memref of which one dimension of the
/// last two has stride 1; the batch is not described. Where the hardware cannot take it (2^32
/// lines), the runtime keeps an error.
DescribedMatrix describeMatrix(mlir::OpBuilder &builder, mlir::ModuleOp module, mlir::Value matrix,
                               TensorBox box);

/// Success if the function of the runtime that this calls has its name to itself in `module`, else
/// an error at the symbol that takes it.
llvm::LogicalResult checkTensorMapName(mlir::ModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_TENSORMAPS_H
