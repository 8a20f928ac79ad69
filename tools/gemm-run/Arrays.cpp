//===- Arrays.cpp - What a function leaves, element by element ------------===//

#include "Arrays.h"
#include "Encode.h"
#include "View.h"
#include "rooftile/Dialect/Element.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::run;

static View viewOf(MemRefType type, const int64_t *descriptor) {
  const int64_t *sizes = descriptor + 3, *strides = sizes + type.getRank();
  return {{sizes, sizes + type.getRank()}, {strides, strides + type.getRank()}, descriptor[2]};
}

/// Calls `visit` with the place of each element, in elements from the aligned pointer.
static void forEachPlace(const View &view, llvm::function_ref<void(int64_t)> visit) {
  std::vector<int64_t> index(view.sizes.size());
  for (int64_t count = view.elements(); count > 0; --count) {
    int64_t place = view.offset;
    for (size_t dim = 0; dim < index.size(); ++dim)
      place += index[dim] * view.strides[dim];
    visit(place);
    for (size_t dim = index.size(); dim-- > 0 && ++index[dim] == view.sizes[dim];)
      index[dim] = 0;
  }
}

/// The memory that a view spans.
static Mirror mirrorOf(Device device, const View &view, const int64_t *descriptor, int64_t bytes) {
  Mirror mirror;
  char *data = reinterpret_cast<char *>(descriptor[1]);
  mirror.read(device, data + view.first() * bytes, (view.last() - view.first() + 1) * bytes);
  return mirror;
}

Array rooftile::run::readArray(Device device, MemRefType type, const int64_t *descriptor) {
  int64_t bytes = storedBytes(type.getElementType());
  View view = viewOf(type, descriptor);
  Array array{type.getElementType(), view.sizes, {}};
  Mirror mirror = mirrorOf(device, view, descriptor, bytes);
  forEachPlace(view, [&](int64_t place) {
    const char *from = mirror.data.get() + (place - view.first()) * bytes;
    array.bytes.insert(array.bytes.end(), from, from + bytes);
  });
  return array;
}

void rooftile::run::writeArray(Device device, MemRefType type, const int64_t *descriptor,
                               const std::function<Scalar()> &next) {
  int64_t bytes = storedBytes(type.getElementType());
  View view = viewOf(type, descriptor);
  Mirror mirror = mirrorOf(device, view, descriptor, bytes);
  forEachPlace(view, [&](int64_t place) {
    encode(type.getElementType(), next(), mirror.data.get() + (place - view.first()) * bytes);
  });
  mirror.write(device);
}

static bool holdsFloats(Type element) { return isa<FloatType>(realTypeOf(element)); }

double rooftile::run::largestIn(const Array &array) {
  double largest = 0;
  int64_t bytes = storedBytes(array.element);
  for (size_t at = 0; holdsFloats(array.element) && at < array.bytes.size(); at += bytes) {
    Scalar value = decode(array.element, &array.bytes[at]);
    for (double part : {std::fabs(value.real()), std::fabs(value.imag())})
      largest = std::isfinite(part) ? std::max(largest, part) : largest;
  }
  return largest;
}

/// |x - reference|, where equal infinities and two NaN are 0 apart.
static double distance(double x, double reference) {
  if (x == reference || (std::isnan(x) && std::isnan(reference)))
    return 0;
  double apart = std::fabs(x - reference);
  return std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
}

/// "[3, 4]" of element `number`; nothing for a scalar.
static std::string indexText(const Array &array, int64_t number) {
  std::string text;
  for (size_t dim = array.sizes.size(); dim-- > 0; number /= array.sizes[dim])
    text = std::to_string(number % array.sizes[dim]) + (text.empty() ? "" : ", ") + text;
  return text.empty() ? text : "[" + text + "]";
}

static std::string numberText(Type element, Scalar value) {
  std::string text = llvm::formatv("{0:e8}", value.real());
  if (isa<ComplexType>(element))
    text += llvm::formatv(" + {0:e8} i", value.imag()).str();
  return holdsFloats(element) ? text : std::to_string(int64_t(value.real()));
}

Distance rooftile::run::distanceOf(const Array &array, const Array &reference) {
  Distance result;
  bool numbers = false;
  int64_t bytes = storedBytes(array.element), worst = -1;
  for (size_t at = 0; at < reference.bytes.size(); at += bytes) {
    Scalar x = decode(array.element, &array.bytes[at]);
    Scalar right = decode(array.element, &reference.bytes[at]);
    numbers |=
        !std::isnan(right.real()) || (isa<ComplexType>(array.element) && !std::isnan(right.imag()));
    double apart = std::max(distance(x.real(), right.real()), distance(x.imag(), right.imag()));
    if (!holdsFloats(array.element) && bytes == 8 &&
        std::memcmp(&array.bytes[at], &reference.bytes[at], bytes))
      apart = std::max(apart, 1.0); // integers beyond 2^53
    if (apart > result.worst || (apart > 0 && worst < 0)) {
      worst = at / bytes;
      result.worst = apart;
      result.place = indexText(array, worst) + " is " + numberText(array.element, x) +
                     ", loops have " + numberText(array.element, right);
    }
  }
  result.equal = worst < 0;
  result.useless = holdsFloats(array.element) && !reference.bytes.empty() && !numbers;
  return result;
}
