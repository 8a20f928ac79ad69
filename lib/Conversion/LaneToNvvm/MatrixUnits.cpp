//===- MatrixUnits.cpp - mma.sync -----------------------------------------===//
//
// The table's fragments are those of PTX, so a lane.mma is one intrinsic of LLVM, named by shape
// and type: upstream's nvvm.mma.sync does not have every f64 shape. One whose operands are
// exchanged gives its registers of B as those of A, and its registers of A as those of B. Elements
// of 16 bits share a register with the next one.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "rooftile/Conversion/LaneToNvvm/LaneToNvvm.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rooftile;

/// llvm.nvvm.mma.m16n8k4.row.col.f64; of f16 the types of D and C are named.
static std::string intrinsicOf(const tile::Instruction &machine) {
  StringRef types = machine.factors.name == "f16" ? "f32.f32" : StringRef(machine.factors.name);
  return llvm::formatv("llvm.nvvm.mma.m{0}n{1}k{2}.row.col.{3}", machine.m, machine.n, machine.k,
                       types);
}

/// `values` in registers of 32 bits, the first in the low bits: pairs of f16 as vectors, others as
/// integers, as the intrinsics expect them. Wide values have registers of their own.
static SmallVector<Value> pack(OpBuilder &builder, Location loc, ValueRange numbers) {
  Type type = numbers.front().getType();
  constexpr unsigned kRegisterBits = 32;
  unsigned count = kRegisterBits / type.getIntOrFloatBitWidth();
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

static const tile::Instruction &instructionOf(lane::MmaOp op) {
  return *tile::findInstruction(op.getInstruction().getName());
}

namespace {
struct MmaPattern : OpRewritePattern<lane::MmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::MmaOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Type> types(op.getResultTypes());
    auto result = LLVM::LLVMStructType::getLiteral(rewriter.getContext(), types);
    const tile::Instruction &own = instructionOf(op);
    std::array<ValueRange, 3> all{op.getA(), op.getB(), op.getC()};
    if (own.isExchanged())
      std::swap(all[0], all[1]);
    SmallVector<Value> operands;
    for (ValueRange registers : all)
      llvm::append_range(operands, pack(rewriter, loc, registers));
    auto name = rewriter.getStringAttr(intrinsicOf(*tile::findInstruction(own.machine)));
    Value sums = LLVM::CallIntrinsicOp::create(rewriter, loc, result, name, operands).getResults();
    SmallVector<Value> accumulators;
    for (int64_t index = 0; index < static_cast<int64_t>(types.size()); ++index)
      accumulators.push_back(
          LLVM::ExtractValueOp::create(rewriter, loc, sums, ArrayRef<int64_t>(index)));
    rewriter.replaceOp(op, accumulators);
    return success();
  }
};
} // namespace

void rooftile::populateMatrixUnitToNvvmPatterns(RewritePatternSet &patterns) {
  patterns.add<MmaPattern>(patterns.getContext());
}

LogicalResult rooftile::checkMatrixUnits(gpu::GPUModuleOp module, blas::TargetAttr target) {
  WalkResult result = module.walk([&](lane::MmaOp op) {
    if (target->gflopsOf(instructionOf(op).machine) > 0)
      return WalkResult::advance();
    op.emitOpError("is ") << instructionOf(op).machine << ", which " << target->chip
                          << " does not have (instructions)";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
