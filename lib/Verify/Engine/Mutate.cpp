//===- Mutate.cpp - Defects on purpose ------------------------------------===//

#include "Mutate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Lane/Lane.h"

#include <map>
#include <set>

using namespace mlir;
using namespace rooftile::verify;

/// The barrier inside the K loop, or the first where there is no such loop; may be null.
static gpu::BarrierOp chooseBarrier(gpu::GPUFuncOp kernel) {
  gpu::BarrierOp chosen;
  kernel.walk([&](gpu::BarrierOp barrier) {
    bool looped = isa<scf::ForOp>(barrier->getParentOp());
    if (!chosen || (looped && !isa<scf::ForOp>(chosen->getParentOp())))
      chosen = barrier;
  });
  return chosen;
}

static bool deleteBarrier(gpu::GPUFuncOp kernel) {
  gpu::BarrierOp barrier = chooseBarrier(kernel);
  if (barrier)
    barrier.erase();
  return barrier != nullptr;
}

static bool isSharedAccess(mlir::Operation *op) {
  return isa<MemoryEffectOpInterface>(op) && !isMemoryEffectFree(op) &&
         llvm::any_of(op->getOperandTypes(), [](Type type) {
           auto memref = dyn_cast<MemRefType>(type);
           return memref && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(memref);
         });
}

/// Moves a barrier to the other side of the nearest access to shared memory: before the one that
/// comes before it, else after the one that comes after it.
static bool moveBarrier(gpu::GPUFuncOp kernel) {
  gpu::BarrierOp barrier = chooseBarrier(kernel);
  if (!barrier)
    return false;
  mlir::Operation *before = barrier->getPrevNode(), *after = barrier->getNextNode();
  while (before && !isSharedAccess(before))
    before = before->getPrevNode();
  while (after && !isSharedAccess(after))
    after = after->getNextNode();
  if (before)
    barrier->moveBefore(before);
  else if (after)
    barrier->moveAfter(after);
  return before || after;
}

/// The comparisons that a condition is the conjunction of.
static void collectComparisons(Value condition, std::set<mlir::Operation *> &comparisons) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    collectComparisons(both.getLhs(), comparisons);
    collectComparisons(both.getRhs(), comparisons);
  } else if (auto comparison = condition.getDefiningOp<arith::CmpIOp>()) {
    comparisons.insert(comparison);
  }
}

static bool isGlobalStore(mlir::Operation *op) {
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
    return !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(atomic.getMemRefType());
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(store.getMemRefType());
  return op->getName().getStringRef() == "vector.store";
}

/// Shifts every guard of a store to C by one row and one column: the end of the matrix admits one
/// too many, the start of a workgroup's own share one too few.
static bool loosenGuards(gpu::GPUFuncOp kernel) {
  std::set<mlir::Operation *> comparisons;
  kernel.walk([&](scf::IfOp guard) {
    bool stores = guard.getThenRegion()
                      .walk([](mlir::Operation *op) {
                        return isGlobalStore(op) ? WalkResult::interrupt() : WalkResult::advance();
                      })
                      .wasInterrupted();
    if (stores)
      collectComparisons(guard.getCondition(), comparisons);
  });
  bool changed = false;
  for (mlir::Operation *op : comparisons) {
    using Predicate = arith::CmpIPredicate;
    static const std::map<Predicate, Predicate> shifted = {{Predicate::slt, Predicate::sle},
                                                           {Predicate::sge, Predicate::sgt},
                                                           {Predicate::sgt, Predicate::sge},
                                                           {Predicate::sle, Predicate::slt}};
    auto comparison = cast<arith::CmpIOp>(op);
    auto found = shifted.find(comparison.getPredicate());
    if (found == shifted.end())
      continue;
    comparison.setPredicate(found->second);
    changed = true;
  }
  return changed;
}

