//===- Compute.cpp - Registers: fill, mma, elementwise --------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
struct FillPattern : OpConversionPattern<FillOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(FillOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> registers(op.getMatrix().getType().getMap().getNumValues(), adaptor.getValue());
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

/// Register of `map` that holds each (row, column) that the thread adds to its own.
struct RegisterIndex {
  explicit RegisterIndex(MapAttr map) {
    for (int64_t index = 0; index < map.getNumValues(); ++index)
      registers[map.getValueOffset(index)] = index;
  }
  std::optional<int64_t> find(int64_t row, int64_t column) const {
    auto place = registers.find({row, column});
    return place == registers.end() ? std::nullopt : std::optional(place->second);
  }
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> registers;
};

/// c(i, j) += sum over k of a(i, k) * b(k, j), in an order that keeps one factor
/// in place from one FMA to the next: rows in order, columns to and fro.
struct MmaPattern : OpConversionPattern<MmaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(MmaOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MapAttr map = op.getC().getType().getMap();
    RegisterIndex a(op.getA().getType().getMap()), b(op.getB().getType().getMap());
    SmallVector<Value> sums(adaptor.getC().begin(), adaptor.getC().end());
    SmallVector<int64_t> order = snake(map);
    for (int64_t k = 0; k < op.getA().getType().getShape()[1]; ++k)
      for (int64_t index : order) {
        auto [row, column] = map.getValueOffset(index);
        auto left = a.find(row, k), right = b.find(k, column);
        if (!left || !right)
          return op.emitOpError("a thread lacks the row or column of an element that it holds of c");
        sums[index] = math::FmaOp::create(rewriter, op.getLoc(), adaptor.getA()[*left],
                                          adaptor.getB()[*right], sums[index]);
      }
    rewriter.replaceOpWithMultiple(op, {sums});
    return success();
  }

  static SmallVector<int64_t> snake(MapAttr map) {
    std::map<int64_t, SmallVector<std::pair<int64_t, int64_t>>> rows;
    for (int64_t index = 0; index < map.getNumValues(); ++index) {
      auto [row, column] = map.getValueOffset(index);
      rows[row].push_back({column, index});
    }
    SmallVector<int64_t> order;
    bool back = false;
    for (auto &[row, columns] : rows) {
      llvm::sort(columns);
      if (back)
        std::reverse(columns.begin(), columns.end());
      for (auto [column, index] : columns)
        order.push_back(index);
      back = !back;
    }
    return order;
  }
};

/// arith.select on register matrices: the same select on every register.
struct SelectPattern : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa<MatrixType>(op.getType()) || adaptor.getCondition().size() != 1)
      return failure();
    SmallVector<Value> registers;
    for (auto [yes, no] : llvm::zip(adaptor.getTrueValue(), adaptor.getFalseValue()))
      registers.push_back(arith::SelectOp::create(rewriter, op.getLoc(), adaptor.getCondition()[0], yes, no));
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};
} // namespace

void rooftile::populateComputePatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<FillPattern, MmaPattern, SelectPattern>(types, patterns.getContext());
}
