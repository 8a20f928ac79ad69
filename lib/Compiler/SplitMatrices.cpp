//===- SplitMatrices.cpp - Complex matrices by their components -----------===//

#include "SplitMatrices.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace rooftile;

MemRefType compiler::componentsOf(MemRefType matrix) {
  SmallVector<int64_t> sizes(matrix.getShape()), strides;
  for (int64_t stride : matrix.getStridesAndOffset().first)
    strides.push_back(ShapedType::isDynamic(stride) ? stride : 2 * stride);
  sizes.push_back(2);
  strides.push_back(1);
  auto layout = StridedLayoutAttr::get(matrix.getContext(), /*offset=*/0, strides);
  return MemRefType::get(sizes, cast<ComplexType>(matrix.getElementType()).getElementType(),
                         layout);
}

/// Maps of an elementwise operation on a matrix of `rank` dimensions: of a component of each
/// element, or of the element itself.
static AffineMap mapOf(OpBuilder &builder, int64_t rank, std::optional<int64_t> component) {
  SmallVector<AffineExpr> results;
  for (int64_t dim = 0; dim < rank; ++dim)
    results.push_back(builder.getAffineDimExpr(dim));
  if (component)
    results.push_back(builder.getAffineConstantExpr(*component));
  return AffineMap::get(rank, /*symbolCount=*/0, results, builder.getContext());
}

Value compiler::joinComponents(OpBuilder &builder, Value components, bool isRead) {
  Location loc = components.getLoc();
  auto type = cast<MemRefType>(components.getType());
  ArrayRef<int64_t> sizes = type.getShape().drop_back();
  SmallVector<Value> dynamic;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (ShapedType::isDynamic(size))
      dynamic.push_back(memref::DimOp::create(builder, loc, components, dim));
  auto own = MemRefType::get(sizes, ComplexType::get(type.getElementType()));
  Value matrix = memref::AllocOp::create(builder, loc, own, dynamic);
  if (!isRead)
    return matrix;
  int64_t rank = sizes.size();
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  linalg::GenericOp::create(
      builder, loc, ValueRange{components, components}, ValueRange{matrix},
      {mapOf(builder, rank, 0), mapOf(builder, rank, 1), mapOf(builder, rank, std::nullopt)}, loops,
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        Value element =
            complex::CreateOp::create(body, loc, own.getElementType(), arguments[0], arguments[1]);
        linalg::YieldOp::create(body, loc, element);
      });
  return matrix;
}

void compiler::splitComponents(OpBuilder &builder, Value matrix, Value components) {
  int64_t rank = cast<MemRefType>(matrix.getType()).getRank();
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  linalg::GenericOp::create(
      builder, matrix.getLoc(), ValueRange{matrix}, ValueRange{components, components},
      {mapOf(builder, rank, std::nullopt), mapOf(builder, rank, 0), mapOf(builder, rank, 1)}, loops,
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        Value re = complex::ReOp::create(body, loc, arguments[0]);
        Value im = complex::ImOp::create(body, loc, arguments[0]);
        linalg::YieldOp::create(body, loc, {re, im});
      });
}
