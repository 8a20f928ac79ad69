//===- KernelChecks.cpp - What macro-tile can lower -----------------------===//
//
// Everything is checked before the first change. What is hardware's to say was
// checked by planning; this is what no kernel can do, on any chip.
//
//===----------------------------------------------------------------------===//

#include "KernelChecks.h"
#include "BulkCopies.h"
#include "Products.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Transforms/Kernel/MacroTile.h"
#include "rooftile/Transforms/Kernel/PlanMaps.h"
#include "rooftile/Transforms/Kernel/TileEpilogue.h"
#include "rooftile/Transforms/Kernel/TriangularProgram.h"
#include "rooftile/Transforms/Partition/AlignmentTests.h"
#include "rooftile/Transforms/Partition/ReductionSelect.h"
#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;
using tile::BufferType;

/// Threads of a workgroup on every GPU so far.
static constexpr int64_t kMaxThreads = 1024;
/// Stages of a ring: more tiles on their way than 4 hide no more latency.
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
  if (componentBytes(sum) < 4)
    return op->emitOpError(sumText) << sum << ": kernels sum in f32 or f64";
  if (realTypeOf(sum).isF64() && componentBytes(c) < 4)
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
  return op.getPlanAttr()->sharedBytes(bytes(op.getA()), bytes(op.getB()),
                                       elementBytes(op.getAccumulatorType()));
}

/// What no GPU holds; the limits of one chip are for planning to check.
static LogicalResult checkLimits(GemmOp op) {
  PlanAttr plan = op.getPlanAttr();
  if (plan->threads() > kMaxThreads)
    return op.emitOpError("plan: ")
           << plan->threads() << " threads, but a workgroup has at most " << kMaxThreads;
  // Micro tiles reach 2^40 elements, so that the product of all three could overflow.
  int64_t sums = plan->microM * plan->microN, steps = plan->macroK / plan->slicedK;
  if (sums > kMaxUnrolled / steps)
    return op.emitOpError("plan: micro tile ")
           << plan->microM << "x" << plan->microN << " times " << steps
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
  const PathData &path = isA ? plan->a : plan->b;
  tile::MapAttr map = operandCopyMap(op, isA);
  if (path.copy != Copy::Async || !map)
    return success();
  // The first values of the map are the elements of one access, where there are several.
  bool transposed = path.vector > 1 && (isA ? map.getValues()[0].column : map.getValues()[0].row);
  int64_t bytes = elementBytes(memrefType(isA ? op.getA() : op.getB()).getElementType()) *
                  (transposed ? 1 : path.vector);
  if (bytes < kLeastCopyBytes)
    return op.emitOpError("plan: path ")
           << (isA ? "a" : "b") << " has copy = async in pieces of " << bytes
           << " bytes, but asynchronous copies move " << kLeastCopyBytes << " or more";
  return success();
}

/// The instruction of the plan multiplies the elements that there are.
static LogicalResult checkInstruction(GemmOp op) {
  const tile::Instruction *instruction = op.getPlanAttr()->instruction;
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
  const PathData &path = isA ? plan->a : plan->b;
  if (path.swizzle == 0)
    return success();
  auto type = cast<MemRefType>((isA ? op.getA() : op.getB()).getType());
  auto ring = (isA ? bufferTypeA : bufferTypeB)(plan, type.getElementType());
  std::array<int64_t, 3> macro = plan->macro();
  auto [lines, length] = linesOf(macro[isA ? 0 : 1], macro[2], path.major);
  int64_t moved = BufferType::getSwizzled(path.swizzle, lines, ring.getSwizzlePeriod());
  if (length % moved != 0)
    return op.emitOpError("plan: path ")
           << (isA ? "a" : "b") << " has swizzle = " << path.swizzle << ": " << moved
           << " elements change places, which do not divide rows of " << length;
  return success();
}

static LogicalResult checkPlan(GemmOp op) {
  PlanAttr plan = op.getPlanAttr();
  if (failed(checkInstruction(op)) || failed(checkProducts(op)) || failed(checkLimits(op)) ||
      failed(checkGrid(op, "plan: ", gridOf(op, plan->macro(), plan->splits))) ||
      failed(checkPath(op, /*isA=*/true)) || failed(checkPath(op, /*isA=*/false)) ||
      failed(checkFlatOutput(op)))
    return failure();
  if (plan->packs() || plan->tail == Tail::Split)
    return op.emitOpError("plan: ") << (plan->packs() ? "pack = 1: run operand-pack first"
                                                      : "tail = split: run tail-split first");
  bool async = plan->a.copy != Copy::Register || plan->b.copy != Copy::Register;
  if (plan->stages > 2 && !async)
    return op.emitOpError("plan: stages = ")
           << plan->stages << " needs an asynchronous copy; copy = register takes 1 or 2";
  if (plan->stages > kMaxStages)
    return op.emitOpError("plan: stages = ")
           << plan->stages << ", but rings have at most " << kMaxStages << " stages";
  std::array<int64_t, 3> macro = plan->macro();
  for (bool isA : {true, false}) {
    const PathData &path = isA ? plan->a : plan->b;
    int64_t extent = macro[isA ? 0 : 1], vector = path.vector;
    if (failed(checkSwizzle(op, isA)))
      return failure();
    if (path.via == Via::Shared && !operandCopyMap(op, isA))
      return op.emitOpError("plan: the ")
             << extent << "x" << macro[2] << " tile of " << (isA ? "A" : "B") << " in accesses of "
             << vector << " does not divide evenly among " << plan->threads() << " threads";
    if (failed(checkCopy(op, isA)) || failed(checkBulkCopy(op, isA)))
      return failure();
  }
  return success();
}