/// The sum that `op` adds to; null if it adds to none. Of a multiply-add or a matrix instruction.
static Value addedTo(mlir::Operation *op) {
  if (auto fma = dyn_cast<math::FmaOp>(op))
    return fma.getC();
  if (auto mma = dyn_cast<rooftile::lane::MmaOp>(op))
    return mma.getC().front();
  if (auto mma = dyn_cast<rooftile::lane::AsyncMmaOp>(op))
    return mma.getC().front();
  return {};
}

/// Leaves out one slice of K: the first multiplication of every accumulator after the K loop (a
/// single term of each sum, or those of one instruction), or in it where none comes after.
static bool dropSlice(gpu::GPUFuncOp kernel) {
  SmallVector<mlir::Operation *> after, inside;
  kernel.walk([&](mlir::Operation *op) {
    Value before = addedTo(op);
    if (!before || (before.getDefiningOp() && addedTo(before.getDefiningOp())))
      return;
    (op->getParentOfType<scf::ForOp>() ? inside : after).push_back(op);
  });
  SmallVector<mlir::Operation *> &dropped = after.empty() ? inside : after;
  for (mlir::Operation *op : dropped) {
    op->replaceAllUsesWith(op->getOperands().take_back(op->getNumResults()));
    op->erase();
  }
  return !dropped.empty();
}

/// Deletes the first barrier at which the workgroups of a cluster meet.
static bool deleteClusterBarrier(gpu::GPUFuncOp kernel) {
  return kernel
      .walk([](rooftile::lane::ClusterBarrierOp barrier) {
        barrier.erase();
        return WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Leaves out the first partial sum: of a cluster, of the slices of a blas.reduce; or all atomic
/// additions but one.
static bool dropSplit(gpu::GPUFuncOp kernel) {
  auto contract = kernel->getAttrOfType<rooftile::blas::ContractAttr>(
      rooftile::blas::BlasDialect::kContractName);
  bool sums = contract && llvm::any_of(contract.getArgs(), [](rooftile::blas::ArgAttr arg) {
                return arg.getRole() == rooftile::blas::Role::W;
              });
  bool changed = false;
  kernel.walk([&](mlir::Operation *op) {
    OpBuilder builder(op);
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && sums) {
      loop.setLowerBound(loop.getStep());
      changed = true;
    } else if (auto peer = dyn_cast<rooftile::lane::PeerOp>(op); peer && !changed) {
      Value next = arith::ConstantIndexOp::create(builder, op->getLoc(), 1);
      peer.getRankMutable().assign(next);
      changed = true;
    } else if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op)) {
      atomic.setKind(arith::AtomicRMWKind::assign);
      changed = true;
    }
  });
  return changed;
}

/// The operation of the kind inside the K loop, or the first where there is no such loop; may be
/// null.
static mlir::Operation *choose(gpu::GPUFuncOp kernel,
                               llvm::function_ref<bool(mlir::Operation *)> isKind) {
  mlir::Operation *chosen = nullptr;
  kernel.walk([&](mlir::Operation *op) {
    bool looped = isa<scf::ForOp>(op->getParentOp());
    if (isKind(op) && (!chosen || (looped && !isa<scf::ForOp>(chosen->getParentOp()))))
      chosen = op;
  });
  return chosen;
}

static bool erase(mlir::Operation *op) {
  if (op)
    op->erase();
  return op != nullptr;
}

/// Whether `op` waits for products whose factors lie in shared memory.
static bool waitsForProducts(mlir::Operation *op) {
  auto wait = dyn_cast<rooftile::lane::WaitOp>(op);
  return wait && wait.getProducts();
}

static bool deleteWait(gpu::GPUFuncOp kernel) {
  return erase(choose(kernel, [](mlir::Operation *op) {
    return isa<rooftile::lane::WaitOp, rooftile::lane::ArrivedOp>(op) && !waitsForProducts(op);
  }));
}

static bool deleteFence(gpu::GPUFuncOp kernel) {
  return erase(
      choose(kernel, [](mlir::Operation *op) { return isa<rooftile::lane::FenceOp>(op); }));
}

static bool deleteWaitForProducts(gpu::GPUFuncOp kernel) {
  return erase(choose(kernel, waitsForProducts));
}

