//===- MaskedElements.cpp - What is known beside a diagonal ---------------===//
//
// Front ends write a triangle as a comparison of indices and a choice: select(i >= j, x, 0), in
// one body or spread over operations that compute indices, the comparison and the choice. On one
// side of the diagonal such a comparison is always true, or always false. So the body is read
// once for each side: what it yields there is 0, 1, an element of what was masked, or not known.
//
// Indices are a row + b column + c. A comparison of two of them is known where the difference is
// +-(row - column) + c, and c does not carry it beyond the side.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Raise/MaskedElements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <limits>

using namespace mlir;
using namespace rooftile;

/// Values that are read for one side; what is longer is no mask.
static constexpr int64_t kMaxVisits = 256;
/// Offsets of diagonals beyond this count as unknown: their additions cannot overflow.
static constexpr int64_t kMaxOffset = int64_t(1) << 30;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static ElementFact integerFact(int64_t row, int64_t column, int64_t constant) {
  ElementFact fact;
  if (std::abs(constant) > kMaxOffset || std::abs(row) > kMaxOffset ||
      std::abs(column) > kMaxOffset)
    return fact;
  fact.kind = ElementFact::Integer;
  fact.row = row, fact.column = column, fact.constant = constant;
  return fact;
}

static ElementFact factOfKind(ElementFact::Kind kind) {
  ElementFact fact;
  fact.kind = kind;
  return fact;
}

static ElementFact factOf(const APFloat &real) {
  if (real.isZero())
    return factOfKind(ElementFact::Zero);
  return factOfKind(real.isExactlyValue(1.0) ? ElementFact::One : ElementFact::Unknown);
}

static ElementFact factOf(Attribute constant) {
  if (auto real = dyn_cast<FloatAttr>(constant))
    return factOf(real.getValue());
  if (auto integer = dyn_cast<IntegerAttr>(constant)) {
    const APInt &value = integer.getValue();
    if (value.getSignificantBits() > 32)
      return {};
    return integerFact(0, 0,
                       value.getBitWidth() == 1 ? value.getZExtValue() : value.getSExtValue());
  }
  auto parts = dyn_cast<ArrayAttr>(constant);
  if (!parts || parts.size() != 2 || !isa<FloatAttr>(parts[0]))
    return {};
  ElementFact real = factOf(cast<FloatAttr>(parts[0]).getValue()),
              imaginary = factOf(cast<FloatAttr>(parts[1]).getValue());
  return imaginary.kind == ElementFact::Zero ? real : ElementFact();
}

/// A constant tensor of one value.
static ElementFact factOfSplat(Value tensor) {
  DenseElementsAttr elements;
  if (!matchPattern(tensor, m_Constant(&elements)) || !elements.isSplat())
    return {};
  if (!isa<ComplexType>(elements.getElementType()))
    return factOf(elements.getSplatValue<Attribute>());
  auto value = elements.getSplatValue<std::complex<APFloat>>();
  return value.imag().isZero() ? factOf(value.real()) : ElementFact();
}

static bool isConstantInteger(const ElementFact &fact) {
  return fact.kind == ElementFact::Integer && fact.row == 0 && fact.column == 0;
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// Elementwise on tensors, with one result: each element is what one iteration yields.
static bool isElementwise(linalg::LinalgOp op) {
  return op && op.getNumDpsInits() == 1 && op.getNumParallelLoops() == op.getNumLoops() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation();
}

/// The access to `operand`, which is read by `map` in loops that are those of `loops`. Nothing
/// where an index is neither a loop nor 0.
static std::optional<LinearAccess> composed(AffineMap map, Value operand,
                                            const LinearAccess &loops) {
  LinearAccess access = LinearAccess::to(operand);
  auto type = cast<ShapedType>(operand.getType());
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    access.group.push_back({static_cast<int64_t>(dim)});
    if (auto loop = dyn_cast<AffineDimExpr>(index)) {
      access.index.push_back(loops.index[loop.getPosition()]);
      access.whole.push_back(loops.whole[loop.getPosition()]);
      continue;
    }
    auto constant = dyn_cast<AffineConstantExpr>(index);
    if (!constant || constant.getValue() != 0)
      return std::nullopt;
    access.index.emplace_back();
    access.whole.push_back(type.getDimSize(dim) == 1);
  }
  return access;
}

