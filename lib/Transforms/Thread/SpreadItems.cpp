//===- SpreadItems.cpp - Items of a workgroup, spread over its threads ----===//

#include "rooftile/Transforms/Thread/SpreadItems.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/BlockStage.h"
#include "rooftile/Dialect/Lane/RolledLoop.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rooftile;

static Value index(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value ItemNumber::value(OpBuilder &builder, Location loc) const {
  return builder.createOrFold<arith::AddIOp>(loc, base, index(builder, loc, shift));
}

ItemNumber ItemNumber::takeDigit(OpBuilder &builder, Location loc, int64_t radix) {
  ItemNumber digit = *this;
  if (shift % radix != 0)
    digit = *this = {value(builder, loc), 0};
  // In 32 bits, where a division by a constant is a product and a shift.
  Value narrow = arith::IndexCastUIOp::create(builder, loc, builder.getI32Type(), base).getResult();
  Value divisor = arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), radix);
  auto widened = [&](Value number) {
    return builder.createOrFold<arith::IndexCastUIOp>(loc, builder.getIndexType(), number);
  };
  digit = {widened(builder.createOrFold<arith::RemUIOp>(loc, narrow, divisor)), 0};
  *this = {widened(builder.createOrFold<arith::DivUIOp>(loc, narrow, divisor)), shift / radix};
  return digit;
}

/// Items of a group: so many that few are beyond the last one.
static int64_t groupOf(int64_t rounds, int64_t most) {
  int64_t best = std::min(rounds, most);
  for (int64_t group = best; group > most / 2; --group)
    if (llvm::alignTo(rounds, group) < llvm::alignTo(rounds, best))
      best = group;
  return best;
}

void rooftile::spreadItems(OpBuilder &builder, Location loc, int64_t total, int64_t threads,
                           bool rolled, function_ref<void(ArrayRef<Item>)> emit) {
  int64_t rounds = llvm::divideCeil(total, threads);
  int64_t group = groupOf(rounds, rolled ? blas::kCopiedAtOnce : blas::kOwnCopiedAtOnce);
  int64_t groups = llvm::divideCeil(rounds, group);
  OpBuilder::InsertionGuard guard(builder);
  Value first = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  if (groups > 1) {
    auto loop = scf::ForOp::create(builder, loc, index(builder, loc, 0),
                                   index(builder, loc, groups), index(builder, loc, 1));
    if (rolled)
      keepRolled(loop);
    builder.setInsertionPointToStart(loop.getBody());
    Value before = arith::MulIOp::create(builder, loc, loop.getInductionVar(),
                                         index(builder, loc, group * threads));
    first = arith::AddIOp::create(builder, loc, before, first);
  }
  SmallVector<Item> items;
  for (int64_t each = 0; each < group; ++each) {
    Item item{{first, each * threads}, Value()};
    // The last number that this item can have.
    if ((groups - 1) * group * threads + (each + 1) * threads > total)
      item.exists =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                item.number.value(builder, loc), index(builder, loc, total));
    items.push_back(item);
  }
  emit(items);
}
