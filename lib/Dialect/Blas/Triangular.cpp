//===- Triangular.cpp - Interface of blas.trmm and blas.trsm --------------===//

#include "Effects.h"
#include "Folding.h"
#include "Verifiers.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static ShapedType shaped(Value value) { return cast<ShapedType>(value.getType()); }

/// Rows (0) or columns (1) of the output, from an operand where it is static.
static int64_t sizeOfOutput(TriangularOpInterface op, int dim) {
  int64_t size = getSizeOf(shaped(op.getC()), Transpose::None, dim);
  if (ShapedType::isDynamic(size) && op.getB())
    size = getSizeOf(shaped(op.getB()), Transpose::None, dim);
  bool alongA = (op.getSide() == Side::Left) == (dim == 0);
  for (int side : {0, 1})
    if (ShapedType::isDynamic(size) && alongA)
      size = getSizeOf(shaped(op.getA()), Transpose::None, side);
  return size;
}

static int64_t batchEntries(TriangularOpInterface op) {
  return batchOf(shaped(op.getC()).getShape().drop_back(2));
}

static Structure structureOf(TriangularOpInterface op) {
  bool lower = op.getUplo() == Uplo::Lower;
  if (op.getDiag() == Diag::Unit)
    return lower ? Structure::UnitLower : Structure::UnitUpper;
  return lower ? Structure::Lower : Structure::Upper;
}

static Type elementOf(Value matrix) { return shaped(matrix).getElementType(); }

/// One multiplication and one addition for each element of the triangle and of the output's other
/// dimension: K M N in all, times the components of elements of both.
static double flopsOf(TriangularOpInterface op, double batch, double m, double n, double k) {
  int64_t parts = componentsOf(elementOf(op.getA())) * componentsOf(elementOf(op.getC()));
  return parts * batch * m * n * k;
}

/// The triangle once, the other matrix once, the output once.
static double bytesOf(TriangularOpInterface op, double batch, double m, double n, double k) {
  double triangle = k * (op.getDiag() == Diag::Unit ? k - 1 : k + 1) / 2;
  double batchA = shaped(op.getA()).getRank() > 2 ? batch : 1;
  return batchA * triangle * elementBytes(elementOf(op.getA())) +
         2 * batch * m * n * elementBytes(elementOf(op.getC()));
}

/// In place the output is an input; alpha = 0 reads nothing.
static bool readsOutput(TriangularOpInterface op) {
  return op.isInPlace() && op.getConstantAlpha() != std::complex<double>(0);
}

//===----------------------------------------------------------------------===//
// blas.trmm
//===----------------------------------------------------------------------===//

int64_t TrmmOp::getM() { return sizeOfOutput(*this, 0); }
int64_t TrmmOp::getN() { return sizeOfOutput(*this, 1); }
int64_t TrmmOp::getK() { return getSide() == Side::Left ? getM() : getN(); }
int64_t TrmmOp::getBatch() { return batchEntries(*this); }
Value TrmmOp::getMatrixA() { return getA(); }
Value TrmmOp::getMatrixB() { return getB() ? getB() : getC(); }
Value TrmmOp::getMatrixC() { return getC(); }
bool TrmmOp::readsC() { return readsOutput(*this); }
Transpose TrmmOp::getTransposeA() { return getOpA(); }
Transpose TrmmOp::getTransposeB() { return Transpose::None; }
Type TrmmOp::getAccumulatorType() { return getDefaultSumType(elementOf(getC())); }
Structure TrmmOp::getStructureA() { return structureOf(*this); }
Structure TrmmOp::getStructureB() { return Structure::General; }
double TrmmOp::getFlops(int64_t batch, int64_t m, int64_t n, int64_t k) {
  return flopsOf(*this, batch, m, n, k);
}
double TrmmOp::getBytes(int64_t batch, int64_t m, int64_t n, int64_t k) {
  return bytesOf(*this, batch, m, n, k);
}
void TrmmOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addMatrixEffects(*this, getC(), readsOutput(*this), effects);
}

//===----------------------------------------------------------------------===//
// blas.trsm
//===----------------------------------------------------------------------===//

