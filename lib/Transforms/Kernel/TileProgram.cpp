//===- TileProgram.cpp - The program of one workgroup ---------------------===//
//
// One program serves every plan; the paths of the operands decide what it contains:
//
//   acc = 0
//   for step i of K (the remainder first, or last):
//     A and B tile: global (-> registers) -> stage i of a shared ring  (via = shared)
//     for slice s of the tile:
//       fragments <- slice of the ring, or of global memory           (via = register, scalar)
//       acc += fragment A * fragment B
//   C = f(alpha * acc + beta * C)       f: the epilogue, if there is one
//
// For X X^T, or X^T X, in one tile one ring serves both operands. A fragment of a masked operand is
// read whole, and its elements outside the triangle become 0 in registers.
//
// With splits, the steps are those of this workgroup's share, and acc a partial sum. With
// several matrices each thread runs the program for one of its own.
//
// A tile that would cross the edge of M or N is moved back inside the matrix (tail = overlap), so
// that its loads need no guard; what its neighbour computes too is stored by both (the same bits).
// With beta, or where steps of zeros are left out, so that each tile shares out steps of its own,
// the neighbour alone stores it. Where the matrix may be smaller than the tile, or with tail =
// guard, rows and columns beyond the edge read the nearest one instead, and are not stored.
//
//===----------------------------------------------------------------------===//

#include "TileProgram.h"
#include "Products.h"
#include "TileOperand.h"
#include "TileOutput.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Transforms/Kernel/MacroTile.h"
#include "rooftile/Transforms/Kernel/PlanMaps.h"
#include "rooftile/Transforms/Kernel/TileEpilogue.h"
#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
/// Emits the program; the builder stands at the end of the kernel's entry block.
class Program {
public:
  Program(OpBuilder &builder, blas::ProductOpInterface op,
          const KernelInterface::Arguments &arguments)
      : builder(builder), loc(op.getLoc()), op(op), plan(op.getPlanAttr()),
        kernel(builder, op, arguments), products(builder, op), sumType(op.getAccumulatorType()) {}

  void emit();

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value materialize(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(builder, loc, value);
  }
  bool divides(int dim) { return blas::isMultiple(op, dim, plan->macro()[dim]); }

  CoordOp coordinate();
  Value matrixCount();
  Value matrixOfThread(CoordOp coord);
  Value moveInside(Value origin, int dim);
  Value flatten(const TileOperand &operand);
  void prepare(TileOperand &operand, Value batch);
  SmallVector<Value> multiplyStage(Value step, Value k, ValueRange sums);
  bool repeatsOneProduct() const;
  Value multiply(const StepShare &share, Value accumulator);
  Value hasProduct(const StepShare &share);
  Value multiplyUnlessEmpty(Value split, Value accumulator);

  OpBuilder &builder;
  Location loc;
  blas::ProductOpInterface op;
  blas::PlanAttr plan;
  ProductKernel kernel;
  Products products;
  Type sumType;
  TileOperand a, b;
};
} // namespace

/// Whether the last tiles have more steps than the first: long loops begin first, so that those who
/// are done early find short ones.
static bool growsToTheEnd(blas::ProductOpInterface op) {
  return blas::isLower(op.getStructureA()) || blas::isUpper(op.getStructureB());
}

/// The tile of this workgroup. What a batch shares, A or B, is used for all matrices while it is in
/// L2: they are walked as one, unless one after the other is the same.
CoordOp Program::coordinate() {
  auto coord = CoordOp::create(builder, loc, materialize(kernel.m), materialize(kernel.n),
                               {plan->macroM, plan->macroN}, plan->raster, plan->splits);
  if (op.getTriangleAttr()) {
    coord.setTriangleAttr(triangleOf(op));
    return coord;
  }
  coord.setBackwards(growsToTheEnd(op));
  auto isShared = [](Value matrix) { return blas::isShared(cast<ShapedType>(matrix.getType())); };
  bool byRows = isShared(op.getMatrixB());
  int across = byRows ? 1 : 0;
  int64_t size = byRows ? op.getN() : op.getM();
  bool one = !ShapedType::isDynamic(size) && size <= plan->macro()[across];
  size_t first = op.getPartial() ? 1 : 0, rank = kernel.c.sizes.size();
  if (byRows == isShared(op.getMatrixA()) || rank - first == 2 || one)
    return coord;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(coord);
  coord.getBatchesMutable().assign(matrixCount());
  coord.setByRows(byRows);
  return coord;
}

