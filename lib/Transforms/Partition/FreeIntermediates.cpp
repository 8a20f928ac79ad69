//===- FreeIntermediates.cpp - End of the life of intermediates -----------===//
//
// Bufferization allocates what stands between operations and frees nothing, so
// a function called in a loop would run out of memory. What does not leave the
// block that allocates it is freed at the end of that block. What a loop carries
// from one iteration to the next is freed at the end of the next, and what comes
// out of the loop at the end of its block. What is returned belongs to the
// caller; what the user frees is left alone. A constant that is returned is
// copied first, so that the caller can own it, too.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Partition/FreeIntermediates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

static bool carriesOwnMemory(scf::ForOp loop, unsigned index);

/// The loop has `memory` as the first of its iter_args, and drops it after one iteration; nor
/// does it leave by a loop that does not run.
static bool startsFrom(scf::ForOp loop, Value memory) {
  for (auto [index, start] : llvm::enumerate(loop.getInitArgs()))
    if (start == memory &&
        (!carriesOwnMemory(loop, index) || rooftile::escapes(loop.getResult(index))))
      return false;
  return true;
}

/// The operation reads or writes elements, and keeps no hold of the memory.
static bool onlyAccesses(Operation *op, Value memory) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return startsFrom(loop, memory);
  if (op->hasTrait<OpTrait::IsTerminator>() || hasMemory(op->getResultTypes()) ||
      isa<memref::ExtractAlignedPointerAsIndexOp>(op) || hasEffect<MemoryEffects::Free>(op, memory))
    return false;
  auto store = dyn_cast<memref::StoreOp>(op);
  bool isStored = store && store.getValue() == memory;
  return !isStored && isa<MemoryEffectOpInterface, CallOpInterface, gpu::LaunchFuncOp>(op);
}

/// `memory` escapes, other than by `exit`.
static bool escapesExcept(Value memory, Operation *exit) {
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
      } else if ((user != exit || alias != memory) && !onlyAccesses(user, alias)) {
        return true;
      }
    }
  }
  return false;
}

bool rooftile::escapes(Value memory) { return escapesExcept(memory, nullptr); }

//===----------------------------------------------------------------------===//
// Carried around a loop
//===----------------------------------------------------------------------===//

/// Whether the yielded value at `index` was allocated in the same iteration, which only accesses
/// what the iteration before has left there.
static bool carriesOwnMemory(scf::ForOp loop, unsigned index) {
  Value carried = loop.getRegionIterArg(index);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  auto alloc = yield.getOperand(index).getDefiningOp<memref::AllocOp>();
  return alloc && alloc->getBlock() == loop.getBody() && !escapes(carried) &&
         llvm::count(yield.getOperands(), alloc.getResult()) == 1 && !escapesExcept(alloc, yield);
}

static void freeIf(OpBuilder &builder, Location loc, Value condition, Value memory) {
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElse=*/false);
  OpBuilder inside = branch.getThenBodyBuilder();
  memref::DeallocOp::create(inside, loc, memory);
}

/// The first iteration got memory of others, every later one that of the iteration before.
static void freeCarried(scf::ForOp loop, unsigned index, bool resultEscapes) {
  Location loc = loop.getLoc();
  OpBuilder builder(loop.getBody()->getTerminator());
  Value later = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                      loop.getInductionVar(), loop.getLowerBound());
  freeIf(builder, loc, later, loop.getRegionIterArg(index));
  if (resultEscapes || !loop->getBlock()->mightHaveTerminator())
    return;
  builder.setInsertionPoint(loop->getBlock()->getTerminator());
  auto below = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value ran =
      arith::CmpIOp::create(builder, loc, below, loop.getLowerBound(), loop.getUpperBound());
  freeIf(builder, loc, ran, loop.getResult(index));
}

namespace {
struct Carried {
  scf::ForOp loop;
  unsigned index;
  bool resultEscapes;
};
} // namespace

static SmallVector<Carried> carriedMemory(Operation *root) {
  SmallVector<Carried> carried;
  root->walk([&](scf::ForOp loop) {
    for (unsigned index = 0; index < loop.getNumRegionIterArgs(); ++index)
      if (carriesOwnMemory(loop, index))
        carried.push_back({loop, index, escapes(loop.getResult(index))});
  });
  return carried;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

int64_t rooftile::freeIntermediates(Operation *root) {
  SmallVector<memref::AllocOp> local;
  root->walk([&](memref::AllocOp alloc) {
    if (!escapes(alloc) && alloc->getBlock()->mightHaveTerminator())
      local.push_back(alloc);
  });
  SmallVector<Carried> carried = carriedMemory(root);
  for (memref::AllocOp alloc : local) {
    OpBuilder builder(alloc->getBlock()->getTerminator());
    memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
  }
  for (Carried &memory : carried)
    freeCarried(memory.loop, memory.index, memory.resultEscapes);
  return local.size() + carried.size();
}

/// The caller frees what it gets: not the memory of the program.
static void copyReturnedConstants(Operation *root) {
  root->walk([](func::ReturnOp exit) {
    for (OpOperand &operand : exit->getOpOperands()) {
      Value source = operand.get();
      while (auto view = source.getDefiningOp<ViewLikeOpInterface>())
        source = view.getViewSource();
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      if (!type || !type.hasStaticShape() || !source.getDefiningOp<memref::GetGlobalOp>())
        continue;
      OpBuilder builder(exit);
      Location loc = exit.getLoc();
      auto own = MemRefType::get(type.getShape(), type.getElementType());
      Value memory = memref::AllocOp::create(builder, loc, own);
      memref::CopyOp::create(builder, loc, operand.get(), memory);
      if (own != type)
        memory = memref::CastOp::create(builder, loc, type, memory);
      operand.set(memory);
    }
  });
}

namespace {
struct FreeIntermediatesPass : rooftile::impl::FreeIntermediatesBase<FreeIntermediatesPass> {
  void runOnOperation() override {
    copyReturnedConstants(getOperation());
    freeIntermediates(getOperation());
  }
};
} // namespace