int64_t TrsmOp::getM() { return sizeOfOutput(*this, 0); }
int64_t TrsmOp::getN() { return sizeOfOutput(*this, 1); }
int64_t TrsmOp::getK() { return getSide() == Side::Left ? getM() : getN(); }
int64_t TrsmOp::getBatch() { return batchEntries(*this); }
Value TrsmOp::getMatrixA() { return getA(); }
Value TrsmOp::getMatrixB() { return getB() ? getB() : getC(); }
Value TrsmOp::getMatrixC() { return getC(); }
bool TrsmOp::readsC() { return readsOutput(*this); }
Transpose TrsmOp::getTransposeA() { return getOpA(); }
Transpose TrsmOp::getTransposeB() { return Transpose::None; }
Type TrsmOp::getAccumulatorType() { return getDefaultSumType(elementOf(getC())); }
Structure TrsmOp::getStructureA() { return structureOf(*this); }
Structure TrsmOp::getStructureB() { return Structure::General; }
double TrsmOp::getFlops(int64_t batch, int64_t m, int64_t n, int64_t k) {
  return flopsOf(*this, batch, m, n, k);
}
double TrsmOp::getBytes(int64_t batch, int64_t m, int64_t n, int64_t k) {
  return bytesOf(*this, batch, m, n, k);
}
void TrsmOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addMatrixEffects(*this, getC(), readsOutput(*this), effects);
}

//===----------------------------------------------------------------------===//
// Verifiers of blas.trmm and blas.trsm
//===----------------------------------------------------------------------===//

static LogicalResult verifySizes(TriangularOpInterface op, NamedMatrix output) {
  ShapedType a = shaped(op.getA()), c = shaped(output.second);
  int64_t rows = getSizeOf(a, Transpose::None, 0), columns = getSizeOf(a, Transpose::None, 1);
  if (differ(rows, columns))
    return op->emitOpError("operand A is ") << rows << " x " << columns << ", expected a square";
  bool left = op.getSide() == Side::Left;
  int64_t order = ShapedType::isDynamic(rows) ? columns : rows;
  int64_t size = getSizeOf(c, Transpose::None, left ? 0 : 1);
  if (differ(order, size))
    return op->emitOpError("order differs: A on the ")
           << stringifySide(op.getSide()) << " is of order " << order << " but " << output.first
           << " has " << size << (left ? " rows" : " columns");
  if (op.isInPlace())
    return success();
  for (int dim : {0, 1}) {
    int64_t sizeB = getSizeOf(shaped(op.getB()), Transpose::None, dim),
            sizeC = getSizeOf(c, Transpose::None, dim);
    if (differ(sizeB, sizeC))
      return op->emitOpError("operand B has ")
             << sizeB << (dim ? " columns" : " rows") << " but C has " << sizeC;
  }
  if (shaped(op.getB()).getRank() != c.getRank())
    return op->emitOpError("operand B has rank ")
           << shaped(op.getB()).getRank() << ", expected the rank of C, " << c.getRank();
  return success();
}

static LogicalResult verifyTypes(TriangularOpInterface op, ArrayRef<NamedMatrix> inputs,
                                 NamedMatrix output) {
  Type element = elementOf(output.second), acc = op.getAccumulatorType();
  auto fits = [&](Value value) {
    bool isReal = value == op.getA() && elementOf(value) == realTypeOf(element);
    return isReal || elementOf(value) == element;
  };
  for (auto [name, value] : inputs)
    if (!fits(value))
      return op->emitOpError("operand types do not match: ")
             << name << " is " << elementOf(value) << ", " << output.first << " is " << element;
  if (Value alpha = op.getAlpha(); alpha && alpha.getType() != acc)
    return op->emitOpError("operand alpha is ")
           << alpha.getType() << " but products are summed in " << acc;
  return success();
}

