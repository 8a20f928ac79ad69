//===- Compute.cpp - Registers: fill, mma, elementwise --------------------===//

#include "Numbers.h"
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
    Parts parts = Numbers(rewriter, op.getLoc()).split(adaptor.getValue());
    SmallVector<Value> registers;
    for (int64_t index = 0; index < op.getMatrix().getType().getMap().getNumValues(); ++index)
      llvm::append_range(registers, parts);
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
  /// The K, relative to the thread's own, of a fragment of a.
  std::set<int64_t> depths() const {
    std::set<int64_t> depths;
    for (auto &[place, index] : registers)
      depths.insert(place.second);
    return depths;
  }
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> registers;
};

/// c(i, j) += sum over k of a(i, k) * b(k, j), in an order that keeps one factor in place from one
/// FMA to the next: the longer side in order, along the shorter one to and fro (f32, 8x16 on an
/// H200: so ptxas leaves 85 % of the sums in their registers, the other way round 74 %). Complex
/// elements take one such pass for each part of a, so that the sums of one are far apart, along
/// the columns unless these are many more (A B of 40 to 56 columns, 4x5 and 4x7: 2 to 5 % less):
///
///   c.re += a.re b.re, c.im += a.re b.im;   c.re -= a.im b.im, c.im += a.im b.re
struct MmaPattern : OpConversionPattern<MmaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(MmaOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getInstruction())
      return failure();
    MapAttr map = op.getC().getType().getMap();
    RegisterIndex a(op.getA().getType().getMap()), b(op.getB().getType().getMap());
    Type typeA = op.getA().getType().getElementType(), typeB = op.getB().getType().getElementType();
    Type sum = op.getC().getType().getElementType(), real = realTypeOf(sum);
    Product product{op, Factors(rewriter, op.getLoc(), typeA, real, adaptor.getA()),
                    Factors(rewriter, op.getLoc(), typeB, real, adaptor.getB()), partsOf(sum),
                    SmallVector<Value>(adaptor.getC())};
    SmallVector<int64_t> order = snake(map, /*wide=*/partsOf(typeA) * partsOf(typeA));
    MatrixType shapeA = op.getA().getType(), shapeC = op.getC().getType();
    int64_t groups = shapeC.getShape()[0] / shapeA.getShape()[0];
    if (int64_t(a.depths().size()) * groups != shapeA.getShape()[1])
      return op.emitOpError("a thread lacks a part of K that no other one multiplies");
    for (int64_t k : a.depths())
      for (int64_t part = 0; part < partsOf(typeA); ++part)
        for (int64_t index : order) {
          auto [row, column] = map.getValueOffset(index);
          auto left = a.find(row, k), right = b.find(k, column);
          if (!left || !right)
            return op.emitOpError(
                "a thread lacks the row or column of an element that it holds of c");
          product.add(rewriter, *left, part, *right, index);
        }
    rewriter.replaceOpWithMultiple(op, {product.sums});
    return success();
  }

  /// The factors of one operation and the parts of its sums.
  struct Product {
    MmaOp op;
    Factors a, b;
    int64_t parts;
    SmallVector<Value> sums;

    /// Adds part `part` of register `left` of a times all of register `right` of b to `index`.
    void add(OpBuilder &builder, int64_t left, int64_t part, int64_t right, int64_t index) {
      for (int64_t other = 0; other < b.getParts(); ++other) {
        bool negative = isSubtracted({part, op.getConjugateA()}, {other, op.getConjugateB()});
        Value &sum = sums[index * parts + (part ^ other)];
        sum = math::FmaOp::create(builder, op.getLoc(), a.get(left, part, negative),
                                  b.get(right, other, false), sum);
      }
    }
  };

  /// Lines of the micro tile to and fro: rows, or columns where these are over `wide` times as
  /// many.
  static SmallVector<int64_t> snake(MapAttr map, int64_t wide) {
    using Lines = std::map<int64_t, SmallVector<std::pair<int64_t, int64_t>>>;
    Lines rows, columns;
    for (int64_t index = 0; index < map.getNumValues(); ++index) {
      auto [row, column] = map.getValueOffset(index);
      rows[row].push_back({column, index});
      columns[column].push_back({row, index});
    }
    SmallVector<int64_t> order;
    bool back = false;
    for (auto &[place, line] : columns.size() > wide * rows.size() ? columns : rows) {
      llvm::sort(line);
      if (back)
        std::reverse(line.begin(), line.end());
      for (auto [across, index] : line)
        order.push_back(index);
      back = !back;
    }
    return order;
  }
};

/// Registers of re and im in turn.
struct PartsPattern : OpConversionPattern<PartsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(PartsOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<SmallVector<Value>> parts(2);
    for (auto [index, value] : llvm::enumerate(adaptor.getMatrix()))
      parts[index % 2].push_back(value);
    rewriter.replaceOpWithMultiple(op, std::move(parts));
    return success();
  }
};

struct JoinPattern : OpConversionPattern<JoinOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(JoinOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> registers;
    for (auto [re, im] : llvm::zip_equal(adaptor.getRe(), adaptor.getIm()))
      registers.append({re, im});
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

/// Part by part.
struct AddPattern : OpConversionPattern<AddOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AddOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> registers;
    for (auto [left, right] : llvm::zip_equal(adaptor.getLeft(), adaptor.getRight()))
      registers.push_back(arith::AddFOp::create(rewriter, op.getLoc(), left, right));
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct AddKnownPattern : OpConversionPattern<AddKnownOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AddKnownOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type real = op.getType().getElementType();
    Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(real));
    SmallVector<Value> registers;
    for (auto [left, right] : llvm::zip_equal(adaptor.getLeft(), adaptor.getRight())) {
      Value known = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::ORD, right, right);
      Value added = arith::SelectOp::create(rewriter, loc, known, right, zero);
      registers.push_back(arith::AddFOp::create(rewriter, loc, left, added));
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
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
    int64_t parts = partsOf(type.getElementType());
    if (parts > 1 && !isa<arith::SelectOp>(op))
      return op->emitOpError("works on real numbers, got elements of ") << type.getElementType();
    SmallVector<Value> registers;
    for (int64_t index = 0; index < type.getMap().getNumValues() * parts; ++index) {
      OperationState state(op->getLoc(), op->getName());
      for (auto [operand, values] : llvm::zip(op->getOperands(), operands))
        state.operands.push_back(isa<MatrixType>(operand.getType()) ? values[index] : values[0]);
      state.addTypes(realTypeOf(type.getElementType()));
      state.addAttributes(op->getAttrs());
      registers.push_back(rewriter.create(state)->getResult(0));
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};
} // namespace

void rooftile::populateComputePatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<FillPattern, MmaPattern, PartsPattern, JoinPattern, AddPattern, AddKnownPattern,
               ElementwisePattern>(types, patterns.getContext());
}
