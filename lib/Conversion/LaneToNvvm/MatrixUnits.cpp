//===- MatrixUnits.cpp - mma.sync -----------------------------------------===//
//
// The table's fragments are those of PTX, so a lane.mma is one intrinsic of LLVM, named by shape
// and type: upstream's nvvm.mma.sync does not know every f64 shape. One whose operands are
// exchanged gives its registers of B as those of A, and its registers of A as those of B.
//
//===----------------------------------------------------------------------===//

#include "MatrixUnits.h"
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

static void lower(lane::MmaOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Type> types(op.getResultTypes());
  auto result = LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  const tile::Instruction &own = instructionOf(op);
  std::array<ValueRange, 3> all{op.getA(), op.getB(), op.getC()};
  if (own.isExchanged())
    std::swap(all[0], all[1]);
  SmallVector<Value> operands;
  for (ValueRange registers : all)
    operands.append(registers.begin(), registers.end());
  auto name = builder.getStringAttr(intrinsicOf(*tile::findInstruction(own.machine)));
  Value sums = LLVM::CallIntrinsicOp::create(builder, loc, result, name, operands).getResults();
  for (auto [index, sum] : llvm::enumerate(op.getAccumulators()))
    sum.replaceAllUsesWith(
        LLVM::ExtractValueOp::create(builder, loc, sums, ArrayRef<int64_t>(int64_t(index))));
  op.erase();
}

LogicalResult rooftile::lowerMatrixUnits(gpu::GPUModuleOp module, blas::TargetAttr target) {
  SmallVector<lane::MmaOp> ops;
  module.walk([&](lane::MmaOp op) { ops.push_back(op); });
  for (lane::MmaOp op : ops)
    if (!target.getRateOf(instructionOf(op).machine))
      return op.emitOpError("is ") << instructionOf(op).machine << ", which " << target.getChip()
                                   << " does not have (instructions)";
  for (lane::MmaOp op : ops)
    lower(op);
  return success();
}
