//===- ExtraElements.cpp - Extra operands of an update, by element --------===//
//
// A stride of 0 that is known says that all rows, or all columns, hold the same
// elements:
//
//   rows share (bias of a column of C):  once, in front of the rows, clamped to the edge
//   columns share (bias of a row):       once a row, within its condition
//   neither (residual):                  with each run, within its condition
//
//===----------------------------------------------------------------------===//

#include "ExtraElements.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

bool ExtraOperand::lacks(int dim) const {
  memref::ReinterpretCastOp cast = view;
  return getConstantIntValue(cast.getMixedStrides()[dim]) == 0;
}

FailureOr<SmallVector<ExtraOperand>> rooftile::viewExtras(UpdateOp op) {
  SmallVector<ExtraOperand> extras;
  for (auto [index, extra] : llvm::enumerate(op.getExtras())) {
    ExtraOperand &operand = extras.emplace_back();
    if (!isa<MemRefType>(extra.getType())) {
      operand.scalar = extra;
      continue;
    }
    FailureOr<memref::ReinterpretCastOp> view = stridedView(op, extra, "extra operand");
    if (failed(view))
      return failure();
    operand.view = *view;
    operand.width = cast<DenseI64ArrayAttr>((*op.getExtraVectors())[index])[0];
  }
  return extras;
}

/// The edges of an extra operand along a dimension in which C has a guard: what is read in front
/// of the condition stays inside.
static EdgesAttr edgesOf(UpdateOp op, const ExtraOperand &extra) {
  Edge columns = op.getEdges() ? op.getEdges()->getColumns() : Edge::Inside;
  bool early = extra.lacks(0) && !extra.lacks(1) && columns == Edge::Guard;
  return EdgesAttr::get(op.getContext(), Edge::Inside, early ? Edge::Clamp : Edge::Inside);
}

ExtraElements::ExtraElements(OpBuilder &builder, UpdateOp op, ArrayRef<ExtraOperand> operands)
    : builder(builder), loc(op.getLoc()), map(op.getMatrix().getType().getMap()),
      run(op.getVector()) {
  for (const ExtraOperand &operand : operands) {
    Extra &extra = extras.emplace_back();
    extra.operand = operand;
    if (operand.view)
      extra.tile =
          std::make_unique<GlobalTile>(builder, loc, operand.view, map, op.getRow(), op.getColumn(),
                                       edgesOf(op, operand), operand.width);
  }
}

/// The register with which the access begins that reads the element of `register_`.
int64_t ExtraElements::pieceOf(const Extra &extra, int64_t register_) const {
  return register_ - register_ % extra.operand.width;
}

SmallVector<Parts> ExtraElements::load(Extra &extra, int64_t register_) {
  GlobalTile &tile = *extra.tile;
  int64_t parts = tile.getParts(), width = extra.operand.width;
  FlatPlace place{tile.getFlat(), tile.at(register_).index, parts};
  SmallVector<Value> numbers = loadRun(builder, loc, place, width);
  SmallVector<Parts> elements;
  for (int64_t index = 0; index < width; ++index)
    elements.emplace_back(ArrayRef(numbers).slice(index * parts, parts));
  return elements;
}

void ExtraElements::beginTile() {
  for (Extra &extra : extras) {
    if (!extra.tile)
      continue;
    for (int64_t first = 0; first < map.getNumValues(); first += extra.operand.width) {
      int64_t column = map.getValueOffset(first).second;
      (void)extra.tile->coordinate(1, column);
      if (extra.operand.lacks(0) && !extra.known.count(extra.operand.lacks(1) ? 0 : column))
        extra.known[extra.operand.lacks(1) ? 0 : column] = load(extra, first);
    }
  }
}

void ExtraElements::placeRow(ArrayRef<int64_t> runs) {
  for (Extra &extra : extras)
    if (extra.tile && !extra.operand.lacks(0))
      for (int64_t first : runs)
        for (int64_t index = 0; index < run; ++index)
          (void)extra.tile->coordinate(0, map.getValueOffset(first + index).first);
}

void ExtraElements::beginRow(int64_t first) {
  for (Extra &extra : extras)
    if (extra.tile && !extra.operand.lacks(0)) {
      extra.known.clear();
      if (extra.operand.lacks(1))
        extra.known[0] = load(extra, first);
    }
}

Parts ExtraElements::element(Extra &extra, int64_t register_) {
  if (!extra.tile)
    return Numbers(builder, loc).split(extra.operand.scalar);
  int64_t piece = pieceOf(extra, register_);
  int64_t key = extra.operand.lacks(1) ? 0 : map.getValueOffset(piece).second;
  auto found = extra.known.find(key);
  if (found != extra.known.end())
    return found->second[register_ - piece];
  return load(extra, piece)[register_ - piece];
}

SmallVector<SmallVector<Parts>> ExtraElements::elementsOf(int64_t first) {
  SmallVector<SmallVector<Parts>> elements(run);
  for (Extra &extra : extras) {
    bool keeps = extra.tile && extra.operand.width > 1 && !extra.operand.lacks(0);
    for (int64_t index = 0; index < run; ++index) {
      int64_t piece = keeps ? pieceOf(extra, first + index) : 0;
      if (keeps && piece == first + index)
        extra.known[map.getValueOffset(piece).second] = load(extra, piece);
      elements[index].push_back(element(extra, first + index));
    }
    if (keeps) // other runs stand under other conditions
      extra.known.clear();
  }
  return elements;
}
