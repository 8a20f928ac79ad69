//===- Operand.cpp - Strided operands and their data ----------------------===//

#include "rooftile/Verify/Operands/Operand.h"
#include "rooftile/Runtime/Threads.h"

#include <algorithm>
#include <limits>

using namespace rooftile;
using namespace rooftile::verify;

int64_t View::elements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

int64_t View::first() const {
  if (elements() == 0)
    return 0;
  int64_t index = offset;
  if (!places.empty())
    index += *std::min_element(places.begin(), places.end());
  for (size_t dim = places.empty() ? 0 : 1; dim < sizes.size(); ++dim)
    index += std::min<int64_t>(0, strides[dim]) * (sizes[dim] - 1);
  return index;
}

int64_t View::last() const {
  if (elements() == 0)
    return -1;
  int64_t index = offset;
  if (!places.empty())
    index += *std::max_element(places.begin(), places.end());
  for (size_t dim = places.empty() ? 0 : 1; dim < sizes.size(); ++dim)
    index += std::max<int64_t>(0, strides[dim]) * (sizes[dim] - 1);
  return index;
}

/// Offsets of all index tuples over the leading dimensions, relative to `base`.
static std::vector<int64_t> leadingOffsets(const View &view, size_t dims, int64_t base) {
  std::vector<int64_t> offsets{base};
  for (size_t dim = 0; dim < dims; ++dim) {
    std::vector<int64_t> next;
    for (int64_t offset : offsets)
      for (int64_t i = 0; i < view.sizes[dim]; ++i)
        next.push_back(offset +
                       (dim == 0 && !view.places.empty() ? view.places[i] : i * view.strides[dim]));
    offsets = std::move(next);
  }
  return offsets;
}

Matrices rooftile::verify::matricesOf(const View &view, bool transposed, size_t batches) {
  size_t rank = view.sizes.size(), row = rank - 2, column = rank - 1;
  if (transposed)
    std::swap(row, column);
  Matrices matrices;
  matrices.rows = view.sizes[row];
  matrices.columns = view.sizes[column];
  matrices.rowStride = view.strides[row];
  matrices.columnStride = view.strides[column];
  matrices.batch = leadingOffsets(view, rank - 2, view.offset - view.first());
  if (rank == 2)
    matrices.batch.resize(batches, matrices.batch[0]);
  return matrices;
}

/// Calls `visit(address offset in bytes from `begin`)` for every element; stops when it is true.
template <typename Visit>
static bool anyElement(const Operand &operand, const char *begin, Visit visit) {
  size_t rank = operand.view.sizes.size();
  int64_t bytes = bytesOf(operand.element);
  int64_t base = operand.data - begin + operand.view.offset * bytes;
  int64_t inner = rank ? operand.view.sizes.back() : 1;
  int64_t stride = rank ? operand.view.strides.back() * bytes : 0;
  for (int64_t outer : leadingOffsets(operand.view, rank ? rank - 1 : 0, 0))
    for (int64_t i = 0; i < inner; ++i)
      if (visit(base + outer * bytes + i * stride))
        return true;
  return false;
}

/// Dimensions nest: each stride spans all smaller dimensions, so no two tuples meet.
static bool nests(const View &view) {
  if (!view.places.empty())
    return false; // unknown
  std::vector<std::pair<int64_t, int64_t>> dims;
  for (size_t dim = 0; dim < view.sizes.size(); ++dim)
    if (view.sizes[dim] > 1)
      dims.push_back({std::abs(view.strides[dim]), view.sizes[dim]});
  std::sort(dims.begin(), dims.end());
  int64_t extent = 1;
  for (auto [stride, size] : dims) {
    if (stride < extent)
      return false;
    extent = stride * (size - 1) + extent;
  }
  return true;
}

bool rooftile::verify::overlap(const Operand &left, const Operand &right) {
  const char *leftEnd = left.begin() + left.spanBytes();
  const char *rightEnd = right.begin() + right.spanBytes();
  if (left.view.elements() == 0 || right.view.elements() == 0 || leftEnd <= right.begin() ||
      rightEnd <= left.begin())
    return false;
  const char *begin = left.begin();
  std::vector<bool> taken(left.spanBytes());
  int64_t leftBytes = bytesOf(left.element), rightBytes = bytesOf(right.element);
  anyElement(left, begin, [&](int64_t at) {
    std::fill_n(taken.begin() + at, leftBytes, true);
    return false;
  });
  return anyElement(right, begin, [&](int64_t at) {
    for (int64_t byte = at; byte < at + rightBytes; ++byte)
      if (byte >= 0 && byte < int64_t(taken.size()) && taken[byte])
        return true;
    return false;
  });
}

