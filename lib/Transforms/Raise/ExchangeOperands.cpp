//===- ExchangeOperands.cpp - Products whose C is row-major ---------------===//
//
// C^T = op(B)^T op(A)^T, and the transpose of a stored matrix is the same memory with the strides
// the other way round. Kernels write a row-major C best: plans, and what was measured of them, are
// for it. A column-major C, which callers of BLAS have, becomes row-major by views alone:
//
//   C: [1, ?]   views of A, B and C are exchanged.
//   C: [?, ?]   the host compares the strides of C when it runs, and selects the offsets, sizes and
//   strides of one
//               or the other three views: the kernels are the same, none is added. It needs
//               operands of which no stride is known, since those of both ways meet in one
//               type. Transposes go into the views, so that the operation is one.
//
// Operations that were planned by hand stay as they are.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Raise/ExchangeOperands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Dialect/Blas/Product.h"
#include "rooftile/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "exchange-operands"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

namespace rooftile {
#define GEN_PASS_DEF_EXCHANGEOPERANDS
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

static MemRefType typeOf(Value matrix) { return cast<MemRefType>(matrix.getType()); }

/// The strides of the last two dimensions are not known.
static bool hasDynamicStrides(Value matrix) {
  SmallVector<int64_t> strides = typeOf(matrix).getStridesAndOffset().first;
  return llvm::all_of(ArrayRef(strides).take_back(2), ShapedType::isDynamic);
}

static bool isColumnMajor(Value matrix) {
  MemRefType type = typeOf(matrix);
  int64_t rank = type.getRank();
  return hasUnitStride(type, rank - 2) && !hasUnitStride(type, rank - 1) &&
         type.getDimSize(rank - 1) != 1;
}

/// Reasons against both ways.
static std::string whyNot(GemmOp op) {
  if (op.getPlan() || op.getPlans() || op.getGiven())
    return "it has a plan, or facts for one";
  if (op.getPartial() || op.getPadded() || op.getWorkspace())
    return "it is a part of a product";
  for (Value matrix : {op.getA(), op.getB(), op.getC()}) {
    auto type = dyn_cast<MemRefType>(matrix.getType());
    if (!type)
      return "it works on tensors";
    if (getPointers(type) || !type.isStrided())
      return "a matrix has no strides";
  }
  return "";
}

/// Reasons against a choice at run time, which needs one type for either way.
static std::string whyNotChosen(GemmOp op) {
  MemRefType a = typeOf(op.getA()), b = typeOf(op.getB());
  if (!hasDynamicStrides(op.getA()) || !hasDynamicStrides(op.getB()))
    return "strides of C are dynamic, but a stride of A or B is known";
  if (op.getM() != op.getN())
    return "strides of C are dynamic, but M or N is known";
  if (a.getRank() != b.getRank() || a.getElementType() != b.getElementType() ||
      a.getMemorySpace() != b.getMemorySpace())
    return "strides of C are dynamic, but A and B are not of one kind";
  if (isConjugated(op.getOpA()) != isConjugated(op.getOpB()))
    return "strides of C are dynamic, but one of A and B is conjugated";
  if (!op.getExtras().empty())
    return "strides of C are dynamic, but the epilogue has operands";
  if (op.getTriangle())
    return "strides of C are dynamic, but a triangle of it is computed";
  if (op.getMasked())
    return "strides of C are dynamic, but an operand is masked";
  return "";
}

std::string rooftile::whyNotExchanged(GemmOp op) {
  if (std::string why = whyNot(op); !why.empty())
    return why;
  if (hasDynamicStrides(op.getC()))
    return whyNotChosen(op);
  return isColumnMajor(op.getC()) ? "" : "C is row-major";
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

namespace {
/// The address, sizes and strides of a memref, of which a view is made.
struct Numbers {
  Value base;
  OpFoldResult offset;
  SmallVector<OpFoldResult> sizes, strides;

  Numbers(OpBuilder &builder, Location loc, Value matrix) {
    auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, matrix);
    base = metadata.getBaseBuffer();
    offset = metadata.getConstifiedMixedOffset();
    sizes = metadata.getConstifiedMixedSizes();
    strides = metadata.getConstifiedMixedStrides();
  }

  void transpose() {
    for (auto *list : {&sizes, &strides})
      std::swap((*list)[list->size() - 2], list->back());
  }

  Value view(OpBuilder &builder, Location loc, MemRefType like) const {
    SmallVector<int64_t> shape, steps;
    SmallVector<Value> dynamic;
    int64_t start;
    dispatchIndexOpFoldResults(sizes, dynamic, shape);
    dispatchIndexOpFoldResults(strides, dynamic, steps);
    SmallVector<int64_t> starts;
    dispatchIndexOpFoldResults(offset, dynamic, starts);
    start = starts[0];
    auto layout = StridedLayoutAttr::get(builder.getContext(), start, steps);
    auto type = MemRefType::get(shape, like.getElementType(), layout, like.getMemorySpace());
    return memref::ReinterpretCastOp::create(builder, loc, type, base, offset, sizes, strides);
  }
};

/// Three matrices, as addresses, sizes and strides.
struct Matrices {
  Numbers a, b, c;

  /// C^T = B^T A^T.
  void exchange() {
    for (Numbers *matrix : {&a, &b, &c})
      matrix->transpose();
    std::swap(a, b);
  }
};
} // namespace

static OpFoldResult choose(OpBuilder &builder, Location loc, Value condition, OpFoldResult yes,
                           OpFoldResult no) {
  if (yes == no)
    return yes;
  Value left = getValueOrCreateConstantIndexOp(builder, loc, yes),
        right = getValueOrCreateConstantIndexOp(builder, loc, no);
  return arith::SelectOp::create(builder, loc, condition, left, right).getResult();
}

static void choose(OpBuilder &builder, Location loc, Value condition, const Numbers &yes,
                   Numbers &no) {
  if (yes.base != no.base)
    no.base = arith::SelectOp::create(builder, loc, condition, yes.base, no.base);
  no.offset = choose(builder, loc, condition, yes.offset, no.offset);
  for (auto [left, right] : llvm::zip(yes.sizes, no.sizes))
    right = choose(builder, loc, condition, left, right);
  for (auto [left, right] : llvm::zip(yes.strides, no.strides))
    right = choose(builder, loc, condition, left, right);
}

/// Whether C is column-major at run time. One that is both ways stays.
static Value testOrder(OpBuilder &builder, Location loc, const Numbers &c) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  size_t rank = c.strides.size();
  auto compare = [&](arith::CmpIPredicate predicate, size_t dim) -> Value {
    Value stride = getValueOrCreateConstantIndexOp(builder, loc, c.strides[dim]);
    return arith::CmpIOp::create(builder, loc, predicate, stride, one);
  };
  Value rows = compare(arith::CmpIPredicate::eq, rank - 2),
        columns = compare(arith::CmpIPredicate::ne, rank - 1);
  return arith::AndIOp::create(builder, loc, rows, columns);
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

/// After the definition of the matrix that is defined last: outside of loops where they are, and
/// before what tools put before the operation.
static void setInsertionPoint(OpBuilder &builder, GemmOp op, DominanceInfo &dominance) {
  Value last = op.getA();
  for (Value matrix : {op.getB(), op.getC()})
    if (Operation *definition = matrix.getDefiningOp();
        (definition && dominance.properlyDominates(last, definition)) ||
        (!definition && !last.getDefiningOp() &&
         last.getParentRegion()->isAncestor(matrix.getParentRegion())))
      last = matrix;
  builder.setInsertionPointAfterValue(last);
}

/// Dimensions of C that extra operands have, with the last two exchanged.
static ArrayAttr exchangedDims(ArrayAttr dims, int64_t rank) {
  if (!dims)
    return dims;
  SmallVector<Attribute> lists;
  for (Attribute each : dims) {
    SmallVector<int64_t> list(cast<DenseI64ArrayAttr>(each).asArrayRef());
    for (int64_t &dim : list)
      dim = dim < rank - 2 ? dim : 2 * rank - 3 - dim;
    lists.push_back(DenseI64ArrayAttr::get(dims.getContext(), list));
  }
  return ArrayAttr::get(dims.getContext(), lists);
}

/// The triangle of the transposed matrix with the same elements.
static UploAttr exchanged(UploAttr triangle) {
  if (!triangle)
    return triangle;
  bool isLower = triangle.getValue() == Uplo::Lower;
  return UploAttr::get(triangle.getContext(), isLower ? Uplo::Upper : Uplo::Lower);
}

/// Messages name the operands that the user has given.
static void exchangeNames(Operation *op) {
  SmallVector<Attribute> names(
      operandNames(op->getContext(), {Role::A, Role::B, Role::C}).getValue());
  if (auto old = op->getAttrOfType<ArrayAttr>(BlasDialect::kOperandsName))
    names.assign(old.begin(), old.end());
  std::swap(names[0], names[1]);
  op->setAttr(BlasDialect::kOperandsName, ArrayAttr::get(op->getContext(), names));
}

void rooftile::exchangeOperands(IRRewriter &rewriter, GemmOp op, DominanceInfo &dominance) {
  Location loc = op.getLoc();
  ProductFields fields(op);
  setInsertionPoint(rewriter, op, dominance);
  MemRefType a = typeOf(op.getA()), b = typeOf(op.getB()), c = typeOf(op.getC());
  Matrices matrices{
      {rewriter, loc, op.getA()}, {rewriter, loc, op.getB()}, {rewriter, loc, op.getC()}};
  bool isChosen = hasDynamicStrides(op.getC());
  bool isOne = op.getA() == op.getB() && !isChosen; // of the same view from both sides
  if (isChosen) {
    if (isTransposed(op.getOpA()))
      matrices.a.transpose();
    if (isTransposed(op.getOpB()))
      matrices.b.transpose();
    bool isConj = isConjugated(op.getOpA());
    fields.transposeA = fields.transposeB = isConj ? Transpose::Conj : Transpose::None;
    fields.structureA = fields.structureB = Structure::General; // it depends on the order
    Matrices exchanged = matrices;
    exchanged.exchange();
    Value condition = testOrder(rewriter, loc, matrices.c);
    choose(rewriter, loc, condition, exchanged.a, matrices.a);
    choose(rewriter, loc, condition, exchanged.b, matrices.b);
    choose(rewriter, loc, condition, exchanged.c, matrices.c);
  } else {
    matrices.exchange();
    std::swap(a, b);
    std::swap(fields.transposeA, fields.transposeB);
    Structure ofA = fields.structureA;
    fields.structureA = transposed(fields.structureB), fields.structureB = transposed(ofA);
    fields.triangle = exchanged(fields.triangle);
    fields.epilogue.dims = exchangedDims(fields.epilogue.dims, c.getRank());
  }
  fields.a = matrices.a.view(rewriter, loc, a);
  fields.b = isOne ? fields.a : matrices.b.view(rewriter, loc, b);
  fields.c = matrices.c.view(rewriter, loc, c);
  rewriter.setInsertionPoint(op);
  auto product = cast<ProductOpInterface>(op.getOperation()).createLike(rewriter, fields);
  if (!isChosen)
    exchangeNames(product);
  rewriter.replaceOp(op, product);
}

namespace {
struct ExchangeOperandsPass : rooftile::impl::ExchangeOperandsBase<ExchangeOperandsPass> {
  void runOnOperation() override {
    SmallVector<GemmOp> ops;
    getOperation()->walk([&](GemmOp op) {
      std::string why = whyNotExchanged(op);
      LDBG() << "product at " << op.getLoc() << (why.empty() ? "" : " stays: ") << why;
      if (why.empty())
        ops.push_back(op);
    });
    DominanceInfo &dominance = getAnalysis<DominanceInfo>();
    IRRewriter rewriter(&getContext());
    for (GemmOp op : ops) {
      exchangeOperands(rewriter, op, dominance);
      ++numExchanged;
    }
  }
};
} // namespace
