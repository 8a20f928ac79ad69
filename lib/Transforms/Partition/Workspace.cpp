//===- Workspace.cpp - Memory that a plan asks for ------------------------===//

#include "Workspace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "rooftile/Transforms/Kernel/AlignmentTests.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// The outermost loop around the product in which the sizes of the part do not change, else the
/// product.
static Operation *placeOf(const WorkspacePart &part) {
  bool isStatic = cast<MemRefType>(part.sizedBy.getType()).hasStaticShape();
  ProductOpInterface op = part.op;
  Operation *place = op;
  for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (isStatic || loop.isDefinedOutsideOfLoop(part.sizedBy))
      place = loop;
  return place;
}

Value rooftile::allocate(OpBuilder &builder, const WorkspacePart &part) {
  OpBuilder::InsertionGuard guard(builder);
  ProductOpInterface op = part.op;
  Operation *place = placeOf(part);
  builder.setInsertionPoint(place);
  Value memory =
      memref::AllocOp::create(builder, op.getLoc(), part.sizes(builder), part.element).getResult();
  builder.setInsertionPointAfter(place);
  memref::DeallocOp::create(builder, op.getLoc(), memory);
  return memory;
}

Value rooftile::viewWorkspace(OpBuilder &builder, const WorkspacePart &part, OpFoldResult start) {
  ProductOpInterface op = part.op;
  Location loc = op.getLoc();
  Value workspace = op.getWorkspace();
  SmallVector<OpFoldResult> sizes = part.sizes(builder);
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  for (int64_t dim = static_cast<int64_t>(sizes.size()) - 2; dim >= 0; --dim)
    strides[dim] = multiplyNumbers(builder, loc, sizes[dim + 1], strides[dim + 1]);
  auto [oldStrides, offset] = cast<MemRefType>(workspace.getType()).getStridesAndOffset();
  OpFoldResult begin = builder.getIndexAttr(offset);
  if (ShapedType::isDynamic(offset))
    begin = memref::ExtractStridedMetadataOp::create(builder, loc, workspace).getOffset();
  return memref::ReinterpretCastOp::create(builder, loc, workspace,
                                           addNumbers(builder, loc, begin, start), sizes, strides);
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

static Value valueOf(OpBuilder &builder, Location loc, OpFoldResult number) {
  return getValueOrCreateConstantIndexOp(builder, loc, number);
}

OpFoldResult rooftile::addNumbers(OpBuilder &builder, Location loc, OpFoldResult left,
                                  OpFoldResult right) {
  auto l = getConstantIntValue(left), r = getConstantIntValue(right);
  if (l && r)
    return builder.getIndexAttr(*l + *r);
  if (l == 0 || r == 0)
    return l == 0 ? right : left;
  return arith::AddIOp::create(builder, loc, valueOf(builder, loc, left),
                               valueOf(builder, loc, right))
      .getResult();
}

OpFoldResult rooftile::multiplyNumbers(OpBuilder &builder, Location loc, OpFoldResult left,
                                       OpFoldResult right) {
  auto l = getConstantIntValue(left), r = getConstantIntValue(right);
  if (l && r)
    return builder.getIndexAttr(*l * *r);
  return arith::MulIOp::create(builder, loc, valueOf(builder, loc, left),
                               valueOf(builder, loc, right))
      .getResult();
}

OpFoldResult rooftile::roundUp(OpBuilder &builder, Location loc, OpFoldResult number,
                               int64_t multiple) {
  if (auto known = getConstantIntValue(number))
    return builder.getIndexAttr(llvm::alignTo(*known, multiple));
  if (multiple == 1)
    return number;
  Value width = arith::ConstantIndexOp::create(builder, loc, multiple);
  Value count =
      arith::CeilDivUIOp::create(builder, loc, valueOf(builder, loc, number), width).getResult();
  return arith::MulIOp::create(builder, loc, count, width).getResult();
}

OpFoldResult rooftile::elementsOf(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes) {
  OpFoldResult product = sizes.front();
  for (OpFoldResult size : sizes.drop_front())
    product = multiplyNumbers(builder, loc, product, size);
  return product;
}

Value rooftile::testWorkspace(OpBuilder &builder, ProductOpInterface op, OpFoldResult needed) {
  Value workspace = op.getWorkspace();
  if (!workspace || (!ShapedType::isDynamic(op.getWorkspaceElements()) &&
                     cast<MemRefType>(workspace.getType()).hasStaticShape()))
    return {};
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value present = memref::DimOp::create(builder, loc, workspace, zero);
  return createRoomTest(builder, op->getParentOfType<ModuleOp>(), present,
                        valueOf(builder, loc, needed));
}
