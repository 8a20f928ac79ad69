//===- ApproximateMath.cpp - exp, tanh and erf without a library ----------===//
//
// Kernels have no mathematical library that all vendors share. In f32 exp, tanh and erf
// become upstream's polynomials and fused multiply-adds: the same results on GPUs of
// every vendor and on the CPU. What these polynomials need besides is arithmetic, too:
//
//   |x|           the bits of x without that of the sign
//   sign of y, x  the bits of |x|, and that bit of y
//   floor(x)      t = x as an integer, t > x ? t - 1 : t      where |x| < 2^31
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "rooftile/Conversion/Passes.h"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

static bool isApproximated(StringRef name) {
  return name == math::ExpOp::getOperationName() || name == math::TanhOp::getOperationName() ||
         name == math::ErfOp::getOperationName();
}

namespace {
/// Emits arithmetic on the bits of a number.
struct Bits {
  Bits(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), real(type),
        integer(builder.getIntegerType(type.getIntOrFloatBitWidth())) {}

  Value of(Value number) { return arith::BitcastOp::create(builder, loc, integer, number); }
  Value number(Value bits) { return arith::BitcastOp::create(builder, loc, real, bits); }
  /// The bits of `number` that are in `mask`.
  Value masked(Value number, const APInt &mask) {
    Value constant = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(integer, mask));
    return arith::AndIOp::create(builder, loc, of(number), constant);
  }
  Value magnitude(Value number) { return masked(number, APInt::getSignedMaxValue(width())); }
  Value sign(Value number) { return masked(number, APInt::getSignMask(width())); }
  unsigned width() const { return integer.getWidth(); }

  OpBuilder &builder;
  Location loc;
  Type real;
  IntegerType integer;
};
} // namespace

static Value floorOf(OpBuilder &builder, Location loc, Value x) {
  Value whole = arith::FPToSIOp::create(builder, loc, builder.getI32Type(), x);
  Value nearer = arith::SIToFPOp::create(builder, loc, x.getType(), whole); // to zero
  Value one = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(x.getType(), 1));
  Value below = arith::SubFOp::create(builder, loc, nearer, one);
  Value above = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, nearer, x);
  return arith::SelectOp::create(builder, loc, above, below, nearer);
}

/// Writes what the polynomials use of the dialect math, but fused multiply-adds, as arithmetic.
static void lowerSimple(gpu::GPUModuleOp module) {
  module.walk([](Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value result;
    if (auto absolute = dyn_cast<math::AbsFOp>(op)) {
      Bits bits(builder, loc, absolute.getType());
      result = bits.number(bits.magnitude(absolute.getOperand()));
    } else if (auto copy = dyn_cast<math::CopySignOp>(op)) {
      Bits bits(builder, loc, copy.getType());
      Value both = arith::OrIOp::create(builder, loc, bits.magnitude(copy.getLhs()),
                                        bits.sign(copy.getRhs()));
      result = bits.number(both);
    } else if (auto floor = dyn_cast<math::FloorOp>(op)) {
      result = floorOf(builder, loc, floor.getOperand());
    } else {
      return;
    }
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  });
}

namespace {
struct ApproximateMathPass : rooftile::impl::ApproximateMathBase<ApproximateMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns, isApproximated);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    lowerSimple(getOperation());
  }
};
} // namespace
