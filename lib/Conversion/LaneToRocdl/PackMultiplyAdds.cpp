//===- PackMultiplyAdds.cpp - Multiply-adds of whole fragments ------------===//
//
// CDNA 2 and 3 multiply two pairs of f32 in one v_pk_fma_f32, twice the rate of a
// single one. LLVM's vectorizers find pairs too, but move them across the order of
// a pipelined loop, for up to three times the registers. So multiply-adds are made
// as wide as the fragments that they read, where these are still known, in loops
// that carry them, too; LLVM splits them into what the chip has.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/LaneToRocdl/LaneToRocdl.h"
#include "rooftile/Conversion/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "pack-multiply-adds"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_PACKMULTIPLYADDS
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// The vector that `value` is an element of; null if it is none.
static vector::ToElementsOp fragmentOf(Value value) {
  return value.getDefiningOp<vector::ToElementsOp>();
}

/// The fragment, none of accumulators, whose elements a loop yields from the operand `index` of its
/// yield on, in their order, and uses; null if there is none.
static vector::ToElementsOp yieldedFragment(scf::ForOp loop, size_t index) {
  OperandRange yielded = loop.getBody()->getTerminator()->getOperands();
  vector::ToElementsOp fragment = fragmentOf(yielded[index]);
  if (!fragment || fragment->getBlock() != loop.getBody() || fragment.getNumResults() < 2 ||
      !fragment.getSource().getType().getElementType().isF32() ||
      fragment.getNumResults() > yielded.size() - index ||
      fragment.getSource().getDefiningOp<LLVM::FMAOp>())
    return nullptr;
  size_t count = fragment.getNumResults();
  bool isWhole = llvm::equal(fragment.getResults(), yielded.slice(index, count));
  bool isUsed = llvm::any_of(loop.getRegionIterArgs().slice(index, count),
                             [](Value element) { return !element.use_empty(); });
  return isWhole && isUsed ? fragment : nullptr;
}

/// Fragments that a loop carries to its next iteration element by element, as prefetched ones are,
/// are carried as vectors.
static void carryFragments(scf::ForOp loop) {
  IRRewriter rewriter(loop);
  SmallVector<std::pair<size_t, vector::ToElementsOp>> found;
  for (size_t index = 0; index < loop.getNumResults(); ++index)
    if (vector::ToElementsOp fragment = yieldedFragment(loop, index)) {
      found.push_back({index, fragment});
      index += fragment.getNumResults() - 1;
    }
  if (found.empty())
    return;
  Location loc = loop.getLoc();
  SmallVector<Value> inits;
  for (auto [index, fragment] : found)
    inits.push_back(
        vector::FromElementsOp::create(rewriter, loc, fragment.getSource().getType(),
                                       loop.getInits().slice(index, fragment.getNumResults())));
  auto yield = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
    return SmallVector<Value>(
        llvm::map_range(found, [](auto &each) -> Value { return each.second.getSource(); }));
  };
  size_t before = loop.getNumResults();
  auto carrying = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, yield));
  for (auto [place, each] : llvm::enumerate(found)) {
    auto [index, fragment] = each;
    auto expand = [&](Value vector, ValueRange elements) {
      auto expanded = vector::ToElementsOp::create(rewriter, loc, vector);
      for (auto [element, value] : llvm::zip_equal(elements, expanded.getResults()))
        element.replaceAllUsesWith(value);
    };
    size_t count = fragment.getNumResults();
    rewriter.setInsertionPointToStart(carrying.getBody());
    expand(carrying.getRegionIterArg(before + place),
           ValueRange(carrying.getRegionIterArgs()).slice(index, count));
    rewriter.setInsertionPointAfter(carrying);
    expand(carrying.getResult(before + place), carrying.getResults().slice(index, count));
  }
}

