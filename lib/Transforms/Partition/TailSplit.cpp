//===- TailSplit.cpp - Edges as operations of their own -------------------===//
//
// AutoGEMM's and clBLAS' top-level tails: whole tiles run without any guard, and
// what is left of C is computed by small kernels with tiles of their own.
//
//        whole N   rest
//      +----------+-----+
//      |   main   |right|   whole M = M - M mod macro M
//      |          |     |   whole N = N - N mod macro N
//      +----------+-----+
//      |     bottom     |   the corner joins the bottom
//      +----------------+
//
// The parts of C are disjoint: the launches depend on each other in nothing. A part
// that is known to be empty is left out; one that turns out to be empty launches nothing.
// The parts stay in one region, which is launched as a whole.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Partition/TailSplit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "rooftile/Dialect/Blas/Product.h"
#include "rooftile/Transforms/Kernel/AlignmentTests.h"
#include "rooftile/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tail-split"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

namespace rooftile {
#define GEN_PASS_DEF_TAILSPLIT
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

namespace {
/// Rows or columns first .. first + size of the product; the whole dimension when `whole`.
struct Part {
  OpFoldResult first, size;
  bool whole = false;
  ExtentAttr facts;  // of a dynamic size
  bool last = false; // up to the end: with the padding, where there is some
};

/// One dimension of C: what whole tiles cover, what is left, and both.
struct Cut {
  Part tiles, rest, all;
};

class Splitter {
public:
  Splitter(OpBuilder &builder, ProductOpInterface op)
      : builder(builder), loc(op.getLoc()), op(op) {}

  void split();

private:
  Cut cut(int dim);
  OpFoldResult subtract(OpFoldResult size, OpFoldResult first);
  Value view(Value matrix, bool transposed, const Part *rows, const Part *columns);
  Value viewExtra(size_t index, const Part &rows, const Part &columns);
  void create(const Part &rows, const Part &columns, bool isMain);
  GivenAttr factsOf(const Part &rows, const Part &columns);

  OpBuilder &builder;
  Location loc;
  ProductOpInterface op;
};
} // namespace

static bool isEmpty(const Part &range) { return getConstantIntValue(range.size) == 0; }

/// M (`dim` 0) or N at the last multiple of the macro tile.
Cut Splitter::cut(int dim) {
  MLIRContext *context = op.getContext();
  int64_t tile = op.getPlanAttr()->macro()[dim], known = dim == 0 ? op.getM() : op.getN();
  int64_t stored = cast<MemRefType>(op.getMatrixC().getType()).getRank() - 2 + dim;
  OpFoldResult zero = builder.getIndexAttr(0);
  if (!ShapedType::isDynamic(known)) {
    int64_t whole = known / tile * tile;
    OpFoldResult size = builder.getIndexAttr(known), tiles = builder.getIndexAttr(whole);
    return {{zero, tiles, whole == known, {}},
            {tiles, builder.getIndexAttr(known - whole), whole == 0, {}, /*last=*/true},
            {zero, size, true, {}}};
  }
  GivenAttr given = op.getGivenAttr();
  ExtentAttr before = given ? given.getExtent(dim) : ExtentAttr();
  Value size = memref::DimOp::create(builder, loc, op.getMatrixC(), stored);
  Value width = arith::ConstantIndexOp::create(builder, loc, tile);
  Value rest = arith::RemUIOp::create(builder, loc, size, width);
  Value tiles = arith::SubIOp::create(builder, loc, size, rest);
  return {{zero, tiles, false, ExtentAttr::get(context, 0, 0, tile)},
          {tiles, rest, false, tile == 1 ? ExtentAttr() : ExtentAttr::get(context, 0, tile - 1, 1),
           /*last=*/true},
          {zero, size, true, before}};
}

OpFoldResult Splitter::subtract(OpFoldResult size, OpFoldResult first) {
  Value left = getValueOrCreateConstantIndexOp(builder, loc, size);
  Value right = getValueOrCreateConstantIndexOp(builder, loc, first);
  return getAsOpFoldResult(builder.createOrFold<arith::SubIOp>(loc, left, right));
}

/// Rows and columns of op(X), as a view of X as stored; a null range is the whole dimension.
Value Splitter::view(Value matrix, bool transposed, const Part *rows, const Part *columns) {
  if ((!rows || rows->whole) && (!columns || columns->whole))
    return matrix;
  int64_t rank = cast<MemRefType>(matrix.getType()).getRank();
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)),
      strides(rank, builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, matrix);
  if (transposed)
    std::swap(rows, columns);
  for (auto [range, dim] : {std::pair(rows, rank - 2), std::pair(columns, rank - 1)})
    if (range) {
      offsets[dim] = range->first;
      bool padded = range->last && op.getPadded();
      sizes[dim] = padded ? subtract(sizes[dim], range->first) : range->size;
    }
  return memref::SubViewOp::create(builder, loc, matrix, offsets, sizes, strides);
}

