//===- Symmetric.cpp - Operations with a symmetric matrix -----------------===//
//
// blas.syrk, herk, syr2k, her2k, symm, hemm, and blas.trtri: verifiers, folders, effects. None has
// a kernel of its own: symmetric-split makes others of them. As for blas.gemm, messages name the
// operand and both sizes or types.
//
//===----------------------------------------------------------------------===//

#include "Effects.h"
#include "Folding.h"
#include "Verifiers.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static ShapedType shaped(Value value) { return cast<ShapedType>(value.getType()); }

//===----------------------------------------------------------------------===//
// Matrices and scalars
//===----------------------------------------------------------------------===//

/// All inputs, with the names that messages have for them.
static SmallVector<NamedMatrix> inputsOf(SplitOpInterface op) {
  SmallVector<NamedMatrix> inputs;
  if (op.getA())
    inputs.push_back({"A", op.getA()});
  if (op.getB())
    inputs.push_back({"B", op.getB()});
  return inputs;
}

/// The output, which is A where it is an input, too, and there is no other.
static NamedMatrix outputOf(SplitOpInterface op) { return {op.getA() ? "C" : "A", op.getC()}; }

/// Tensors or memrefs of one type of elements, with the batch of the output.
static LogicalResult verifyMatrices(SplitOpInterface op) {
  SmallVector<NamedMatrix> inputs = inputsOf(op);
  NamedMatrix output = outputOf(op);
  for (NamedMatrix matrix : inputs)
    if (failed(verifyMatrix(op, matrix)))
      return failure();
  if (failed(verifyMatrix(op, output)) || failed(verifyForm(op, inputs, output)) ||
      failed(verifyBatch(op, inputs, output)) || failed(verifyOutput(op, inputs, output)))
    return failure();
  Type element = shaped(output.second).getElementType();
  for (auto [name, value] : inputs)
    if (Type own = shaped(value).getElementType(); own != element)
      return op->emitOpError("operand types do not match: ")
             << name << " is " << own << ", " << output.first << " is " << element;
  return success();
}

/// Rows and columns of a matrix as stored.
static std::pair<int64_t, int64_t> sizesOf(Value matrix) {
  return {getSizeOf(shaped(matrix), Transpose::None, 0),
          getSizeOf(shaped(matrix), Transpose::None, 1)};
}

static LogicalResult verifySquare(SplitOpInterface op, NamedMatrix matrix) {
  auto [rows, columns] = sizesOf(matrix.second);
  if (!differ(rows, columns))
    return success();
  return op->emitOpError("operand ")
         << matrix.first << " is " << rows << " x " << columns << ", expected a square";
}

/// The order of a square matrix, from whichever side is known.
static int64_t orderOf(Value matrix) {
  auto [rows, columns] = sizesOf(matrix);
  return ShapedType::isDynamic(rows) ? columns : rows;
}

static LogicalResult verifyOneShape(SplitOpInterface op, NamedMatrix left, NamedMatrix right) {
  auto [rows, columns] = sizesOf(left.second);
  auto [others, across] = sizesOf(right.second);
  if (!differ(rows, others) && !differ(columns, across))
    return success();
  return op->emitOpError("operand ") << left.first << " is " << rows << " x " << columns << " but "
                                     << right.first << " is " << others << " x " << across;
}

static LogicalResult verifyScalar(SplitOpInterface op, StringRef name, Value scalar, Type expected,
                                  StringRef why) {
  if (!scalar || scalar.getType() == expected)
    return success();
  return op->emitOpError("operand ")
         << name << " is " << scalar.getType() << " but " << why << expected;
}