/// All matrices of the batch.
Value Program::matrixCount() {
  Value count;
  for (size_t dim = op.getPartial() ? 1 : 0; dim + 2 < kernel.c.sizes.size(); ++dim) {
    Value size = materialize(kernel.c.sizes[dim]);
    count = count ? builder.createOrFold<arith::MulIOp>(loc, count, size) : size;
  }
  return count;
}

/// The one of this thread, where each has a whole one; the builder then stands where it exists.
Value Program::matrixOfThread(CoordOp coord) {
  if (plan->matrices == 1)
    return coord.getBatch();
  Value first = arith::MulIOp::create(builder, loc, coord.getBatch(), index(plan->matrices));
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value own = arith::AddIOp::create(builder, loc, first, thread), count = matrixCount();
  std::optional<int64_t> known = getConstantIntValue(count);
  if (known && *known % plan->matrices == 0)
    return own;
  Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, own, count);
  auto branch = scf::IfOp::create(builder, loc, exists, /*withElse=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
  return own;
}

/// min(origin, size - tile) for a matrix that holds a tile.
Value Program::moveInside(Value origin, int dim) {
  if (divides(dim) || !overlaps(op, dim))
    return origin;
  int64_t tile = plan->macro()[dim];
  OpFoldResult size = dim == 0 ? kernel.m : kernel.n;
  auto known = getConstantIntValue(size);
  Value last =
      known ? index(*known - tile)
            : arith::SubIOp::create(builder, loc, materialize(size), index(tile)).getResult();
  return arith::MinSIOp::create(builder, loc, origin, last);
}

/// All vectors of an operand as one, along M (A) or N (B), or along K.
Value Program::flatten(const TileOperand &operand) {
  auto view = cast<MemRefType>(operand.global.getType());
  int64_t all = view.getDimSize(0) * view.getDimSize(1);
  return viewAsRun(builder, loc, operand.global, operand.path.flat, builder.getIndexAttr(all),
                   operand.vectorsAlongRows());
}

void Program::prepare(TileOperand &operand, Value batch) {
  MLIRContext *context = builder.getContext();
  Value matrix = op.getMatrix(operand.isA ? 0 : 1);
  Type element = cast<MemRefType>(matrix.getType()).getElementType();
  Edge alongK = divides(2) ? Edge::Inside : Edge::Zero;
  operand.depth = sliceDepth(plan), operand.macroK = plan->macroK;
  operand.extent = plan->macro()[operand.isA ? 0 : 1];
  if (operand.path.via == blas::Via::Shared)
    operand.copyMap = operandCopyMap(op, operand.isA);
  operand.descriptor = kernel.arguments.descriptor(operand.isA ? blas::Role::A : blas::Role::B);
  if (operand.isA) {
    operand.global = viewMatrix(builder, loc, kernel.a, op.getTransposeA(), batch);
    operand.edges = EdgesAttr::get(context, loadEdgeOf(op, 0), alongK);
    operand.bufferType = bufferTypeA(plan, element);
    operand.fragmentMap = rowFragmentMap(plan);
  } else {
    operand.global = viewMatrix(builder, loc, kernel.b, op.getTransposeB(), batch);
    operand.edges = EdgesAttr::get(context, alongK, loadEdgeOf(op, 1));
    operand.bufferType = bufferTypeB(plan, element);
    operand.fragmentMap = columnFragmentMap(plan);
  }
  if (operand.path.flat)
    operand.global = flatten(operand);
  blas::Structure structure = operand.isA ? op.getStructureA() : op.getStructureB();
  if (op.getMasked() && structure != blas::Structure::General)
    operand.mask.emplace(builder, loc, operand.fragmentType(), structure);
  if (operand.borrowed)
    operand.ring = a.ring;
  else if (operand.path.via == blas::Via::Shared)
    operand.ring = AllocOp::create(builder, loc, operand.bufferType);
}

/// The tiles in stage `step`: where they lie, or by an inner loop over their slices.
SmallVector<Value> Program::multiplyStage(Value step, Value k, ValueRange sums) {
  if (plan->readsShared())
    return products.add(a.stage(builder, loc, step), b.stage(builder, loc, step), sums);
  auto loop = scf::ForOp::create(
      builder, loc, index(0), index(plan->macroK), index(sliceDepth(plan)), sums,
      [&](OpBuilder &, Location, Value slice, ValueRange carried) {
        Value fragmentA = a.fragment(builder, loc, step, slice, k);
        Value fragmentB = b.fragment(builder, loc, step, slice, k);
        scf::YieldOp::create(builder, loc, products.add(fragmentA, fragmentB, carried));
      });
  loop->setAttr(TileDialect::kSlicesName, builder.getUnitAttr());
  if (int64_t unroll = plan->unroll)
    loop->setAttr(TileDialect::kUnrollName, builder.getI64IntegerAttr(unroll));
  return SmallVector<Value>(loop.getResults());
}

/// Whether a subgroup has one instruction's real accumulators. With fragments prefetched only these
/// stand between the last product of a step and the first of the next one, which must wait for it:
/// ptxas 13.0 leaves out that wait around the end of a loop (23 clocks in its code, wrong on an
/// H200).
bool Program::repeatsOneProduct() const {
  const Instruction *own = plan->instruction;
  std::array<int64_t, 2> micro = plan->micro(), lanes = plan->lanes();
  bool parts = isa<ComplexType>(sumType) && plan->products != 3;
  return own && !parts && micro[0] * lanes[0] == own->m && micro[1] * lanes[1] == own->n;
}

/// The outer loop: the steps of a share, of which there is at least one.
Value Program::multiply(const StepShare &share, Value accumulator) {
  Value width = index(share.stride);
  auto loop = scf::ForOp::create(
      builder, loc, index(0), materialize(share.count), index(1), products.begin(accumulator),
      [&](OpBuilder &, Location, Value step, ValueRange carried) {
        Value start = arith::AddIOp::create(builder, loc, share.start,
                                            arith::MulIOp::create(builder, loc, step, width));
        a.fill(builder, loc, step, start);
        b.fill(builder, loc, step, start);
        SmallVector<Value> sums =
            multiplyStage(step, start, products.beginStep(accumulator, carried));
        scf::YieldOp::create(builder, loc, products.endStep(step, carried, sums));
      });
  loop->setAttr(TileDialect::kStepsName, builder.getUnitAttr());
  if (share.least > 0 && !loop.getStaticTripCount())
    loop->setAttr(TileDialect::kLeastStepsName, builder.getI64IntegerAttr(share.least));
  if (share.remainderLast && !divides(2))
    loop->setAttr(TileDialect::kRemainderLastName, builder.getUnitAttr());
  if (plan->prefetch && !repeatsOneProduct())
    loop->setAttr(TileDialect::kPrefetchName, builder.getUnitAttr());
  return products.finish(accumulator, loop.getResults());
}

/// Whether there is a product: steps (else there is no element, not even a clamped one) and alpha
/// != 0 (a NaN in A or B stays out, as in the reference BLAS). Null: always.
Value Program::hasProduct(const StepShare &share) {
  Value condition;
  if (share.least == 0)
    condition = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                      materialize(share.count), index(0));
  if (!kernel.alpha || matchPattern(kernel.alpha, m_Constant()))
    return condition;
  Value scaled = blas::createNonZeroTest(builder, loc, kernel.alpha);
  return condition ? arith::AndIOp::create(builder, loc, condition, scaled).getResult() : scaled;
}

Value Program::multiplyUnlessEmpty(Value split, Value accumulator) {
  if (getConstantIntValue(kernel.k) == 0 || op.getConstantAlpha() == std::complex<double>(0))
    return accumulator; // NaN in A and B stays out
  StepShare share = shareSteps(builder, op, kernel.k, split, {a.origin, b.origin});
  Value condition = hasProduct(share);
  if (!condition)
    return multiply(share, accumulator);
  Type type = accumulator.getType();
  auto branch = scf::IfOp::create(builder, loc, TypeRange{type}, condition, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, multiply(share, accumulator));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, accumulator);
  return branch.getResult(0);
}

void Program::emit() {
  std::array<int64_t, 3> macro = plan->macro();
  CoordOp coord = coordinate();
  a.isA = true, b.isA = false;
  b.borrowed = sharesTile(op);
  a.path = plan->a, b.path = plan->b;
  a.origin = moveInside(coord.getM(), 0);
  b.origin = moveInside(coord.getN(), 1);
  Value batch = matrixOfThread(coord);
  prepare(a, batch);
  prepare(b, batch);
  Value c = viewOutput(builder, op, kernel, {batch, coord.getSplitOrNull()});
  auto type = MatrixType::get(builder.getContext(), {plan->slicedK * macro[0], macro[1]}, sumType,
                              accumulatorMap(plan));
  Value zero = blas::createScalar(builder, loc, sumType, 0);
  Value none = FillOp::create(builder, loc, type, zero);
  Value sum = multiplyUnlessEmpty(coord.getSplitOrNull(), none);
  auto edges =
      EdgesAttr::get(builder.getContext(), edgeOf(op, 0, Edge::Guard), edgeOf(op, 1, Edge::Guard));
  writeTile(builder, op, kernel, sum, {coord, batch, a.origin, b.origin, edges, c});
}

void rooftile::emitTileProgram(OpBuilder &builder, blas::ProductOpInterface op,
                               const KernelInterface::Arguments &arguments) {
  Program(builder, op, arguments).emit();
}

//===----------------------------------------------------------------------===//
// The K steps of one workgroup
//===----------------------------------------------------------------------===//

namespace {
/// Index arithmetic.
struct Steps {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
  Value sub(Value a, Value b) { return arith::SubIOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) { return arith::MulIOp::create(builder, loc, a, b); }
  Value div(Value a, int64_t b) { return arith::DivUIOp::create(builder, loc, a, constant(b)); }
  Value min(Value a, Value b) { return arith::MinUIOp::create(builder, loc, a, b); }
  Value max(Value a, Value b) { return arith::MaxUIOp::create(builder, loc, a, b); }
  /// floor(share steps / splits)
  Value boundary(Value part, Value steps, int64_t splits) {
    return arith::DivUIOp::create(builder, loc, mul(part, steps), constant(splits));
  }
};
} // namespace

/// Whether steps must begin at multiples of macro K: flat vectors along K are copied as one in the
/// only step, and accesses to others might begin anywhere if the remainder came first. Those that
/// are copied asynchronously begin there where they would begin within cache lines otherwise,
/// or farther within than steps that follow each other do: what a subgroup copies touches one more.
static bool beginsAtZero(blas::ProductOpInterface op, const blas::PathData &path, Value matrix,
                         int64_t k) {
  // A tensor copy begins at multiples of 16 bytes.
  if (path.copy == blas::Copy::Tensor && path.major == blas::Major::K)
    return k % path.vector != 0;
  if (!path.flat || path.major == blas::Major::K)
    return path.flat;
  int64_t macroK = op.getPlanAttr()->macroK, remainder = k % macroK * path.flat;
  int64_t bytes = elementBytes(cast<MemRefType>(matrix.getType()).getElementType());
  int64_t aligned = std::gcd(blas::kLineBytes, macroK * path.flat * bytes);
  return remainder % path.vector != 0 ||
         (path.copy == blas::Copy::Async && remainder * bytes % aligned != 0);
}

namespace {
/// The steps of K that a tile has, of `width` elements each, and where they begin.
struct AllSteps {
  Value first; ///< Element along K where step 0 begins.
  Value count;
  std::optional<int64_t> known; ///< The count.
  int64_t least;                ///< A lower bound of the steps.
  bool atZero;                  ///< Step 0 begins at 0: a remainder comes last.
};
} // namespace

static AllSteps allSteps(Steps &math, blas::ProductOpInterface op, OpFoldResult k) {
  blas::PlanAttr plan = op.getPlanAttr();
  int64_t macroK = plan->macroK;
  auto known = getConstantIntValue(k);
  if (known) {
    int64_t steps = llvm::divideCeil(*known, macroK);
    bool atZero = beginsAtZero(op, plan->a, op.getMatrixA(), *known) ||
                  beginsAtZero(op, plan->b, op.getMatrixB(), *known);
    int64_t first = atZero ? 0 : *known - steps * macroK;
    return {math.constant(first), math.constant(steps), steps, steps, atZero};
  }
  Value extent = getValueOrCreateConstantIndexOp(math.builder, math.loc, k);
  Value width = math.constant(macroK);
  Value steps = arith::CeilDivUIOp::create(math.builder, math.loc, extent, width);
  return {math.sub(extent, math.mul(steps, width)), steps, std::nullopt, 0, false};
}

/// A lower bound of the steps across the diagonal of a square op(A), or op(B), where it is the only
/// triangle and no tile reaches beyond it.
static int64_t leastOfDiagonal(blas::ProductOpInterface op, const AllSteps &all) {
  bool ofA = op.getStructureA() != blas::Structure::General;
  int64_t size = ofA ? op.getM() : op.getN();
  bool only = !ofA || op.getStructureB() == blas::Structure::General;
  bool square = !ShapedType::isDynamic(size) && size == op.getK();
  if (!only || !square || edgeOf(op, ofA ? 0 : 1, Edge::Guard) != Edge::Inside)
    return 0;
  blas::PlanAttr plan = op.getPlanAttr();
  return std::min(all.least, plan->macro()[ofA ? 0 : 1] / plan->macroK);
}

/// Leaves out the steps in which all of the tile's rows of op(A), or columns of op(B), are zeros.
static void leaveOutZeros(Steps &math, blas::ProductOpInterface op, std::array<Value, 2> origin,
                          AllSteps &all) {
  blas::PlanAttr plan = op.getPlanAttr();
  int64_t macroK = plan->macroK;
  Value begin = math.constant(0), end = all.count;
  for (int operand : {0, 1}) {
    blas::Structure structure = operand == 0 ? op.getStructureA() : op.getStructureB();
    if (structure == blas::Structure::General)
      continue;
    // Step 0 begins at 0 or before it, no tile does.
    Value fromFirst = math.sub(origin[operand], all.first);
    if (blas::isLower(structure) == (operand == 0)) {
      Value behind = math.add(fromFirst, math.constant(plan->macro()[operand] + macroK - 1));
      end = math.min(end, math.div(behind, macroK));
    } else {
      begin = math.max(begin, math.div(fromFirst, macroK));
    }
  }
  begin = math.min(begin, end); // of a tile beside the matrix that is a triangle
  all.first = math.add(all.first, math.mul(begin, math.constant(macroK)));
  all.count = math.sub(end, begin);
  all.known.reset();
  all.least = leastOfDiagonal(op, all);
}

StepShare rooftile::shareSteps(OpBuilder &builder, blas::ProductOpInterface op, OpFoldResult k,
                               Value split, std::array<Value, 2> origin) {
  blas::PlanAttr plan = op.getPlanAttr();
  Steps math{builder, op.getLoc()};
  int64_t macroK = plan->macroK, splits = plan->splits;
  AllSteps all = allSteps(math, op, k);
  if (leavesOutZeros(op))
    leaveOutZeros(math, op, origin, all);
  Value first = all.first, steps = all.count, width = math.constant(macroK);
  StepShare share{first, macroK, steps, all.least / splits, all.atZero};
  if (all.known)
    share.count = builder.getIndexAttr(*all.known);
  if (!split)
    return share;
  bool even = all.known && *all.known % splits == 0;
  if (even)
    share.count = builder.getIndexAttr(*all.known / splits);
  if (plan->reduction == blas::Reduction::Cluster) {
    Value lower = math.boundary(split, steps, splits);
    share.start = math.add(first, math.mul(lower, width));
    if (!even)
      share.count =
          math.sub(math.boundary(math.add(split, math.constant(1)), steps, splits), lower);
    return share;
  }
  share.start = math.add(first, math.mul(split, width));
  share.stride = splits * macroK;
  // ceil((steps - split) / splits), none where split >= steps
  if (!even)
    share.count = math.div(math.sub(math.add(steps, math.constant(splits - 1)), split), splits);
  return share;
}
