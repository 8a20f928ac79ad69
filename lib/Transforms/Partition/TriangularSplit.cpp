//===- TriangularSplit.cpp - Triangular operations as blocks --------------===//
//
// With blocks of order b on the diagonal of T = op(A), left side:
//
//   trsm, T lower:                        trmm, T lower:
//     for i = 0, b, 2b, ...                 for i = ..., 2b, b, 0
//       X[i] = T[i, i]^-1 B[i]                B[i+b:] += T[i+b:, i] B[i]
//       B[i+b:] -= T[i+b:, i] X[i]            B[i] = T[i, i] B[i]
//
// so that trmm needs no copy: no block is read after it is overwritten. T upper goes the other
// way; with A on the right columns take the place of rows. A block smaller than b, the last solved
// or first multiplied, has no rest: one operation beside the loop. alpha scales B on first use;
// where it is 0 at run time the products get alpha = 0 as well, so that nothing of A comes through.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Partition/TriangularSplit.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "rooftile/Transforms/Kernel/TriangularProgram.h"
#include "rooftile/Transforms/Partition/AlignmentTests.h"
#include "rooftile/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "triangular-split"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

namespace rooftile {
#define GEN_PASS_DEF_TRIANGULARSPLIT
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

namespace {
/// Emits the blocks of one operation.
class Blocks {
public:
  Blocks(OpBuilder &builder, TriangularOpInterface op)
      : builder(builder), loc(op.getLoc()), op(op), left(op.getSide() == Side::Left),
        solves(isa<TrsmOp>(op)), restBehind(op.isEffectivelyLower() == left),
        width(op.getPlanAttr().getDiagonal()) {}

  void emit();

private:
  /// A range of rows (A on the left) or columns of the output.
  struct Range {
    Value start; ///< Null: all.
    OpFoldResult size;
  };

  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value number(double value) {
    Type element = memrefType(op.getC()).getElementType();
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element, value));
  }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
  Value subtract(Value a, Value b) { return arith::SubIOp::create(builder, loc, a, b); }
  Value multiply(Value a, Value b) { return arith::MulIOp::create(builder, loc, a, b); }

  Value view(Value matrix, Range rows, Range columns);
  Value block(Value matrix, Range range);
  Value blockOfA(Range rows, Range columns);
  Range fullBlock(Value step);
  Range rest(Range block);
  void copyInput();
  void prepareScalars();
  void emitDiagonal(Range range, Value scale);
  void emitUpdate(Range range, Value scale);
  void emitRagged(Value scale);
  Value emitLoop();
  OpBuilder &builder;
  Location loc;
  TriangularOpInterface op;
  bool left, solves;
  bool restBehind; ///< What depends on a block lies at higher indices.
  int64_t width;
  Value order, full;              ///< Of A; number of blocks of order `width`.
  Value input;                    ///< What is multiplied, where it is not the output.
  Value scaleLater, scaleProduct; ///< Of the output after its first use; of products.
};
} // namespace

/// The two matrix dimensions of `matrix` cut, and all of its batch.
Value Blocks::view(Value matrix, Range rows, Range columns) {
  int64_t rank = memrefType(matrix).getRank();
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)),
      strides(rank, builder.getIndexAttr(1)), sizes = memref::getMixedSizes(builder, loc, matrix);
  for (auto [dim, range] : {std::pair(rank - 2, rows), std::pair(rank - 1, columns)}) {
    if (range.start)
      offsets[dim] = range.start, sizes[dim] = range.size;
  }
  return memref::SubViewOp::create(builder, loc, matrix, offsets, sizes, strides);
}

/// Rows (A on the left) or columns of B or C.
Value Blocks::block(Value matrix, Range range) {
  return left ? view(matrix, range, {}) : view(matrix, {}, range);
}

/// A block of op(A), as stored.
Value Blocks::blockOfA(Range rows, Range columns) {
  if (isTransposed(op.getOpA()))
    std::swap(rows, columns);
  return view(op.getA(), rows, columns);
}

/// The block of step 0, 1, ... of the loop.
Blocks::Range Blocks::fullBlock(Value step) {
  Value size = index(width), position = step;
  if (solves != restBehind)
    position = subtract(subtract(full, index(1)), step);
  Value start = multiply(position, size);
  // The ragged block lies where there is no rest: at the end, or at the beginning.
  if (!restBehind)
    start = add(subtract(order, multiply(full, size)), start);
  return {start, builder.getIndexAttr(width)};
}

/// All that depends on a full block.
Blocks::Range Blocks::rest(Range block) {
  if (!restBehind)
    return {index(0), block.start};
  Value start = add(block.start, index(width));
  return {start, subtract(order, start)};
}

/// Solving works in place: out of place B goes to C first.
void Blocks::copyInput() {
  if (!op.getB())
    return;
  if (!solves)
    input = op.getB();
  else if (memrefType(op.getB()).getLayout().isIdentity() &&
           memrefType(op.getC()).getLayout().isIdentity())
    memref::CopyOp::create(builder, loc, op.getB(), op.getC());
  else
    linalg::CopyOp::create(builder, loc, op.getB(), op.getC());
}

