//===- GuardedSums.cpp - Sums that are stored under a condition -----------===//
//
//   sum = fma a, b, before                     if inside {
//   if inside {                        ->        sum = fma a, b, before
//     store sum                                  store sum
//   }                                          }
//
// is what LLVM makes of the last slices behind a K loop, whole chains of multiply-adds. All their
// fragments then live until the last row of the tile is stored, beside the sums: a 128x128 tile of
// f32 whose columns are guarded spilled 604 bytes a thread on an NVIDIA GPU; 64x16x16 of 4x4 in f64
// took 302 registers instead of 169 on an AMD one. So each sum passes through an empty piece of
// assembly behind its last multiply-add, which makes no instruction.
//
//===----------------------------------------------------------------------===//

#include "GuardedSums.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace rooftile;

void rooftile::keepGuardedSums(gpu::GPUFuncOp kernel, function_ref<StringRef(Type)> registerOf) {
  SmallVector<Value> sums;
  kernel.walk([&](math::FmaOp op) {
    auto guarded = [&](Operation *user) {
      return user->getBlock() != op->getBlock() && isa<scf::IfOp>(user->getParentOp());
    };
    if (llvm::any_of(op->getUsers(), guarded))
      sums.push_back(op);
  });
  for (Value sum : sums) {
    StringRef letter = registerOf(sum.getType());
    if (letter.empty())
      continue;
    OpBuilder builder(sum.getContext());
    builder.setInsertionPointAfterValue(sum);
    std::string constraints = ("=" + letter + ",0").str();
    auto finished = LLVM::InlineAsmOp::create(
        builder, sum.getLoc(), sum.getType(), sum, "", constraints, /*has_side_effects=*/true,
        /*is_align_stack=*/false, LLVM::TailCallKind::None,
        LLVM::AsmDialectAttr::get(builder.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
    sum.replaceUsesWithIf(finished.getResult(0), [&](OpOperand &use) {
      return use.getOwner()->getBlock() != finished->getBlock();
    });
  }
}
