//===- Compute.cpp - Registers: fill, mma, elementwise --------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Transforms/Thread/ElementMath.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
struct FillPattern : OpConversionPattern<FillOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(FillOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Components components = ElementMath(rewriter, op.getLoc()).split(adaptor.getValue());
    SmallVector<Value> registers;
    for (int64_t index = 0; index < op.getMatrix().getType().getMap().getNumValues(); ++index)
      llvm::append_range(registers, components);
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
/// H200: so ptxas leaves 85 % of the accumulators in their registers, the other way round 74 %).
/// Complex elements need one such pass for each component of a, so that the accumulators of one are
/// far apart, along the columns unless these are many more (A B of 40 to 56 columns, 4x5 and 4x7: 2
/// to 5 % less):
///
///   c.re += a.re b.re, c.im += a.re b.im;   c.re -= a.im b.im, c.im += a.im b.re
struct MmaPattern : OpConversionPattern<MmaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(MmaOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getInstruction())
      return failure();
    MapAttr map = op.getC().getType().getMap();
    RegisterIndex a(op.getMatrixA().getType().getMap()), b(op.getMatrixB().getType().getMap());
    Type typeA = op.getMatrixA().getType().getElementType(),
         typeB = op.getMatrixB().getType().getElementType();
    Type sum = op.getC().getType().getElementType(), real = realTypeOf(sum);
    Product product{op, Factors(rewriter, op.getLoc(), typeA, real, adaptor.getA()),
                    Factors(rewriter, op.getLoc(), typeB, real, adaptor.getB()), componentsOf(sum),
                    SmallVector<Value>(adaptor.getC())};
    SmallVector<int64_t> order = snake(map, /*wide=*/componentsOf(typeA) * componentsOf(typeA));
    MatrixType shapeA = op.getMatrixA().getType(), shapeC = op.getC().getType();
    int64_t groups = shapeC.getShape()[0] / shapeA.getShape()[0];
    if (int64_t(a.depths().size()) * groups != shapeA.getShape()[1])
      return op.emitOpError("a thread lacks a part of K that no other one multiplies");
    for (int64_t k : a.depths())
      for (int64_t part = 0; part < componentsOf(typeA); ++part)
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

  /// The factors of one operation and the components of its accumulators.
  struct Product {
    MmaOp op;
    Factors a, b;
    int64_t components;
    SmallVector<Value> sums;

    /// Adds component `part` of register `left` of a times all of register `right` of b to `index`.
    void add(OpBuilder &builder, int64_t left, int64_t part, int64_t right, int64_t index) {
      for (int64_t other = 0; other < b.getComponents(); ++other) {
        bool negative = isSubtracted({part, op.getConjugateA()}, {other, op.getConjugateB()});
        Value &sum = sums[index * components + (part ^ other)];
        sum = math::FmaOp::create(builder, op.getLoc(), a.get(left, part, negative),
                                  b.get(right, other, false), sum);
      }
    }
  };

  /// Vectors of the micro tile to and fro: rows, or columns where these are over `wide` times as
  /// many.
  static SmallVector<int64_t> snake(MapAttr map, int64_t wide) {
    using Vectors = std::map<int64_t, SmallVector<std::pair<int64_t, int64_t>>>;
    Vectors rows, columns;
    for (int64_t index = 0; index < map.getNumValues(); ++index) {
      auto [row, column] = map.getValueOffset(index);
      rows[row].push_back({column, index});
      columns[column].push_back({row, index});
    }
    SmallVector<int64_t> order;
    bool back = false;
    for (auto &[place, vector] : columns.size() > wide * rows.size() ? columns : rows) {
      llvm::sort(vector);
      if (back)
        std::reverse(vector.begin(), vector.end());
      for (auto [across, index] : vector)
        order.push_back(index);
      back = !back;
    }
    return order;
  }
};

/// Registers of real and imaginary components alternating.
struct ComponentsPattern : OpConversionPattern<ComponentsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ComponentsOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<SmallVector<Value>> components(2);
    for (auto [index, value] : llvm::enumerate(adaptor.getMatrix()))
      components[index % 2].push_back(value);
    rewriter.replaceOpWithMultiple(op, std::move(components));
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

/// Component by component.
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

struct ClearPattern : OpConversionPattern<ClearOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ClearOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type real = realTypeOf(op.getType().getElementType());
    Value zero = arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getZeroAttr(real));
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>(adaptor.getMatrix().size(), zero)});
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
    int64_t components = componentsOf(type.getElementType());
    if (components > 1 && !isa<arith::SelectOp>(op))
      return op->emitOpError("works on real elements, got elements of ") << type.getElementType();
    SmallVector<Value> registers;
    for (int64_t index = 0; index < type.getMap().getNumValues() * components; ++index) {
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
  patterns.add<FillPattern, MmaPattern, ComponentsPattern, JoinPattern, AddPattern, AddKnownPattern,
               ClearPattern, ElementwisePattern>(types, patterns.getContext());
}