void Blocks::prepareScalars() {
  Value alpha = op.getAlpha();
  if (!solves || !alpha) {
    scaleLater = number(1);
    scaleProduct = solves ? number(-1) : alpha;
    return;
  }
  Value zero = number(0);
  Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, alpha, zero);
  scaleLater = arith::SelectOp::create(builder, loc, isZero, zero, number(1));
  scaleProduct = arith::SelectOp::create(builder, loc, isZero, zero, number(-1));
}

/// The operation itself on one block of the diagonal.
void Blocks::emitDiagonal(Range range, Value scale) {
  Value a = blockOfA(range, range), c = block(op.getC(), range);
  Value b = input ? block(input, range) : Value();
  auto plan = BlocksAttr::get(op->getContext(), 0, op.getPlanAttr().getWorkgroup());
  auto create = [&](auto type) {
    decltype(type)::create(builder, loc, TypeRange(), a, b, c, scale, op.getSide(), op.getUplo(),
                           op.getOpA(), op.getDiag(), plan);
  };
  solves ? create(TrsmOp()) : create(TrmmOp());
}

/// rest = scaleProduct * T[rest, block] * block + scale * rest, or with A on the right
/// scaleProduct * block * T[block, rest] + scale * rest.
void Blocks::emitUpdate(Range range, Value scale) {
  Range others = rest(range);
  Value a = left ? blockOfA(others, range) : blockOfA(range, others);
  Value b = block(input ? input : op.getC(), range), c = block(op.getC(), others);
  Transpose none = Transpose::None, enters = op.getOpA();
  auto product = GemmOp::create(builder, loc, TypeRange(), left ? a : b, left ? b : a, c,
                                scaleProduct, scale, left ? enters : none, left ? none : enters,
                                MathMode::Strict, /*anyOrder=*/false, TypeAttr(), PlanAttr());
  Role output = op.getB() ? Role::C : Role::B, ofB = input ? Role::B : output;
  Role names[] = {left ? Role::A : ofB, left ? ofB : Role::A, output};
  product->setAttr(BlasDialect::kOperandsName, operandNames(op->getContext(), names));
}

/// The smaller block.
void Blocks::emitRagged(Value scale) {
  int64_t known = op.getK();
  if (!ShapedType::isDynamic(known) && known % width == 0)
    return;
  Value covered = multiply(full, index(width));
  bool open = ShapedType::isDynamic(known);
  OpFoldResult size =
      open ? subtract(order, covered) : OpFoldResult(builder.getIndexAttr(known % width));
  emitDiagonal({restBehind ? covered : index(0), size}, scale);
}

/// The loop over full blocks. Returns the scale of the output behind it, if solving with alpha.
Value Blocks::emitLoop() {
  Value alpha = op.getAlpha();
  bool carries = solves && alpha;
  ValueRange carried = carries ? ValueRange(alpha) : ValueRange();
  auto loop = scf::ForOp::create(builder, loc, index(0), full, index(1), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Range range = fullBlock(loop.getInductionVar());
  Value scale = carries ? loop.getRegionIterArg(0) : Value();
  if (solves) {
    emitDiagonal(range, scale);
    emitUpdate(range, carries ? scale : scaleLater);
  } else {
    emitUpdate(range, scaleLater);
    emitDiagonal(range, alpha);
  }
  if (!carries)
    return {};
  scf::YieldOp::create(builder, loc, scaleLater);
  return loop.getResult(0);
}

void Blocks::emit() {
  copyInput();
  int64_t known = op.getK(), rank = memrefType(op.getA()).getRank();
  order = ShapedType::isDynamic(known)
              ? memref::DimOp::create(builder, loc, op.getA(), rank - 2).getResult()
              : index(known);
  full = arith::DivUIOp::create(builder, loc, order, index(width));
  prepareScalars();
  if (!solves)
    emitRagged(op.getAlpha());
  Value scale = emitLoop();
  if (solves)
    emitRagged(scale);
}

LogicalResult rooftile::splitTriangular(RewriterBase &rewriter, TriangularOpInterface op) {
  if (failed(checkTriangular(op, "triangular-split")))
    return failure();
  BlocksAttr plan = op.getPlanAttr();
  if (plan.getDiagonal() == 0)
    return success();
  if (int64_t order = op.getK(); !ShapedType::isDynamic(order) && order <= plan.getDiagonal()) {
    op.setPlanAttr(BlocksAttr::get(op->getContext(), 0, plan.getWorkgroup()));
    return success();
  }
  scf::ExecuteRegionOp parts = beginParts(rewriter, op);
  Blocks(rewriter, op).emit();
  endParts(rewriter, parts);
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct TriangularSplitPass : rooftile::impl::TriangularSplitBase<TriangularSplitPass> {
  void runOnOperation() override {
    SmallVector<TriangularOpInterface> ops;
    getOperation()->walk([&](TriangularOpInterface op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (TriangularOpInterface op : ops) {
      BlocksAttr plan = op.getPlanAttr();
      LDBG() << "blocks " << plan << " at " << op.getLoc();
      numSplit += plan && plan.getDiagonal() != 0;
      if (failed(splitTriangular(rewriter, op)))
        return signalPassFailure();
    }
  }
};
} // namespace
