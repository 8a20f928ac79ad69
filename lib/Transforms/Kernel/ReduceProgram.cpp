//===- ReduceProgram.cpp - The kernel of a blas.reduce --------------------===//
//
// A workgroup has one tile of C and adds up the slices of W in order:
//
//   sum = 0
//   for slice s of W: sum += tile of W[s]
//   C = f(alpha * sum + beta * C)          f: the epilogue, if there is one
//
// It is a tile program like that of a product, through the same passes. Where the
// tile crosses the edge of C, loads are clamped and stores guarded. With groups the tile is a row
// and an iteration adds the slices of all groups, one above the other: rows of a matrix whose rows
// are a slice apart. What the groups have is added up at the end (TileOutput.h).
//
//===----------------------------------------------------------------------===//

#include "Products.h"
#include "TileOutput.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Kernel/KernelLaunch.h"
#include "rooftile/Transforms/Kernel/MacroTile.h"
#include "rooftile/Transforms/Kernel/PlanMaps.h"
#include "rooftile/Transforms/Kernel/TileEpilogue.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Who adds what: consecutive threads have consecutive accesses of a row. Null when the tile does
/// not divide evenly.
static tile::MapAttr mapOf(TilingAttr plan) {
  CopyShape shape;
  shape.rows = plan.getTile()[0];
  shape.columns = plan.getTile()[1];
  shape.vector = plan.getVector();
  int64_t threads = plan.getThreads(), groups = plan.getGroups();
  return stackedMap(plan.getContext(), shape, threads / groups, groups, threads);
}

/// Bytes of shared memory of the accumulators of groups.
static int64_t bytesOfGroups(ReduceOp op) {
  TilingAttr plan = op.getPlanAttr();
  int64_t groups = plan.getGroups(), bytes = elementBytes(memrefType(op.getW()).getElementType());
  return groups > 1 ? exchangeBytes(groups, plan.getTile()[1], bytes, /*cluster=*/false) : 0;
}

static LogicalResult checkTypes(ReduceOp op) {
  Type w = memrefType(op.getW()).getElementType(), c = memrefType(op.getC()).getElementType();
  return checkRounding(op, w, c, "operand W is of ", " but C is of ");
}

static LogicalResult checkSum(ReduceOp op, ModuleOp module) {
  if (op.hasTensorSemantics())
    return op.emitOpError("macro-tile works on memrefs: bufferize first");
  if (!op.getPlanAttr())
    return op.emitOpError("has no plan: run tile-select first, or write one");
  if (failed(checkTypes(op)) ||
      failed(checkPlace(op, module, {{"W", op.getW()}, {"C", op.getC()}})) ||
      failed(checkEpilogue(op)) ||
      failed(
          checkGrid(op, "plan: ", {memrefType(op.getC()).getShape(), op.getPlanAttr().getTile()})))
    return failure();
  if (failed(checkShared(op, "plan: the accumulators of groups need ", bytesOfGroups(op))))
    return failure();
  int64_t groups = op.getPlanAttr().getGroups();
  if (op.getCompensated() && groups > PlanData::kMostPlainTerms)
    return op.emitOpError("plan: groups = ")
           << groups << ", but of compensated sums at most " << PlanData::kMostPlainTerms
           << " terms are added up plainly";
  int64_t vector = op.getPlanAttr().getVector();
  for (auto [name, value] : {std::pair("W", op.getW()), std::pair("C", op.getC())}) {
    MemRefType type = memrefType(value);
    int64_t legal = getLegalVector(value, type.getRank() - 1);
    if (vector > legal)
      return op.emitOpError("plan: vector = ")
             << vector << " but accesses to operand " << name << ", " << type
             << ", are contiguous and aligned for " << legal << " at most";
  }
  if (!mapOf(op.getPlanAttr()))
    return op.emitOpError("plan: the tile does not divide evenly among ")
           << op.getPlanAttr().getThreads() << " threads";
  return success();
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// Edge behaviour of a tile along rows and columns of `matrix`.
static tile::EdgesAttr edgesOf(TilingAttr plan, const KernelInterface::Matrix &matrix,
                               tile::Edge otherwise) {
  auto edge = [&](int dim) {
    auto size = getConstantIntValue(matrix.sizes[matrix.sizes.size() - 2 + dim]);
    return size && *size % plan.getTile()[dim] == 0 ? tile::Edge::Inside : otherwise;
  };
  return tile::EdgesAttr::get(plan.getContext(), edge(0), edge(1));
}

/// Row `row` of all slices of `w`, one above the other.
static Value viewRow(OpBuilder &builder, Location loc, const KernelInterface::Matrix &w,
                     tile::CoordOp coord) {
  Value first = arith::ConstantIndexOp::create(builder, loc, 0);
  Value slice = viewMatrix(builder, loc, w, Transpose::None, coord.getBatch(), first);
  auto view = slice.getDefiningOp<memref::ReinterpretCastOp>();
  auto value = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  };
  Value row = arith::MulIOp::create(builder, loc, coord.getM(), value(view.getMixedStrides()[0]));
  OpFoldResult offset =
      arith::AddIOp::create(builder, loc, value(view.getMixedOffsets()[0]), row).getResult();
  SmallVector<OpFoldResult> sizes{w.sizes.front(), w.sizes.back()},
      strides{w.strides.front(), w.strides.back()};
  return viewStrided(builder, loc, view.getSource(), offset, sizes, strides);
}

