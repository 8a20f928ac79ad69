//===- PlanMaps.cpp - Maps of the accumulators and fragments of a plan ----===//

#include "rooftile/Transforms/Kernel/PlanMaps.h"
#include "BulkCopies.h"
#include "Modes.h"
#include "rooftile/Dialect/Blas/LaneStep.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/BankConflicts.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
/// The multiplying instruction of a plan over its macro tile. A multiply-add is an instruction of
/// one subgroup, too: of lanes M x lanes N x 1.
struct Placement {
  explicit Placement(blas::PlanAttr plan);

  /// Thread digits, fastest first: lanes of the instruction, subgroups along N, along M, groups.
  SmallVector<Mode> threads(ArrayRef<Mode> lanes, const Spread &first, const Spread &second,
                            std::array<bool, 2> spread, ArrayRef<Mode> group) const;
  /// Digits of the groups: what they hold of a slice along K, and their tiles of C.
  SmallVector<Mode> groupsAlong(Mode (*along)(int64_t, int64_t)) const;
  SmallVector<Mode> groupsOfC(int64_t macroM) const;
  InstructionAttr attribute(MLIRContext *context) const {
    return placedInstruction(context, instruction, rows, columns, depth);
  }

  Instruction instruction;
  Spread rows, columns, depth;
  std::array<int64_t, 2> subgroups;
  int64_t slicedK, between; // groups whose K lies between that of neighbouring lanes
};
} // namespace

Placement::Placement(blas::PlanAttr plan)
    : instruction(plan->instruction ? *plan->instruction
                                    : multiplyAdd(plan->lanesM, plan->lanesN, plan->depth)),
      rows(instruction.a.threads, instruction.a.values, /*rows=*/true),
      columns(instruction.b.threads, instruction.b.values, /*rows=*/false),
      depth(instruction.a.threads, instruction.a.values, /*rows=*/false), slicedK(plan->slicedK) {
  for (auto [dim, spread] : {std::pair(0, &rows), std::pair(1, &columns)}) {
    int64_t vector = plan->runOf(dim);
    int64_t macro = plan->macro()[dim];
    subgroups[dim] = macro / plan->micro()[dim] / plan->lanes()[dim];
    int64_t units = macro / spread->lanes() / subgroups[dim];
    if (instruction.readsShared()) {
      spread->arrangeWhole(units);
      continue;
    }
    spread->arrange(vector, macro / (units / vector), units, vector);
  }
  // Lanes read neighbours along K: vectors of a tile along K, or neighbouring vectors, fill the
  // banks; else what a lane holds in registers, and then groups, lie between.
  int64_t step = blas::laneStep(*plan), ofLane = instruction.depth() / depth.lanes();
  depth.arrange(std::min(step, ofLane), depth.lanes() * step, ofLane, step);
  between = std::max<int64_t>(1, step / ofLane);
}

SmallVector<Mode> Placement::groupsAlong(Mode (*along)(int64_t, int64_t)) const {
  return {along(between, depth.getUnits()),
          along(slicedK / between, instruction.depth() * between)};
}

SmallVector<Mode> Placement::groupsOfC(int64_t macroM) const {
  return {alongRows(between, macroM), alongRows(slicedK / between, macroM * between)};
}

SmallVector<Mode> Placement::threads(ArrayRef<Mode> lanes, const Spread &first,
                                     const Spread &second, std::array<bool, 2> spread,
                                     ArrayRef<Mode> group) const {
  SmallVector<Mode> modes;
  for (const Mode &mode : lanes)
    modes.push_back({mode.size, first.place(mode.row), second.place(mode.column)});
  modes.push_back(spread[1] ? alongColumns(subgroups[1], columns.extent())
                            : replicated(subgroups[1]));
  modes.push_back(spread[0] ? alongRows(subgroups[0], rows.extent()) : replicated(subgroups[0]));
  llvm::append_range(modes, group);
  return modes;
}

/// Registers along one dimension of a fragment that is not C: runs, and the elements of a run.
static SmallVector<Mode> unitModes(const Spread &spread, Mode (*along)(int64_t, int64_t)) {
  return {along(spread.getRun(), 1),
          along(spread.getUnits() / spread.getRun(), spread.getRunStride())};
}

