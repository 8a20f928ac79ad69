//===- PathChecks.cpp - What a path of an operand can be ------------------===//

#include "PathChecks.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "rooftile/Dialect/Element.h"

#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

/// Dimension of op(X) as stored: 0 or 1 counted from the first matrix dimension.
static int64_t storedDim(MemRefType type, Transpose transpose, int dim) {
  return type.getRank() - 2 + (isTransposed(transpose) ? 1 - dim : dim);
}

/// Flat lines run along M (A) or N (B), which one tile holds whole.
static LogicalResult checkFlat(GemmOp op, bool isA) {
  PlanAttr plan = op.getPlanAttr();
  PathAttr path = isA ? plan.getA() : plan.getB();
  MemRefType type = memrefType(isA ? op.getA() : op.getB());
  FlatLines lines = getFlatLines(type);
  int64_t dim = storedDim(type, isA ? op.getOpA() : op.getOpB(), isA ? 0 : 1);
  auto refuse = [&]() {
    return op.emitOpError("plan: path ") << (isA ? "a" : "b") << " has flat = " << path.getFlat();
  };
  if (lines.length != path.getFlat() || getContiguousDim(type) != dim ||
      path.getMajor() != Major::MN)
    return refuse() << ", but operand " << (isA ? "A" : "B") << ", " << type
                    << ", has no lines of that many elements along " << (isA ? "M" : "N")
                    << ", without gaps, of known number";
  if (int64_t extent = plan.getMacro()[isA ? 0 : 1]; extent < lines.length)
    return refuse() << ", but tiles of " << extent << " do not hold a whole line";
  int64_t vector = std::gcd(lines.vector, plan.getMacro()[2] * lines.length);
  if (path.getVector() > vector)
    return refuse() << " and vector = " << path.getVector() << ", but steps of "
                    << plan.getMacro()[2] << " such lines of operand " << (isA ? "A" : "B") << ", "
                    << type << ", are aligned for " << vector << " at most";
  return success();
}

/// The access width of a path must be provable from the operand's type.
LogicalResult rooftile::checkPath(GemmOp op, bool isA) {
  StringRef name = isA ? "A" : "B";
  MemRefType type = memrefType(isA ? op.getA() : op.getB());
  Transpose transpose = isA ? op.getOpA() : op.getOpB();
  PathAttr path = isA ? op.getPlanAttr().getA() : op.getPlanAttr().getB();
  auto legalAlong = [&](int dim) {
    return getLegalVector(op, isA ? 0 : 1, storedDim(type, transpose, dim));
  };
  int fragmentDim = isA ? 0 : 1;
  int64_t legal = legalAlong(fragmentDim);
  if (path.getVia() == Via::Shared)
    legal = std::max(legal, legalAlong(1 - fragmentDim));
  if (path.getParts() == Parts::Apart && !isa<ComplexType>(type.getElementType()))
    return op.emitOpError("plan: path ") << name.lower() << " has parts = apart but operand "
                                         << name << " is of " << type.getElementType();
  if (path.getFlat())
    return checkFlat(op, isA);
  if (path.getVector() > legal)
    return op.emitOpError("plan: path ")
           << name.lower() << " has vector = " << path.getVector() << " but accesses to operand "
           << name << ", " << type << ", are contiguous and aligned for " << legal << " at most";
  if (path.getVia() == Via::Register && path.getVector() > op.getPlanAttr().getVector())
    return op.emitOpError("plan: path ")
           << name.lower() << " has vector = " << path.getVector()
           << " but fragments come in runs of " << op.getPlanAttr().getVector();
  return success();
}
