//===- TileEpilogue.cpp - An epilogue on its way into a kernel ------------===//
//
// An extra operand becomes a matrix of the sizes of C with a stride of 0 along
// each dimension that it lacks: a row of biases, a column of them, a residual and
// what a batch shares are all read in the same way,
//
//   element (i, j) of entry b: pointer[offset + b * stride_b + i * stride_m + j * stride_n]
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Kernel/TileEpilogue.h"
#include "rooftile/Dialect/Blas/Epilogue.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

LogicalResult rooftile::checkEpilogue(EpilogueOpInterface op) {
  if (!op.hasEpilogue())
    return success();
  for (auto [index, extra] : llvm::enumerate(op.getExtras()))
    if (auto type = dyn_cast<MemRefType>(extra.getType()); type && type.getMemorySpace())
      return op->emitOpError("extra operand ")
             << index << " is in memory space " << type.getMemorySpace()
             << ": kernels work on the default memory space";
  for (Operation &inner : op.getEpilogueBlock())
    if (isApproximated(&inner) && inner.getOperand(0).getType().isF64())
      return inner.emitOpError("in f64: kernels have it in f32 and narrower types");
  return success();
}

/// Width of accesses to extra operand `index`, at most `vector` elements along the columns of C.
static int64_t widthOf(EpilogueOpInterface op, size_t index, int64_t vector) {
  ArrayRef<int64_t> dims = op.getDimsOf(index);
  int64_t columns = cast<ShapedType>(op.getOutput().getType()).getRank() - 1;
  auto own = llvm::find(dims, columns);
  if (own == dims.end())
    return 1;
  return std::min(vector, getLegalVector(op.getExtras()[index], own - dims.begin()));
}

void rooftile::addExtras(OpBuilder &builder, EpilogueOpInterface op, int64_t vector,
                         KernelInterface &interface) {
  for (auto [index, extra] : llvm::enumerate(op.getExtras())) {
    KernelOperand operand{Role::E, extra, static_cast<int64_t>(index)};
    auto type = dyn_cast<MemRefType>(extra.getType());
    if (type)
      interface.addMatrix(builder, operand,
                          widthOf(op, index, vector) * elementBytes(type.getElementType()));
    else
      interface.addScalar(builder, operand);
  }
}

/// A matrix of the rank of C with a stride of 0 along dimensions that it lacks.
static KernelInterface::Matrix broadcast(OpBuilder &builder, const KernelInterface::Matrix &matrix,
                                         ArrayRef<int64_t> dims, const KernelInterface::Matrix &c) {
  KernelInterface::Matrix result{matrix.pointer, matrix.offset, c.sizes, {}};
  result.strides.assign(c.sizes.size(), builder.getIndexAttr(0));
  for (auto [own, dim] : llvm::enumerate(dims))
    result.strides[dim] = matrix.strides[own];
  return result;
}

tile::TriangleAttr rooftile::triangleOf(EpilogueOpInterface op) {
  UploAttr triangle = op.getTriangleAttr();
  if (!triangle)
    return {};
  bool isLower = triangle.getValue() == Uplo::Lower;
  return tile::TriangleAttr::get(op->getContext(),
                                 isLower ? tile::Triangle::Lower : tile::Triangle::Upper);
}

void rooftile::createUpdate(OpBuilder &builder, EpilogueOpInterface op, const TileUpdate &update,
                            const KernelInterface::Arguments &arguments, Value batch) {
  Location loc = op.getLoc();
  SmallVector<Value> extras;
  SmallVector<Attribute> widths;
  for (auto [index, extra] : llvm::enumerate(op.getExtras())) {
    SmallVector<int64_t> width;
    if (isa<MemRefType>(extra.getType())) {
      auto matrix = broadcast(builder, arguments.matrix(Role::E, index), op.getDimsOf(index),
                              arguments.matrix(Role::C));
      extras.push_back(viewMatrix(builder, loc, matrix, Transpose::None, batch));
      width.push_back(widthOf(op, index, update.vector));
    } else {
      extras.push_back(arguments.scalar(Role::E, index));
    }
    widths.push_back(builder.getDenseI64ArrayAttr(width));
  }
  auto written = tile::UpdateOp::create(
      builder, loc, update.sum, update.target, update.row, update.column, update.alpha, update.beta,
      update.fromRow, update.fromColumn, extras, update.edges, update.vector, update.ahead,
      update.atomic, triangleOf(op), update.realDiagonal,
      op.hasEpilogue() ? builder.getArrayAttr(widths) : ArrayAttr(), op.hasEpilogue() ? 1 : 0);
  if (!op.hasEpilogue())
    return;
  Region &region = written.getEpilogue().front();
  IRMapping mapping;
  op.getEpilogue().front().cloneInto(&region, mapping);
  Operation *last = region.front().getTerminator();
  OpBuilder end(last);
  tile::YieldOp::create(end, last->getLoc(), last->getOperand(0));
  last->erase();
}