//===----------------------------------------------------------------------===//
// tile.mma by instructions of a subgroup
//
//   tile.mma %a, %b, %c instruction(#tile.instruction<"m16n8k4_f64", ...>)
//
// becomes a lane.mma for every repetition of the instruction in the registers of this lane: K
// from the outside, then rows in order, columns to and fro, so that one factor stays in place.
//
// Complex elements are multiplied component by component, 4 instructions a repetition, 2 next to a
// real operand: all repetitions with a.re, then all with a.im, and real and imaginary accumulators
// alternating, so that two instructions on the same accumulators are far apart even where there is
// one repetition. Where a product is subtracted, a is negated: a sign of the factor in NVIDIA's
// machine code.
//===----------------------------------------------------------------------===//

namespace {
/// The repetitions of an instruction in one operand of tile.mma, by their origins.
class Repetitions {
public:
  Repetitions(MapAttr fragment, MapAttr instruction) {
    std::optional<SmallVector<Repetition>> found = repetitionsOf(fragment, instruction);
    for (Repetition &repetition : *found)
      registers[repetition.origin] = std::move(repetition.registers);
  }
  /// Null where there is none.
  const SmallVector<int64_t> *find(int64_t row, int64_t column) const {
    auto found = registers.find({row, column});
    return found == registers.end() ? nullptr : &found->second;
  }
  const std::map<std::pair<int64_t, int64_t>, SmallVector<int64_t>> &all() const {
    return registers;
  }

private:
  std::map<std::pair<int64_t, int64_t>, SmallVector<int64_t>> registers;
};

struct MatrixUnitPattern : OpConversionPattern<MmaOp> {
  MatrixUnitPattern(const TypeConverter &types, MLIRContext *context)
      : OpConversionPattern(types, context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(MmaOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getInstruction() || op.readsViews())
      return failure();
    InstructionAttr placed = *op.getInstruction();
    Repetitions a(op.getMatrixA().getType().getMap(), placed.getA()),
        b(op.getMatrixB().getType().getMap(), placed.getB()),
        c(op.getC().getType().getMap(), placed.getC());
    Product product(rewriter, op, adaptor.getA(), adaptor.getB(), adaptor.getC());
    SmallVector<std::pair<int64_t, int64_t>> order = snake(c);
    for (int64_t k : depths(a))
      for (int64_t part = 0; part < product.a.getComponents(); ++part)
        for (auto [row, column] : order) {
          const auto *left = a.find(row, k), *right = b.find(k, column);
          if (!left || !right)
            return op.emitOpError("a thread lacks the rows or columns of what it holds of c");
          product.add(*left, part, *right, *c.find(row, column));
        }
    rewriter.replaceOpWithMultiple(op, {product.sums});
    return success();
  }

  /// The factors of one operation and the components of its accumulators.
  struct Product {
    Product(OpBuilder &builder, MmaOp op, ValueRange registersA, ValueRange registersB,
            ValueRange registersC)
        : builder(builder), op(op), a(factors(op.getMatrixA(), registersA)),
          b(factors(op.getMatrixB(), registersB)), sums(registersC),
          components(componentsOf(elementOf(op.getC()))),
          plain(plainInstruction(op.getContext(),
                                 *findInstruction(op.getInstruction()->getName()))) {}

    static Type elementOf(TypedValue<MatrixType> matrix) {
      return matrix.getType().getElementType();
    }
    Factors factors(TypedValue<MatrixType> matrix, ValueRange registers) {
      Type element = elementOf(matrix);
      return Factors(builder, op.getLoc(), element, realTypeOf(element), registers);
    }

    /// Adds component `part` of the registers `left` of a times all of the registers `right` of b
    /// to those of `own`.
    void add(ArrayRef<int64_t> left, int64_t part, ArrayRef<int64_t> right, ArrayRef<int64_t> own) {
      for (int64_t to = 0; to < components; ++to) {
        int64_t other = to ^ part;
        if (other >= b.getComponents())
          continue;
        bool negative = isSubtracted({part, op.getConjugateA()}, {other, op.getConjugateB()});
        SmallVector<Value> factorsA, factorsB, before;
        for (int64_t index : left)
          factorsA.push_back(a.get(index, part, negative));
        for (int64_t index : right)
          factorsB.push_back(b.get(index, other, false));
        for (int64_t index : own)
          before.push_back(sums[index * components + to]);
        auto mma = lane::MmaOp::create(builder, op.getLoc(), factorsA, factorsB, before, plain);
        for (auto [index, sum] : llvm::zip_equal(own, mma.getAccumulators()))
          sums[index * components + to] = sum;
      }
    }

    OpBuilder &builder;
    MmaOp op;
    Factors a, b;
    SmallVector<Value> sums;
    int64_t components;
    InstructionAttr plain;
  };

  static std::set<int64_t> depths(const Repetitions &a) {
    std::set<int64_t> depths;
    for (auto &[origin, registers] : a.all())
      depths.insert(origin.second);
    return depths;
  }

  static SmallVector<std::pair<int64_t, int64_t>> snake(const Repetitions &c) {
    SmallVector<std::pair<int64_t, int64_t>> order;
    size_t begin = 0;
    bool back = false;
    for (auto &[origin, registers] : c.all()) {
      if (!order.empty() && order[begin].first != origin.first) {
        if (back)
          std::reverse(order.begin() + begin, order.end());
        begin = order.size();
        back = !back;
      }
      order.push_back(origin);
    }
    if (back)
      std::reverse(order.begin() + begin, order.end());
    return order;
  }
};
} // namespace

void rooftile::populateMatrixUnitPatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<MatrixUnitPattern>(types, patterns.getContext());
}
