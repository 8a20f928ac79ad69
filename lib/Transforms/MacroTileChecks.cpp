//===- MacroTileChecks.cpp - What macro-tile can lower --------------------===//
//
// Everything is checked before the first change. What is hardware's to say was
// checked by planning; this is what no kernel can do, on any chip.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "PathChecks.h"
#include "Products.h"
#include "TensorMaps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Transforms/AlignmentTests.h"
#include "rooftile/Transforms/MacroTile.h"
#include "rooftile/Transforms/PlanMaps.h"
#include "rooftile/Transforms/TileEpilogue.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;
using tile::BufferType;

/// Threads of a workgroup on every GPU so far.
static constexpr int64_t kMaxThreads = 1024;
/// Slots of a ring: more tiles on their way than 4 hide no more latency.
static constexpr int64_t kMaxStages = 5;
/// What asynchronous copies move at least.
static constexpr int64_t kLeastCopyBytes = 4;
/// Multiply-adds that one thread executes in a K step, all in one block.
static constexpr int64_t kMaxUnrolled = 1 << 16;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

LogicalResult rooftile::checkPlace(Operation *op, ModuleOp module,
                                   ArrayRef<NamedOperand> operands) {
  if (op->getParentOfType<ModuleOp>() != module)
    return op->emitOpError("lies in a module inside the module: run the pass on the inner one");
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<gpu::GPUFuncOp, gpu::LaunchOp, affine::AffineParallelOp>(parent) ||
        parent->hasTrait<OpTrait::HasParallelRegion>())
      return op->emitOpError("lies inside ")
             << parent->getName()
             << ": kernels are launched by sequential code of the host, such as scf.for";
  for (auto [name, value] : operands)
    if (Attribute space = cast<BaseMemRefType>(value.getType()).getMemorySpace())
      return op->emitOpError("operand ") << name << " is in memory space " << space
                                         << ": kernels work on the default memory space";
  return success(succeeded(checkTestNames(module)) && succeeded(checkTensorMapName(module)));
}

LogicalResult rooftile::checkRounding(Operation *op, Type sum, Type c, StringRef sumText,
                                      StringRef cText) {
  if (partBytes(sum) < 4)
    return op->emitOpError(sumText) << sum << ": kernels sum in f32 or f64";
  if (realTypeOf(sum).isF64() && partBytes(c) < 4)
    return op->emitOpError(sumText)
           << sum << cText << c << ": sums are rounded to f32 and f64, those of f32 to "
           << "f16 and bf16 as well";
  return success();
}

static LogicalResult checkOperation(GemmOp op) {
  if (op.hasTensorSemantics())
    return op.emitOpError("macro-tile works on memrefs: bufferize first");
  if (op.getPlansAttr())
    return op.emitOpError("has a set of plans: run plan-dispatch first");
  if (!op.getPlanAttr())
    return op.emitOpError("has no plan: run tile-select first, or write one");
  return checkRounding(op, op.getAccumulatorType(), memrefType(op.getC()).getElementType(),
                       "accumulator ", " with C of ");
}

int64_t rooftile::sharedBytesOf(GemmOp op) {
  auto bytes = [](Value value) { return elementBytes(memrefType(value).getElementType()); };
  return op.getPlanAttr().getSharedBytes(bytes(op.getA()), bytes(op.getB()),
                                         elementBytes(op.getAccumulatorType()));
}

/// What no GPU holds; the limits of one chip are for planning to check.
static LogicalResult checkLimits(GemmOp op) {
  PlanAttr plan = op.getPlanAttr();
  if (plan.getThreads() > kMaxThreads)
    return op.emitOpError("plan: ")
           << plan.getThreads() << " threads, but a workgroup has at most " << kMaxThreads;
  // Micro tiles reach 2^40 elements, so that the product of all three could overflow.
  int64_t sums = plan.getMicro()[0] * plan.getMicro()[1],
          steps = plan.getMacro()[2] / plan.getGroups();
  if (sums > kMaxUnrolled / steps)
    return op.emitOpError("plan: micro tile ")
           << plan.getMicro()[0] << "x" << plan.getMicro()[1] << " times " << steps
           << " along K is more than the " << kMaxUnrolled << " multiply-adds that are unrolled";
  int64_t shared = sharedBytesOf(op);
  if (shared > std::numeric_limits<int32_t>::max())
    return op.emitOpError("plan: ")
           << shared << " bytes of shared memory, but a launch takes at most "
           << std::numeric_limits<int32_t>::max();
  return success();
}

