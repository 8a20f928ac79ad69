//===- Globals.cpp - Global memory: load and update -----------------------===//
//
// A thread's part of a tile is read, or scaled and written, run by run. What lies
// outside a zero edge reads element 0 and selects 0; what must not be written is
// stored under a condition. An atomic update is one atomic addition an element.
//
//===----------------------------------------------------------------------===//

#include "GlobalTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
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
      for (Value element : loadRun(rewriter, loc, tile.getFlat(), place.index, run)) {
        if (place.condition) {
          if (!zero)
            zero = arith::ConstantOp::create(rewriter, loc,
                                             rewriter.getZeroAttr(type.getElementType()));
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
    FloatAttr constant;
    bool isConstant = beta && matchPattern(beta, m_Constant(&constant));
    if (isConstant && constant.getValue().isZero())
      beta = Value();
    if (!beta || isConstant) {
      writeTile(rewriter, op, *view, adaptor.getMatrix(), beta);
    } else {
      // beta = 0 at run time must not read C.
      Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(beta.getType()));
      Value reads = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::UNE, beta, zero);
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
    int64_t run = op.getVector();
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
        writeRun(builder, op, registers.slice(first, run), tile.getFlat(), tile.index(r, c), beta);
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

  /// alpha * sum + beta * C for one run.
  static void writeRun(OpBuilder &builder, UpdateOp op, ValueRange sums, Value flat, Value index,
                       Value beta) {
    Location loc = op.getLoc();
    SmallVector<Value> old, results;
    if (beta)
      old = loadRun(builder, loc, flat, index, sums.size());
    for (auto [position, sum] : llvm::enumerate(sums)) {
      Value result =
          op.getAlpha() ? arith::MulFOp::create(builder, loc, op.getAlpha(), sum).getResult() : sum;
      if (beta)
        result = math::FmaOp::create(builder, loc, beta, old[position], result);
      results.push_back(result);
    }
    if (!op.getAtomic())
      return storeRun(builder, loc, results, flat, index, sums.size());
    IndexMath math(builder, loc);
    for (auto [position, result] : llvm::enumerate(results))
      memref::AtomicRMWOp::create(builder, loc, result.getType(), arith::AtomicRMWKind::addf,
                                  result, flat, math.add(index, position));
  }
};
} // namespace

void rooftile::populateGlobalPatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<GlobalLoadPattern, UpdatePattern>(types, patterns.getContext());
}
