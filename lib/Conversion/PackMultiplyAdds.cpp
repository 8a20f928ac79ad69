//===- PackMultiplyAdds.cpp - Two multiply-adds in one instruction --------===//
//
// CDNA 2 and 3 multiply two pairs of f32 in one v_pk_fma_f32, twice the rate of a
// single one. LLVM's SLP vectorizer finds the pairs too, but moves them across the
// order of a pipelined loop, for up to three times the registers; so they are made
// here, where neighbours are still neighbours, and stay where they are.
//
//===----------------------------------------------------------------------===//

#include "KernelPreparation.h"

using namespace mlir;
using namespace rooftile;

/// Two scalars as one vector; the vector that they are the elements of, if any.
static Value pair(OpBuilder &builder, Location loc, Value first, Value second) {
  auto elements = first.getDefiningOp<vector::ToElementsOp>();
  if (elements && elements == second.getDefiningOp<vector::ToElementsOp>() &&
      elements.getNumResults() == 2 && cast<OpResult>(first).getResultNumber() == 0 &&
      cast<OpResult>(second).getResultNumber() == 1)
    return elements.getSource();
  auto type = VectorType::get({2}, first.getType());
  return vector::FromElementsOp::create(builder, loc, type, ValueRange{first, second});
}

/// The factor that both have, and of each the other one; nulls if they have none.
static std::array<Value, 3> commonFactor(math::FmaOp first, math::FmaOp second) {
  for (auto [common, other] : {std::pair(first.getA(), first.getB()), {first.getB(), first.getA()}})
    for (auto [again, otherSecond] :
         {std::pair(second.getA(), second.getB()), {second.getB(), second.getA()}})
      if (common == again)
        return {common, other, otherSecond};
  return {};
}

/// Whether `second` stands before `first` in the vector that both were read in.
static bool reversed(Value first, Value second) {
  Operation *read = first.getDefiningOp();
  return read && read == second.getDefiningOp() &&
         cast<OpResult>(second).getResultNumber() < cast<OpResult>(first).getResultNumber();
}

/// Replaces two multiply-adds with a common factor by one of vectors, at `second`.
static bool pack(math::FmaOp first, math::FmaOp second) {
  auto [common, left, right] = commonFactor(first, second);
  bool usedBefore = llvm::any_of(first->getUsers(), [&](Operation *user) {
    return user == second ||
           (user->getBlock() == first->getBlock() && user->isBeforeInBlock(second));
  });
  if (!common || usedBefore || !first.getType().isF32())
    return false;
  OpBuilder builder(second);
  Location loc = second.getLoc();
  if (reversed(left, right)) {
    std::swap(first, second);
    std::swap(left, right);
  }
  auto type = VectorType::get({2}, first.getType());
  Value factor = vector::BroadcastOp::create(builder, loc, type, common);
  Value others = pair(builder, loc, left, right);
  Value sums = pair(builder, loc, first.getC(), second.getC());
  Value result = LLVM::FMAOp::create(builder, loc, factor, others, sums);
  auto elements = vector::ToElementsOp::create(builder, loc, result);
  first.replaceAllUsesWith(elements.getResult(0));
  second.replaceAllUsesWith(elements.getResult(1));
  first.erase();
  second.erase();
  return true;
}

void rooftile::packMultiplyAdds(gpu::GPUModuleOp module) {
  module.walk([](Block *block) {
    math::FmaOp last;
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      auto fma = dyn_cast<math::FmaOp>(op);
      if (!fma) {
        if (!isPure(&op))
          last = {};
        continue;
      }
      last = last && pack(last, fma) ? math::FmaOp() : fma;
    }
  });
}