/// Registers along one dimension of C: those of the instruction and its repetitions, neighbours
/// first.
static SmallVector<Mode> sumModes(const Spread &spread, ArrayRef<Mode> values, bool rows) {
  SmallVector<std::pair<int64_t, int64_t>> digits = spread.repetitions();
  for (const Mode &mode : values)
    if (int64_t stride = rows ? mode.row : mode.column; stride != 0)
      digits.push_back({mode.size, spread.place(stride)});
  llvm::sort(digits, llvm::less_second());
  // Digits that count on are one.
  SmallVector<std::pair<int64_t, int64_t>> joined;
  for (auto [size, step] : digits) {
    bool counts = !joined.empty() && joined.back().first * joined.back().second == step;
    if (counts)
      joined.back().first *= size;
    else
      joined.push_back({size, step});
  }
  return llvm::map_to_vector(joined, [&](std::pair<int64_t, int64_t> digit) {
    return rows ? alongRows(digit.first, digit.second) : alongColumns(digit.first, digit.second);
  });
}

static SmallVector<Mode> concat(SmallVector<Mode> first, ArrayRef<Mode> second) {
  first.append(second.begin(), second.end());
  return first;
}

/// Registers of a fragment, those of its runs first: along M or N, or along K.
static SmallVector<Mode> inRuns(blas::PlanAttr plan, const blas::PathData &path,
                                SmallVector<Mode> outer, SmallVector<Mode> alongK) {
  return plan->runsAlongK(path) ? concat(alongK, outer) : concat(outer, alongK);
}

MapAttr rooftile::accumulatorMap(blas::PlanAttr plan) {
  Placement p(plan);
  const Fragment &c = p.instruction.c;
  return makeMap(plan.getContext(),
                 p.threads(c.threads, p.rows, p.columns, {true, true}, p.groupsOfC(plan->macroM)),
                 concat(sumModes(p.columns, c.values, false), sumModes(p.rows, c.values, true)));
}

MapAttr rooftile::rowFragmentMap(blas::PlanAttr plan) {
  Placement p(plan);
  return makeMap(
      plan.getContext(),
      p.threads(p.instruction.a.threads, p.rows, p.depth, {true, false},
                p.groupsAlong(alongColumns)),
      inRuns(plan, plan->a, unitModes(p.rows, alongRows), unitModes(p.depth, alongColumns)));
}

MapAttr rooftile::columnFragmentMap(blas::PlanAttr plan) {
  Placement p(plan);
  return makeMap(
      plan.getContext(),
      p.threads(p.instruction.b.threads, p.depth, p.columns, {false, true},
                p.groupsAlong(alongRows)),
      inRuns(plan, plan->b, unitModes(p.columns, alongColumns), unitModes(p.depth, alongRows)));
}

int64_t rooftile::sliceDepth(blas::PlanAttr plan) { return plan->slicedK * plan->sliceDepth(); }

InstructionAttr rooftile::instructionOf(blas::PlanAttr plan) {
  return plan->instruction ? Placement(plan).attribute(plan.getContext()) : InstructionAttr();
}

//===----------------------------------------------------------------------===//
// The maps of copies and rings that a plan names
//===----------------------------------------------------------------------===//

MapAttr rooftile::copyMap(MLIRContext *context, const CopyShape &shape, int64_t threads) {
  auto along = shape.alongColumns ? alongColumns : alongRows;
  auto across = shape.alongColumns ? alongRows : alongColumns;
  int64_t length = shape.alongColumns ? shape.columns : shape.rows,
          others = shape.alongColumns ? shape.rows : shape.columns;
  if (length % shape.vector != 0)
    return {};
  int64_t accesses = length / shape.vector;
  int64_t threadsAlong = shape.lanes ? shape.lanes : std::gcd(accesses, threads);
  if (accesses % threadsAlong != 0 || threads % threadsAlong != 0)
    return {};
  int64_t threadsAcross = threads / threadsAlong;
  if (others % threadsAcross != 0)
    return {};
  SmallVector<Mode> threadModes{along(threadsAlong, shape.vector)};
  for (auto [size, step] : digitsAcross(shape.planar, threadsAlong, threadsAcross))
    threadModes.push_back(across(size, step));
  return makeMap(context, threadModes,
                 {along(shape.vector, 1),
                  along(accesses / threadsAlong, threadsAlong * shape.vector),
                  across(others / threadsAcross, threadsAcross)});
}

MapAttr rooftile::stackedMap(MLIRContext *context, const CopyShape &shape, int64_t threads,
                             int64_t parts, int64_t all) {
  MapAttr one = copyMap(context, shape, threads);
  if (!one)
    return {};
  SmallVector<Mode> modes(one.getThreads());
  modes.push_back(alongRows(parts, shape.rows));
  modes.push_back(replicated(all / (threads * parts)));
  return makeMap(context, modes, one.getValues());
}

/// Neighbours along the stored dimension `dim` are neighbours in memory, in aligned accesses.
static bool liesAlong(blas::ProductOpInterface op, bool isA, int64_t dim) {
  auto type = cast<MemRefType>(op.getMatrix(isA ? 0 : 1).getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) && strides[dim] == 1 &&
         blas::getLegalVector(op, isA ? 0 : 1, dim) >= op.getPlanAttr()->path(isA ? 0 : 1).vector;
}

