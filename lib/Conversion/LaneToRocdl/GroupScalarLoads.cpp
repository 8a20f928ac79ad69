//===- GroupScalarLoads.cpp - Scalar registers, a group at a time ---------===//
//
// A fragment that is the same for all threads lies in scalar registers, which are few: 96, where a
// slice of 64 rows and 8 K elements has 512. And loads fill them in any order, so that a wave waits
// for all that are on their way. So a slice is loaded in groups, and what multiplies a group comes
// before the next one:
//
//   load a0 .. a63               sched.barrier
//   multiply by b, K outside     load a0, a1           as many as there are registers
//                          ->    fence of their values
//                                multiply a0           along K: the accumulator stays in place
//                                multiply a1
//                                sched.barrier
//                                load a2, a3
//                                ...
//
// Where a wave can issue a multiply-add only when the one before it has finished, one row (column)
// after the other is multiplied along K: the unit forwards the accumulator to itself and does not
// read its register. Elsewhere such a chain would wait, and the order of the program stays.
//
//===----------------------------------------------------------------------===//

#include "../LaneToGpu/KernelPreparation.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "rooftile/Conversion/LaneToRocdl/LaneToRocdl.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/DebugLog.h"

#include <map>

#define DEBUG_TYPE "group-scalar-loads"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_GROUPSCALARLOADS
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// Address space of constant memory: LLVM, User Guide for AMDGPU Backend.
static constexpr int64_t kConstant = 4;

static bool isScalarLoad(Operation *op) { return op->hasAttr(lane::LaneDialect::kScalarName); }

/// 32-bit registers that a load fills.
static int64_t registersOf(Operation *load) {
  Type type = load->getResult(0).getType();
  auto vector = dyn_cast<VectorType>(type);
  int64_t elements = vector ? vector.getNumElements() : 1;
  return llvm::divideCeil(elements * getElementTypeOrSelf(type).getIntOrFloatBitWidth(), 32);
}

namespace {
/// A place in the new order: the loads of a group come first (load 0), then what uses them.
struct Place {
  int64_t group = 0, load = 0;

  bool operator<(const Place &other) const {
    return std::pair(group, load) < std::pair(other.group, other.load);
  }
};

/// Orders the operations of a block. The places of what does not depend on a scalar load, and of
/// what writes memory, never decrease, so that these stay in order; and no operation comes before
/// its operands.
class Grouping {
public:
  Grouping(Block *block, const ScalarRegisters &registers) : block(block), registers(registers) {}

  /// Returns the number of groups.
  int64_t run();

private:
  struct Uses {
    Place place;           ///< Least place of a user.
    bool isScalar = false; ///< Whether it depends on a scalar load.
  };
  Uses usesOf(Operation *op) const;
  Place placeLoad(Operation *op);
  Place place(Operation *op);

  Block *block;
  const ScalarRegisters &registers;
  llvm::DenseMap<Operation *, Uses> known;
  Place done; ///< The last place of what has used a load.
  int64_t groups = 0, loads = 0;
  int64_t filled = 0;  ///< Registers of the last group.
  bool isUsed = false; ///< Whether something has multiplied by its loads.
};
} // namespace

/// Joined uses of the operands of `op`, those in its regions included.
Grouping::Uses Grouping::usesOf(Operation *op) const {
  Uses all;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (auto found = known.find(operand.getDefiningOp()); found != known.end()) {
        all.place = std::max(all.place, found->second.place);
        all.isScalar |= found->second.isScalar;
      }
  });
  return all;
}

Place Grouping::placeLoad(Operation *op) {
  int64_t needed = registersOf(op);
  bool fits = filled + needed <= registers.atOnce && !(Place{groups, 0} < usesOf(op).place);
  if (groups == 0 || isUsed || !fits)
    ++groups, filled = 0, isUsed = false;
  filled += needed;
  known[op] = {Place{groups, registers.inPlace ? ++loads : 1}, /*isScalar=*/true};
  return Place{groups, 0};
}

Place Grouping::place(Operation *op) {
  if (isScalarLoad(op))
    return placeLoad(op);
  Uses uses = usesOf(op);
  bool stays = !uses.isScalar || !isMemoryEffectFree(op);
  if (stays)
    uses.place = std::max(uses.place, done);
  // A conversion of elements to factors is no use yet.
  if (uses.isScalar && (isa<math::FmaOp>(op) || stays))
    done = std::max(done, uses.place), isUsed = true;
  known[op] = uses;
  return uses.place;
}