/// The accumulators of a workgroup over the slices of W: those of each group.
static Value sumSlices(OpBuilder &builder, ReduceOp op, const KernelInterface::Matrix &w,
                       tile::CoordOp coord) {
  Location loc = op.getLoc();
  TilingAttr plan = op.getPlanAttr();
  auto value = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  };
  int64_t groups = plan.getGroups();
  Type element = memrefType(op.getW()).getElementType();
  auto type = tile::MatrixType::get(
      op.getContext(), {groups * plan.getTile()[0], plan.getTile()[1]}, element, mapOf(plan));
  Value none = tile::FillOp::create(builder, loc, type, createScalar(builder, loc, element, 0));
  tile::EdgesAttr edges = edgesOf(plan, w, tile::Edge::Clamp);
  if (groups > 1)
    edges = tile::EdgesAttr::get(op.getContext(), tile::Edge::Zero, edges.getColumns());
  Value row = groups > 1 ? viewRow(builder, loc, w, coord) : Value();
  bool compensated = op.getCompensated();
  auto loop = scf::ForOp::create(
      builder, loc, value(builder.getIndexAttr(0)), value(w.sizes[0]),
      value(builder.getIndexAttr(groups)),
      compensated ? beginCompensated(builder, loc, none) : SmallVector<Value>{none},
      [&](OpBuilder &builder, Location loc, Value slice, ValueRange carried) {
        Value view =
            row ? row : viewMatrix(builder, loc, w, Transpose::None, coord.getBatch(), slice);
        Value part = tile::LoadOp::create(builder, loc, type, view, row ? slice : coord.getM(),
                                          coord.getN(), edges, plan.getVector());
        if (compensated)
          scf::YieldOp::create(builder, loc, addCompensated(builder, loc, carried, part));
        else
          scf::YieldOp::create(builder, loc, {tile::AddOp::create(builder, loc, carried[0], part)});
      });
  if (!compensated)
    return loop.getResult(0);
  return finishCompensated(builder, loc, loop.getResults(), Type(type)).front();
}

static void emitSum(OpBuilder &builder, ReduceOp op, const KernelInterface::Arguments &arguments) {
  Location loc = op.getLoc();
  TilingAttr plan = op.getPlanAttr();
  const KernelInterface::Matrix &w = arguments.matrix(Role::W), &c = arguments.matrix(Role::C);
  auto value = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  };
  size_t rank = c.sizes.size();
  auto coord = tile::CoordOp::create(builder, loc, value(c.sizes[rank - 2]),
                                     value(c.sizes[rank - 1]), plan.getTile(), /*raster=*/1);
  PartialSums stacked;
  stacked.sums = sumSlices(builder, op, w, coord), stacked.count = plan.getGroups();
  stacked.rows = plan.getTile()[0], stacked.columns = plan.getTile()[1];
  stacked.vector = plan.getVector(), stacked.threads = plan.getThreads();
  Value sum = plan.getGroups() > 1 ? addPartialSums(builder, loc, stacked) : stacked.sums;
  Value target = viewMatrix(builder, loc, c, Transpose::None, coord.getBatch());
  TileUpdate update{sum, target, coord.getM(), coord.getN(), arguments.scalar(Role::Alpha)};
  update.beta = arguments.scalar(Role::Beta);
  update.edges = edgesOf(plan, c, tile::Edge::Guard), update.vector = plan.getVector();
  update.realDiagonal = op.getRealDiagonal();
  if (plan.getGroups() > 1)
    update.vector = stacked.accessVector();
  createUpdate(builder, op, update, arguments, coord.getBatch());
}

//===----------------------------------------------------------------------===//
// Kernel and launch
//===----------------------------------------------------------------------===//

LogicalResult rooftile::macroTile(ReduceOp op, ModuleOp module) {
  if (failed(checkSum(op, module)))
    return failure();
  OpBuilder builder(op);
  TilingAttr plan = op.getPlanAttr();
  Type w = memrefType(op.getW()).getElementType(), c = memrefType(op.getC()).getElementType();
  int64_t alignW = elementBytes(w), alignC = plan.getVector() * elementBytes(c);
  KernelInterface interface;
  interface.setNames(op);
  bool empty = memrefType(op.getW()).getDimSize(0) == 0; // C, named once more
  interface.addMatrix(builder, {Role::W, op.getW()}, empty ? alignW : plan.getVector() * alignW);
  interface.addMatrix(builder, {Role::C, op.getC()}, alignC);
  interface.addScalar(builder, {Role::Alpha, op.getAlpha()});
  interface.addScalar(builder, {Role::Beta, op.getBeta()});
  addExtras(builder, op, plan.getVector(), interface);
  KernelShape shape;
  shape.name = "reduce_" + wordOf(w) + (w == c ? "" : "_" + wordOf(c));
  shape.tile = llvm::to_vector(plan.getTile());
  shape.workgroup = plan.getThreads();
  shape.sharedBytes = bytesOfGroups(op);
  gpu::GPUFuncOp kernel = createKernel(module, op.getLoc(), interface, shape);
  OpBuilder inside = OpBuilder::atBlockBegin(&kernel.getBody().front());
  emitSum(inside, op, interface.unpack(inside, kernel.getArguments()));
  createLaunch(builder, kernel, interface, op.getC());
  op.erase();
  return success();
}
