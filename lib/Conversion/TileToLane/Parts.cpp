//===- Parts.cpp - f32 elements as sums of bf16 ones ----------------------===//
//
//   bits = x as i32,   special = all ones where the exponent is all ones, else 0
//   rest = bits and not special                       as f32
//   part = rest and 0xFFFF0000,   rest = rest - part  for parts 0 and 1; part 2 is the rest
//
// Each part has 8 significant bits, as the numbers of bf16. Unlike rounded parts they have the sign
// of x, and part 0 does not overflow. Parts of one element that several operations ask for are
// computed once: CSE removes the others.
//
//===----------------------------------------------------------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// Sign, exponent and the first bits of a number of f32: those that a number of bf16 has.
static constexpr int64_t kUpperBits = 0xFFFF0000;
/// The exponent, all of it in infinities and NaN; and what makes it negative then.
static constexpr int64_t kExponent = 0x7F800000, kOneOfExponent = 0x00800000;

namespace {
struct PartPattern : OpConversionPattern<PartOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(PartOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> registers;
    for (Value number : adaptor.getMatrix())
      registers.push_back(partOf(rewriter, op, number));
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

  static Value partOf(OpBuilder &builder, PartOp op, Value number) {
    Location loc = op.getLoc();
    Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(i32, int32_t(value)));
    };
    auto toBits = [&](Value value) -> Value {
      return arith::BitcastOp::create(builder, loc, i32, value);
    };
    auto toNumber = [&](Value value) -> Value {
      return arith::BitcastOp::create(builder, loc, f32, value);
    };
    auto both = [&](Value left, Value right) -> Value {
      return arith::AndIOp::create(builder, loc, left, right);
    };
    Value bits = toBits(number);
    Value next = arith::AddIOp::create(builder, loc, both(bits, constant(kExponent)),
                                       constant(kOneOfExponent));
    Value special = arith::ShRSIOp::create(builder, loc, next, constant(31));
    Value finite = arith::XOrIOp::create(builder, loc, special, constant(-1));
    Value rest = toNumber(both(bits, finite)), part = rest;
    for (uint64_t index = 0; index <= op.getIndex(); ++index) {
      part = index == 2 ? rest : toNumber(both(toBits(rest), constant(kUpperBits)));
      if (index < op.getIndex())
        rest = arith::SubFOp::create(builder, loc, rest, part);
    }
    if (!op.getSpecial())
      return part;
    return toNumber(arith::OrIOp::create(builder, loc, toBits(part), both(bits, special)));
  }
};
} // namespace

void rooftile::populatePartPatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<PartPattern>(types, patterns.getContext());
}
