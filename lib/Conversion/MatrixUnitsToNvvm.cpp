//===- MatrixUnitsToNvvm.cpp - mma.sync -----------------------------------===//
//
// The table's fragments are those of PTX, so a lane.mma is one intrinsic of LLVM, named by shape
// and type: upstream's nvvm.mma.sync does not know every f64 shape.
//
//===----------------------------------------------------------------------===//

#include "MatrixUnitsToNvvm.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rooftile;

/// llvm.nvvm.mma.m16n8k4.row.col.f64
static std::string intrinsicOf(tile::InstructionAttr instruction) {
  ArrayRef<int64_t> shape = instruction.getShape();
  std::string name;
  llvm::raw_string_ostream(name) << "llvm.nvvm.mma.m" << shape[0] << 'n' << shape[1] << 'k'
                                 << shape[2] << ".row.col." << instruction.getTypes()[2];
  return name;
}

static void lower(lane::MmaOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Type> types(op.getResultTypes());
  auto result = LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  SmallVector<Value> operands;
  for (ValueRange registers : {op.getA(), op.getB(), op.getC()})
    operands.append(registers.begin(), registers.end());
  auto name = builder.getStringAttr(intrinsicOf(op.getInstruction()));
  Value sums = LLVM::CallIntrinsicOp::create(builder, loc, result, name, operands).getResults();
  for (auto [index, sum] : llvm::enumerate(op.getSums()))
    sum.replaceAllUsesWith(
        LLVM::ExtractValueOp::create(builder, loc, sums, ArrayRef<int64_t>(int64_t(index))));
  op.erase();
}

LogicalResult rooftile::lowerMatrixUnits(gpu::GPUModuleOp module, blas::TargetAttr target) {
  SmallVector<lane::MmaOp> ops;
  module.walk([&](lane::MmaOp op) { ops.push_back(op); });
  for (lane::MmaOp op : ops)
    if (!target.getRateOf(op.getInstruction().getName()))
      return op.emitOpError("is ") << op.getInstruction().getName() << ", which "
                                   << target.getChip() << " does not have (instructions)";
  for (lane::MmaOp op : ops)
    lower(op);
  return success();
}
