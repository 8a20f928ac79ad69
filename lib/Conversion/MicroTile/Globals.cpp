//===- Globals.cpp - Global memory: load and update -----------------------===//
//
// A thread's part of a tile is read, or scaled and written, run by run. What lies
// outside a zero edge reads element 0 and selects 0; what must not be written is
// stored under a condition. An atomic update is one atomic addition an element.
//
//===----------------------------------------------------------------------===//

#include "GlobalTile.h"
#include "Numbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include <map>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
struct GlobalLoadPattern : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.isGlobal())
      return failure();
    FailureOr<memref::ReinterpretCastOp> view = stridedView(op, op.getSource(), "source");
    if (failed(view))
      return failure();
    Location loc = op.getLoc();
    MatrixType type = op.getMatrix().getType();
    int64_t run = op.getVector();
    GlobalTile tile(rewriter, loc, *view, type.getMap(), op.getRow(), op.getColumn(),
                    op.getEdges().value_or(EdgesAttr()), run);
    Value zero;
    SmallVector<Value> registers;
    for (int64_t first = 0; first < type.getMap().getNumValues(); first += run) {
      GlobalTile::Place place = tile.at(first);
      FlatPlace flat{tile.getFlat(), place.index, tile.getParts()};
      for (Value element : loadRun(rewriter, loc, flat, run)) {
        if (place.condition) {
          if (!zero)
            zero =
                arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element.getType()));
          element = arith::SelectOp::create(rewriter, loc, place.condition, element, zero);
        }
        registers.push_back(element);
      }
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct UpdatePattern : OpConversionPattern<UpdateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(UpdateOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FailureOr<memref::ReinterpretCastOp> view = stridedView(op, op.getTarget(), "target");
    if (failed(view))
      return failure();
    Location loc = op.getLoc();
    Value beta = op.getBeta();
    auto constant = blas::getConstantValue(beta, 0);
    bool isConstant = beta && constant;
    if (isConstant && *constant == 0.0)
      beta = Value();
    if (!beta || isConstant) {
      writeTile(rewriter, op, *view, adaptor.getMatrix(), beta);
    } else {
      // beta = 0 at run time must not read C.
      Value reads = blas::createNonZeroTest(rewriter, loc, beta);
      auto branch = scf::IfOp::create(rewriter, loc, reads, /*withElse=*/true);
      for (auto [block, scale] :
           {std::pair(branch.thenBlock(), beta), std::pair(branch.elseBlock(), Value())}) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(block);
        writeTile(rewriter, op, *view, adaptor.getMatrix(), scale);
      }
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void writeTile(OpBuilder &builder, UpdateOp op, memref::ReinterpretCastOp view,
                        ValueRange registers, Value beta) {
    Location loc = op.getLoc();
    MapAttr map = op.getMatrix().getType().getMap();
    int64_t run = op.getVector(), parts = partsOf(op.getMatrix().getType().getElementType());
    GlobalTile tile(builder, loc, view, map, op.getRow(), op.getColumn(),
                    op.getEdges().value_or(EdgesAttr()), run);
    tile.startFrom(op.getFromRow(), op.getFromColumn());
    std::map<int64_t, SmallVector<int64_t>> rows; // first registers of the runs of each row
    for (int64_t first = 0; first < map.getNumValues(); first += run) {
      auto [row, column] = map.getValueOffset(first);
      rows[row].push_back(first);
      (void)tile.coordinate(1, column);
    }
    // One condition around a row, one around each run in it: addresses and
    // conditions of one row at a time keep the registers few.
    for (auto &[row, runs] : rows) {
      GlobalTile::Coordinate r = tile.coordinate(0, row);
      OpBuilder::InsertionGuard guard(builder);
      enter(builder, loc, r.condition);
      for (int64_t first : runs) {
        GlobalTile::Coordinate c = tile.coordinate(1, map.getValueOffset(first).second);
        OpBuilder::InsertionGuard guard(builder);
        enter(builder, loc, c.condition);
        FlatPlace place{tile.getFlat(), tile.index(r, c), parts};
        writeRun(builder, op, registers.slice(first * parts, run * parts), place, beta);
      }
    }
  }

  /// Moves the builder into `if (condition)`; a null condition is always true.
  static void enter(OpBuilder &builder, Location loc, Value condition) {
    if (!condition)
      return;
    auto branch = scf::IfOp::create(builder, loc, condition, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }

  /// alpha * sum + beta * C for one run, computed in the type of the sums and rounded once.
  static void writeRun(OpBuilder &builder, UpdateOp op, ValueRange sums, const FlatPlace &place,
                       Value beta) {
    Location loc = op.getLoc();
    Numbers numbers(builder, loc);
    Type real = realTypeOf(cast<MemRefType>(op.getTarget().getType()).getElementType());
    SmallVector<Value> old, results;
    if (beta)
      old = loadRun(builder, loc, place, sums.size() / place.parts);
    for (size_t first = 0; first < sums.size(); first += place.parts) {
      Parts result(sums.slice(first, place.parts));
      if (op.getAlpha())
        result = numbers.multiply(numbers.split(op.getAlpha()), result);
      if (beta) {
        Parts wide;
        for (Value part : ArrayRef(old).slice(first, place.parts))
          wide.push_back(numbers.convert(part, sums.front().getType()));
        result = numbers.multiplyAdd(numbers.split(beta), wide, result);
      }
      for (Value part : result)
        results.push_back(numbers.convert(part, real));
    }
    if (!op.getAtomic())
      return storeRun(builder, loc, results, place);
    IndexMath math(builder, loc);
    Value index = math.mul(place.index, place.parts);
    for (auto [position, result] : llvm::enumerate(results))
      memref::AtomicRMWOp::create(builder, loc, result.getType(), arith::AtomicRMWKind::addf,
                                  result, place.flat, math.add(index, position));
  }
};
} // namespace

void rooftile::populateGlobalPatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<GlobalLoadPattern, UpdatePattern>(types, patterns.getContext());
}
