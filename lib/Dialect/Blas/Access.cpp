//===- Access.cpp - What is known of sizes and accesses -------------------===//
//
// The rule how wide an access may be, for planning as for the kernels:
// types first, then the facts of #blas.given.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "rooftile/Dialect/Element.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// Strides and offset; a tensor is bufferized with the identity layout.
static bool getLayout(ShapedType type, SmallVector<int64_t> &strides, int64_t &offset) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return succeeded(memref.getStridesAndOffset(strides, offset));
  strides.assign(type.getRank(), 1);
  for (int64_t dim = type.getRank() - 2; dim >= 0; --dim) {
    int64_t size = type.getDimSize(dim + 1), stride = strides[dim + 1];
    bool dynamic = ShapedType::isDynamic(size) || ShapedType::isDynamic(stride);
    strides[dim] = dynamic ? ShapedType::kDynamic : size * stride;
  }
  offset = 0;
  return true;
}

bool rooftile::blas::hasUnitStride(ShapedType type, int64_t dim) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return getLayout(type, strides, offset) && strides[dim] == 1;
}

bool rooftile::blas::isShared(ShapedType type) {
  if (getPointers(type))
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!getLayout(type, strides, offset))
    return type.getRank() == 2;
  return llvm::all_of(llvm::seq<int64_t>(0, type.getRank() - 2),
                      [&](int64_t dim) { return strides[dim] == 0 || type.getDimSize(dim) == 1; });
}

bool rooftile::blas::runsForward(ShapedType type) {
  if (getPointers(type))
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getLayout().isIdentity())
    return true;
  return getLayout(type, strides, offset) &&
         llvm::all_of(ArrayRef(strides).take_back(2), [](int64_t stride) { return stride > 0; });
}

int64_t rooftile::blas::getContiguousDim(ShapedType type) {
  int64_t columns = type.getRank() - 1, rows = type.getRank() - 2;
  bool unitColumns = hasUnitStride(type, columns), unitRows = hasUnitStride(type, rows);
  if (unitColumns && unitRows) // neighbours lie along the longer one
    return type.getDimSize(columns) == 1 ? rows : columns;
  return unitColumns ? columns : unitRows ? rows : -1;
}

/// Widest access along `dim` that sizes and strides of `matrix` allow; a dynamic one allows it if
/// `dynamic`. How far matrices by pointers lie apart follows from their alignment.
static int64_t widestAccess(const StoredMatrix &matrix, int64_t dim, bool dynamic) {
  ShapedType type = matrix.type;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!getLayout(type, strides, offset) || strides[dim] != 1)
    return 1;
  PointersAttr pointers = getPointers(type);
  int64_t bytes = elementBytes(type.getElementType());
  int64_t align = pointers ? std::max(pointers.getAlign(), bytes) : matrix.align;
  auto legal = [&](int64_t vector) {
    auto multipleOf = [&](int64_t value, int64_t unit) {
      return ShapedType::isDynamic(value) ? dynamic : value % unit == 0;
    };
    auto multiple = [&](int64_t value) { return multipleOf(value, vector); };
    if (!multipleOf(align, vector * bytes))
      return false;
    for (auto [index, stride] : llvm::enumerate(strides))
      if (static_cast<int64_t>(index) != dim && !multiple(stride) && type.getDimSize(index) != 1 &&
          !(pointers && index == 0))
        return false;
    return multiple(offset) && multiple(type.getDimSize(dim));
  };
  int64_t vector = std::max<int64_t>(1, kMaxAccessBytes / bytes);
  while (vector > 1 && !legal(vector))
    vector /= 2;
  return vector;
}

