//===- Ops.cpp - Verifiers of the tile operations -------------------------===//

#include "../ClauseText.h"
#include "../EpilogueText.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "rooftile/Dialect/Tile/Tile.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// `[128, 128] raster 8 splits 4`, and the type of the result that comes with splits.
static ParseResult parseWalk(OpAsmParser &parser, DenseI64ArrayAttr &tile, IntegerAttr &raster,
                             IntegerAttr &splits, SmallVectorImpl<Type> &split) {
  int64_t height = 1, count = 1;
  tile = dyn_cast_or_null<DenseI64ArrayAttr>(DenseI64ArrayAttr::parse(parser, Type()));
  if (!tile || (succeeded(parser.parseOptionalKeyword("raster")) && parser.parseInteger(height)) ||
      (succeeded(parser.parseOptionalKeyword("splits")) && parser.parseInteger(count)))
    return failure();
  raster = parser.getBuilder().getI64IntegerAttr(height);
  splits = parser.getBuilder().getI64IntegerAttr(count);
  if (count > 1)
    split.push_back(parser.getBuilder().getIndexType());
  return success();
}

static void printWalk(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr tile,
                      IntegerAttr raster, IntegerAttr splits, TypeRange) {
  tile.print(printer);
  if (raster.getInt() != 1)
    printer << " raster " << raster.getInt();
  if (splits.getInt() != 1)
    printer << " splits " << splits.getInt();
}

#define GET_OP_CLASSES
#include "rooftile/Dialect/Tile/Tile.cpp.inc"

void CoordOp::build(OpBuilder &builder, OperationState &state, Value rows, Value columns,
                    ArrayRef<int64_t> tile, int64_t raster, int64_t splits) {
  Type index = builder.getIndexType();
  SmallVector<Type> split(splits > 1 ? 1 : 0, index);
  build(builder, state, index, index, index, split, rows, columns, /*batches=*/Value(),
        /*byRows=*/false, /*backwards=*/false, /*triangle=*/TriangleAttr(), tile, raster, splits);
}

/// Checks a walk of a triangle.
static LogicalResult verifyTriangle(CoordOp op) {
  if (op.getBackwards())
    return op.emitOpError("triangle: pairs of rows are of one length, so that no order is better, "
                          "but they are walked backwards");
  if (op.getBatches())
    return op.emitOpError("triangle: matrices of a batch are walked one after the other, not side "
                          "by side as in batches");
  if (op.getRaster() != 1)
    return op.emitOpError("triangle: tiles are walked row by row, but raster is ")
           << op.getRaster();
  if (op.getTile()[0] != op.getTile()[1])
    return op.emitOpError("triangle: tiles must be square, got ")
           << op.getTile()[0] << 'x' << op.getTile()[1];
  APInt rows, columns;
  if (matchPattern(op.getRows(), m_ConstantInt(&rows)) &&
      matchPattern(op.getColumns(), m_ConstantInt(&columns)) && rows != columns)
    return op.emitOpError("triangle: the matrix must be square, got ")
           << rows.getSExtValue() << 'x' << columns.getSExtValue();
  return success();
}

LogicalResult CoordOp::verify() {
  if (static_cast<int64_t>(getSplits()) < 1)
    return emitOpError("splits must be positive");
  if (getSplit().size() != (getSplits() > 1 ? 1 : 0))
    return emitOpError("has ") << 3 + getSplit().size() << " results for splits = " << getSplits();
  if (getByRows() && !getBatches())
    return emitOpError(
        "byRows is the order in which matrices of a batch are walked, but batches are missing");
  if (getTile().size() != 2 || getTile()[0] < 1 || getTile()[1] < 1)
    return emitOpError("tile needs 2 positive sizes");
  if (static_cast<int64_t>(getRaster()) < 1)
    return emitOpError("raster must be positive");
  return getTriangle() ? verifyTriangle(*this) : success();
}

LogicalResult AllocOp::verify() {
  BufferType type = getBuffer().getType();
  if (type.getSwizzle() == 0)
    return success();
  int64_t vectors = type.getShape()[1 - type.getInnerDim()];
  int64_t length = type.getShape()[type.getInnerDim()];
  int64_t moved = BufferType::getSwizzled(type.getSwizzle(), vectors, type.getSwizzlePeriod());
  if (length % moved != 0)
    return emitOpError("swizzle = ")
           << type.getSwizzle() << " over " << vectors << " vectors changes places of " << moved
           << " elements, which do not divide vectors of " << length;
  return success();
}

LogicalResult FillOp::verify() {
  if (getValue().getType() != getMatrix().getType().getElementType())
    return emitOpError("value is ") << getValue().getType() << " but elements are "
                                    << getMatrix().getType().getElementType();
  return success();
}

