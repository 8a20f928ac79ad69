//===- MatrixUnits.cpp - MFMA and WMMA ------------------------------------===//
//
// The table's fragments are those of the vendor, so a lane.mma is one intrinsic of LLVM, whose
// operands are vectors of what a lane holds, or single numbers. Elements of bf16 are integers
// there. MFMA has three more operands, which permute blocks: none here.
//
// LLVM 22 does not know that WMMA needs all lanes: it moves one whose result only some lanes store
// into the branch of these, and with it the moves of its operands. Where accumulators
// leave the multiplications they pass through an instruction without text, which stays in place.
//
//===----------------------------------------------------------------------===//

#include "../LaneToGpu/KernelPreparation.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "rooftile/Conversion/LaneToRocdl/LaneToRocdl.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;

/// The operand of an intrinsic: a vector of `numbers`, or the only one.
static Value join(OpBuilder &builder, Location loc, ValueRange numbers) {
  if (numbers.size() == 1)
    return numbers.front();
  auto type = VectorType::get(numbers.size(), numbers.front().getType());
  Value vector = vector::FromElementsOp::create(builder, loc, type, numbers);
  if (!type.getElementType().isBF16())
    return vector;
  auto bits = VectorType::get(numbers.size(), builder.getI16Type());
  return vector::BitCastOp::create(builder, loc, bits, vector);
}

/// Whether all that reads the accumulators multiplies on, or is the next iteration.
static bool isReadByOthers(lane::MmaOp op) {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    bool goesOn = isa<lane::MmaOp>(user) || user->hasTrait<OpTrait::IsTerminator>();
    return user->getBlock() != op->getBlock() || !goesOn;
  });
}

/// `vector`, which is computed before what follows.
static Value keepHere(OpBuilder &builder, Location loc, Value vector) {
  return createTied(builder, loc, {}, "", vector, "v", "").front();
}

namespace {
struct MmaPattern : OpRewritePattern<lane::MmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::MmaOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    const tile::Instruction &own = *tile::findInstruction(op.getInstruction().getName());
    SmallVector<Value> operands;
    for (ValueRange registers : {op.getA(), op.getB(), op.getC()})
      operands.push_back(join(rewriter, loc, registers));
    Type result = operands.back().getType();
    if (own.unit == tile::MatrixUnit::Mfma)
      operands.append(3, LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0)));
    StringAttr name = rewriter.getStringAttr(own.intrinsic);
    Value sums = LLVM::CallIntrinsicOp::create(rewriter, loc, result, name, operands).getResults();
    if (own.unit == tile::MatrixUnit::Wmma && isReadByOthers(op))
      sums = keepHere(rewriter, loc, sums);
    rewriter.replaceOp(op, vector::ToElementsOp::create(rewriter, loc, sums).getResults());
    return success();
  }
};
} // namespace

void rooftile::populateMatrixUnitToRocdlPatterns(RewritePatternSet &patterns) {
  patterns.add<MmaPattern>(patterns.getContext());
}