/// The access to what `expand` inserts dimensions of size 1 in; nothing for other reshapes.
static std::optional<LinearAccess> withoutUnitDims(const LinearAccess &access,
                                                   tensor::ExpandShapeOp expand) {
  LinearAccess result = LinearAccess::to(expand.getSrc());
  for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices())) {
    auto isUnit = [&](int64_t part) { return expand.getResultType().getDimSize(part) == 1; };
    auto whole = llvm::find_if_not(group, isUnit);
    if (whole == group.end() || !llvm::all_of(llvm::make_range(whole + 1, group.end()), isUnit))
      return std::nullopt;
    result.group.push_back({static_cast<int64_t>(dim)});
    result.index.push_back(access.index[*whole]);
    result.whole.push_back(access.whole[*whole]);
  }
  return result;
}

ElementFact MaskedElements::written(linalg::LinalgOp writer, const LinearAccess &output) {
  if (!isElementwise(writer))
    return {};
  AffineMap map = writer.getMatchingIndexingMap(writer.getDpsInitOperand(0));
  Frame frame{writer, {}};
  frame.loops.index.resize(map.getNumDims());
  frame.loops.whole.resize(map.getNumDims());
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    unsigned loop = cast<AffineDimExpr>(index).getPosition();
    frame.loops.index[loop] = output.index[dim];
    frame.loops.whole[loop] = output.whole[dim];
  }
  return scalar(writer.getBlock()->getTerminator()->getOperand(0), &frame);
}

ElementFact MaskedElements::element(Value matrix, const LinearAccess &access) {
  if (isa<TensorType>(matrix.getType())) {
    if (ElementFact fact = factOfSplat(matrix); fact.kind != ElementFact::Unknown)
      return fact;
    Operation *producer = matrix.getDefiningOp();
    ElementFact fact;
    if (auto splat = dyn_cast_or_null<tensor::SplatOp>(producer))
      fact = scalar(splat.getInput(), nullptr);
    else if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(producer))
      fact = written(linalgOp, access);
    else if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(producer))
      if (auto source = withoutUnitDims(access, expand))
        fact = element(expand.getSrc(), *source);
    if (fact.kind != ElementFact::Unknown)
      return fact;
  }
  ElementFact fact = factOfKind(ElementFact::Read);
  fact.access = access;
  return fact;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

ElementFact MaskedElements::argument(BlockArgument argument, Frame &frame) {
  OpOperand *operand = frame.op.getMatchingOpOperand(argument);
  if (!isa<ShapedType>(operand->get().getType()))
    return scalar(operand->get(), nullptr);
  auto access = composed(frame.op.getMatchingIndexingMap(operand), operand->get(), frame.loops);
  return access ? element(operand->get(), *access) : ElementFact();
}

ElementFact MaskedElements::index(int64_t dim, Frame &frame) const {
  ArrayRef<IndexTerm> terms = frame.loops.index[dim];
  if (terms.size() != 1 || terms[0].factor != 1)
    return {};
  bool ofRow = terms[0].loop == row, ofColumn = terms[0].loop == column;
  return ofRow || ofColumn ? integerFact(ofRow, ofColumn, 0) : ElementFact();
}

ElementFact MaskedElements::scalar(Value value, Frame *frame) {
  if (++visits > kMaxVisits)
    return {};
  if (auto own = dyn_cast<BlockArgument>(value))
    return frame && own.getOwner() == frame->op.getBlock() ? argument(own, *frame) : ElementFact();
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return factOf(constant);
  return operation(value.getDefiningOp(), frame);
}

