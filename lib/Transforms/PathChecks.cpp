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

/// Flat lines run along M (A) or N (B), or along K, where one tile holds them whole.
static LogicalResult checkFlat(GemmOp op, bool isA) {
  PlanAttr plan = op.getPlanAttr();
  PathAttr path = isA ? plan.getA() : plan.getB();
  MemRefType type = memrefType(isA ? op.getA() : op.getB());
  FlatLines lines = getFlatLines(type);
  // Dimensions of the product: of the lines, and across them.
  int outer = isA ? 0 : 1, along = path.getMajor() == Major::K ? 2 : outer;
  int across = outer + 2 - along;
  bool inner = along == 2;
  int64_t dim = storedDim(type, isA ? op.getOpA() : op.getOpB(), inner == isA ? 1 : 0);
  auto refuse = [&]() {
    return op.emitOpError("plan: path ") << (isA ? "a" : "b") << " has flat = " << path.getFlat();
  };
  if (lines.length != path.getFlat() || getContiguousDim(type) != dim)
    return refuse() << ", but operand " << (isA ? "A" : "B") << ", " << type
                    << ", has no lines of that many elements along " << "MNK"[along]
                    << ", without gaps, of known number";
  if (int64_t extent = plan.getMacro()[along]; extent < lines.length)
    return refuse() << ", but tiles of " << extent << " do not hold a whole line";
  int64_t vector = std::gcd(lines.widest(path.getCopy()), plan.getMacro()[across] * lines.length);
  if (path.getVector() > vector)
    return refuse() << " and vector = " << path.getVector() << ", but "
                    << (inner ? "tiles of " : "steps of ") << plan.getMacro()[across]
                    << " such lines of operand " << (isA ? "A" : "B") << ", " << type
                    << ", are aligned for " << vector << " at most";
  return success();
}

/// Rows of C that are written as one: they follow each other without gaps, one tile holds them
/// whole, and no element of an epilogue has a row or column of its own.
LogicalResult rooftile::checkFlatOutput(GemmOp op) {
  PlanAttr plan = op.getPlanAttr();
  MemRefType type = memrefType(op.getC());
  if (!plan.getFlat())
    return success();
  bool rows = getContiguousDim(type) == type.getRank() - 1 && !op.getPartial();
  if (!rows || getFlatLines(type).length != plan.getFlat())
    return op.emitOpError("plan: flat = ")
           << plan.getFlat() << ", but C, " << type
           << ", has no rows of that many elements without gaps, of known number";
  for (Value extra : op.getExtras())
    if (isa<MemRefType>(extra.getType()))
      return op.emitOpError("plan: flat = ")
             << plan.getFlat() << " writes C without regard to rows, but the epilogue reads "
             << extra.getType();
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