/// Asynchronous copies move 4 bytes at least: of a tile that is turned on its way, one element.
static LogicalResult checkCopy(GemmOp op, bool isA) {
  PlanAttr plan = op.getPlanAttr();
  PathAttr path = isA ? plan.getA() : plan.getB();
  tile::MapAttr map = operandCopyMap(op, isA);
  if (path.getCopy() != Copy::Async || !map)
    return success();
  // The first values of the map are the elements of one access, where there are several.
  bool turned = path.getVector() > 1 && (isA ? map.getValues()[0].column : map.getValues()[0].row);
  int64_t bytes = elementBytes(memrefType(isA ? op.getA() : op.getB()).getElementType()) *
                  (turned ? 1 : path.getVector());
  if (bytes < kLeastCopyBytes)
    return op.emitOpError("plan: path ")
           << (isA ? "a" : "b") << " has copy = async in pieces of " << bytes
           << " bytes, but asynchronous copies move " << kLeastCopyBytes << " or more";
  return success();
}

/// The instruction of the plan multiplies the elements that there are.
static LogicalResult checkInstruction(GemmOp op) {
  const tile::Instruction *instruction = op.getPlanAttr().getInstruction();
  if (!instruction)
    return success();
  for (Value matrix : {op.getC(), op.getA(), op.getB()})
    if (Type element = memrefType(matrix).getElementType();
        wordOf(realTypeOf(element)) != instruction->type)
      return op.emitOpError("plan: mma = ")
             << instruction->name << " multiplies " << instruction->type
             << " and complex numbers of it, but the operands are of " << element;
  return success();
}

/// Elements change places within lines.
static LogicalResult checkSwizzle(GemmOp op, bool isA) {
  PlanAttr plan = op.getPlanAttr();
  PathAttr path = isA ? plan.getA() : plan.getB();
  if (path.getSwizzle() == 0)
    return success();
  auto type = cast<MemRefType>((isA ? op.getA() : op.getB()).getType());
  auto ring = (isA ? bufferTypeA : bufferTypeB)(plan, type.getElementType());
  ArrayRef<int64_t> macro = plan.getMacro();
  auto [lines, length] = linesOf(macro[isA ? 0 : 1], macro[2], path.getMajor());
  int64_t moved = BufferType::getSwizzled(path.getSwizzle(), lines, ring.getGroups());
  if (length % moved != 0)
    return op.emitOpError("plan: path ")
           << (isA ? "a" : "b") << " has swizzle = " << path.getSwizzle() << ": " << moved
           << " elements change places, which do not divide rows of " << length;
  return success();
}

static LogicalResult checkPlan(GemmOp op) {
  PlanAttr plan = op.getPlanAttr();
  if (failed(checkInstruction(op)) || failed(checkProducts(op)) || failed(checkLimits(op)) ||
      failed(checkGrid(op, "plan: ", gridOf(op, plan.getMacro(), plan.getSplits()))) ||
      failed(checkPath(op, /*isA=*/true)) || failed(checkPath(op, /*isA=*/false)) ||
      failed(checkFlatOutput(op)))
    return failure();
  if (plan.packs() || plan.getTail() == Tail::Split)
    return op.emitOpError("plan: ") << (plan.packs() ? "pack = 1: run operand-pack first"
                                                     : "tail = split: run tail-split first");
  bool async = plan.getA().getCopy() != Copy::Register || plan.getB().getCopy() != Copy::Register;
  if (plan.getStages() > 2 && !async)
    return op.emitOpError("plan: stages = ")
           << plan.getStages() << " needs an asynchronous copy; copy = register takes 1 or 2";
  if (plan.getStages() > kMaxStages)
    return op.emitOpError("plan: stages = ")
           << plan.getStages() << ", but rings have at most " << kMaxStages << " slots";
  ArrayRef<int64_t> macro = plan.getMacro();
  for (bool isA : {true, false}) {
    PathAttr path = isA ? plan.getA() : plan.getB();
    int64_t extent = macro[isA ? 0 : 1], vector = path.getVector();
    if (failed(checkSwizzle(op, isA)))
      return failure();
    if (path.getVia() == Via::Shared && !operandCopyMap(op, isA))
      return op.emitOpError("plan: the ")
             << extent << "x" << macro[2] << " tile of " << (isA ? "A" : "B") << " in accesses of "
             << vector << " does not divide evenly among " << plan.getThreads() << " threads";
    if (failed(checkCopy(op, isA)) || failed(checkBulkCopy(op, isA)))
      return failure();
  }
  return success();
}