/// Partial sums whose tile divides among all who add them up, in a cluster that the target forms.
static LogicalResult checkSummation(GemmOp op) {
  PlanAttr plan = op.getPlanAttr();
  int64_t splits = plan->ranks();
  auto module = op->getParentOfType<ModuleOp>();
  auto target = module->getAttrOfType<TargetAttr>(BlasDialect::kTargetName);
  if (target && splits > target.getClusterBlocks())
    return op.emitOpError("plan: reduction = cluster: splits = ")
           << splits << ", but a cluster of " << target.getChip() << " has at most "
           << target.getClusterBlocks() << " workgroups";
  int64_t rows = plan->macroM;
  if (rows % splits != 0 || !exchangeShare(rows / splits, plan->macroN, plan->threads(), 1).threads)
    return op.emitOpError("plan: ")
           << (splits > 1 ? "reduction = cluster" : "groups") << ": the " << plan->macroM << "x"
           << plan->macroN << " tile does not divide among " << splits << " workgroups of "
           << plan->threads() << " threads";
  return success();
}

/// Sums whose error must not grow with K.
static LogicalResult checkCompensation(GemmOp op) {
  PlanAttr plan = op.getPlanAttr();
  if (!op.getCompensated() || (plan->compensates() && plan->reduction != Reduction::Atomic))
    return success();
  return op.emitOpError("plan: summation = ")
         << stringifySummation(plan->summation)
         << " and reduction = " << stringifyReduction(plan->reduction)
         << ", but the operation says compensated: that takes summation = compensated, and no "
            "atomic "
            "additions";
}

