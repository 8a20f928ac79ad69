//===- KernelChecks.cpp - What macro-tile can lower -----------------------===//
//
// Everything is checked before the first change: the rules about a plan and an operation
// (PlanRules), which no kernel can break on any chip, and what the passes before macro-tile do.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "TileOperand.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "rooftile/Dialect/Blas/PlanRules.h"
#include "rooftile/Dialect/Blas/SixProducts.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Kernel/AlignmentTests.h"
#include "rooftile/Transforms/Kernel/MacroTile.h"
#include "rooftile/Transforms/Kernel/PlanMaps.h"
#include "rooftile/Transforms/Kernel/TileEpilogue.h"
#include "rooftile/Transforms/Kernel/TriangularKernel.h"
#include "rooftile/Transforms/Thread/TriangularStage.h"
#include <limits>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

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

LogicalResult rooftile::checkPointers(Operation *op, ArrayRef<NamedOperand> operands) {
  for (auto [name, matrix] : operands)
    if (getPointers(cast<ShapedType>(matrix.getType())) && !matrix.getDefiningOp<BatchOp>())
      return op->emitOpError("operand ")
             << name << " is a batch by pointers that no blas.batch here makes";
  return success();
}

LogicalResult rooftile::checkRounding(Operation *op, Type sum, Type c, StringRef sumText,
                                      StringRef cText) {
  if (componentBytes(sum) < 4)
    return op->emitOpError(sumText) << sum << ": kernels sum in f32 or f64";
  if (realTypeOf(sum).isF64() && componentBytes(c) < 4)
    return op->emitOpError(sumText)
           << sum << cText << c << ": accumulators are rounded to f32 and f64, those of f32 to "
           << "f16 and bf16 as well";
  return success();
}

static LogicalResult checkOperation(ProductOpInterface op) {
  if (op.hasTensorSemantics())
    return op.emitOpError("macro-tile works on memrefs: bufferize first");
  if (op.getPlansAttr())
    return op.emitOpError("has a set of plans: run plan-dispatch first");
  if (!op.getPlanAttr())
    return op.emitOpError("has no plan: run tile-select first, or write one");
  return checkRounding(op, op.getAccumulatorType(), memrefType(op.getMatrixC()).getElementType(),
                       "accumulator ", " with C of ");
}

int64_t rooftile::sharedBytesOf(ProductOpInterface op) {
  auto bytes = [](Value value) { return elementBytes(memrefType(value).getElementType()); };
  return op.getPlanAttr()->sharedBytes(bytes(op.getMatrixA()),
                                       sharesTile(op) ? 0 : bytes(op.getMatrixB()),
                                       elementBytes(op.getAccumulatorType()));
}

/// Limits of every GPU; those of one chip are for planning to check.
static LogicalResult checkThreads(ProductOpInterface op) {
  PlanAttr plan = op.getPlanAttr();
  if (plan->threads() <= kMaxWorkgroupThreads)
    return success();
  return op.emitOpError("plan: ") << plan->threads() << " threads, but a workgroup has at most "
                                  << kMaxWorkgroupThreads;
}

static LogicalResult checkSharedMemory(ProductOpInterface op) {
  int64_t shared = sharedBytesOf(op), most = std::numeric_limits<int32_t>::max();
  if (shared <= most)
    return success();
  return op.emitOpError("plan: ") << shared << " bytes of shared memory, but a launch has at most "
                                  << most;
}

/// A matrix of one row or column may be contiguous both ways: `matrix` is how it is accessed,
/// where that is not as a flat vector.
static void accessAlong(OperandFacts &matrix, ProductOpInterface op, int dim) {
  std::optional<int64_t> along = accessedDim(op, /*isA=*/dim == 0);
  if (!along || op.getPlanAttr()->path(dim).flat || matrix.contiguous == Contiguous::None)
    return;
  int64_t last = memrefType(op.getMatrix(dim)).getRank() - 1;
  matrix.contiguous = matrix.ofStored(*along == last);
  matrix.maxVector = getLegalVector(op, dim, *along);
}

/// Facts of `op` for the rules of plans, and those of its kernel: where rows of a packed operand
/// end with padding, and the memory that its operands are parts of.
static ProductFacts factsOf(ProductOpInterface op) {
  ProductFacts product = ProductFacts::of(op);
  product.assumeSizes(op.getGivenAttr());
  for (int dim : {0, 1}) {
    OperandFacts &matrix = dim == 0 ? product.a : product.b;
    matrix.forward = followsUpward(op.getMatrix(dim));
    matrix.padded = isPadded(op, dim);
    accessAlong(matrix, op, dim);
    int64_t extent = extentOf(op, dim);
    matrix.readable = matrix.padded && !ShapedType::isDynamic(extent) ? extent : 0;
  }
  if (op.getPartial())
    product.c.flat = {};
  return product;
}