FlatRuns rooftile::blas::getFlatRuns(const StoredMatrix &matrix) {
  ShapedType type = matrix.type;
  SmallVector<int64_t> strides;
  int64_t offset, rank = type.getRank(), dim = getContiguousDim(type);
  if (dim < 0 || getPointers(type) || !getLayout(type, strides, offset))
    return {};
  int64_t across = rank - 1 + rank - 2 - dim;
  int64_t length = type.getDimSize(dim), count = type.getDimSize(across);
  // A single vector has no gaps.
  if (ShapedType::isDynamic(length) || ShapedType::isDynamic(count) ||
      (strides[across] != length && count != 1))
    return {};
  int64_t bytes = elementBytes(type.getElementType());
  FlatRuns runs{length, std::max<int64_t>(1, kMaxAccessBytes / bytes)};
  auto isAligned = [&](int64_t vector) {
    return !ShapedType::isDynamic(matrix.align) && matrix.align % (vector * bytes) == 0;
  };
  auto multiple = [&](int64_t value) {
    return !ShapedType::isDynamic(value) && value % runs.vector == 0;
  };
  auto batches = ArrayRef(strides).drop_back(2);
  // length * count % vector, which does not overflow.
  auto divides = [&](int64_t vector) { return length % vector * (count % vector) % vector == 0; };
  while (runs.vector > 1 &&
         (!isAligned(runs.vector) || !multiple(offset) || !llvm::all_of(batches, multiple)))
    runs.vector /= 2;
  runs.aligned = runs.vector;
  while (runs.vector > 1 && !divides(runs.vector))
    runs.vector /= 2;
  return runs;
}

ShapedType rooftile::blas::withOrder(ShapedType type, Order order) {
  auto memref = dyn_cast<MemRefType>(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!memref || order == Order::Any || getPointers(type) ||
      failed(memref.getStridesAndOffset(strides, offset)))
    return type;
  int64_t &stride = strides[strides.size() - (order == Order::Rows ? 1 : 2)];
  if (!ShapedType::isDynamic(stride))
    return type;
  stride = 1;
  auto layout = StridedLayoutAttr::get(type.getContext(), offset, strides);
  return MemRefType::get(memref.getShape(), memref.getElementType(), layout,
                         memref.getMemorySpace());
}

int64_t rooftile::blas::getPossibleVector(const StoredMatrix &matrix) {
  int64_t dim = getContiguousDim(matrix.type);
  return dim < 0 ? 1 : widestAccess(matrix, dim, /*dynamic=*/true);
}

int64_t rooftile::blas::getLegalVector(const StoredMatrix &matrix, int64_t dim, int64_t given) {
  int64_t legal = widestAccess(matrix, dim, /*dynamic=*/false);
  // A given width is about the dimension that is contiguous, not about any of stride 1.
  return dim == getContiguousDim(matrix.type) ? std::max(legal, given) : legal;
}

int64_t rooftile::blas::getLegalVector(Level3OpInterface op, int operand, int64_t dim) {
  GivenAttr given = op.getGivenAttr();
  return getLegalVector(op.getMatrix(operand), dim, given ? given.getVector(operand) : 1);
}

static int64_t sizeOf(Level3OpInterface op, int dim) {
  return dim == 0 ? op.getM() : dim == 1 ? op.getN() : op.getK();
}

static ExtentAttr extentOf(Level3OpInterface op, int dim) {
  GivenAttr given = op.getGivenAttr();
  return given ? given.getExtent(dim) : ExtentAttr();
}

bool rooftile::blas::isAtLeast(Level3OpInterface op, int dim, int64_t tile) {
  int64_t size = sizeOf(op, dim);
  ExtentAttr extent = extentOf(op, dim);
  return ShapedType::isDynamic(size) ? extent && extent.getLeast() >= tile : size >= tile;
}

bool rooftile::blas::isMultiple(Level3OpInterface op, int dim, int64_t tile) {
  int64_t size = sizeOf(op, dim);
  ExtentAttr extent = extentOf(op, dim);
  return ShapedType::isDynamic(size) ? extent && extent.getMultiple() % tile == 0
                                     : size % tile == 0;
}