static LogicalResult verifyComplex(SplitOpInterface op, StringRef other) {
  Type element = shaped(op.getC()).getElementType();
  if (isa<ComplexType>(element))
    return success();
  return op->emitOpError("needs complex elements, got ")
         << element << ": blas." << other << " is for these";
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kSums = "products are summed in ", kReal = "is real: ";

/// `other`: the transpose that the operation accepts beside n.
template <typename Op> static LogicalResult verifyRankUpdate(Op op, Transpose other) {
  NamedMatrix output{"C", op.getC()};
  if (failed(verifyMatrices(op)) || failed(verifySquare(op, output)))
    return failure();
  Transpose transpose = op.getTranspose();
  if (transpose != Transpose::None && transpose != other)
    return op.emitOpError("op is ")
           << stringifyTranspose(transpose) << ", expected n or " << stringifyTranspose(other);
  Value b = SplitOpInterface(op).getB();
  if (b && failed(verifyOneShape(op, {"B", b}, {"A", op.getA()})))
    return failure();
  int64_t rows = getSizeOf(shaped(op.getA()), transpose, 0), order = orderOf(op.getC());
  if (differ(rows, order))
    return op.emitOpError("order differs: op(A) has ")
           << rows << " rows but C is of order " << order;
  Type element = shaped(op.getC()).getElementType(), sum = getDefaultSumType(element),
       real = realTypeOf(sum);
  if (b && sum != element)
    return op.emitOpError("adds two products in C, but C is of ")
           << element << ", which is narrower than their sums, " << sum;
  bool hermitian = other == Transpose::Adjoint;
  bool realAlpha = hermitian && !b;
  if (failed(verifyScalar(op, "alpha", op.getAlpha(), realAlpha ? real : sum,
                          realAlpha ? kReal : kSums)))
    return failure();
  return verifyScalar(op, "beta", op.getBeta(), hermitian ? real : sum, hermitian ? kReal : kSums);
}

LogicalResult SyrkOp::verify() { return verifyRankUpdate(*this, Transpose::Trans); }
LogicalResult Syr2kOp::verify() { return verifyRankUpdate(*this, Transpose::Trans); }
LogicalResult HerkOp::verify() {
  return failed(verifyComplex(*this, "syrk")) ? failure()
                                              : verifyRankUpdate(*this, Transpose::Adjoint);
}
LogicalResult Her2kOp::verify() {
  return failed(verifyComplex(*this, "syr2k")) ? failure()
                                               : verifyRankUpdate(*this, Transpose::Adjoint);
}

template <typename Op> static LogicalResult verifyProduct(Op op) {
  NamedMatrix a{"A", op.getA()}, c{"C", op.getC()};
  if (failed(verifyMatrices(op)) || failed(verifySquare(op, a)) ||
      failed(verifyOneShape(op, {"B", op.getB()}, c)))
    return failure();
  bool left = op.getSide() == Side::Left;
  auto [rows, columns] = sizesOf(op.getC());
  int64_t order = orderOf(op.getA()), size = left ? rows : columns;
  if (differ(order, size))
    return op.emitOpError("order differs: A on the ")
           << stringifySide(op.getSide()) << " is of order " << order << " but C has " << size
           << (left ? " rows" : " columns");
  Type sum = getDefaultSumType(shaped(op.getC()).getElementType());
  return success(succeeded(verifyScalar(op, "alpha", op.getAlpha(), sum, kSums)) &&
                 succeeded(verifyScalar(op, "beta", op.getBeta(), sum, kSums)));
}

LogicalResult SymmOp::verify() { return verifyProduct(*this); }
LogicalResult HemmOp::verify() {
  return failed(verifyComplex(*this, "symm")) ? failure() : verifyProduct(*this);
}

LogicalResult TrtriOp::verify() {
  NamedMatrix output = outputOf(*this);
  if (getAlpha() || getBeta())
    return emitOpError("accepts no ") << (getAlpha() ? "alpha" : "beta");
  if (failed(verifyMatrices(*this)) || failed(verifySquare(*this, output)))
    return failure();
  if (!getA())
    return success();
  if (shaped(getA()).getRank() != shaped(getC()).getRank())
    return emitOpError("operand A has rank ")
           << shaped(getA()).getRank() << ", expected the rank of C, " << shaped(getC()).getRank();
  return verifyOneShape(*this, {"A", getA()}, output);
}

//===----------------------------------------------------------------------===//
// Effects on C
//===----------------------------------------------------------------------===//

static bool scalesC(SplitOpInterface op) { return op.getConstantBeta() != std::complex<double>(0); }

bool SyrkOp::readsC() { return scalesC(*this); }
bool SyrkOp::keepsC() { return true; }
bool HerkOp::readsC() { return scalesC(*this); }
bool HerkOp::keepsC() { return true; }
bool Syr2kOp::readsC() { return scalesC(*this); }
bool Syr2kOp::keepsC() { return true; }
bool Her2kOp::readsC() { return scalesC(*this); }
bool Her2kOp::keepsC() { return true; }
bool SymmOp::readsC() { return scalesC(*this); }
bool SymmOp::keepsC() { return false; }
bool HemmOp::readsC() { return scalesC(*this); }
bool HemmOp::keepsC() { return false; }
bool TrtriOp::readsC() { return !getA(); }
bool TrtriOp::keepsC() { return true; }

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

static void effectsOf(SplitOpInterface op, Effects &effects) {
  addMatrixEffects(op, op.getC(), op.readsC(), effects);
}

void SyrkOp::getEffects(Effects &effects) { effectsOf(*this, effects); }
void HerkOp::getEffects(Effects &effects) { effectsOf(*this, effects); }
void Syr2kOp::getEffects(Effects &effects) { effectsOf(*this, effects); }
void Her2kOp::getEffects(Effects &effects) { effectsOf(*this, effects); }
void SymmOp::getEffects(Effects &effects) { effectsOf(*this, effects); }
void HemmOp::getEffects(Effects &effects) { effectsOf(*this, effects); }
void TrtriOp::getEffects(Effects &effects) { effectsOf(*this, effects); }

//===----------------------------------------------------------------------===//
// Folders
//
// In place: alpha = 1 and beta = 0 go away, and casts that only hide sizes or strides. As a
// pattern: an output without elements leaves nothing.
//===----------------------------------------------------------------------===//

template <typename Op> static LogicalResult foldOperands(Op op) {
  SmallVector<OpOperand *> matrices;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<ShapedType>(operand.get().getType()))
      matrices.push_back(&operand);
  bool changed = foldCasts(matrices);
  SplitOpInterface scaled = op;
  if (op.getAlpha() && scaled.getConstantAlpha() == std::complex<double>(1)) {
    op.getAlphaMutable().clear();
    changed = true;
  }
  if (op.getBeta() && scaled.getConstantBeta() == std::complex<double>(0)) {
    op.getBetaMutable().clear();
    changed = true;
  }
  return success(changed);
}

