//===- HostElements.cpp - Elements that host code works on ----------------===//
//
// Code as data computes scalars, loads single elements and launches kernels. Whatever else host
// code does between launches (stores, loops over elements, exp of a number) one thread of the
// device does: neighbouring operations are one parallel loop of one iteration. A number that it
// computes for the host goes through memory:
//
//   %x = math.exp %s : f32                     %box = memref.alloc() : memref<f32>
//   memref.store %x, %c[%i] : memref<8xf32>    scf.parallel (%one) = (%c0) to (%c1) step (%c1) {
//   gpu.launch_func .. args(%x : f32)            %e = math.exp %s : f32
//                                                memref.store %e, %c[%i] : memref<8xf32>
//                                                memref.store %e, %box[] : memref<f32>
//                                              }
//                                              %x = memref.load %box[] : memref<f32>
//
//===----------------------------------------------------------------------===//

#include "HostElements.h"
#include "NumberEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::compiler;

//===----------------------------------------------------------------------===//
// Who does what
//===----------------------------------------------------------------------===//

namespace {
enum class Role {
  Number,   ///< Code as data computes it, and one thread may, too.
  Boundary, ///< The host's alone: memory, launches, calls.
  Element   ///< One thread's work.
};
} // namespace

static bool givesMemory(Operation *op) {
  return llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
}

static Role roleOf(Operation *op);

/// The role of an operation by those in it.
static Role roleOfRegions(Operation *op) {
  Role role = Role::Number;
  op->walk([&](Operation *inner) {
    if (inner == op || inner->hasTrait<OpTrait::IsTerminator>())
      return WalkResult::advance();
    Role own = roleOf(inner);
    if (own != Role::Number)
      role = own;
    return own == Role::Boundary ? WalkResult::interrupt() : WalkResult::skip();
  });
  return role == Role::Element && givesMemory(op) ? Role::Boundary : role;
}

static Role roleOf(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() ||
      isa<memref::DeallocOp, scf::ParallelOp, func::CallOp, cf::AssertOp>(op) ||
      isa_and_nonnull<gpu::GPUDialect>(op->getDialect()) ||
      (isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()) && !isa<LLVM::ConstantOp>(op)))
    return Role::Boundary;
  if (op->getNumRegions())
    return roleOfRegions(op);
  bool isView = isa_and_nonnull<memref::MemRefDialect>(op->getDialect()) && isPure(op) &&
                !isa<memref::GetGlobalOp>(op);
  if (isView || isa<vector::TypeCastOp>(op) || op->hasTrait<OpTrait::ConstantLike>() ||
      NumberEmitter::takes(*op))
    return Role::Number;
  return givesMemory(op) ? Role::Boundary : Role::Element;
}

/// In host code that is not lowered yet.
static bool isElement(Operation *op) {
  if (isa<linalg::LinalgOp, scf::ForallOp, scf::ParallelOp, memref::CopyOp>(op))
    return true;
  bool isOfCode = op->getNumRegions() || isa<memref::LoadOp>(op) ||
                  (isa_and_nonnull<affine::AffineDialect>(op->getDialect()) && isPure(op));
  return !isOfCode && roleOf(op) == Role::Element;
}

bool compiler::hasElements(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.walk([](Operation *op) { return WalkResult(failure(isElement(op))); })
            .wasInterrupted())
      return true;
  return false;
}

LogicalResult compiler::lowerTransfers(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  vector::populateVectorMaskMaterializationPatterns(patterns, /*force32BitVectorIndices=*/false);
  vector::populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
  FrozenRewritePatternSet frozen(std::move(patterns));
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(applyPatternsGreedily(function, frozen)))
      return failure();
  return success();
}

void compiler::makeCopiesLinalg(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](memref::CopyOp copy) {
      rewriter.setInsertionPoint(copy);
      linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(), copy.getTarget());
      rewriter.eraseOp(copy);
    });
}

//===----------------------------------------------------------------------===//
// One thread
//===----------------------------------------------------------------------===//

namespace {
/// Neighbours of one block.
class Group {
public:
  void add(Operation *op, Role role) {
    if (role == Role::Number && ops.empty())
      return; // nothing before it is in the group
    ops.insert(op);
    isNeeded |= role == Role::Element && !isa<memref::LoadOp>(op);
  }
  /// Puts the operations into a loop, where one of them is no load: the host can do these.
  void wrap();

private:
  void fill(scf::ParallelOp loop, IRMapping &mapping);
  void passOn(Value result, Value inLoop, scf::ParallelOp loop);

  llvm::SetVector<Operation *> ops;
  bool isNeeded = false;
};
} // namespace

void Group::fill(scf::ParallelOp loop, IRMapping &mapping) {
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  for (Operation *op : ops) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *constant = operand.getDefiningOp();
            constant && constant->hasTrait<OpTrait::ConstantLike>() && !mapping.contains(operand) &&
            !op->isAncestor(constant) && !ops.contains(constant))
          inside.clone(*constant, mapping);
    });
    inside.clone(*op, mapping);
  }
}

void Group::wrap() {
  while (!ops.empty() && roleOf(ops.back()) == Role::Number)
    ops.pop_back();
  if (!isNeeded)
    return;
  Location loc = ops.front()->getLoc();
  OpBuilder builder(ops.back()->getContext());
  builder.setInsertionPointAfter(ops.back());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ParallelOp::create(builder, loc, zero, one, one);
  IRMapping mapping;
  fill(loop, mapping);
  // From the last one on: what has uses left then is used by what comes after the group.
  for (Operation *op : llvm::reverse(ops)) {
    bool isNumber = roleOf(op) == Role::Number;
    for (Value result : op->getResults())
      if (!isNumber && !result.use_empty())
        passOn(result, mapping.lookup(result), loop);
    if (op->use_empty())
      op->erase();
    else // the host computes it, too
      op->moveAfter(loop);
  }
}

void Group::passOn(Value result, Value inLoop, scf::ParallelOp loop) {
  Location loc = result.getLoc();
  OpBuilder before(loop), inside(loop.getBody()->getTerminator()), after(loop->getContext());
  after.setInsertionPointAfter(loop);
  Value box = memref::AllocOp::create(before, loc, MemRefType::get({}, result.getType()));
  memref::StoreOp::create(inside, loc, inLoop, box);
  result.replaceAllUsesWith(memref::LoadOp::create(after, loc, box));
}

/// Wraps host code of a block, and of the blocks in what is the host's alone.
static void wrapBlock(Block &block) {
  Group group;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    Role role = roleOf(&op);
    if (role != Role::Boundary) {
      group.add(&op, role);
      continue;
    }
    group.wrap();
    group = Group();
    if (isa<scf::ParallelOp, gpu::LaunchOp>(op))
      continue;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        wrapBlock(inner);
  }
}

void compiler::wrapElements(ModuleOp module) {
  module.getContext()->loadDialect<arith::ArithDialect, memref::MemRefDialect, scf::SCFDialect>();
  for (auto function : module.getOps<func::FuncOp>())
    for (Block &block : function.getBody())
      wrapBlock(block);
}