/// Shape and element type of a register matrix against a buffer view.
static LogicalResult verifyAgainst(Operation *op, MatrixType matrix, BufferType buffer,
                                   EdgesAttr edges = {}) {
  if (buffer.getStages() != 1)
    return op->emitOpError("needs a view of one stage, got ") << buffer.getStages() << " stages";
  auto fits = [&](int dim, Edge edge) {
    int64_t wanted = matrix.getShape()[dim], there = buffer.getShape()[dim];
    return wanted == there || (edge != Edge::Inside && wanted > there);
  };
  if (!fits(0, edges ? edges.getRows() : Edge::Inside) ||
      !fits(1, edges ? edges.getColumns() : Edge::Inside))
    return op->emitOpError("matrix is ")
           << matrix.getShape()[0] << "x" << matrix.getShape()[1] << " but the view is "
           << buffer.getShape()[0] << "x" << buffer.getShape()[1];
  if (matrix.getElementType() != buffer.getElementType())
    return op->emitOpError("matrix of ")
           << matrix.getElementType() << " but view of " << buffer.getElementType();
  return success();
}

/// The first register mode of `map` must step through memory in runs of `vector`, and so must a
/// step that ends.
static LogicalResult verifyVector(Operation *op, MapAttr map, int64_t vector,
                                  EdgesAttr edges = {}) {
  if (vector < 1)
    return op->emitOpError("vector must be positive, got ") << vector;
  if (edges && edges.getLength() % vector != 0)
    return op->emitOpError("a step of ")
           << edges.getLength() << " elements ends within an access of " << vector;
  ArrayRef<Mode> values = map.getValues();
  bool run =
      !values.empty() && values[0].size % vector == 0 && values[0].row + values[0].column == 1;
  if (vector > 1 && !run)
    return op->emitOpError("the first values of the map are no runs of ") << vector << " elements";
  return success();
}

/// Whether all threads have the same elements.
static bool isShared(MapAttr map) {
  return llvm::all_of(map.getThreads(), [](const Mode &mode) {
    return mode.size == 1 || (mode.row == 0 && mode.column == 0);
  });
}

LogicalResult LoadOp::verify() {
  MatrixType matrix = getMatrix().getType();
  if (getScalar() && (!isGlobal() || !isShared(matrix.getMap())))
    return emitOpError("scalar is for elements of a memref that all threads have");
  if (auto buffer = dyn_cast<BufferType>(getSource().getType())) {
    EdgesAttr edges = getEdges().value_or(EdgesAttr());
    auto known = [](Edge edge) { return edge != Edge::Guard && edge != Edge::Step; };
    if (getRow() || getVector() != 1)
      return emitOpError("from a buffer has no row, column or vector");
    if (edges &&
        (!known(edges.getRows()) || !known(edges.getColumns()) || buffer.getSwizzle() != 0))
      return emitOpError("from a buffer accepts edges inside, clamp and zero, without a swizzle");
    return verifyAgainst(*this, matrix, buffer, edges);
  }
  auto memref = cast<MemRefType>(getSource().getType());
  if (memref.getRank() != 2)
    return emitOpError("from a memref of rank ") << memref.getRank() << ", expected 2";
  if (!getRow() || !getColumn())
    return emitOpError("from a memref needs a row and a column");
  if (memref.getElementType() != matrix.getElementType())
    return emitOpError("memref of ")
           << memref.getElementType() << " but matrix of " << matrix.getElementType();
  if (getEdges() &&
      (getEdges()->getRows() == Edge::Guard || getEdges()->getColumns() == Edge::Guard))
    return emitOpError("edge guard belongs to update");
  return verifyVector(*this, matrix.getMap(), getVector(), getEdges().value_or(EdgesAttr()));
}

LogicalResult StoreOp::verify() {
  for (auto view = getView().getDefiningOp<ViewOp>(); view;
       view = view.getBuffer().getDefiningOp<ViewOp>())
    if (view.getPeer())
      return emitOpError("to the buffer of another workgroup, which only loads may reach");
  EdgesAttr edges = getEdges().value_or(EdgesAttr());
  auto known = [](Edge edge) { return edge == Edge::Inside || edge == Edge::Guard; };
  if (edges && (!known(edges.getRows()) || !known(edges.getColumns()) ||
                getView().getType().getSwizzle() != 0))
    return emitOpError("to a buffer accepts edges inside and guard, without a swizzle");
  return verifyAgainst(*this, getMatrix().getType(), getView().getType(), edges);
}

/// Least bytes of an asynchronous copy.
static constexpr int64_t kLeastCopyBytes = 4;

/// A bulk copy moves vectors of a view, each in one piece.
static LogicalResult verifyBulk(CopyOp op) {
  BufferType view = op.getView().getType();
  ArrayRef<Mode> values = op.getMap().getValues();
  int inner = view.getInnerDim();
  int64_t vector = view.getShape()[inner], stride = view.getStrides()[1 - inner];
  if (view.getPanelStride() != 0 && !op.getDescriptor())
    return op.emitOpError("bulk copies move whole vectors, but those of the view are in panels");
  bool whole = !values.empty() && values[0].size == vector &&
               (inner == 0 ? values[0].row : values[0].column) == 1;
  if (!whole)
    return op.emitOpError("bulk: the first values of the map are no vector of ")
           << vector << " elements";
  if (view.getSwizzle() != 0 && !op.getDescriptor())
    return op.emitOpError("bulk copies move whole vectors, but the view has a swizzle");
  int64_t bytes = elementBytes(view.getElementType());
  if (vector * bytes % kBulkBytes != 0 || stride * bytes % kBulkBytes != 0)
    return op.emitOpError("bulk: vectors of ")
           << vector * bytes << " bytes begin " << stride * bytes
           << " bytes apart, no multiples of " << kBulkBytes;
  if (auto edges = op.getEdges();
      edges && (edges->getRows() != Edge::Inside || edges->getColumns() != Edge::Inside))
    return op.emitOpError("bulk copies have no edges: vectors lie inside the matrix");
  return success();
}

