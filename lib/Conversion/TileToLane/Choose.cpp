//===- Choose.cpp - Elements of a triangle, and others --------------------===//
//
// Register by register: of an element whose row and column the thread adds to its
// own, only the difference of both counts.
//
//===----------------------------------------------------------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// Row minus column of the element in the thread's first register, in 32 bits: where the tile is
/// farther from the diagonal than tiles are large, the difference of the tile's is cut off.
static Value fromDiagonal(OpBuilder &builder, ChooseOp op) {
  constexpr int64_t kFar = 1 << 30;
  Location loc = op.getLoc();
  IndexMath math(builder, loc);
  MapAttr map = op.getResult().getType().getMap();
  auto narrow = [&](Value value) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), value);
  };
  Value ofTile = arith::SubIOp::create(builder, loc, op.getRow(), op.getColumn());
  ofTile = arith::MinSIOp::create(builder, loc, ofTile, math.constant(kFar));
  ofTile = arith::MaxSIOp::create(builder, loc, ofTile, math.constant(-kFar));
  Value ofThread = arith::SubIOp::create(builder, loc, narrow(math.threadOffset(map, 1, 0)),
                                         narrow(math.threadOffset(map, 0, 1)));
  return arith::AddIOp::create(builder, loc, narrow(ofTile), ofThread);
}

namespace {
struct ChoosePattern : OpConversionPattern<ChooseOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ChooseOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MatrixType type = op.getResult().getType();
    MapAttr map = type.getMap();
    bool isLower = op.getTriangle() == Triangle::Lower, strict = op.getStrict();
    using Predicate = arith::CmpIPredicate;
    Predicate predicate = isLower  ? strict ? Predicate::sgt : Predicate::sge
                          : strict ? Predicate::slt
                                   : Predicate::sle;
    Value own = fromDiagonal(rewriter, op);
    int64_t components = componentsOf(type.getElementType());
    SmallVector<Value> registers;
    for (int64_t index = 0; index < map.getNumValues(); ++index) {
      auto [row, column] = map.getValueOffset(index);
      Value least = arith::ConstantIntOp::create(rewriter, loc, column - row, 32);
      Value isInside = arith::CmpIOp::create(rewriter, loc, predicate, own, least);
      for (int64_t part = index * components; part < (index + 1) * components; ++part)
        registers.push_back(arith::SelectOp::create(
            rewriter, loc, isInside, adaptor.getInside()[part], adaptor.getOutside()[part]));
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};
} // namespace

void rooftile::populateChoosePatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<ChoosePattern>(types, patterns.getContext());
}
