//===- MatrixUnits.cpp - mma.sync -----------------------------------------===//
//
// The table's fragments are those of PTX, so a lane.mma is one intrinsic of LLVM, named by shape
// and type: upstream's nvvm.mma.sync does not have every f64 shape. One whose operands are
// exchanged gives its registers of B as those of A, and its registers of A as those of B. Elements
// of 16 bits share a register with the next one; those of tf32 are rounded.
//
//===----------------------------------------------------------------------===//

#include "../LaneToGpu/KernelPreparation.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "rooftile/Conversion/LaneToNvvm/LaneToNvvm.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;

/// `values` in registers of 32 bits, the first in the low bits: pairs of f16 as vectors, others as
/// integers, as the intrinsics expect them; `words`: f32 as those of the nearest tf32. Wide values
/// have registers of their own.
static SmallVector<Value> pack(OpBuilder &builder, Location loc, ValueRange numbers, bool words) {
  Type type = numbers.front().getType();
  constexpr unsigned kRegisterBits = 32;
  unsigned count = kRegisterBits / type.getIntOrFloatBitWidth();
  if (words)
    return llvm::map_to_vector(numbers, [&](Value number) {
      return LLVM::CallIntrinsicOp::create(builder, loc, builder.getI32Type(),
                                           builder.getStringAttr("llvm.nvvm.f2tf32.rna"), number)
          .getResults();
    });
  if (count <= 1)
    return SmallVector<Value>(numbers);
  auto vector = VectorType::get(count, type);
  SmallVector<Value> registers;
  for (size_t first = 0; first < numbers.size(); first += count) {
    Value packed = LLVM::PoisonOp::create(builder, loc, vector);
    for (unsigned index = 0; index < count; ++index) {
      Value place = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(index));
      packed = LLVM::InsertElementOp::create(builder, loc, packed, numbers[first + index], place);
    }
    bool isWord = !type.isF16();
    registers.push_back(isWord ? LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), packed)
                               : packed);
  }
  return registers;
}

namespace {
struct MmaPattern : OpRewritePattern<lane::MmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::MmaOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Type> types(op.getResultTypes());
    auto result = LLVM::LLVMStructType::getLiteral(rewriter.getContext(), types);
    const tile::Instruction &own = *tile::findInstruction(op.getInstruction().getName());
    std::array<ValueRange, 3> all{op.getA(), op.getB(), op.getC()};
    if (own.isExchanged())
      std::swap(all[0], all[1]);
    SmallVector<Value> operands;
    for (auto [index, registers] : llvm::enumerate(all))
      llvm::append_range(operands, pack(rewriter, loc, registers, own.isOfTf32() && index < 2));
    StringAttr name = rewriter.getStringAttr(own.intrinsic);
    Value sums = LLVM::CallIntrinsicOp::create(rewriter, loc, result, name, operands).getResults();
    rewriter.replaceOp(op, fieldsOf(rewriter, loc, sums));
    return success();
  }
};
} // namespace

void rooftile::populateMatrixUnitToNvvmPatterns(RewritePatternSet &patterns) {
  patterns.add<MmaPattern>(patterns.getContext());
}