/// A copy by a descriptor moves all of a view, in which vectors follow each other.
static LogicalResult verifyDescribed(CopyOp op) {
  BufferType view = op.getView().getType();
  int inner = view.getInnerDim();
  int64_t vector = view.getPanelLength(), vectors = view.getShape()[1 - inner];
  int64_t reals = vector * componentsOf(view.getElementType());
  if (!op.getBulk())
    return op.emitOpError("descriptor belongs to bulk");
  int64_t all = vector * vectors * view.getPanels();
  if (op.getMap().getNumValues() != all || view.getStrides()[1 - inner] != vector)
    return op.emitOpError("descriptor: one thread has all of the ")
           << all << " elements copied, to vectors without padding";
  int64_t bytes = elementBytes(view.getElementType());
  if (view.getSwizzle() != 0 &&
      (vector * bytes != kSwizzleBytes || view.getSwizzle() * bytes != kSwizzleUnit))
    return op.emitOpError("descriptor: hardware swizzles vectors of ")
           << kSwizzleBytes << " bytes in units of " << kSwizzleUnit << ", these are of "
           << vector * bytes << " in units of " << view.getSwizzle() * bytes;
  if (reals > kMostBox || vectors > kMostBox)
    return op.emitOpError("descriptor: a box of ")
           << vectors << " vectors of " << reals << " real elements, but hardware moves at most "
           << kMostBox << " along each side";
  return success();
}

LogicalResult CopyOp::verify() {
  if (getBulk() && getView().getType().getPlaneStride() != 0)
    return emitOpError("bulk copies move whole elements, but the view is planar");
  auto memref = cast<MemRefType>(getSource().getType());
  BufferType view = getView().getType();
  if (memref.getRank() != 2)
    return emitOpError("from a memref of rank ") << memref.getRank() << ", expected 2";
  if (memref.getElementType() != view.getElementType())
    return emitOpError("memref of ")
           << memref.getElementType() << " but view of " << view.getElementType();
  int64_t bytes = elementBytes(memref.getElementType()) * static_cast<int64_t>(getVector());
  if (bytes < kLeastCopyBytes)
    return emitOpError("moves ") << bytes << " bytes at a time of " << memref.getElementType()
                                 << ", expected " << kLeastCopyBytes << " or more";
  auto emit = [&] { return emitOpError(); };
  if (failed(MatrixType::verify(emit, view.getShape(), view.getElementType(), getMap())) ||
      failed(verifyAgainst(
          *this, MatrixType::get(getContext(), view.getShape(), view.getElementType(), getMap()),
          view)))
    return failure();
  if (getEdges() &&
      (getEdges()->getRows() == Edge::Guard || getEdges()->getColumns() == Edge::Guard))
    return emitOpError("edge guard belongs to update");
  if (failed(verifyVector(*this, getMap(), getVector(), getEdges().value_or(EdgesAttr()))))
    return failure();
  if (getDescriptor() && failed(verifyDescribed(*this)))
    return failure();
  return getBulk() ? verifyBulk(*this) : success();
}

LogicalResult UpdateOp::verify() {
  auto memref = cast<MemRefType>(getTarget().getType());
  Type element = getMatrix().getType().getElementType();
  Type target = memref.getElementType();
  if (memref.getRank() != 2 || !isa<FloatType>(realTypeOf(target)) ||
      componentsOf(target) != componentsOf(element) || !holdsExactly(element, target))
    return emitOpError("target must be a rank 2 memref of ")
           << element << " or narrower, got " << memref;
  if (getAtomic() && target != element)
    return emitOpError("atomic additions of ") << element << " to elements of " << target;
  if (!getFromRow() != !getFromColumn())
    return emitOpError("needs both a first row and a first column, or neither");
  if (getAtomic() && getBeta())
    return emitOpError("atomic additions accept no beta");
  if (getRealDiagonal() && (!getTriangle() || componentsOf(element) == 1))
    return emitOpError("realDiagonal belongs to a triangle of complex elements, got elements of ")
           << element;
  for (Value scalar : {getAlpha(), getBeta()})
    if (scalar && scalar.getType() != element)
      return emitOpError("scalar is ") << scalar.getType() << " but elements are " << element;
  auto writes = [](Edge edge) { return edge == Edge::Inside || edge == Edge::Guard; };
  if (getEdges() && !(writes(getEdges()->getRows()) && writes(getEdges()->getColumns())))
    return emitOpError("edges of an update are inside or guard");
  return verifyVector(*this, getMatrix().getType().getMap(), getVector());
}
