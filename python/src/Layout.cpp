//===- Layout.cpp - Arrays as matrices, and what they must not be ---------===//

#include "Layout.h"

#include "rooftile/Compiler/Operands.h"

#include <algorithm>

using namespace rooftile::python;
using namespace rooftile::compiler;

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

static int64_t checkAlignment(const Array &array, Element element) {
  int64_t align = alignmentOf(array.address);
  if (align < bytesOfNumber(element))
    raiseValue(textOfAlignment(array.name, array.address, align, element));
  return align;
}

/// The first dimension with a stride that no kernel takes, or -1. Strides of dimensions with one
/// element, and those of an empty array, are never used.
static int findWrongStride(const Array &array) {
  if (array.isEmpty())
    return -1;
  bool isBatch = array.rank() == 3;
  for (int i = 0; i < array.rank(); ++i) {
    bool mayBeZero = isBatch && i == 0; // one matrix for the whole batch
    if (array.shape[i] > 1 && array.strides[i] < (mayBeZero ? 0 : 1))
      return i;
  }
  return -1;
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

/// Sets all but the element and the alignment, of two or three dimensions; false where neither
/// dimension of a matrix is contiguous.
static bool setLayout(const Array &array, Stored &stored) {
  int rank = array.rank();
  stored.rows = array.shape[rank - 2];
  stored.columns = array.shape[rank - 1];
  stored.count = rank == 3 ? array.shape[0] : 1;
  stored.layout.stride = stored.count > 1 ? array.strides[0] : 0;
  if (array.isEmpty())
    return setOrder(stored, std::max<int64_t>(1, stored.columns), 1);
  return setOrder(stored, array.strides[rank - 2], array.strides[rank - 1]);
}

static bool isMatrix(const Array &array) { return array.rank() == 2 || array.rank() == 3; }

Stored rooftile::python::matrixOf(const Array &array) {
  Stored stored;
  if (!isMatrix(array))
    raiseValue(array.name + " has " + std::to_string(array.rank()) +
               " dimensions; expected a matrix (2) or a batch of matrices (3)");
  stored.layout.element = elementOf(array);
  stored.layout.align = checkAlignment(array, stored.layout.element);
  if (int wrong = findWrongStride(array); wrong >= 0)
    raiseValue(array.name + ": the stride of dimension " + std::to_string(wrong) + " is " +
               std::to_string(array.strides[wrong]) +
               " elements; expected a positive one (make a copy)");
  if (!setLayout(array, stored))
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

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static bool measure(const Array &array, const Stored &stored, Extent &extent) {
  bool byRows = stored.layout.order == Order::RowMajor;
  return measure({byRows ? stored.rows : stored.columns, byRows ? stored.columns : stored.rows,
                  stored.layout.leading, stored.count, stored.layout.stride},
                 array.type.bytes(), extent);
}

void rooftile::python::checkSpread(const Array &array, const Stored &stored) {
  Extent extent;
  if (!measure(array, stored, extent))
    raiseValue(array.name + ": strides of " + listOf(array.strides) +
               " elements are more than an address reaches");
  if (overlapsItself(extent))
    raiseValue(textOfSpread(array.name, stored.layout.stride));
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

/// Where the array lies. Of a vector, and of an array that is only copied, all bytes from the first
/// element to the last count; `begin` is the first one.
static Extent extentOf(const Array &array, uint64_t &begin) {
  Extent extent;
  Stored stored;
  begin = array.address;
  if (isMatrix(array) && findWrongStride(array) < 0 && setLayout(array, stored) &&
      measure(array, stored, extent))
    return extent;
  Range range = rangeOf(array);
  begin = range.begin;
  return extentOfLine(int64_t(range.end - range.begin));
}

void rooftile::python::checkDisjoint(const Array &out, const Array &input) {
  if (!out.address || !input.address)
    return;
  uint64_t outBegin, inputBegin;
  Extent ofOut = extentOf(out, outBegin), ofInput = extentOf(input, inputBegin);
  Placed written{out.name, outBegin, ofOut}, other{input.name, inputBegin, ofInput};
  if (overlapOf(written, other) != Overlap::None)
    raiseValue(textOfOverlap(written, other));
}