/// Deletes the barrier after a wait for products, by which a stage is released.
static bool deleteRelease(gpu::GPUFuncOp kernel) {
  return erase(choose(kernel, [](mlir::Operation *op) {
    auto barrier = dyn_cast<gpu::BarrierOp>(op);
    mlir::Operation *before = barrier ? barrier->getPrevNode() : nullptr;
    return before && waitsForProducts(before);
  }));
}

/// Uses sums of products that are on their way.
static bool useUnfinished(gpu::GPUFuncOp kernel) {
  mlir::Operation *finish =
      choose(kernel, [](mlir::Operation *op) { return isa<rooftile::lane::FinishOp>(op); });
  if (finish)
    finish->replaceAllUsesWith(finish->getOperands());
  return finish != nullptr;
}

/// Makes every access to the extra operands of an epilogue read what comes after its own.
static bool shiftExtras(gpu::GPUFuncOp kernel) {
  auto contract = kernel->getAttrOfType<rooftile::blas::ContractAttr>(
      rooftile::blas::BlasDialect::kContractName);
  SmallVector<Value> memrefs;
  if (!contract)
    return false;
  for (auto [index, arg] : llvm::enumerate(contract.getArgs()))
    if (arg.getRole() == rooftile::blas::Role::E &&
        arg.getKind() == rooftile::blas::ArgKind::Pointer)
      memrefs.push_back(kernel.getArgument(index));
  SmallVector<mlir::Operation *> loads;
  while (!memrefs.empty())
    for (mlir::Operation *user : memrefs.pop_back_val().getUsers())
      if (isa<memref::LoadOp>(user) || user->getName().getStringRef() == "vector.load")
        loads.push_back(user);
      else
        llvm::append_range(memrefs, user->getResults());
  for (mlir::Operation *load : loads) {
    OpBuilder builder(load);
    auto run = dyn_cast<VectorType>(load->getResult(0).getType());
    Value width =
        arith::ConstantIndexOp::create(builder, load->getLoc(), run ? run.getNumElements() : 1);
    Value next = arith::AddIOp::create(builder, load->getLoc(), load->getOperand(1), width);
    load->setOperand(1, next);
  }
  return !loads.empty();
}

/// Uses 0 for the compensation of sums, which is added where it is not NaN.
static bool forgetRounding(gpu::GPUFuncOp kernel) {
  bool changed = false;
  kernel.walk([&](arith::SelectOp select) {
    auto known = select.getCondition().getDefiningOp<arith::CmpFOp>();
    if (!known || known.getPredicate() != arith::CmpFPredicate::ORD)
      return;
    select.getResult().replaceAllUsesWith(select.getFalseValue());
    changed = true;
  });
  return changed;
}

static bool apply(gpu::GPUFuncOp kernel, Mutation mutation) {
  switch (mutation) {
  case Mutation::None:
    return true;
  case Mutation::Barrier:
    return deleteBarrier(kernel);
  case Mutation::Race:
    return moveBarrier(kernel);
  case Mutation::Guard:
    return loosenGuards(kernel);
  case Mutation::Slice:
    return dropSlice(kernel);
  case Mutation::Cluster:
    return deleteClusterBarrier(kernel);
  case Mutation::Split:
    return dropSplit(kernel);
  case Mutation::Wait:
    return deleteWait(kernel);
  case Mutation::Extra:
    return shiftExtras(kernel);
  case Mutation::Rounding:
    return forgetRounding(kernel);
  case Mutation::Fence:
    return deleteFence(kernel);
  case Mutation::Products:
    return deleteWaitForProducts(kernel);
  case Mutation::Release:
    return deleteRelease(kernel);
  case Mutation::Finish:
    return useUnfinished(kernel);
  }
  return false;
}

LogicalResult rooftile::verify::mutate(ModuleOp module, Mutation mutation) {
  bool any = mutation == Mutation::None;
  module.walk([&](gpu::GPUFuncOp kernel) { any |= apply(kernel, mutation); });
  if (!any)
    return module.emitError("--mutate: no kernel has anything of the kind to change");
  return success();
}
