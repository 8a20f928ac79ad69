//===- CopyMaps.cpp - The maps of copies and rings that a plan names ------===//

#include "BulkCopies.h"
#include "Modes.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/BankConflicts.h"
#include "rooftile/Transforms/PlanMaps.h"
#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

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
  for (auto [size, step] : digitsAcross(shape.apart, threadsAlong, threadsAcross))
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
  if (int64_t flat = path.getFlat()) {
    bool alongK = path.getMajor() == blas::Major::K;
    int64_t lines = alongK ? macro[isA ? 0 : 1] : macro[2];
    int64_t all = llvm::alignTo(lines * flat, plan.getThreads() * shape.vector);
    shape.alongColumns = isA == alongK;
    shape.rows = shape.alongColumns ? 1 : all, shape.columns = shape.alongColumns ? all : 1;
    return copyMap(op.getContext(), shape, plan.getThreads());
  }
  shape.alongColumns = alongLast != blas::isTransposed(isA ? op.getOpA() : op.getOpB());
  shape.apart = path.getParts() == blas::Parts::Apart;
  if (path.getCopy() == blas::Copy::Tensor)
    shape.lanes = 1; // one thread has it all copied
  if (blas::arrivesInBulk(path.getCopy()))
    return bulkCopyMap(op.getContext(), shape, plan.getThreads(),
                       plan.getLanes()[0] * plan.getLanes()[1]);
  return copyMap(op.getContext(), shape, plan.getThreads());
}

/// The ring of one operand, as its path lays it out.
static BufferType bufferType(blas::PlanAttr plan, blas::PathAttr path, Type elementType, bool isA) {
  int64_t extent = plan.getMacro()[isA ? 0 : 1], k = plan.getMacro()[2];
  blas::LineLayout lines = blas::layoutOf(path, plan.getThreads());
  auto [along, alongK] = blas::tileStrides(extent, k, lines);
  // Half a slot, in real numbers.
  int64_t bytes = elementBytes(elementType), apart = 0;
  if (path.getParts() == blas::Parts::Apart)
    apart = blas::slotBytes(extent, k, lines, bytes) / bytes;
  SmallVector<int64_t> shape{extent, k}, strides{along, alongK};
  if (lines.flat && lines.major == blas::Major::MN)
    shape = {lines.flat, blas::flatLines(k, lines)};
  else if (lines.flat)
    shape = {blas::flatLines(extent, lines), lines.flat};
  if (!isA) {
    std::swap(shape[0], shape[1]);
    std::swap(strides[0], strides[1]);
  }
  return BufferType::get(plan.getContext(), plan.getStages(), shape, elementType, strides,
                         path.getSwizzle(), apart);
}

BufferType rooftile::bufferTypeA(blas::PlanAttr plan, Type elementType) {
  return bufferType(plan, plan.getA(), elementType, /*isA=*/true);
}

BufferType rooftile::bufferTypeB(blas::PlanAttr plan, Type elementType) {
  return bufferType(plan, plan.getB(), elementType, /*isA=*/false);
}
