//===- FreeIntermediates.cpp - End of the life of intermediates -----------===//
//
// Bufferization allocates what stands between operations and frees nothing, so
// a function called in a loop would run out of memory. What does not leave the
// block that allocates it is freed at the end of that block. What is returned
// belongs to the caller; what is carried around a loop, or freed by the user, is
// left alone.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/FreeIntermediates.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "rooftile/Transforms/Passes.h"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_FREEINTERMEDIATES
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

static bool hasMemory(TypeRange types) {
  return llvm::any_of(types, [](Type type) { return isa<BaseMemRefType, TensorType>(type); });
}

/// The operation reads or writes elements, and keeps no hold of the memory.
static bool onlyAccesses(Operation *op, Value memory) {
  if (op->hasTrait<OpTrait::IsTerminator>() || hasMemory(op->getResultTypes()) ||
      isa<memref::ExtractAlignedPointerAsIndexOp>(op) || hasEffect<MemoryEffects::Free>(op, memory))
    return false;
  auto store = dyn_cast<memref::StoreOp>(op);
  bool isStored = store && store.getValue() == memory;
  return !isStored && isa<MemoryEffectOpInterface, CallOpInterface, gpu::LaunchFuncOp>(op);
}

bool rooftile::escapes(Value memory) {
  SmallVector<Value> aliases{memory};
  while (!aliases.empty()) {
    Value alias = aliases.pop_back_val();
    for (Operation *user : alias.getUsers()) {
      if (!memory.getParentBlock()->findAncestorOpInBlock(*user))
        return true;
      if (isa<ViewLikeOpInterface, memref::ExtractStridedMetadataOp>(user)) {
        for (Value view : user->getResults())
          if (isa<BaseMemRefType>(view.getType()))
            aliases.push_back(view);
      } else if (!onlyAccesses(user, alias)) {
        return true;
      }
    }
  }
  return false;
}

int64_t rooftile::freeIntermediates(Operation *root) {
  SmallVector<memref::AllocOp> local;
  root->walk([&](memref::AllocOp alloc) {
    if (!escapes(alloc) && alloc->getBlock()->mightHaveTerminator())
      local.push_back(alloc);
  });
  for (memref::AllocOp alloc : local) {
    OpBuilder builder(alloc->getBlock()->getTerminator());
    memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
  }
  return local.size();
}

namespace {
struct FreeIntermediatesPass : rooftile::impl::FreeIntermediatesBase<FreeIntermediatesPass> {
  void runOnOperation() override { freeIntermediates(getOperation()); }
};
} // namespace
