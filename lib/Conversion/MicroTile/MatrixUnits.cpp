//===- MatrixUnits.cpp - tile.mma by instructions of a subgroup -----------===//
//
//   tile.mma %a, %b, %c instruction(#tile.instruction<"m16n8k4_f64", ...>)
//
// becomes a lane.mma for every repetition of the instruction in the registers of this lane: K
// from the outside, then rows in order, columns to and fro, so that one factor stays in place.
//
// Complex elements are multiplied part by part, 4 instructions a repetition, 2 next to a real
// operand: all repetitions with a.re, then all with a.im, and re and im of sums in turn, so that
// two instructions on the same sums are far apart even where there is one repetition. Where a
// product is subtracted, a is negated: a sign of the factor in NVIDIA's machine code.
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "ThreadMap.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

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
    if (!op.getInstruction())
      return failure();
    InstructionAttr placed = *op.getInstruction();
    Repetitions a(op.getA().getType().getMap(), placed.getA()),
        b(op.getB().getType().getMap(), placed.getB()),
        c(op.getC().getType().getMap(), placed.getC());
    Product product(rewriter, op, adaptor.getA(), adaptor.getB(), adaptor.getC());
    SmallVector<std::pair<int64_t, int64_t>> order = snake(c);
    for (int64_t k : depths(a))
      for (int64_t part = 0; part < product.a.getParts(); ++part)
        for (auto [row, column] : order) {
          const auto *left = a.find(row, k), *right = b.find(k, column);
          if (!left || !right)
            return op.emitOpError("a thread lacks the rows or columns of what it holds of c");
          product.add(*left, part, *right, *c.find(row, column));
        }
    rewriter.replaceOpWithMultiple(op, {product.sums});
    return success();
  }

  /// The factors of one operation and the parts of its sums.
  struct Product {
    Product(OpBuilder &builder, MmaOp op, ValueRange registersA, ValueRange registersB,
            ValueRange registersC)
        : builder(builder), op(op), a(factors(op.getA(), registersA)),
          b(factors(op.getB(), registersB)), sums(registersC), parts(partsOf(elementOf(op.getC()))),
          plain(plainInstruction(op.getContext(),
                                 *findInstruction(op.getInstruction()->getName()))) {}

    static Type elementOf(TypedValue<MatrixType> matrix) {
      return matrix.getType().getElementType();
    }
    Factors factors(TypedValue<MatrixType> matrix, ValueRange registers) {
      Type element = elementOf(matrix);
      return Factors(builder, op.getLoc(), element, realTypeOf(element), registers);
    }

    /// Adds part `part` of the registers `left` of a times all of the registers `right` of b to
    /// those of `own`.
    void add(ArrayRef<int64_t> left, int64_t part, ArrayRef<int64_t> right, ArrayRef<int64_t> own) {
      for (int64_t to = 0; to < parts; ++to) {
        int64_t other = to ^ part;
        if (other >= b.getParts())
          continue;
        bool negative = isSubtracted({part, op.getConjugateA()}, {other, op.getConjugateB()});
        SmallVector<Value> factorsA, factorsB, before;
        for (int64_t index : left)
          factorsA.push_back(a.get(index, part, negative));
        for (int64_t index : right)
          factorsB.push_back(b.get(index, other, false));
        for (int64_t index : own)
          before.push_back(sums[index * parts + to]);
        auto mma = lane::MmaOp::create(builder, op.getLoc(), factorsA, factorsB, before, plain);
        for (auto [index, sum] : llvm::zip_equal(own, mma.getSums()))
          sums[index * parts + to] = sum;
      }
    }

    OpBuilder &builder;
    MmaOp op;
    Factors a, b;
    SmallVector<Value> sums;
    int64_t parts;
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
