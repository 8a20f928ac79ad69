//===- Layout.cpp - Arrays as matrices, and what they must not be ---------===//

#include "Layout.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace rooftile::python;
using namespace rooftile::operation;

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
  if (align < bytesOfComponent(element))
    raiseValue(textOfAlignment(array.name, array.address, align, element));
  return align;
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// Copies sizes or strides, and puts `missing` dimensions where a matrix has them.
static Dimensions completed(llvm::ArrayRef<int64_t> numbers, Missing missing, int64_t value) {
  Dimensions all(numbers);
  if (missing & kColumns)
    all.push_back(value);
  if (missing & kRows)
    all.insert(all.end() - 1, value);
  return all;
}

/// The first dimension of `array` with a stride that no kernel accepts, or -1. Strides of
/// dimensions with one element, and those of an empty array, are never used; a stride of 0 repeats
/// matrices.
static int findWrongStride(const Array &array, Missing missing) {
  int matrixRank = 2 - bool(missing & kRows) - bool(missing & kColumns);
  if (array.isEmpty())
    return -1;
  for (int i = 0; i < array.rank(); ++i) {
    bool isOfBatch = i < array.rank() - matrixRank;
    if (array.shape[i] > 1 && array.strides[i] < (isOfBatch ? 0 : 1))
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

/// Sets order and leading dimension of matrices of an array; false where neither dimension is
/// contiguous.
static bool setLayout(const Array &array, Stored &stored) {
  size_t rank = stored.shape.size();
  stored.rows = stored.shape[rank - 2];
  stored.columns = stored.shape[rank - 1];
  if (array.isEmpty())
    return setOrder(stored, std::max<int64_t>(1, stored.columns), 1);
  return setOrder(stored, stored.strides[rank - 2], stored.strides[rank - 1]);
}

Stored rooftile::python::matrixOf(const Array &array, Missing missing) {
  Stored stored;
  stored.shape = completed(array.shape, missing, 1);
  stored.strides = completed(array.strides, missing, 0);
  if (stored.shape.size() < 2)
    raiseValue(array.name + " has " + std::to_string(array.rank()) +
               " dimensions; expected a matrix (2) or a batch of matrices (3 or more)");
  stored.layout.element = elementOf(array);
  stored.layout.align = checkAlignment(array, stored.layout.element);
  if (int wrong = findWrongStride(array, missing); wrong >= 0)
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

void rooftile::python::checkVector(const Array &array) {
  for (int i = 0; i < array.rank(); ++i)
    if (array.shape[i] > 1 && array.strides[i] != 1)
      raiseValue(array.name + ": a stride of " + std::to_string(array.strides[i]) +
                 " elements; expected a contiguous vector (make a copy)");
  Element element = elementOf(array);
  if (int64_t align = alignmentOf(array.address); align < bytesOf(element))
    raiseValue(textOfAlignment(array.name, array.address, align, element));
}

std::string rooftile::python::describe(const Array &array) {
  if (array.rank() == 1)
    return array.name + " is a vector of " + std::to_string(array.shape[0]);
  llvm::ArrayRef<int64_t> shape(array.shape);
  std::string sizes =
      std::to_string(shape[shape.size() - 2]) + " x " + std::to_string(shape.back());
  if (shape.size() == 3)
    sizes = std::to_string(shape[0]) + " of " + sizes;
  else if (shape.size() > 3)
    sizes = listOf(shape.drop_back(2)) + " of " + sizes;
  return array.name + " is " + sizes;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// Elements that are equally far apart.
struct Step {
  int64_t size, stride;
};
/// Where an array without negative strides lies.
struct Nest {
  Extent extent; ///< Extent of all but `outer`; its bytes are those of all.
  /// Steps beyond three dimensions, the nearest elements first.
  llvm::SmallVector<Step, 2> outer;
};
} // namespace

/// The dimensions of an array that reach other elements, the nearest last; those that follow each
/// other without a gap are one.
static llvm::SmallVector<Step> stepsOf(const Array &array) {
  llvm::SmallVector<Step> all, merged;
  for (int i = 0; i < array.rank(); ++i)
    if (array.shape[i] > 1 && array.strides[i] != 0)
      all.push_back({array.shape[i], array.strides[i]});
  llvm::sort(all, [](Step left, Step right) { return left.stride > right.stride; });
  for (Step step : all) {
    int64_t whole;
    bool follows = !merged.empty() && !__builtin_mul_overflow(step.size, step.stride, &whole) &&
                   merged.back().stride == whole;
    if (follows)
      step.size *= merged.pop_back_val().size;
    merged.push_back(step);
  }
  return merged;
}

/// False where an address does not reach all of it.
static bool measureAll(const Array &array, Nest &nest) {
  llvm::SmallVector<Step> steps = stepsOf(array);
  auto take = [&](bool fits) { return fits && !steps.empty() ? steps.pop_back_val() : Step{1, 0}; };
  int64_t length = take(!steps.empty() && steps.back().stride == 1).size;
  Step vector = take(true), matrix = take(true);
  nest.outer.assign(steps.rbegin(), steps.rend());
  Vectors vectors{vector.size, length, vector.size > 1 ? vector.stride : length, matrix.size,
                  matrix.stride};
  if (array.isEmpty())
    vectors.vectors = 0;
  if (!measure(vectors, array.type.bytes(), nest.extent))
    return false;
  for (Step step : nest.outer) {
    int64_t bytes;
    nest.extent.isDense = false;
    if (__builtin_mul_overflow(step.size - 1, step.stride, &bytes) ||
        __builtin_mul_overflow(bytes, array.type.bytes(), &bytes) ||
        __builtin_add_overflow(nest.extent.bytes, bytes, &nest.extent.bytes))
      return false;
  }
  return true;
}

/// The stride, in elements, by which matrices lie in others; nothing where they do not.
static std::optional<int64_t> overlappingStride(const Array &array, const Nest &nest) {
  for (int i = 0; i < array.rank(); ++i)
    if (array.shape[i] > 1 && array.strides[i] == 0 && !array.isEmpty())
      return 0;
  const int64_t bytes = array.type.bytes();
  if (nest.extent.vectors > 1 && nest.extent.leadingBytes < nest.extent.vectorBytes)
    return nest.extent.leadingBytes / bytes;
  if (overlapsItself(nest.extent))
    return nest.extent.strideBytes / bytes;
  int64_t span = (nest.extent.vectors - 1) * nest.extent.leadingBytes + nest.extent.vectorBytes +
                 (nest.extent.count - 1) * nest.extent.strideBytes;
  for (Step step : nest.outer) {
    if (step.stride * bytes < span)
      return step.stride;
    span += (step.size - 1) * step.stride * bytes;
  }
  return std::nullopt;
}

void rooftile::python::checkSpread(const Array &array) {
  Nest nest;
  if (!measureAll(array, nest))
    raiseValue(array.name + ": strides of " + listOf(array.strides) +
               " elements are more than an address reaches");
  if (std::optional<int64_t> stride = overlappingStride(array, nest))
    raiseValue(textOfSpread(array.name, *stride));
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

/// Where the array lies. Of one with negative strides, which is only copied, all bytes from the
/// first element to the last count; `begin` is the first one.
static Extent extentOf(const Array &array, uint64_t &begin) {
  Nest nest;
  begin = array.address;
  bool isAhead = llvm::all_of(array.strides, [](int64_t stride) { return stride >= 0; });
  if (isAhead && measureAll(array, nest))
    return nest.extent;
  Range range = rangeOf(array);
  begin = range.begin;
  return extentOfVector(int64_t(range.end - range.begin));
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
