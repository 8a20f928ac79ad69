//===- Compute.cpp - Registers: fill, mma, elementwise --------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
struct FillPattern : OpConversionPattern<FillOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(FillOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> registers(op.getMatrix().getType().getMap().getNumValues(),
                                 adaptor.getValue());
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
    if (op.getInstruction())
      return failure();
    MapAttr map = op.getC().getType().getMap();
    RegisterIndex a(op.getA().getType().getMap()), b(op.getB().getType().getMap());
    SmallVector<Value> sums(adaptor.getC().begin(), adaptor.getC().end());
    SmallVector<int64_t> order = snake(map);
    for (int64_t k = 0; k < op.getA().getType().getShape()[1]; ++k)
      for (int64_t index : order) {
        auto [row, column] = map.getValueOffset(index);
        auto left = a.find(row, k), right = b.find(k, column);
        if (!left || !right)
          return op.emitOpError(
              "a thread lacks the row or column of an element that it holds of c");
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

/// An elementwise operation on register matrices: the same operation on every
/// register. Scalar operands, such as the condition of a select, are shared.
struct ElementwisePattern : ConversionPattern {
  ElementwisePattern(const TypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1)
      return failure();
    auto type = dyn_cast<MatrixType>(op->getResult(0).getType());
    if (!type)
      return failure();
    SmallVector<Value> registers;
    for (int64_t index = 0; index < type.getMap().getNumValues(); ++index) {
      OperationState state(op->getLoc(), op->getName());
      for (auto [operand, values] : llvm::zip(op->getOperands(), operands))
        state.operands.push_back(isa<MatrixType>(operand.getType()) ? values[index] : values[0]);
      state.addTypes(type.getElementType());
      state.addAttributes(op->getAttrs());
      registers.push_back(rewriter.create(state)->getResult(0));
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};
} // namespace

void rooftile::populateComputePatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<FillPattern, MmaPattern, ElementwisePattern>(types, patterns.getContext());
}
