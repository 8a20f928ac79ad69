//===- CarriedLoads.cpp - Loads for the next iteration of a loop ----------===//
//
//   for (..; fragments) {                      for (..; place) {
//     barrier                                    fragments = load place
//     next = load                     ->         barrier
//     sums += fragments * ..                     sums += fragments * ..
//   } with next                                } with next place
//
// is what LLVM's instcombine makes of loads that reach the head of a loop from both sides, as long
// as nothing behind them may write memory: multiplications do not. The fragments that leap-frog
// reads ahead of the last slice of a step would be read behind its barrier after all, with nothing
// to hide them. So memory is said to change behind the last such load of a iteration: an empty
// piece of assembly, which makes no instruction.
//
//===----------------------------------------------------------------------===//

#include "CarriedLoads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace rooftile;

/// The load in `body` that `value` comes from, or null.
static Operation *loadOf(Value value, Block *body) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<vector::ToElementsOp, arith::ExtFOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return op && op->getBlock() == body && isa<memref::LoadOp, vector::LoadOp>(op) ? op : nullptr;
}

void rooftile::keepCarriedLoads(gpu::GPUModuleOp module) {
  module.walk([](scf::ForOp loop) {
    Operation *last = nullptr;
    for (Value value : loop.getYieldedValues())
      if (Operation *load = loadOf(value, loop.getBody()))
        if (!last || last->isBeforeInBlock(load))
          last = load;
    if (!last)
      return;
    OpBuilder builder(last->getContext());
    builder.setInsertionPointAfter(last);
    LLVM::InlineAsmOp::create(builder, last->getLoc(), TypeRange(), ValueRange(), /*asm_string=*/"",
                              /*constraints=*/"~{memory}", /*has_side_effects=*/true,
                              /*is_align_stack=*/false, LLVM::TailCallKind::None,
                              LLVM::AsmDialectAttr(), ArrayAttr());
  });
}