/// Indices are not negative; what is subtracted from them may make them so.
static bool mayBeNegative(const ElementFact &fact) {
  return fact.row < 0 || fact.column < 0 || fact.constant < 0;
}

/// A cast of an integer that keeps its value: 32 bits hold an index of any matrix.
static bool keepsInteger(Operation *cast, const ElementFact &fact) {
  Type from = cast->getOperand(0).getType(), to = cast->getResult(0).getType();
  bool isUnsigned = isa<arith::ExtUIOp, arith::IndexCastUIOp>(cast);
  if (fact.kind != ElementFact::Integer || (isUnsigned && mayBeNegative(fact)))
    return false;
  bool isWide = to.isIndex() || to.getIntOrFloatBitWidth() >= 32;
  return from.isInteger(1) ? isUnsigned : isWide;
}

/// A cast that makes 0.0 and 1.0 of 0 and 1.
static ElementFact toFloat(Operation *cast, const ElementFact &fact) {
  bool negates = isa<arith::SIToFPOp>(cast) && cast->getOperand(0).getType().isInteger(1);
  if (!isConstantInteger(fact) || negates || (fact.constant != 0 && fact.constant != 1))
    return {};
  return factOfKind(fact.constant ? ElementFact::One : ElementFact::Zero);
}

ElementFact MaskedElements::operation(Operation *op, Frame *frame) {
  if (auto own = dyn_cast<linalg::IndexOp>(op))
    return frame && own->getBlock() == frame->op.getBlock() ? index(own.getDim(), *frame)
                                                            : ElementFact();
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    ElementFact condition = scalar(choice.getCondition(), frame);
    if (!isConstantInteger(condition))
      return {};
    return scalar(condition.constant ? choice.getTrueValue() : choice.getFalseValue(), frame);
  }
  if (isa<arith::CmpIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return compare(op, frame);
  if (isa<arith::MulFOp, complex::MulOp>(op))
    return product(op, frame);
  if (isa<arith::AddFOp, complex::AddOp, arith::AddIOp, arith::SubIOp>(op))
    return sum(op, frame);
  if (isa<arith::ExtUIOp, arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::TruncIOp>(op)) {
    ElementFact fact = scalar(op->getOperand(0), frame);
    return keepsInteger(op, fact) ? fact : ElementFact();
  }
  if (isa<arith::UIToFPOp, arith::SIToFPOp>(op))
    return toFloat(op, scalar(op->getOperand(0), frame));
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    ElementFact fact = scalar(op->getOperand(0), frame);
    bool keeps = fact.kind == ElementFact::Zero || fact.kind == ElementFact::One ||
                 fact.kind == ElementFact::TimesZero;
    return keeps ? fact : ElementFact();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

namespace {
/// Range of a difference of integers.
struct Interval {
  int64_t least, most;
};
} // namespace

/// Row less column on one side, times `sign`, plus `constant`.
static Interval differenceOn(DiagonalSide side, int64_t sign, int64_t constant) {
  constexpr int64_t kFar = std::numeric_limits<int64_t>::max() / 2;
  Interval range = side == DiagonalSide::On      ? Interval{0, 0}
                   : side == DiagonalSide::Below ? Interval{1, kFar}
                                                 : Interval{-kFar, -1};
  if (sign < 0)
    range = {-range.most, -range.least};
  if (sign == 0)
    range = {0, 0};
  return {range.least + constant, range.most + constant};
}

/// Whether a difference compares with 0 by `predicate`; nothing where it may or may not.
static std::optional<bool> decide(arith::CmpIPredicate predicate, Interval difference) {
  using Predicate = arith::CmpIPredicate;
  auto [least, most] = difference;
  auto known = [](bool always, bool never) {
    return always || never ? std::optional(always) : std::nullopt;
  };
  switch (predicate) {
  case Predicate::eq:
    return known(least == 0 && most == 0, least > 0 || most < 0);
  case Predicate::ne:
    return known(least > 0 || most < 0, least == 0 && most == 0);
  case Predicate::sge:
  case Predicate::uge:
    return known(least >= 0, most < 0);
  case Predicate::sgt:
  case Predicate::ugt:
    return known(least > 0, most <= 0);
  case Predicate::sle:
  case Predicate::ule:
    return known(most <= 0, least > 0);
  case Predicate::slt:
  case Predicate::ult:
    return known(most < 0, least >= 0);
  }
  return std::nullopt;
}

/// Facts of the operands, as the comparison reads them. As a signed number true is -1.
static bool reads(arith::CmpIOp comparison, const ElementFact &left, const ElementFact &right) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = comparison.getPredicate();
  if (predicate == Predicate::eq || predicate == Predicate::ne)
    return true;
  if (llvm::is_contained({Predicate::uge, Predicate::ugt, Predicate::ule, Predicate::ult},
                         predicate))
    return !mayBeNegative(left) && !mayBeNegative(right);
  return !comparison.getLhs().getType().isInteger(1);
}

