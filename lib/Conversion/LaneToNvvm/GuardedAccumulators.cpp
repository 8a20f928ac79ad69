//===- GuardedAccumulators.cpp - Sums that are stored under a condition ---===//
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
// assembly behind its last multiply-add, which makes no instruction. So does one that is first
// chosen from others, as where a share of K may be empty, scaled, or made narrower: a 32x64x32 tile
// of 4x2 in f16, whose K six workgroups share, took 144 registers instead of 56 on an AMD GPU.
//
//===----------------------------------------------------------------------===//

#include "GuardedAccumulators.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace rooftile;

/// Whether `op` is stored under a condition, as it is or through what is made of it in its own
/// block, up to the next multiply-add: a choice between sums, alpha, another type.
static bool isGuarded(math::FmaOp op) {
  SmallVector<Operation *> open{op};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!open.empty())
    for (Operation *user : open.pop_back_val()->getUsers()) {
      if (user->getBlock() != op->getBlock()) {
        if (isa<scf::IfOp>(user->getParentOp()))
          return true;
      } else if (!isa<math::FmaOp>(user) && isMemoryEffectFree(user) && seen.insert(user).second) {
        open.push_back(user);
      }
    }
  return false;
}

void rooftile::keepGuardedAccumulators(gpu::GPUFuncOp kernel,
                                       function_ref<StringRef(Type)> registerOf) {
  SmallVector<Value> sums;
  kernel.walk([&](math::FmaOp op) {
    if (isGuarded(op))
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
      Operation *user = use.getOwner();
      return user != finished &&
             (user->getBlock() != finished->getBlock() || !isa<math::FmaOp>(user));
    });
  }
}
