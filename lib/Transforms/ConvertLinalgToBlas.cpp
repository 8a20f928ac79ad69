//===- ConvertLinalgToBlas.cpp - Raise linalg products to blas.gemm -------===//
//
// What other compilers emit becomes one operation per product: linalg.matmul,
// linalg.batch_matmul, linalg.contract and the same written as linalg.generic
// (which products blas.gemm can say: LinalgProduct.cpp).
//
// A product added to zeros (linalg.fill, a zero constant) has no beta, so the
// zeros are never written; one added to C has beta = 1. Zeros of either sign
// count: only the sign of a zero result could tell them apart. Narrow types sum
// in f32, as blas.gemm does. Transposing producers of A and B are absorbed.
//
// Left alone, with a remark: integers, narrowing casts, several reduction
// loops, broadcast rows or columns, and batch loops that do not lead.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/ConvertLinalgToBlas.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "rooftile/Transforms/LinalgProduct.h"
#include "rooftile/Transforms/Passes.h"

using namespace mlir;
using namespace rooftile::blas;

static bool isZero(Value scalar) {
  if (auto complex = scalar.getDefiningOp<complex::ConstantOp>())
    return llvm::all_of(complex.getValue().getAsRange<FloatAttr>(),
                        [](FloatAttr part) { return part.getValue().isZero(); });
  return matchPattern(scalar, m_AnyZeroFloat());
}

static bool isZeroConstant(Value tensor) {
  DenseElementsAttr elements;
  return matchPattern(tensor, m_Constant(&elements)) && elements.isSplat() &&
         isa<FloatType>(elements.getElementType()) && elements.getSplatValue<APFloat>().isZero();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The fill of zeros that makes the old content of the buffer `c` irrelevant to `op`, or null.
static linalg::FillOp zeroFillBefore(Operation *op, Value c) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(before);
    if (fill && fill.getOutputs()[0] == c)
      return isZero(fill.getInputs()[0]) ? fill : linalg::FillOp();
    if (!isMemoryEffectFree(before))
      return {};
  }
  return {};
}

/// Where the output starts from zeros: a destination whose content does not matter. Else null.
static Value destinationOfZeros(RewriterBase &rewriter, linalg::LinalgOp op) {
  Value c = op.getDpsInits()[0];
  if (!op.hasPureTensorSemantics()) {
    linalg::FillOp fill = zeroFillBefore(op, c);
    if (!fill)
      return {};
    rewriter.eraseOp(fill);
    return c;
  }
  if (auto fill = c.getDefiningOp<linalg::FillOp>())
    return isZero(fill.getInputs()[0]) ? fill.getOutputs()[0] : Value();
  if (!isZeroConstant(c))
    return {};
  auto type = cast<RankedTensorType>(c.getType());
  return tensor::EmptyOp::create(rewriter, op.getLoc(), type, ValueRange());
}

/// The constant 1 of a real or complex type.
static Value createOne(OpBuilder &builder, Location loc, Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Type part = complex.getElementType();
    return complex::ConstantOp::create(
        builder, loc, type,
        builder.getArrayAttr({builder.getFloatAttr(part, 1), builder.getFloatAttr(part, 0)}));
  }
  return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, 1));
}

static void replaceWithGemm(RewriterBase &rewriter, linalg::LinalgOp op,
                            const rooftile::LinalgProduct &product) {
  rewriter.setInsertionPoint(op);
  SetVector<Operation *> producers;
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp())
      producers.insert(producer);
  Value zeros = destinationOfZeros(rewriter, op);
  auto gemm = GemmOp::create(rewriter, op.getLoc(), op->getResultTypes(), product.a, product.b,
                             zeros ? zeros : product.c, /*alpha=*/Value(), /*beta=*/Value(),
                             product.opA, product.opB, MathMode::Strict, /*anyOrder=*/false,
                             /*acc=*/TypeAttr(), /*given=*/GivenAttr(), /*plan=*/PlanAttr(),
                             /*plans=*/ArrayAttr());
  if (!zeros) {
    rewriter.setInsertionPoint(gemm);
    Value one = createOne(rewriter, op.getLoc(), gemm.getAccumulatorType());
    gemm.getBetaMutable().assign(one);
  }
  absorbTransposes(rewriter, gemm);
  rewriter.replaceOp(op, gemm);
  for (Operation *producer : producers)
    if (isOpTriviallyDead(producer))
      rewriter.eraseOp(producer);
}

/// Says why: through the remark engine where it wants this (--remarks-filter and
/// the like), else as one ordinary remark, which every tool shows.
static void remarkOnWhatStays(linalg::LinalgOp op, StringRef why) {
  std::string text = (op->getName().getStringRef() + " stays: " + why).str();
  auto options = remark::RemarkOpts::name("left-alone").category("convert-linalg-to-blas");
  if (auto remark = remark::missed(op.getLoc(), options))
    remark << text;
  else
    emitRemark(op.getLoc()) << text;
}

LogicalResult rooftile::raiseLinalgToBlas(Operation *root) {
  SmallVector<linalg::LinalgOp> contractions;
  root->walk([&](linalg::LinalgOp op) {
    if (isContraction(op))
      contractions.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::LinalgOp op : contractions) {
    std::string why;
    if (auto product = matchLinalgProduct(op, why))
      replaceWithGemm(rewriter, op, *product);
    else
      remarkOnWhatStays(op, why);
  }
  return success();
}

namespace rooftile {
#define GEN_PASS_DEF_CONVERTLINALGTOBLAS
#include "rooftile/Transforms/Passes.h.inc"

namespace {
struct ConvertLinalgToBlasPass : impl::ConvertLinalgToBlasBase<ConvertLinalgToBlasPass> {
  void runOnOperation() override {
    if (failed(raiseLinalgToBlas(getOperation())))
      signalPassFailure();
  }
};
} // namespace
} // namespace rooftile
