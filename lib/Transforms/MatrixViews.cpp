//===- MatrixViews.cpp - Matrices as a kernel sees them -------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Transforms/KernelInterface.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// Offset of slice `slice` (null: no dimension for it) and of entry `batch` of the batch, whose
/// last dimension varies fastest: offset + sum of (digit * stride) over the leading dimensions.
static OpFoldResult batchOffset(OpBuilder &builder, Location loc,
                                const KernelInterface::Matrix &matrix, Value batch, Value slice) {
  OpFoldResult offset = matrix.offset;
  int64_t first = slice ? 1 : 0;
  for (int64_t dim = int64_t(matrix.sizes.size()) - 3; dim >= 0; --dim) {
    Value digit = dim < first ? slice : batch;
    if (dim > first) {
      Value size = getValueOrCreateConstantIndexOp(builder, loc, matrix.sizes[dim]);
      digit = arith::RemUIOp::create(builder, loc, batch, size);
      batch = arith::DivUIOp::create(builder, loc, batch, size);
    }
    Value stride = getValueOrCreateConstantIndexOp(builder, loc, matrix.strides[dim]);
    Value base = getValueOrCreateConstantIndexOp(builder, loc, offset);
    Value step = arith::MulIOp::create(builder, loc, digit, stride);
    offset = arith::AddIOp::create(builder, loc, base, step).getResult();
  }
  return offset;
}

/// The first element of matrix `batch`.
static Value baseOf(OpBuilder &builder, Location loc, const KernelInterface::Matrix &matrix,
                    Value batch) {
  if (!matrix.element)
    return matrix.pointer;
  OpFoldResult one = builder.getIndexAttr(1), zero = builder.getIndexAttr(0);
  int64_t count = getConstantIntValue(matrix.sizes[0]).value_or(ShapedType::kDynamic);
  auto type = MemRefType::get({count}, builder.getI64Type(),
                              StridedLayoutAttr::get(builder.getContext(), 0, {1}));
  Value table =
      memref::ReinterpretCastOp::create(builder, loc, type, matrix.pointer, zero,
                                        ArrayRef(matrix.sizes).take_front(1), ArrayRef(one));
  Value address = memref::LoadOp::create(builder, loc, table, batch);
  return lane::PointerOp::create(builder, loc, MemRefType::get({}, matrix.element), address);
}

Value rooftile::viewMatrix(OpBuilder &builder, Location loc, const KernelInterface::Matrix &matrix,
                           Transpose transpose, Value batch, Value slice) {
  size_t rank = matrix.sizes.size();
  OpFoldResult offset =
      matrix.element ? matrix.offset : batchOffset(builder, loc, matrix, batch, slice);
  SmallVector<OpFoldResult> sizes{matrix.sizes[rank - 2], matrix.sizes[rank - 1]};
  SmallVector<OpFoldResult> strides{matrix.strides[rank - 2], matrix.strides[rank - 1]};
  if (isTransposed(transpose)) {
    std::swap(sizes[0], sizes[1]);
    std::swap(strides[0], strides[1]);
  }
  Value base = baseOf(builder, loc, matrix, batch);
  return viewStrided(builder, loc, base, offset, sizes, strides);
}

Value rooftile::viewStrided(OpBuilder &builder, Location loc, Value pointer, OpFoldResult offset,
                            ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> strides) {
  auto fixed = [](ArrayRef<OpFoldResult> values) {
    return decomposeMixedValues(llvm::to_vector(values)).first;
  };
  auto layout = StridedLayoutAttr::get(builder.getContext(), fixed(offset)[0], fixed(strides));
  Type element = cast<MemRefType>(pointer.getType()).getElementType();
  auto type = MemRefType::get(fixed(sizes), element, layout);
  return memref::ReinterpretCastOp::create(builder, loc, type, pointer, offset, sizes, strides);
}
