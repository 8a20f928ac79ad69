//===- GuardedSums.cpp - Sums that are stored under a condition -----------===//
//
//   sum = fma a, b, before                     if inside {
//   if inside {                        ->        sum = fma a, b, before
//     store sum                                  store sum
//   }                                          }
//
// is what LLVM's instcombine makes of the last slice behind a K loop. All its fragments then live
// until the last row of the tile is stored, beside the sums: a 128x128 tile of f32 whose columns
// are guarded spilled 604 bytes a thread. So each sum passes through an empty piece of assembly in
// front of the first condition, which makes no instruction.
//
//===----------------------------------------------------------------------===//

#include "GuardedSums.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace rooftile;

/// `value` behind an empty piece of assembly.
static Value pinned(OpBuilder &builder, Value value) {
  StringRef constraints = value.getType().isF64() ? "=d,0" : "=f,0";
  return LLVM::InlineAsmOp::create(builder, value.getLoc(), value.getType(), value,
                                   /*asm_string=*/"", constraints,
                                   /*has_side_effects=*/true, /*is_align_stack=*/false,
                                   LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

static void keep(Block &block) {
  Operation *first = nullptr;
  llvm::SetVector<Value> sums;
  for (auto branch : block.getOps<scf::IfOp>())
    branch.walk([&](Operation *user) {
      for (Value value : user->getOperands()) {
        auto sum = value.getDefiningOp<math::FmaOp>();
        if (!sum || sum->getBlock() != &block || !isa<Float32Type, Float64Type>(value.getType()))
          continue;
        sums.insert(value);
        first = first ? first : branch.getOperation();
      }
    });
  if (!first)
    return;
  OpBuilder builder(first);
  for (Value sum : sums)
    if (sum.getDefiningOp()->isBeforeInBlock(first))
      sum.replaceUsesWithIf(pinned(builder, sum), [&](OpOperand &use) {
        return use.getOwner()->getBlock() != &block; // under a condition
      });
}

void rooftile::keepGuardedSums(gpu::GPUModuleOp module) {
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    for (Block &block : kernel.getBody())
      keep(block);
}
