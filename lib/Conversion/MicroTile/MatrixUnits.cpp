//===- MatrixUnits.cpp - tile.mma by instructions of a subgroup -----------===//
//
//   tile.mma %a, %b, %c instruction(#tile.instruction<"m16n8k4_f64", ...>)
//
// becomes a lane.mma for every repetition of the instruction in the registers of this lane: K
// from the outside, then rows in order, columns to and fro, so that one factor stays in place.
//
//===----------------------------------------------------------------------===//

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
    InstructionAttr plain = plainInstruction(op.getContext(), *findInstruction(placed.getName()));
    auto pick = [](ValueRange values, ArrayRef<int64_t> registers) {
      return llvm::map_to_vector(registers, [&](int64_t index) { return values[index]; });
    };
    SmallVector<Value> sums(adaptor.getC().begin(), adaptor.getC().end());
    SmallVector<std::pair<int64_t, int64_t>> order = snake(c);
    for (int64_t k : depths(a))
      for (auto [row, column] : order) {
        const auto *left = a.find(row, k), *right = b.find(k, column);
        if (!left || !right)
          return op.emitOpError("a thread lacks the rows or columns of what it holds of c");
        const SmallVector<int64_t> &own = *c.find(row, column);
        auto mma = lane::MmaOp::create(rewriter, op.getLoc(), pick(adaptor.getA(), *left),
                                       pick(adaptor.getB(), *right), pick(sums, own), plain);
        for (auto [index, sum] : llvm::zip_equal(own, mma.getSums()))
          sums[index] = sum;
      }
    rewriter.replaceOpWithMultiple(op, {sums});
    return success();
  }

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
