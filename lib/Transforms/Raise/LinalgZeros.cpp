//===- LinalgZeros.cpp - Products that start from zeros -------------------===//
//
// Zeros have many spellings: linalg.fill, a linalg.generic or linalg.map that yields a
// constant, tensor.splat, a constant tensor; reshaped or not; on memrefs, a fill before.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Raise/LinalgZeros.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

static bool isZero(Value scalar) {
  if (auto complex = scalar.getDefiningOp<complex::ConstantOp>())
    return llvm::all_of(complex.getValue().getAsRange<FloatAttr>(),
                        [](FloatAttr part) { return part.getValue().isZero(); });
  return matchPattern(scalar, m_AnyZeroFloat());
}

static bool isZeroConstant(Value tensor) {
  DenseElementsAttr elements;
  if (!matchPattern(tensor, m_Constant(&elements)) || !elements.isSplat())
    return false;
  if (isa<ComplexType>(elements.getElementType())) {
    auto value = elements.getSplatValue<std::complex<APFloat>>();
    return value.real().isZero() && value.imag().isZero();
  }
  return isa<FloatType>(elements.getElementType()) && elements.getSplatValue<APFloat>().isZero();
}

/// Writes the same value everywhere: linalg.fill, or a linalg.generic or linalg.map whose body
/// only yields it. The value, or null.
static Value filledValue(Operation *op) {
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return fill.getInputs()[0];
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumDpsInits() != 1 ||
      linalgOp.getNumParallelLoops() != linalgOp.getNumLoops() ||
      !linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0)).isPermutation())
    return {};
  Value value = linalgOp.getBlock()->getTerminator()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != linalgOp.getBlock())
    return value;
  // linalg.generic hands scalar inputs to its body.
  Value operand = linalgOp.getMatchingOpOperand(argument)->get();
  return isa<ShapedType>(operand.getType()) ? Value() : operand;
}

/// The tensor or buffer whose elements `value` has, under another shape.
static Value sourceOfReshape(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
                         memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp>(op)
             ? op->getOperand(0)
             : Value();
}

static bool holdsZeros(Value tensor) {
  if (isZeroConstant(tensor))
    return true;
  if (Value source = sourceOfReshape(tensor))
    return holdsZeros(source);
  Operation *op = tensor.getDefiningOp();
  if (auto splat = dyn_cast_or_null<tensor::SplatOp>(op))
    return isZero(splat.getInput());
  Value value = op ? filledValue(op) : Value();
  return value && isZero(value);
}

/// The fill of zeros that makes the old content of the buffer `c` irrelevant to `op`, or null.
static Operation *zeroFillBefore(Operation *op, Value c) {
  while (Value source = sourceOfReshape(c))
    c = source;
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    Value value = before->getNumResults() == 0 ? filledValue(before) : Value();
    if (value && cast<linalg::LinalgOp>(before).getDpsInits()[0] == c)
      return isZero(value) ? before : nullptr;
    if (!isMemoryEffectFree(before))
      return nullptr;
  }
  return nullptr;
}

bool rooftile::startsFromZeros(linalg::LinalgOp op) { return holdsZeros(op.getDpsInits()[0]); }

Value rooftile::destinationOfZeros(RewriterBase &rewriter, linalg::LinalgOp op) {
  Value c = op.getDpsInits()[0];
  if (!op.hasPureTensorSemantics()) {
    Operation *fill = zeroFillBefore(op, c);
    if (!fill)
      return {};
    rewriter.eraseOp(fill);
    return c;
  }
  if (!holdsZeros(c))
    return {};
  // The fill is of the caller's own destination.
  if (Operation *fill = c.getDefiningOp(); fill && filledValue(fill))
    return cast<linalg::LinalgOp>(fill).getDpsInits()[0];
  Location loc = op.getLoc();
  return tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, c),
                                 getElementTypeOrSelf(c));
}