std::optional<int64_t> rooftile::accessedDim(blas::ProductOpInterface op, bool isA) {
  auto type = cast<MemRefType>(op.getMatrix(isA ? 0 : 1).getType());
  int64_t last = type.getRank() - 1;
  bool isTransposed = blas::isTransposed(op.getTranspose(isA ? 0 : 1));
  const blas::PathData &path = op.getPlanAttr()->path(isA ? 0 : 1);
  SmallVector<int64_t> dims{last, last - 1};
  if (blas::getContiguousDim(type) == last - 1)
    std::swap(dims[0], dims[1]);
  if (path.isDirect()) {
    bool ofOuter = isA == isTransposed; // whether M or N is the last one
    dims = {ofOuter == (path.major == blas::Major::MN) ? last : last - 1};
  }
  for (int64_t dim : dims)
    if (liesAlong(op, isA, dim))
      return dim;
  return std::nullopt;
}

MapAttr rooftile::operandCopyMap(blas::ProductOpInterface op, bool isA) {
  blas::PlanAttr plan = op.getPlanAttr();
  std::array<int64_t, 3> macro = plan->macro();
  const blas::PathData &path = isA ? plan->a : plan->b;
  int64_t last = cast<MemRefType>(op.getMatrix(isA ? 0 : 1).getType()).getRank() - 1;
  bool alongLast = accessedDim(op, isA).value_or(last) == last;
  CopyShape shape;
  shape.rows = isA ? macro[0] : macro[2], shape.columns = isA ? macro[2] : macro[1];
  shape.vector = path.vector, shape.lanes = path.lanes;
  if (int64_t flat = path.flat) {
    bool alongK = path.major == blas::Major::K;
    int64_t vectors = alongK ? macro[isA ? 0 : 1] : macro[2];
    int64_t all = llvm::alignTo(vectors * flat, plan->threads() * shape.vector);
    shape.alongColumns = isA == alongK;
    shape.rows = shape.alongColumns ? 1 : all, shape.columns = shape.alongColumns ? all : 1;
    return copyMap(op.getContext(), shape, plan->threads());
  }
  shape.alongColumns = alongLast != blas::isTransposed(op.getTranspose(isA ? 0 : 1));
  shape.planar = path.layout == blas::ComplexLayout::Planar;
  if (path.copy == blas::Copy::Tensor)
    shape.lanes = 1; // one thread has it all copied
  int64_t subgroups = plan->instruction ? plan->instruction->subgroups : 1;
  if (blas::arrivesInBulk(path.copy))
    return bulkCopyMap(op.getContext(), shape, plan->threads(),
                       plan->lanesM * plan->lanesN / subgroups);
  return copyMap(op.getContext(), shape, plan->threads());
}

/// The ring of one operand, as its path lays it out.
static BufferType bufferType(blas::PlanAttr plan, const blas::PathData &path, Type elementType,
                             bool isA) {
  int64_t extent = plan->macro()[isA ? 0 : 1], k = plan->macroK;
  blas::SharedTileLayout layout = blas::layoutOf(path, plan->threads());
  auto [along, alongK] = blas::tileStrides(extent, k, layout);
  // Half a stage, in real elements.
  int64_t bytes = elementBytes(elementType), apart = 0;
  if (path.layout == blas::ComplexLayout::Planar)
    apart = blas::stageBytes(extent, k, layout, bytes) / bytes;
  SmallVector<int64_t> shape{extent, k}, strides{along, alongK};
  // Rows of 128 bytes along M or N, one for each K: what is longer is cut into panels of them.
  int64_t panelStride = 0, row = tile::kSharedRowBytes / bytes;
  if (plan->readsShared() && path.major == blas::Major::MN) {
    strides[1] = row;
    panelStride = extent > row ? row * k : 0;
  }
  if (layout.flat && layout.major == blas::Major::MN)
    shape = {layout.flat, blas::flatVectors(k, layout)};
  else if (layout.flat)
    shape = {blas::flatVectors(extent, layout), layout.flat};
  if (!isA) {
    std::swap(shape[0], shape[1]);
    std::swap(strides[0], strides[1]);
  }
  return BufferType::get(plan.getContext(), plan->stages, shape, elementType, strides, path.swizzle,
                         apart, panelStride);
}

BufferType rooftile::bufferTypeA(blas::PlanAttr plan, Type elementType) {
  return bufferType(plan, plan->a, elementType, /*isA=*/true);
}

BufferType rooftile::bufferTypeB(blas::PlanAttr plan, Type elementType) {
  return bufferType(plan, plan->b, elementType, /*isA=*/false);
}