/// The plan's K strategy.
static LogicalResult checkReduction(GemmOp op) {
  PlanAttr plan = op.getPlanAttr();
  Reduction reduction = plan->reduction;
  int64_t slices = op.getSlices(), splits = plan->splits;
  if (plan->isInduced())
    return op.emitOpError("plan: complex = induced makes a product of real numbers: run "
                          "reduction-select");
  if (op.getPartial() && (slices != splits || (slices > 1 && reduction != Reduction::Workspace)))
    return op.emitOpError("partial: ")
           << slices << " slices, but the plan has reduction = " << stringifyReduction(reduction)
           << " and splits = " << splits;
  if (!op.getPartial() && reduction == Reduction::Workspace)
    return op.emitOpError("plan: reduction = workspace makes partial sums: run reduction-select");
  if (plan->reducesInShared() && failed(checkSummation(op)))
    return failure();
  if (reduction != Reduction::Atomic)
    return success();
  if (failed(checkAtomicOrder(op)))
    return failure();
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

//===----------------------------------------------------------------------===//
// What a path of an operand can be
//===----------------------------------------------------------------------===//

/// Dimension of op(X) as stored: 0 or 1 counted from the first matrix dimension.
static int64_t storedDim(MemRefType type, Transpose transpose, int dim) {
  return type.getRank() - 2 + (isTransposed(transpose) ? 1 - dim : dim);
}

/// Flat lines run along M (A) or N (B), or along K, where one tile holds them whole.
static LogicalResult checkFlat(GemmOp op, bool isA) {
  PlanAttr plan = op.getPlanAttr();
  const PathData &path = isA ? plan->a : plan->b;
  MemRefType type = memrefType(isA ? op.getA() : op.getB());
  FlatRuns lines = getFlatRuns(type);
  // Dimensions of the product: of the lines, and across them.
  int outer = isA ? 0 : 1, along = path.major == Major::K ? 2 : outer;
  int across = outer + 2 - along;
  bool inner = along == 2;
  int64_t dim = storedDim(type, isA ? op.getOpA() : op.getOpB(), inner == isA ? 1 : 0);
  auto refuse = [&]() {
    return op.emitOpError("plan: path ") << (isA ? "a" : "b") << " has flat = " << path.flat;
  };
  if (lines.length != path.flat || getContiguousDim(type) != dim)
    return refuse() << ", but operand " << (isA ? "A" : "B") << ", " << type
                    << ", has no lines of that many elements along " << "MNK"[along]
                    << ", without gaps, of known number";
  if (int64_t extent = plan->macro()[along]; extent < lines.length)
    return refuse() << ", but tiles of " << extent << " do not hold a whole line";
  int64_t vector = std::gcd(lines.widest(path.copy), plan->macro()[across] * lines.length);
  if (path.vector > vector)
    return refuse() << " and vector = " << path.vector << ", but "
                    << (inner ? "tiles of " : "steps of ") << plan->macro()[across]
                    << " such lines of operand " << (isA ? "A" : "B") << ", " << type
                    << ", are aligned for " << vector << " at most";
  return success();
}

/// Rows of C that are written as one: they follow each other without gaps, one tile holds them
/// whole, and no element of an epilogue has a row or column of its own.
LogicalResult rooftile::checkFlatOutput(GemmOp op) {
  PlanAttr plan = op.getPlanAttr();
  MemRefType type = memrefType(op.getC());
  if (!plan->flat)
    return success();
  bool rows = getContiguousDim(type) == type.getRank() - 1 && !op.getPartial();
  if (!rows || getFlatRuns(type).length != plan->flat)
    return op.emitOpError("plan: flat = ")
           << plan->flat << ", but C, " << type
           << ", has no rows of that many elements without gaps, of known number";
  for (Value extra : op.getExtras())
    if (isa<MemRefType>(extra.getType()))
      return op.emitOpError("plan: flat = ")
             << plan->flat << " writes C without regard to rows, but the epilogue reads "
             << extra.getType();
  return success();
}

/// The access width of a path must be provable from the operand's type.
LogicalResult rooftile::checkPath(GemmOp op, bool isA) {
  StringRef name = isA ? "A" : "B";
  MemRefType type = memrefType(isA ? op.getA() : op.getB());
  Transpose transpose = isA ? op.getOpA() : op.getOpB();
  const PathData &path = isA ? op.getPlanAttr()->a : op.getPlanAttr()->b;
  auto legalAlong = [&](int dim) {
    return getLegalVector(op, isA ? 0 : 1, storedDim(type, transpose, dim));
  };
  int fragmentDim = isA ? 0 : 1;
  int64_t legal = legalAlong(fragmentDim);
  if (path.via == Via::Shared)
    legal = std::max(legal, legalAlong(1 - fragmentDim));
  if (path.layout == ComplexLayout::Planar && !isa<ComplexType>(type.getElementType()))
    return op.emitOpError("plan: path ") << name.lower() << " has layout = planar but operand "
                                         << name << " is of " << type.getElementType();
  if (path.flat)
    return checkFlat(op, isA);
  if (path.vector > legal)
    return op.emitOpError("plan: path ")
           << name.lower() << " has vector = " << path.vector << " but accesses to operand " << name
           << ", " << type << ", are contiguous and aligned for " << legal << " at most";
  if (path.via == Via::Register && path.vector > op.getPlanAttr()->vector)
    return op.emitOpError("plan: path ")
           << name.lower() << " has vector = " << path.vector << " but fragments come in runs of "
           << op.getPlanAttr()->vector;
  return success();
}

//===----------------------------------------------------------------------===//
// What kernels of a triangle can be
//
// Everything is checked before the first change.
//===----------------------------------------------------------------------===//

LogicalResult rooftile::checkTriangular(TriangularOpInterface op, StringRef pass) {
  if (op.isOnTensors())
    return op->emitOpError() << pass << " works on memrefs: bufferize first";
  if (!op.getBlocks())
    return op->emitOpError("has no plan: run tile-select first, or write one");
  Type element = memrefType(op.getC()).getElementType();
  if (!element.isF32() && !element.isF64())
    return op->emitOpError("operand ") << op.getOutputName() << " is of " << element
                                       << ": kernels exist for f32 and f64 so far";
  return success();
}

/// A workgroup has all of its lines, however long.
static LogicalResult checkLines(TriangularOpInterface op) {
  MemRefType type = memrefType(op.getC());
  int64_t rank = type.getRank(), workgroup = op.getBlocks().getWorkgroup();
  bool left = op.getSide() == Side::Left;
  int64_t length = type.getDimSize(left ? rank - 2 : rank - 1);
  int64_t whole = ShapedType::isDynamic(length) ? 1 : std::max<int64_t>(1, length);
  int64_t tile[] = {left ? whole : workgroup, left ? workgroup : whole};
  return checkGrid(op, "plan: ", {type.getShape(), tile});
}

LogicalResult rooftile::checkTriangularKernel(TriangularOpInterface op, ModuleOp module) {
  if (failed(checkTriangular(op, "macro-tile")))
    return failure();
  if (int64_t order = op.getBlocks().getDiagonal())
    return op->emitOpError("has blocks of order ") << order << ": run triangular-split first";
  SmallVector<NamedOperand> operands{{"A", op.getA()}, {op.getOutputName(), op.getC()}};
  if (op.getB())
    operands.push_back({"B", op.getB()});
  return success(succeeded(checkPlace(op, module, operands)) && succeeded(checkLines(op)));
}