/// The part of an extra operand of the epilogue that belongs to these rows and columns of C.
Value Splitter::viewExtra(size_t index, const Part &rows, const Part &columns) {
  Value extra = op.getExtras()[index];
  int64_t rank = cast<MemRefType>(op.getMatrixC().getType()).getRank();
  SmallVector<OpFoldResult> offsets, sizes, strides;
  bool whole = true;
  for (auto [own, dim] : llvm::enumerate(op.getDimsOf(index))) {
    const Part *part = dim == rank - 2 ? &rows : dim == rank - 1 ? &columns : nullptr;
    bool cut = part && !part->whole;
    offsets.push_back(cut ? part->first : builder.getIndexAttr(0));
    sizes.push_back(cut ? part->size : memref::getMixedSize(builder, loc, extra, own));
    strides.push_back(builder.getIndexAttr(1));
    whole &= !cut;
  }
  if (whole)
    return extra;
  return memref::SubViewOp::create(builder, loc, extra, offsets, sizes, strides);
}

/// Alignment of a view that begins and ends at multiples of `tile`, or at the end of the matrix.
static int64_t aligned(int64_t vector, int64_t tile) {
  while (tile % vector != 0)
    vector /= 2;
  return vector;
}

/// Facts of a part. A cut moves offsets and sizes by multiples of the macro tile.
GivenAttr Splitter::factsOf(const Part &rows, const Part &columns) {
  std::array<int64_t, 3> macro = op.getPlanAttr()->macro();
  GivenAttr given = op.getGivenAttr();
  int64_t a = given ? aligned(given.getA(), macro[0]) : 1,
          b = given ? aligned(given.getB(), macro[1]) : 1,
          c = given ? aligned(aligned(given.getC(), macro[0]), macro[1]) : 1;
  ExtentAttr k = given ? given.getK() : ExtentAttr();
  SmallVector<Order> orders(3, Order::Any);
  for (int operand = 0; given && operand < 3; ++operand)
    orders[operand] = given.getOrder(operand);
  bool anyOrder = llvm::all_of(orders, [](Order order) { return order == Order::Any; });
  if (!rows.facts && !columns.facts && !k && a == 1 && b == 1 && c == 1 && anyOrder)
    return {};
  return GivenAttr::get(op.getContext(), rows.facts, columns.facts, k, {a, b, c}, orders);
}

void Splitter::create(const Part &rows, const Part &columns, bool isMain) {
  if (isEmpty(rows) || isEmpty(columns))
    return;
  Value a = view(op.getMatrixA(), isTransposed(op.getTransposeA()), &rows, nullptr);
  Value b = view(op.getMatrixB(), isTransposed(op.getTransposeB()), nullptr, &columns);
  Value c = view(op.getMatrixC(), false, &rows, &columns);
  ProductFields fields(op);
  fields.a = a, fields.b = b, fields.c = c;
  for (size_t index = 0; index < op.getExtras().size(); ++index)
    fields.epilogue.extras[index] = viewExtra(index, rows, columns);
  fields.given = factsOf(rows, columns);
  // A diagonal that begins elsewhere is none that a product has.
  if (getConstantIntValue(rows.first) != 0)
    fields.structureA = Structure::General;
  if (getConstantIntValue(columns.first) != 0)
    fields.structureB = Structure::General;
  fields.plan = isMain ? PlanAttr::get(op.getContext(), op.getPlanAttr()->withTail(Tail::Overlap))
                       : PlanAttr();
  ProductOpInterface part = op.createLike(builder, fields);
  if (!isMain && c != op.getMatrixC())
    part->setAttr(BlasDialect::kEdgeOfName, TypeAttr::get(op.getMatrixC().getType()));
}

void Splitter::split() {
  Cut m = cut(0), n = cut(1);
  scf::ExecuteRegionOp parts = beginParts(builder, op);
  create(m.tiles, n.tiles, /*isMain=*/true);
  create(m.tiles, n.rest, /*isMain=*/false);
  create(m.rest, n.all, /*isMain=*/false);
  endParts(builder, parts);
}

LogicalResult rooftile::splitTails(RewriterBase &rewriter, ProductOpInterface op) {
  PlanAttr plan = op.getPlanAttr();
  if (!plan || plan->tail != Tail::Split)
    return success();
  if (op.hasTensorSemantics())
    return op.emitOpError("tail-split works on memrefs: bufferize first");
  if (op.getK() == 0 || op.getBatch() == 0) { // no tile, and views of nothing are not legal
    op.setPlanAttr(PlanAttr::get(op.getContext(), plan->withTail(Tail::Overlap)));
    return success();
  }
  rewriter.setInsertionPoint(op);
  Splitter(rewriter, op).split();
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct TailSplitPass : rooftile::impl::TailSplitBase<TailSplitPass> {
  void runOnOperation() override {
    SmallVector<ProductOpInterface> ops;
    getOperation()->walk([&](ProductOpInterface op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (ProductOpInterface op : ops) {
      if (op.getPlanAttr() && op.getPlanAttr()->tail == Tail::Split) {
        LDBG() << "plan " << op.getPlanAttr() << " at " << op.getLoc();
        ++numSplit;
      }
      if (failed(splitTails(rewriter, op)))
        return signalPassFailure();
    }
  }
};
} // namespace