/// Partial sums whose tile divides among all who add them up, in a cluster that the target forms.
static LogicalResult checkSums(GemmOp op) {
  PlanAttr plan = op.getPlanAttr();
  int64_t splits = plan.getRanks();
  auto module = op->getParentOfType<ModuleOp>();
  auto target = module->getAttrOfType<TargetAttr>(BlasDialect::kTargetName);
  if (target && splits > target.getClusterBlocks())
    return op.emitOpError("plan: reduction = cluster: splits = ")
           << splits << ", but a cluster of " << target.getChip() << " has at most "
           << target.getClusterBlocks() << " workgroups";
  int64_t rows = plan.getMacro()[0];
  if (rows % splits != 0 ||
      !exchangeShare(rows / splits, plan.getMacro()[1], plan.getThreads(), 1).threads)
    return op.emitOpError("plan: ")
           << (splits > 1 ? "reduction = cluster" : "groups") << ": the " << plan.getMacro()[0]
           << "x" << plan.getMacro()[1] << " tile does not divide among " << splits
           << " workgroups of " << plan.getThreads() << " threads";
  return success();
}

/// Sums whose error must not grow with K.
static LogicalResult checkCompensation(GemmOp op) {
  PlanAttr plan = op.getPlanAttr();
  if (!op.getCompensated() || (plan.compensates() && plan.getReduction() != Reduction::Atomic))
    return success();
  return op.emitOpError("plan: sums = ")
         << stringifySums(plan.getSums())
         << " and reduction = " << stringifyReduction(plan.getReduction())
         << ", but the operation says compensated: that takes sums = compensated, and no atomic "
            "additions";
}

/// The plan's K strategy.
static LogicalResult checkReduction(GemmOp op) {
  PlanAttr plan = op.getPlanAttr();
  Reduction reduction = plan.getReduction();
  int64_t slices = op.getSlices(), splits = plan.getSplits();
  if (plan.seesReals())
    return op.emitOpError("plan: numbers = real makes a product of real numbers: run "
                          "reduction-select");
  if (op.getPartial() && (slices != splits || (slices > 1 && reduction != Reduction::Workspace)))
    return op.emitOpError("partial: ")
           << slices << " slices, but the plan has reduction = " << stringifyReduction(reduction)
           << " and splits = " << splits;
  if (!op.getPartial() && reduction == Reduction::Workspace)
    return op.emitOpError("plan: reduction = workspace makes partial sums: run reduction-select");
  if (plan.addsUp() && failed(checkSums(op)))
    return failure();
  if (reduction != Reduction::Atomic)
    return success();
  if (!op.getAnyOrder())
    return op.emitOpError("plan: reduction = atomic adds in an order that changes from run to "
                          "run, but the operation does not say any_order");
  if (op.hasEpilogue())
    return op.emitOpError("plan: reduction = atomic adds parts of the sums to C, but the epilogue "
                          "needs whole ones");
  if (op.getAccumulatorType() != memrefType(op.getC()).getElementType())
    return op.emitOpError("plan: reduction = atomic adds sums of ")
           << op.getAccumulatorType() << " to C of " << memrefType(op.getC()).getElementType()
           << ": types must be equal";
  if (op.getConstantBeta() != std::complex<double>(1))
    return op.emitOpError("plan: reduction = atomic adds to C, but beta is not the constant 1: "
                          "run reduction-select");
  return success();
}

LogicalResult rooftile::checkMacroTile(GemmOp op, ModuleOp module) {
  return success(
      succeeded(checkOperation(op)) &&
      succeeded(checkPlace(op, module, {{"A", op.getA()}, {"B", op.getB()}, {"C", op.getC()}})) &&
      succeeded(checkEpilogue(op)) && succeeded(checkCompensation(op)) &&
      succeeded(checkReduction(op)) && succeeded(checkPlan(op)));
}
