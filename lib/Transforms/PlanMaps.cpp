//===- PlanMaps.cpp - The maps and layouts that a plan names --------------===//

#include "rooftile/Transforms/PlanMaps.h"
#include "rooftile/Transforms/KernelInterface.h"
#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

static Mode alongRows(int64_t size, int64_t stride) { return {size, stride, 0}; }
static Mode alongColumns(int64_t size, int64_t stride) { return {size, 0, stride}; }
static Mode replicated(int64_t size) { return {size, 0, 0}; }

/// A map without the modes of one digit value, which say nothing.
static MapAttr makeMap(MLIRContext *context, ArrayRef<Mode> threads, ArrayRef<Mode> values) {
  auto says = [](ArrayRef<Mode> modes) {
    return llvm::to_vector(llvm::make_filter_range(modes, [](Mode mode) { return mode.size > 1; }));
  };
  return MapAttr::get(context, says(threads), says(values));
}

namespace {
/// Digits of one dimension (0: M, 1: N) of the accumulator.
struct Digits {
  int64_t vector, runs, runStride, lanes, subgroups;

  Digits(blas::PlanAttr plan, int dim)
      : vector(plan.getVector()), runs(plan.getMicro()[dim] / vector),
        runStride(plan.getMacro()[dim] / runs), lanes(plan.getLanes()[dim]),
        subgroups(plan.getMacro()[dim] / plan.getMicro()[dim] / lanes) {}
};
} // namespace

/// Thread digits, fastest first: lanes along N, lanes along M, subgroups along N, along M.
static SmallVector<Mode> threadModes(blas::PlanAttr plan, bool rows, bool columns) {
  Digits m(plan, 0), n(plan, 1);
  auto row = [&](int64_t size, int64_t stride) {
    return rows ? alongRows(size, stride) : replicated(size);
  };
  auto column = [&](int64_t size, int64_t stride) {
    return columns ? alongColumns(size, stride) : replicated(size);
  };
  return {column(n.lanes, n.vector), row(m.lanes, m.vector),
          column(n.subgroups, n.vector * n.lanes), row(m.subgroups, m.vector * m.lanes)};
}

MapAttr rooftile::accumulatorMap(blas::PlanAttr plan) {
  Digits m(plan, 0), n(plan, 1);
  return makeMap(plan.getContext(), threadModes(plan, true, true),
                 {alongColumns(n.vector, 1), alongColumns(n.runs, n.runStride),
                  alongRows(m.vector, 1), alongRows(m.runs, m.runStride)});
}

MapAttr rooftile::rowFragmentMap(blas::PlanAttr plan, int64_t depth) {
  Digits m(plan, 0);
  return makeMap(plan.getContext(), threadModes(plan, true, false),
                 {alongRows(m.vector, 1), alongRows(m.runs, m.runStride), alongColumns(depth, 1)});
}

MapAttr rooftile::columnFragmentMap(blas::PlanAttr plan, int64_t depth) {
  Digits n(plan, 1);
  return makeMap(
      plan.getContext(), threadModes(plan, false, true),
      {alongColumns(n.vector, 1), alongColumns(n.runs, n.runStride), alongRows(depth, 1)});
}

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
  return makeMap(context, {along(threadsAlong, shape.vector), across(threadsAcross, 1)},
                 {along(shape.vector, 1),
                  along(accesses / threadsAlong, threadsAlong * shape.vector),
                  across(others / threadsAcross, threadsAcross)});
}

MapAttr rooftile::operandCopyMap(blas::GemmOp op, bool isA) {
  blas::PlanAttr plan = op.getPlanAttr();
  ArrayRef<int64_t> macro = plan.getMacro();
  auto type = cast<MemRefType>((isA ? op.getA() : op.getB()).getType());
  blas::PathAttr path = isA ? plan.getA() : plan.getB();
  int64_t last = type.getRank() - 1;
  // Neighbours along `dim` are neighbours in memory, in aligned accesses of `vector`.
  auto liesAlong = [&](int64_t dim) {
    SmallVector<int64_t> strides;
    int64_t offset;
    return succeeded(type.getStridesAndOffset(strides, offset)) && strides[dim] == 1 &&
           blas::getLegalVector(op, isA ? 0 : 1, dim) >= path.getVector();
  };
  bool alongLast = liesAlong(last) || !liesAlong(last - 1);
  CopyShape shape;
  shape.rows = isA ? macro[0] : macro[2], shape.columns = isA ? macro[2] : macro[1];
  shape.vector = path.getVector(), shape.lanes = path.getLanes();
  shape.alongColumns = alongLast != blas::isTransposed(isA ? op.getOpA() : op.getOpB());
  return copyMap(op.getContext(), shape, plan.getThreads());
}

BufferType rooftile::bufferTypeA(blas::PlanAttr plan, Type elementType) {
  int64_t m = plan.getMacro()[0], k = plan.getMacro()[2];
  return BufferType::get(plan.getContext(), plan.getStages(), {m, k}, elementType,
                         {1, m + plan.getA().getPad()}, plan.getA().getSwizzle());
}

BufferType rooftile::bufferTypeB(blas::PlanAttr plan, Type elementType) {
  int64_t n = plan.getMacro()[1], k = plan.getMacro()[2];
  return BufferType::get(plan.getContext(), plan.getStages(), {k, n}, elementType,
                         {n + plan.getB().getPad(), 1}, plan.getB().getSwizzle());
}