/// `memory` as constant memory, which operands are to a kernel.
static Value constantOf(Value memory) {
  for (Operation *user : memory.getUsers())
    if (auto cast = dyn_cast<memref::MemorySpaceCastOp>(user))
      return cast;
  OpBuilder builder(memory.getContext());
  builder.setInsertionPointAfterValue(memory);
  Type type = MemRefType::Builder(cast<MemRefType>(memory.getType()))
                  .setMemorySpace(builder.getI64IntegerAttr(kConstant));
  return memref::MemorySpaceCastOp::create(builder, memory.getLoc(), type, memory);
}

/// LLVM selects loads of scalar registers for constant memory. Elsewhere it does where it can prove
/// that nothing writes the address, which it gives up on after some pointers that are computed from
/// each other, such as those of rows.
static void readConstant(Operation *load) {
  OpOperand &memory = load->getOpOperand(0);
  memory.set(constantOf(memory.get()));
}

/// Nothing passes the loads of a group, which are done when it is multiplied. A barrier of LLVM's
/// scheduler alone would not do: loads of memory that nothing writes have no order.
static void fence(ArrayRef<Operation *> loads) {
  OpBuilder builder(loads.front());
  ROCDL::SchedBarrier::create(builder, loads.front()->getLoc(), /*mask: nothing passes*/ 0);
  builder.setInsertionPointAfter(loads.back());
  SmallVector<Value> values;
  for (Operation *load : loads) {
    readConstant(load);
    values.push_back(load->getResult(0));
  }
  auto fence = lane::CompilerFenceOp::create(builder, loads.front()->getLoc(), values,
                                             /*scalar=*/true);
  for (auto [value, fenced] : llvm::zip_equal(values, fence.getFenced()))
    value.replaceAllUsesExcept(fenced, fence);
}

/// The multiply-adds of one load are not mixed with those of the next one.
static void keepInPlace(Operation *last) {
  OpBuilder builder(last->getContext());
  builder.setInsertionPointAfter(last);
  ROCDL::SchedBarrier::create(builder, last->getLoc(), /*mask: nothing passes*/ 0);
}

int64_t Grouping::run() {
  std::map<Place, SmallVector<Operation *>> order;
  for (Operation &op : block->without_terminator())
    order[place(&op)].push_back(&op);
  if (groups == 0)
    return 0;
  Operation *end = block->getTerminator();
  for (auto &[place, ops] : order) {
    for (Operation *op : ops)
      op->moveBefore(end);
    if (place.group > 0 && place.load == 0)
      fence(ops);
    else if (place.group > 0 && registers.inPlace)
      keepInPlace(ops.back());
  }
  return groups;
}

int64_t rooftile::groupScalarLoads(gpu::GPUFuncOp kernel, const ScalarRegisters &registers) {
  int64_t groups = 0;
  kernel.walk([&](Block *block) { groups += Grouping(block, registers).run(); });
  // The order is made: another pass finds nothing to do.
  kernel.walk([](Operation *op) { op->removeAttr(lane::LaneDialect::kScalarName); });
  return groups;
}

static ScalarRegisters registersOf(blas::TargetAttr target) {
  int64_t clocks = target->subgroup * target->schedulersPerUnit / target->fmaF32PerClock;
  return {target->scalarGroup(), target->fmaLatencyCycles <= clocks};
}

namespace {
struct GroupScalarLoadsPass : rooftile::impl::GroupScalarLoadsBase<GroupScalarLoadsPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      bool any = kernel->walk([](Operation *op) { return WalkResult(failure(isScalarLoad(op))); })
                     .wasInterrupted();
      if (!any)
        continue;
      FailureOr<blas::TargetAttr> target =
          targetOf(getOperation(), blas::Vendor::Amd, getArgument());
      if (failed(target))
        return signalPassFailure();
      int64_t count = groupScalarLoads(kernel, registersOf(*target));
      numGroups += count;
      LDBG() << kernel.getName() << ": " << count << " groups";
    }
  }
};
} // namespace