bool rooftile::verify::overlapsItself(const Operand &operand) {
  if (operand.view.elements() == 0 || nests(operand.view))
    return false;
  int64_t bytes = bytesOf(operand.element);
  std::vector<bool> taken(operand.spanBytes() / bytes);
  return anyElement(operand, operand.begin(), [&](int64_t at) {
    bool met = taken[at / bytes];
    taken[at / bytes] = true;
    return met;
  });
}

/// [3, 1]
static std::string listOf(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "[" : ", ") + std::to_string(number);
  return text + "]";
}

std::string rooftile::verify::overlapText(const char *output, const View &view) {
  return std::string("output ") + output + " overlaps itself: sizes " + listOf(view.sizes) +
         " with strides " + listOf(view.strides) + " name an element twice";
}

View rooftile::verify::withoutRepeats(const View &view) {
  View distinct = view;
  for (size_t dim = distinct.sizes.size(); dim-- > 2;) {
    size_t batch = dim - 2;
    if (distinct.strides[batch] != 0 || !distinct.places.empty())
      continue;
    distinct.sizes.erase(distinct.sizes.begin() + batch);
    distinct.strides.erase(distinct.strides.begin() + batch);
  }
  return distinct;
}

std::string rooftile::verify::layoutName(const View &view) {
  size_t rank = view.sizes.size();
  std::string where = view.places.empty() ? "" : " by pointers";
  if (rank >= 2 && view.strides[rank - 1] == 1)
    return "row-major" + where;
  if (rank >= 2 && view.strides[rank - 2] == 1)
    return "column-major" + where;
  return "strides " + listOf(view.strides) + where;
}

//===----------------------------------------------------------------------===//
// Test data
//===----------------------------------------------------------------------===//

/// SplitMix64 (Steele, Lea, Flood 2014) of a counter.
static uint64_t hash(uint64_t seed, uint64_t counter) {
  uint64_t z = (seed + 1) * 0xD1342543DE82EF95ull + counter * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

static double valueAt(const Values &values, uint64_t counter) {
  uint64_t bits = hash(values.seed, counter);
  if (values.kind == Values::Poison)
    return std::numeric_limits<double>::quiet_NaN();
  if (values.kind == Values::Uniform)
    return double(bits >> 11) * 0x1p-52 - 1; // all 53 bits in use
  if (values.kind == Values::Positive)
    return 0.5 + double(bits >> 11) * 0x1p-54;
  int64_t magnitude = 1 + int64_t((bits >> 33) % uint64_t(values.range));
  return double(bits & 1 ? magnitude : -magnitude);
}

/// A number of the type `T`; f16 is normal or 0. Matrix instructions of MI200 read smaller ones as
/// 0, which one in 8,000 uniform numbers would be: constants test these.
template <typename T> static T numberOf(double value, Element element) {
  static constexpr double kLeastHalf = 0x1p-14;
  bool small = element == Element::F16 && value != 0 && std::fabs(value) < kLeastHalf;
  return T(small ? std::copysign(kLeastHalf, value) : value);
}

/// The components of an element are values of their own.
template <typename T>
static void fillRows(T *data, const Matrices &matrices, Element element, const Values &values) {
  int64_t parts = componentsOf(element);
  bool isConstant = values.kind == Values::Constant;
  int64_t rows = matrices.rows, count = rows * int64_t(matrices.batch.size());
  auto fillRow = [&](int64_t index) {
    for (int64_t j = 0; j < matrices.columns * parts; ++j)
      data[matrices.at(index / rows, index % rows, j / parts) * parts + j % parts] =
          isConstant ? T(values.constant)
                     : numberOf<T>(valueAt(values, index * matrices.columns * parts + j), element);
  };
  if (count * matrices.columns > 100000)
    return forEachOnThreads(count, [&](int64_t index, unsigned) { fillRow(index); });
  for (int64_t index = 0; index < count; ++index)
    fillRow(index);
}

void rooftile::verify::fill(void *data, Element element, const View &view, const Values &values) {
  View matrix = view; // a scalar or a vector is a matrix with sizes of 1
  while (matrix.sizes.size() < 2) {
    matrix.sizes.insert(matrix.sizes.begin(), 1);
    matrix.strides.insert(matrix.strides.begin(), 0);
  }
  if (matrix.elements() == 0)
    return;
  Matrices matrices = matricesOf(matrix, false, 1);
  withReal(element, [&](auto zero) {
    fillRows(static_cast<decltype(zero) *>(data), matrices, element, values);
  });
}