using Results = SmallVectorImpl<OpFoldResult>;

LogicalResult SyrkOp::fold(FoldAdaptor, Results &) { return foldOperands(*this); }
LogicalResult HerkOp::fold(FoldAdaptor, Results &) { return foldOperands(*this); }
LogicalResult Syr2kOp::fold(FoldAdaptor, Results &) { return foldOperands(*this); }
LogicalResult Her2kOp::fold(FoldAdaptor, Results &) { return foldOperands(*this); }
LogicalResult SymmOp::fold(FoldAdaptor, Results &) { return foldOperands(*this); }
LogicalResult HemmOp::fold(FoldAdaptor, Results &) { return foldOperands(*this); }
LogicalResult TrtriOp::fold(FoldAdaptor, Results &) { return foldOperands(*this); }

namespace {
struct DropEmptyOutput : OpInterfaceRewritePattern<SplitOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(SplitOpInterface op, PatternRewriter &rewriter) const override {
    if (!llvm::is_contained(shaped(op.getC()).getShape(), 0))
      return rewriter.notifyMatchFailure(op, "the output has elements");
    rewriter.replaceOp(op, op.isOnTensors() ? ValueRange(op.getC()) : ValueRange());
    return success();
  }
};
} // namespace

static void addPatterns(RewritePatternSet &patterns) {
  patterns.add<DropEmptyOutput>(patterns.getContext());
}

using Patterns = RewritePatternSet;

void SyrkOp::getCanonicalizationPatterns(Patterns &set, MLIRContext *) { addPatterns(set); }
void HerkOp::getCanonicalizationPatterns(Patterns &set, MLIRContext *) { addPatterns(set); }
void Syr2kOp::getCanonicalizationPatterns(Patterns &set, MLIRContext *) { addPatterns(set); }
void Her2kOp::getCanonicalizationPatterns(Patterns &set, MLIRContext *) { addPatterns(set); }
void SymmOp::getCanonicalizationPatterns(Patterns &set, MLIRContext *) { addPatterns(set); }
void HemmOp::getCanonicalizationPatterns(Patterns &set, MLIRContext *) { addPatterns(set); }
void TrtriOp::getCanonicalizationPatterns(Patterns &set, MLIRContext *) { addPatterns(set); }