ElementFact MaskedElements::compare(Operation *op, Frame *frame) {
  ElementFact left = scalar(op->getOperand(0), frame), right = scalar(op->getOperand(1), frame);
  if (left.kind != ElementFact::Integer || right.kind != ElementFact::Integer)
    return {};
  auto comparison = dyn_cast<arith::CmpIOp>(op);
  if (!comparison) {
    if (!op->getResult(0).getType().isInteger(1))
      return {};
    bool x = left.constant, y = right.constant;
    bool result = isa<arith::AndIOp>(op) ? x && y : isa<arith::OrIOp>(op) ? x || y : x != y;
    return integerFact(0, 0, result);
  }
  int64_t ofRow = left.row - right.row, ofColumn = left.column - right.column;
  bool isDifference = ofRow == -ofColumn && std::abs(ofRow) <= 1;
  if (!isDifference || !reads(comparison, left, right))
    return {};
  Interval difference = differenceOn(side, ofRow, left.constant - right.constant);
  auto result = decide(comparison.getPredicate(), difference);
  return result ? integerFact(0, 0, *result) : ElementFact();
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

/// No operand or result of `op` is a NaN or an infinity.
static bool isFinite(Operation *op) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  auto flags = fast ? fast.getFastMathFlagsAttr().getValue() : arith::FastMathFlags::none;
  if (auto mul = dyn_cast<complex::MulOp>(op))
    flags = mul.getFastmath();
  auto both = arith::FastMathFlags::nnan | arith::FastMathFlags::ninf;
  return (flags & both) == both;
}

ElementFact MaskedElements::product(Operation *op, Frame *frame) {
  ElementFact left = scalar(op->getOperand(0), frame), right = scalar(op->getOperand(1), frame);
  // A product with (1, 0) mixes the components of infinite complex elements.
  bool keeps = !isa<complex::MulOp>(op) || isFinite(op);
  if (keeps && left.kind == ElementFact::One)
    return right;
  if (keeps && right.kind == ElementFact::One)
    return left;
  bool zeros = left.kind == ElementFact::Zero && right.kind == ElementFact::Zero;
  if (left.kind != ElementFact::Zero && right.kind != ElementFact::Zero)
    return {};
  return factOfKind(zeros || isFinite(op) ? ElementFact::Zero : ElementFact::TimesZero);
}

ElementFact MaskedElements::sum(Operation *op, Frame *frame) {
  ElementFact left = scalar(op->getOperand(0), frame), right = scalar(op->getOperand(1), frame);
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    if (left.kind != ElementFact::Integer || right.kind != ElementFact::Integer ||
        op->getResult(0).getType().isInteger(1))
      return {};
    int64_t sign = isa<arith::AddIOp>(op) ? 1 : -1;
    return integerFact(left.row + sign * right.row, left.column + sign * right.column,
                       left.constant + sign * right.constant);
  }
  if (left.kind == ElementFact::Zero)
    return right;
  return right.kind == ElementFact::Zero ? left : ElementFact();
}