static LogicalResult verifyTriangular(TriangularOpInterface op) {
  SmallVector<NamedMatrix> inputs{{"A", op.getA()}};
  if (!op.isInPlace())
    inputs.push_back({"B", op.getB()});
  NamedMatrix output{op.getOutputName(), op.getC()};
  for (NamedMatrix matrix : inputs)
    if (failed(verifyMatrix(op, matrix)))
      return failure();
  if (failed(verifyMatrix(op, output)) || failed(verifyForm(op, inputs, output)) ||
      failed(verifyBatch(op, inputs, output)) || failed(verifySizes(op, output)) ||
      failed(verifyTypes(op, inputs, output)))
    return failure();
  BlocksAttr plan = op.getPlanAttr();
  if (op.getExact() && plan && plan->method != Method::Substitute)
    return op->emitOpError("is exact, but method = ")
           << stringifyMethod(plan->method) << " of its plan multiplies by "
           << (plan->method == Method::Invert ? "inverses" : "zeros");
  if (op.getB() == op.getC() && isa<MemRefType>(op.getC().getType()))
    return op->emitOpError("output C is also operand B: in place is written ins(%a) outs(%b)");
  return verifyOutput(op, inputs, output);
}

LogicalResult TrmmOp::verify() { return verifyTriangular(*this); }
LogicalResult TrsmOp::verify() { return verifyTriangular(*this); }

//===----------------------------------------------------------------------===//
// Folders of blas.trmm and blas.trsm
//
// In place: alpha = 1 and the conjugation of reals go away, and casts that only
// hide sizes or strides. As patterns: a transposing producer of A becomes op(A),
// with the other triangle; alpha = 0 is a fill with zeros; an output without
// elements leaves nothing.
//===----------------------------------------------------------------------===//

template <typename Op> static LogicalResult foldTriangular(Op op) {
  SmallVector<OpOperand *> operands{&op.getAMutable(), &op.getCMutable()};
  for (OpOperand &input : op.getBMutable())
    operands.push_back(&input);
  bool changed = foldCasts(operands);
  if (op.getAlpha() && op.getConstantAlpha() == std::complex<double>(1)) {
    op.getAlphaMutable().clear();
    changed = true;
  }
  if (Transpose simple = simplified(op.getOpA(), op.getA()); simple != op.getOpA()) {
    op.setOpA(simple);
    changed = true;
  }
  return success(changed);
}

LogicalResult TrmmOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return foldTriangular(*this);
}
LogicalResult TrsmOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return foldTriangular(*this);
}

bool rooftile::blas::absorbTransposes(RewriterBase &rewriter, TriangularOpInterface op) {
  if (op.getPlanAttr())
    return false;
  bool changed = false;
  while (Value source = transposedSource(op.getA())) {
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperand(0, source);
      op.setOpA(toggled(op.getOpA()));
      op.setUplo(op.getUplo() == Uplo::Lower ? Uplo::Upper : Uplo::Lower);
    });
    changed = true;
  }
  return changed;
}

/// The output as it is, in place of the operation.
static void replaceByOutput(PatternRewriter &rewriter, TriangularOpInterface op) {
  rewriter.replaceOp(op, op.isOnTensors() ? ValueRange(op.getC()) : ValueRange());
}

namespace {

/// The output has no element: nothing to compute.
struct DropEmpty : OpInterfaceRewritePattern<TriangularOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(TriangularOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (op.getM() != 0 && op.getN() != 0 && op.getBatch() != 0)
      return rewriter.notifyMatchFailure(op, "the output has elements");
    replaceByOutput(rewriter, op);
    return success();
  }
};

/// alpha = 0: the result is 0 whatever A and B hold.
struct FillWithZeros : OpInterfaceRewritePattern<TriangularOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(TriangularOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (op.getConstantAlpha() != std::complex<double>(0))
      return rewriter.notifyMatchFailure(op, "alpha is not 0");
    if (getPointers(shaped(op.getC())))
      return rewriter.notifyMatchFailure(op, "only a kernel reaches matrices anywhere");
    Type element = cast<ShapedType>(op.getC().getType()).getElementType();
    Value zero = createScalar(rewriter, op.getLoc(), element, 0);
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, zero, op.getC());
    return success();
  }
};

struct AbsorbTransposes : OpInterfaceRewritePattern<TriangularOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(TriangularOpInterface op,
                                PatternRewriter &rewriter) const override {
    return success(absorbTransposes(rewriter, op));
  }
};

} // namespace

static void addPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropEmpty>(context, /*benefit=*/2);
  patterns.add<FillWithZeros, AbsorbTransposes>(context);
}

void TrmmOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  addPatterns(patterns, context);
}
void TrsmOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  addPatterns(patterns, context);
}
