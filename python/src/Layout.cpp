//===- Layout.cpp - Arrays as matrices, and what they must not be ---------===//

#include "Layout.h"

#include <algorithm>

using namespace rooftile::python;
using rooftile::compiler::Element;
using rooftile::compiler::Matrix;
using rooftile::compiler::Order;

/// Addresses count as multiples of at most so many bytes: no access of a kernel is wider.
static constexpr uint64_t kWidestBytes = 16;

static Element elementOf(const Array &array) {
  struct {
    Type type;
    Element element;
  } known[] = {{{'f', 32}, Element::F32},  {{'f', 64}, Element::F64}, {{'f', 16}, Element::F16},
               {{'b', 16}, Element::BF16}, {{'c', 64}, Element::C64}, {{'c', 128}, Element::C128}};
  for (auto [type, element] : known)
    if (array.type == type)
      return element;
  raiseType(array.name + " is " + nameOf(array.type) +
            "; expected f16, bf16, f32, f64, c64 or c128");
}

static int64_t alignmentOf(const Array &array) {
  int64_t real = array.type.kind == 'c' ? array.type.bytes() / 2 : array.type.bytes();
  if (array.address % real)
    raiseValue(array.name + ": the address is no multiple of " + std::to_string(real) + " bytes");
  uint64_t bits = array.address | kWidestBytes;
  return int64_t(bits & (~bits + 1));
}

/// Strides of dimensions with one element, and those of an empty array, are never used.
static void checkStrides(const Array &array) {
  if (array.isEmpty())
    return;
  bool isBatch = array.rank() == 3;
  for (int i = 0; i < array.rank(); ++i) {
    int64_t stride = array.strides[i];
    bool mayBeZero = isBatch && i == 0; // one matrix for the whole batch
    if (array.shape[i] > 1 && (stride < 0 || (stride == 0 && !mayBeZero)))
      raiseValue(array.name + ": the stride of dimension " + std::to_string(i) + " is " +
                 std::to_string(stride) + " elements; expected a positive one (make a copy)");
  }
}

/// Sets order and leading dimension; false where neither dimension is contiguous.
static bool setOrder(Stored &stored, int64_t rowStride, int64_t columnStride) {
  int64_t rows = std::max<int64_t>(1, stored.rows), columns = std::max<int64_t>(1, stored.columns);
  int64_t rowLead = rows == 1 ? columns : rowStride,
          columnLead = columns == 1 ? rows : columnStride;
  if ((columns == 1 || columnStride == 1) && rowLead >= columns) {
    stored.layout.order = Order::RowMajor;
    stored.layout.leading = rowLead;
    return true;
  }
  if ((rows == 1 || rowStride == 1) && columnLead >= rows) {
    stored.layout.order = Order::ColumnMajor;
    stored.layout.leading = columnLead;
    return true;
  }
  return false;
}

Stored rooftile::python::matrixOf(const Array &array) {
  Stored stored;
  int rank = array.rank();
  if (rank != 2 && rank != 3)
    raiseValue(array.name + " has " + std::to_string(rank) +
               " dimensions; expected a matrix (2) or a batch of matrices (3)");
  stored.layout.element = elementOf(array);
  stored.layout.align = alignmentOf(array);
  checkStrides(array);
  stored.rows = array.shape[rank - 2];
  stored.columns = array.shape[rank - 1];
  stored.count = rank == 3 ? array.shape[0] : 1;
  stored.layout.stride = stored.count > 1 ? array.strides[0] : 0;
  int64_t rowStride = array.strides[rank - 2], columnStride = array.strides[rank - 1];
  if (array.isEmpty())
    rowStride = std::max<int64_t>(1, stored.columns), columnStride = 1;
  if (!setOrder(stored, rowStride, columnStride))
    raiseValue(array.name + ": strides of " + listOf(array.strides) + " elements for a shape of " +
               listOf(array.shape) +
               "; expected one contiguous dimension, and lines that do not "
               "overlap (make a copy)");
  return stored;
}

std::string rooftile::python::describe(const Array &array, const Stored &stored) {
  std::string sizes = std::to_string(stored.rows) + " x " + std::to_string(stored.columns);
  if (array.rank() == 3)
    sizes = std::to_string(stored.count) + " of " + sizes;
  return array.name + " is " + sizes;
}

/// Lines of a matrix, and elements of each.
static std::pair<int64_t, int64_t> linesOf(const Stored &stored) {
  bool byRows = stored.layout.order == Order::RowMajor;
  return byRows ? std::pair(stored.rows, stored.columns) : std::pair(stored.columns, stored.rows);
}

void rooftile::python::checkSpread(const Array &array, const Stored &stored) {
  auto [lines, length] = linesOf(stored);
  int64_t stride = stored.layout.stride, leading = stored.layout.leading;
  bool isApart = stride >= (lines - 1) * leading + length;
  bool isInterleaved = stride >= length && (stored.count - 1) * stride + length <= leading;
  if (stored.count > 1 && !array.isEmpty() && !isApart && !isInterleaved)
    raiseValue(array.name + ": matrices of the batch overlap, a stride of " +
               std::to_string(stride) + " elements apart");
}

bool rooftile::python::areSame(const Array &left, const Array &right) {
  if (left.address != right.address || left.type != right.type || left.shape != right.shape ||
      left.device != right.device)
    return false;
  for (int i = 0; i < left.rank(); ++i)
    if (left.shape[i] > 1 && left.strides[i] != right.strides[i])
      return false;
  return true;
}

/// Whether two matrices with lines equally far apart have lines beside each other, as two column
/// blocks of one array: their byte ranges interleave, and no element is in both.
static bool areBeside(const Array &left, const Array &right) {
  if (left.rank() != 2 || right.rank() != 2)
    return false;
  Stored one = matrixOf(left), other = matrixOf(right);
  int64_t pitch = one.layout.leading * left.type.bytes();
  if (one.layout.order != other.layout.order || pitch != other.layout.leading * right.type.bytes())
    return false;
  int64_t width = linesOf(one).second * left.type.bytes();
  int64_t otherWidth = linesOf(other).second * right.type.bytes();
  int64_t apart = int64_t(right.address - left.address) % pitch;
  if (apart < 0)
    apart += pitch;
  return apart >= width && apart + otherWidth <= pitch;
}

void rooftile::python::checkDisjoint(const Array &out, const Array &input) {
  if (!out.address || !input.address)
    return;
  Range left = rangeOf(out), right = rangeOf(input);
  bool isApart = left.end <= right.begin || right.end <= left.begin;
  if (!isApart && !areBeside(out, input))
    raiseValue(out.name + " overlaps " + input.name + " in memory");
}