/// True if `first` is used between its position and `last`.
static bool usedBefore(Operation *first, Operation *last) {
  return llvm::any_of(first->getUsers(), [&](Operation *user) {
    return user == last || (user->getBlock() == last->getBlock() && user->isBeforeInBlock(last));
  });
}

namespace {
/// The multiply-adds of one factor with all elements of one fragment.
class Group {
public:
  /// `ops` begins with the first of them; `fragmentIsA`: which operand the elements are.
  Group(ArrayRef<math::FmaOp> ops, bool fragmentIsA) : fragmentIsA(fragmentIsA) {
    fragment = fragmentOf(element(ops.front()));
    if (!fragment || fragment.getNumResults() < 2 || fragment.getNumResults() > ops.size())
      return;
    members.resize(fragment.getNumResults());
    for (math::FmaOp op : ops.take_front(members.size()))
      if (factor(op) == factor(ops.front()) && fragmentOf(element(op)) == fragment)
        members[cast<OpResult>(element(op)).getResultNumber()] = op;
    last = ops[members.size() - 1];
    complete = llvm::all_of(members, [&](math::FmaOp op) {
      return op && op.getType().isF32() && !usedBefore(op, last);
    });
  }

  /// Members of the group; 0 if it is not whole.
  size_t size() const { return complete ? members.size() : 0; }

  /// Replaces them by one multiply-add of vectors.
  void pack() {
    OpBuilder builder(last);
    Location loc = last.getLoc();
    Type type = fragment.getSource().getType();
    SmallVector<Value> sums(llvm::map_range(members, [](math::FmaOp op) { return op.getC(); }));
    Value factors = vector::BroadcastOp::create(builder, loc, type, factor(last));
    Value addend = vector::FromElementsOp::create(builder, loc, type, sums);
    Value result = LLVM::FMAOp::create(builder, loc, fragment.getSource(), factors, addend);
    auto elements = vector::ToElementsOp::create(builder, loc, result);
    for (auto [op, value] : llvm::zip(members, elements.getResults())) {
      op.replaceAllUsesWith(value);
      op.erase();
    }
  }

private:
  Value element(math::FmaOp op) const { return fragmentIsA ? op.getA() : op.getB(); }
  Value factor(math::FmaOp op) const { return fragmentIsA ? op.getB() : op.getA(); }

  bool fragmentIsA, complete = false;
  vector::ToElementsOp fragment;
  SmallVector<math::FmaOp> members; ///< In the order of the elements.
  math::FmaOp last;
};
} // namespace

/// Packs neighbours among `ops`, which nothing with an effect stands between. Returns how many are
/// part of a vector then.
static int64_t packRun(ArrayRef<math::FmaOp> ops) {
  int64_t packed = 0;
  while (!ops.empty()) {
    Group ofB(ops, /*fragmentIsA=*/false), ofA(ops, /*fragmentIsA=*/true);
    Group &group = ofB.size() ? ofB : ofA;
    ops = ops.drop_front(std::max<size_t>(1, group.size()));
    packed += group.size();
    if (group.size())
      group.pack();
  }
  return packed;
}

int64_t rooftile::packMultiplyAdds(gpu::GPUFuncOp kernel) {
  int64_t packed = 0;
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  llvm::for_each(loops, carryFragments);
  kernel.walk([&](Block *block) {
    SmallVector<SmallVector<math::FmaOp>> runs(1);
    for (Operation &op : *block) {
      if (auto fma = dyn_cast<math::FmaOp>(op))
        runs.back().push_back(fma);
      else if (!isPure(&op))
        runs.emplace_back();
    }
    for (ArrayRef<math::FmaOp> run : runs)
      packed += packRun(run);
  });
  return packed;
}

namespace {
struct PackMultiplyAddsPass : rooftile::impl::PackMultiplyAddsBase<PackMultiplyAddsPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      int64_t count = packMultiplyAdds(kernel);
      numPacked += count;
      LDBG() << kernel.getName() << ": " << count << " multiply-adds in vectors";
    }
  }
};
} // namespace
