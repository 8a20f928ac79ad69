//===- BulkCopies.cpp - Plans that copy whole rows of a tile --------------===//
//
// A bulk copy moves one row of the shared tile, macro M or macro N elements, as it is: nothing is
// turned, clamped or filled with zeros on the way. So the operand runs along M (A) or N (B), all
// tiles lie inside the matrix and begin at multiples of 16 bytes, and there is no partial step of
// K. (A tile that would cross the edge is moved back inside; packing turns an operand.)
//
// A tensor copy moves all rows of a tile, which may cross every edge, since its hardware knows
// where the matrix ends and fills in zeros. Tiles begin at multiples of 16 bytes, too: elsewhere an
// H200 calls the instruction illegal.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "TensorMaps.h"
#include "TileEdges.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;
using tile::Mode;

tile::MapAttr rooftile::bulkCopyMap(MLIRContext *context, const CopyShape &shape, int64_t threads,
                                    int64_t subgroup) {
  auto along = [&](int64_t size) {
    return shape.alongColumns ? Mode{size, 0, 1} : Mode{size, 1, 0};
  };
  auto across = [&](int64_t size, int64_t stride) {
    return shape.alongColumns ? Mode{size, stride, 0} : Mode{size, 0, stride};
  };
  int64_t length = shape.alongColumns ? shape.columns : shape.rows;
  int64_t lines = shape.alongColumns ? shape.rows : shape.columns;
  int64_t subgroups = threads / subgroup;
  int64_t copiers = shape.lanes ? shape.lanes : std::gcd(subgroups, lines);
  if (lines % copiers != 0 || subgroups % copiers != 0)
    return {};
  SmallVector<Mode> modes{
      {subgroup, 0, 0}, across(copiers, lines / copiers), {subgroups / copiers, 0, 0}};
  llvm::erase_if(modes, [](const Mode &mode) { return mode.size == 1; });
  SmallVector<Mode> values{along(length)};
  if (lines > copiers)
    values.push_back(across(lines / copiers, 1));
  return tile::MapAttr::get(context, modes, values);
}

/// Whether rows and columns of `matrix` are known to follow each other upward: of a view, whose
/// type may leave that open, because those of what it is a part of do.
static bool followsUpward(Value matrix) {
  while (!runsForward(cast<ShapedType>(matrix.getType()))) {
    auto part = matrix.getDefiningOp<memref::SubViewOp>();
    auto cast = matrix.getDefiningOp<memref::CastOp>();
    bool upward = part && llvm::all_of(part.getStaticStrides(), [](int64_t s) { return s > 0; });
    if (!upward && !cast)
      return false;
    matrix = cast ? cast.getSource() : part.getSource();
  }
  return true;
}

using Refuse = function_ref<InFlightDiagnostic()>;

/// Tiles begin at multiples of 16 bytes, and lie `inside` the matrix.
static LogicalResult checkPlaces(GemmOp op, bool isA, bool inside, Refuse refuse) {
  int dim = isA ? 0 : 1;
  int64_t extent = op.getPlanAttr().getMacro()[dim];
  bool moved = !isMultiple(op, dim, extent) && overlaps(op, dim);
  int64_t vector = (isA ? op.getPlanAttr().getA() : op.getPlanAttr().getB()).getVector();
  if (inside && (!moved || isMultiple(op, dim, vector)))
    return success();
  return refuse() << "tiles of " << extent << " cross the edge of " << "MN"[dim] << " = "
                  << (isA ? op.getM() : op.getN()) << ", or begin at no multiple of "
                  << tile::kBulkBytes << " bytes";
}

/// Rows: of whole steps, inside the matrix.
static LogicalResult checkRows(GemmOp op, bool isA, Refuse refuse) {
  int64_t macroK = op.getPlanAttr().getMacro()[2];
  if (!isMultiple(op, 2, macroK))
    return refuse() << "K = " << op.getK()
                    << " is not known to be a multiple of macro K = " << macroK;
  return checkPlaces(op, isA, loadEdgeOf(op, isA ? 0 : 1) == tile::Edge::Inside, refuse);
}

/// Whole tiles: one matrix, whose lines the hardware can follow. All slots begin where boxes may.
static LogicalResult checkTensorCopy(GemmOp op, bool isA, Refuse refuse) {
  Value matrix = isA ? op.getA() : op.getB();
  auto type = cast<MemRefType>(matrix.getType());
  if (!isShared(type))
    return refuse() << "operand " << "AB"[!isA] << ", " << type << ", is a batch";
  if (!followsUpward(matrix))
    return refuse() << "lines of operand " << "AB"[!isA] << ", " << type
                    << ", are not known to follow each other upward";
  auto [lines, length] = tensorBoxOf(op, isA);
  if (std::max(lines, length) > tile::kMostBox)
    return refuse() << "a tile of " << lines << " lines of " << length
                    << " numbers has a side of more than " << tile::kMostBox;
  return checkPlaces(op, isA, /*inside=*/true, refuse);
}

LogicalResult rooftile::checkBulkCopy(GemmOp op, bool isA) {
  PlanAttr plan = op.getPlanAttr();
  PathAttr path = isA ? plan.getA() : plan.getB();
  if (!arrivesInBulk(path.getCopy()))
    return success();
  int dim = isA ? 0 : 1;
  auto type = cast<MemRefType>((isA ? op.getA() : op.getB()).getType());
  int64_t bytes = elementBytes(type.getElementType()), extent = plan.getMacro()[dim];
  auto refuse = [&]() -> InFlightDiagnostic {
    return op.emitOpError("plan: path ")
           << "ab"[dim] << " has copy = " << stringifyCopy(path.getCopy()) << ", but ";
  };
  if (path.getVector() * bytes != tile::kBulkBytes)
    return refuse() << "vector = " << path.getVector() << " of " << type.getElementType()
                    << " is not " << tile::kBulkBytes << " bytes, at which rows must begin";
  for (auto [name, elements] :
       {std::pair("rows of the tile have ", extent),
        {"rows of the tile and their padding have ", extent + path.getPad()}})
    if (elements * bytes % tile::kBulkBytes != 0)
      return refuse() << name << elements * bytes << " bytes, no multiple of " << tile::kBulkBytes;
  if (extent * plan.getMacro()[2] * bytes > tile::kMostBulkBytes)
    return refuse() << "a tile of " << extent * plan.getMacro()[2] * bytes
                    << " bytes is more than the " << tile::kMostBulkBytes << " that are counted";
  auto modes = operandCopyMap(op, isA).getValues();
  if ((isA ? modes[0].row : modes[0].column) != 1)
    return refuse() << "operand " << "AB"[dim] << ", " << type << ", runs along K there: pack = 1 "
                    << "turns it first";
  return path.getCopy() == Copy::Tensor ? checkTensorCopy(op, isA, refuse)
                                        : checkRows(op, isA, refuse);
}