/// The first rule of the table that the plan breaks for the operation, whatever the chip.
static LogicalResult checkRules(ProductOpInterface op) {
  StringRef chip;
  ProductFacts product = factsOf(op);
  std::optional<Violation> violation = checkProduct(*op.getPlanAttr(), product);
  if (!violation)
    if (auto target =
            op->getParentOfType<ModuleOp>()->getAttrOfType<TargetAttr>(BlasDialect::kTargetName))
      violation = checkProduct(PlanRule::ClusterSize, *op.getPlanAttr(), product, target),
      chip = target->chip;
  if (!violation)
    return success();
  InFlightDiagnostic error = op.emitOpError("plan: ") << describe(*violation, chip);
  if (violation->operand != ' ')
    error << "; operand " << llvm::toUpper(violation->operand) << " is "
          << memrefType(op.getMatrix(violation->operand - 'a'));
  return error;
}

/// Refuses values that earlier passes should have carried out, and those that no launch can have.
static LogicalResult checkPlan(ProductOpInterface op) {
  PlanAttr plan = op.getPlanAttr();
  if (plan->packs() || plan->tail == Tail::Split)
    return op.emitOpError("plan: ") << (plan->packs() ? "pack = 1: run operand-pack first"
                                                      : "tail = split: run tail-split first");
  std::array<int64_t, 3> macro = plan->macro();
  Grid grid = gridOf(op, macro, plan->splits);
  grid.matrices = plan->matrices;
  if (failed(checkThreads(op)) || failed(checkRules(op)) || failed(checkSharedMemory(op)) ||
      failed(checkGrid(op, "plan: ", grid)))
    return failure();
  for (bool isA : {true, false})
    if (plan->path(isA ? 0 : 1).via == Via::Shared && !operandCopyMap(op, isA))
      return op.emitOpError("plan: no threads copy the tile of ") << (isA ? "A" : "B");
  if (plan->reduction == Reduction::Atomic && op.getConstantBeta() != std::complex<double>(1))
    return op.emitOpError("plan: reduction = atomic adds to C, but beta is not the constant 1: "
                          "run reduction-select");
  return success();
}

/// The plan's K strategy.
static LogicalResult checkReduction(ProductOpInterface op) {
  PlanAttr plan = op.getPlanAttr();
  Reduction reduction = plan->reduction;
  int64_t slices = op.getSlices(), splits = plan->splits;
  if (plan->products == kPartBlocks)
    return op.emitOpError("plan: products = 6 multiplies copies in parts: run operand-pack");
  if (plan->isInduced())
    return op.emitOpError("plan: complex = induced makes a product of real elements: run "
                          "reduction-select");
  if (op.getPartial() && (slices != splits || (slices > 1 && reduction != Reduction::Workspace)))
    return op.emitOpError("partial: ")
           << slices << " slices, but the plan has reduction = " << stringifyReduction(reduction)
           << " and splits = " << splits;
  if (!op.getPartial() && reduction == Reduction::Workspace)
    return op.emitOpError("plan: reduction = workspace makes partial sums: run reduction-select");
  return success();
}

LogicalResult rooftile::checkMacroTile(ProductOpInterface op, ModuleOp module) {
  return success(
      succeeded(checkOperation(op)) &&
      succeeded(checkPlace(
          op, module, {{"A", op.getMatrixA()}, {"B", op.getMatrixB()}, {"C", op.getMatrixC()}})) &&
      succeeded(checkEpilogue(op)) && succeeded(checkReduction(op)) && succeeded(checkPlan(op)));
}

//===----------------------------------------------------------------------===//
// Kernels of a triangle
//
// Everything is checked before the first change.
//===----------------------------------------------------------------------===//

LogicalResult rooftile::checkTriangular(TriangularOpInterface op, StringRef pass) {
  if (op.isOnTensors())
    return op->emitOpError() << pass << " works on memrefs: bufferize first";
  if (!op.getPlanAttr())
    return op->emitOpError("has no plan: run tile-select first, or write one");
  Type element = memrefType(op.getC()).getElementType();
  if (isa<TrsmOp>(op) && componentBytes(element) < 4)
    return op->emitOpError("operand ")
           << op.getOutputName() << " is of " << element
           << ": quotients are of f32, f64 and complex elements of them";
  return success();
}

