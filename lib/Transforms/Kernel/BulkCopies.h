//===- BulkCopies.h - Plans that copy whole rows of a tile ------*- C++ -*-===//
#ifndef ROOFTILE_LIB_TRANSFORMS_KERNEL_BULKCOPIES_H
#define ROOFTILE_LIB_TRANSFORMS_KERNEL_BULKCOPIES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Transforms/Kernel/PlanMaps.h"

namespace rooftile {

/// Who copies which rows of the tile: one thread of each of the first `shape.lanes` subgroups of
/// `subgroup` threads (0: one for each row), as many rows each. All threads of a
/// subgroup hold them: micro-tile elects one. Null where rows do not divide among them.
tile::MapAttr bulkCopyMap(mlir::MLIRContext *context, const CopyShape &shape, int64_t threads,
                          int64_t subgroup);

/// Whether rows and columns of `matrix` are known to follow each other upward: of a view, whose
/// type may lack that, because the type of the whole matrix has that.
bool followsUpward(mlir::Value matrix);

//===----------------------------------------------------------------------===//
// Descriptors of matrices, for tensor copies
//===----------------------------------------------------------------------===//

/// Vectors of the box of a tensor copy, real elements of each, and bytes of the hardware's swizzle;
/// 0: none.
using TensorBox = std::array<int64_t, 3>;

/// The box of op(A), or op(B), that the plan of `op` has copied at once.
TensorBox tensorBoxOf(blas::ProductOpInterface op, bool isA);

/// A descriptor of type lane::descriptorType, and whether there is one: an i1.
struct DescribedMatrix {
  mlir::Value descriptor, isMade;
};

/// Emits the call of the runtime that describes `matrix`, a memref of which one dimension of the
/// last two has stride 1; the batch is not described. Where the hardware does not support it (2^32
/// vectors), the runtime keeps an error.
DescribedMatrix describeMatrix(mlir::OpBuilder &builder, mlir::ModuleOp module, mlir::Value matrix,
                               TensorBox box, bool toTf32);

/// Success if the function of the runtime that this calls has its name to itself in `module`, else
/// an error at the symbol of that name.
llvm::LogicalResult checkTensorMapName(mlir::ModuleOp module);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_KERNEL_BULKCOPIES_H
