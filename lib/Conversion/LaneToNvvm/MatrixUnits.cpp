//===- MatrixUnits.cpp - mma.sync -----------------------------------------===//
//
// The table's fragments are those of PTX, so a lane.mma is one intrinsic of LLVM, named by shape
// and type: upstream's nvvm.mma.sync does not know every f64 shape. One whose operands are
// exchanged gives its registers of B as those of A, and its registers of A as those of B.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "rooftile/Conversion/LaneToNvvm/LaneToNvvm.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rooftile;

/// llvm.nvvm.mma.m16n8k4.row.col.f64
static std::string intrinsicOf(const tile::Instruction &machine) {
  return llvm::formatv("llvm.nvvm.mma.m{0}n{1}k{2}.row.col.{3}", machine.m, machine.n, machine.k,
                       machine.type);
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
      operands.append(registers.begin(), registers.end());
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
    if (target.getRateOf(instructionOf(op).machine))
      return WalkResult::advance();
    op.emitOpError("is ") << instructionOf(op).machine << ", which " << target.getChip()
                          << " does not have (instructions)";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