/// A workgroup has all of its vectors, however long.
static LogicalResult checkVectors(TriangularOpInterface op) {
  MemRefType type = memrefType(op.getC());
  int64_t rank = type.getRank(), vectors = vectorsOfWorkgroup(op);
  bool left = op.getSide() == Side::Left;
  int64_t length = type.getDimSize(left ? rank - 2 : rank - 1);
  int64_t whole = ShapedType::isDynamic(length) ? 1 : std::max<int64_t>(1, length);
  int64_t tile[] = {left ? whole : vectors, left ? vectors : whole};
  Grid grid{type.getShape(), tile};
  grid.matrices = op.getPlanAttr()->matrices;
  return checkGrid(op, "plan: ", grid);
}

/// A workgroup has whole matrices of a batch, their vectors as its threads.
static LogicalResult checkMatrices(TriangularOpInterface op) {
  int64_t matrices = op.getPlanAttr()->matrices, most = op.getPlanAttr()->workgroup;
  int64_t vectors = op.getSide() == Side::Left ? op.getN() : op.getM();
  if (matrices == 1)
    return success();
  InFlightDiagnostic error = op->emitOpError("plan: matrices = ") << matrices;
  if (memrefType(op.getC()).getRank() == 2)
    return error << ", but operand " << op.getOutputName() << " is no batch";
  if (ShapedType::isDynamic(vectors))
    return error << ", but the number of vectors of one is dynamic";
  if (matrices * vectors > most)
    return error << " of " << vectors << " vectors, but a workgroup has " << most << " threads";
  error.abandon();
  return success();
}

/// All threads of a workgroup solve its vectors together, and keep them in registers.
static LogicalResult checkSweep(TriangularOpInterface op) {
  int64_t vectors = op.getPlanAttr()->workgroupVectors;
  std::optional<SweptBlock> swept = sweptBlockOf(op);
  if (vectors == 0)
    return success();
  InFlightDiagnostic error = op->emitOpError("plan: workgroupVectors = ")
                             << vectors << " of all threads, but ";
  if (!isa<TrsmOp>(op))
    return error << "they are for blas.trsm";
  if (!swept)
    return error << "the order of A is dynamic";
  if (swept->registers() > kMostSweptRegisters)
    return error << "a thread of " << swept->threads << " keeps " << swept->stripes << " x ("
                 << vectors << " + " << kSweepRows << ") elements, in " << swept->registers()
                 << " registers of " << kMostSweptRegisters;
  error.abandon();
  return success();
}

/// Rows of all vectors of a thread are in registers; parts of vectors begin where wide accesses do.
static LogicalResult checkRows(TriangularOpInterface op) {
  ThreadRows rows = rowsOfThread(op);
  int64_t bytes = rows.rows * rows.vectors * elementBytes(memrefType(op.getC()).getElementType());
  Type ofA = memrefType(op.getA()).getElementType();
  int64_t multiple = std::max(kRowsAhead, kMaxAccessBytes / elementBytes(ofA));
  if (!rows.whole && rows.rows % multiple != 0)
    return op->emitOpError("plan: rows = ") << rows.rows << " of longer vectors is no multiple of "
                                            << multiple << ", which " << ofA << " needs";
  if (bytes > kMostRowBytes)
    return op->emitOpError("plan: ") << rows.rows << " rows of " << rows.vectors << " vectors need "
                                     << bytes << " bytes of registers, more than " << kMostRowBytes;
  return success();
}

LogicalResult rooftile::checkTriangularKernel(TriangularOpInterface op, ModuleOp module) {
  if (failed(checkTriangular(op, "macro-tile")))
    return failure();
  if (int64_t order = op.getPlanAttr()->diagonal)
    return op->emitOpError("has blocks of order ") << order << ": run triangular-split first";
  SmallVector<NamedOperand> operands{{"A", op.getA()}, {op.getOutputName(), op.getC()}};
  if (op.getB())
    operands.push_back({"B", op.getB()});
  if (failed(checkPlace(op, module, operands)) || failed(checkPointers(op, operands)) ||
      failed(checkMatrices(op)) || failed(checkSweep(op)) || failed(checkRows(op)) ||
      failed(checkVectors(op)))
    return failure();
  return checkShared(op, "plan: triangles and vectors need ", sharedBytesOf(op));
}
