//===- Update.cpp - C = f(alpha * sum + beta * C) in global memory --------===//
//
// A thread's part of the tile is scaled and written run by run; what must not be
// written is stored under a condition. The function of an epilogue is written out
// for each element, in the type of the sums; its extra operands are read where the
// element is, but no element twice that rows or columns share. An atomic update is
// one atomic addition an element. Of the threads that hold the same elements the first writes them.
//
//===----------------------------------------------------------------------===//

#include "ExtraElements.h"
#include "GlobalTile.h"
#include "Numbers.h"
#include "ScalarFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include <map>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
/// What one update writes, and with which scalar it reads C before that.
class Writer {
public:
  Writer(OpBuilder &builder, UpdateOp op, memref::ReinterpretCastOp view,
         ArrayRef<ExtraOperand> extras, Value beta)
      : builder(builder), loc(op.getLoc()), op(op), map(op.getMatrix().getType().getMap()),
        run(op.getVector()), parts(partsOf(op.getMatrix().getType().getElementType())), beta(beta),
        tile(builder, loc, view, map, op.getRow(), op.getColumn(),
             op.getEdges().value_or(EdgesAttr()), run),
        extras(builder, op, extras) {}

  void write(ValueRange registers);

private:
  void enter(Value condition);
  void writeRun(ValueRange sums, int64_t first, const FlatPlace &place);
  Parts finish(Parts sum, ArrayRef<Value> old, ArrayRef<Parts> extraElements);

  OpBuilder &builder;
  Location loc;
  UpdateOp op;
  MapAttr map;
  int64_t run, parts;
  Value beta;
  GlobalTile tile;
  ExtraElements extras;
};
} // namespace

/// Moves the builder into `if (condition)`; a null condition is always true.
void Writer::enter(Value condition) {
  if (!condition)
    return;
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElse=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
}

void Writer::write(ValueRange registers) {
  OpBuilder::InsertionGuard all(builder);
  enter(IndexMath(builder, loc).isFirstHolder(map));
  tile.startFrom(op.getFromRow(), op.getFromColumn());
  std::map<int64_t, SmallVector<int64_t>> rows; // first registers of the runs of each row
  for (int64_t first = 0; first < map.getNumValues(); first += run) {
    auto [row, column] = map.getValueOffset(first);
    if (tile.isBeyond(0, row) || tile.isBeyond(1, column))
      continue;
    rows[row].push_back(first);
    (void)tile.coordinate(1, column);
  }
  extras.beginTile();
  // One condition around a row, one around each run in it: addresses and
  // conditions of one row at a time keep the registers few.
  for (auto &[row, runs] : rows) {
    GlobalTile::Coordinate r = tile.coordinate(0, row);
    extras.placeRow(runs);
    OpBuilder::InsertionGuard guard(builder);
    enter(r.condition);
    extras.beginRow(runs.front());
    for (int64_t first : runs) {
      GlobalTile::Coordinate c = tile.coordinate(1, map.getValueOffset(first).second);
      OpBuilder::InsertionGuard guard(builder);
      enter(c.condition);
      FlatPlace place{tile.getFlat(), tile.index(r, c), parts};
      writeRun(registers.slice(first * parts, run * parts), first, place);
    }
  }
}

/// f(alpha * sum + beta * C) for one element, computed in the type of the sums and rounded once.
Parts Writer::finish(Parts result, ArrayRef<Value> old, ArrayRef<Parts> extraElements) {
  Numbers numbers(builder, loc);
  Type sumType = result.front().getType();
  if (op.getAlpha())
    result = numbers.multiply(numbers.split(op.getAlpha()), result);
  if (beta) {
    Parts wide;
    for (Value part : old)
      wide.push_back(numbers.convert(part, sumType));
    result = numbers.multiplyAdd(numbers.split(beta), wide, result);
  }
  if (!op.getEpilogue().empty()) {
    SmallVector<Parts> arguments{result};
    llvm::append_range(arguments, extraElements);
    result = applyFunction(builder, loc, op.getEpilogue().front().front(), arguments);
  }
  Type real = realTypeOf(cast<MemRefType>(op.getTarget().getType()).getElementType());
  for (Value &part : result)
    part = numbers.convert(part, real);
  return result;
}

void Writer::writeRun(ValueRange sums, int64_t first, const FlatPlace &place) {
  SmallVector<Value> old, results;
  if (beta)
    old = loadRun(builder, loc, place, run);
  SmallVector<SmallVector<Parts>> elements = extras.elementsOf(first);
  for (int64_t index = 0; index < run; ++index) {
    ArrayRef<Value> before;
    if (beta)
      before = ArrayRef(old).slice(index * parts, parts);
    llvm::append_range(results,
                       finish(Parts(sums.slice(index * parts, parts)), before, elements[index]));
  }
  if (!op.getAtomic())
    return storeRun(builder, loc, results, place);
  IndexMath math(builder, loc);
  Value index = math.mul(place.index, place.parts);
  for (auto [position, result] : llvm::enumerate(results))
    memref::AtomicRMWOp::create(builder, loc, result.getType(), arith::AtomicRMWKind::addf, result,
                                place.flat, math.add(index, position));
}

namespace {
struct UpdatePattern : OpConversionPattern<UpdateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(UpdateOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FailureOr<memref::ReinterpretCastOp> view = stridedView(op, op.getTarget(), "target");
    FailureOr<SmallVector<ExtraOperand>> extras = viewExtras(op);
    if (failed(view) || failed(extras))
      return failure();
    Value beta = op.getBeta();
    auto constant = blas::getConstantValue(beta, 0);
    bool isConstant = beta && constant;
    if (isConstant && *constant == 0.0)
      beta = Value();
    if (!beta || isConstant) {
      Writer(rewriter, op, *view, *extras, beta).write(adaptor.getMatrix());
    } else {
      // beta = 0 at run time must not read C.
      Value reads = blas::createNonZeroTest(rewriter, op.getLoc(), beta);
      auto branch = scf::IfOp::create(rewriter, op.getLoc(), reads, /*withElse=*/true);
      for (auto [block, scale] :
           {std::pair(branch.thenBlock(), beta), std::pair(branch.elseBlock(), Value())}) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(block);
        Writer(rewriter, op, *view, *extras, scale).write(adaptor.getMatrix());
      }
    }
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void rooftile::populateUpdatePatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<UpdatePattern>(types, patterns.getContext());
}
