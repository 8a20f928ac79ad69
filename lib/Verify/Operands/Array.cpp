//===- Array.cpp - Arrays of elements of any type -------------------------===//

#include "Array.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Verify/Operands/Operand.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

bool rooftile::verify::canEncode(Type type) {
  Type real = realTypeOf(type);
  if (auto number = dyn_cast<FloatType>(real))
    return number.getWidth() <= 64;
  return type.isIndex() || (type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 64);
}

/// Bytes of one component.
static int64_t bytesOfComponent(Type real) {
  return real.isIndex() ? 8 : llvm::PowerOf2Ceil((real.getIntOrFloatBitWidth() + 7) / 8);
}

int64_t rooftile::verify::storedBytes(Type type) {
  return bytesOfComponent(realTypeOf(type)) * rooftile::componentsOf(type);
}

void rooftile::verify::encode(Type type, Scalar value, void *to) {
  Type real = realTypeOf(type);
  int64_t bytes = bytesOfComponent(real);
  for (int part = 0; part < rooftile::componentsOf(type); ++part) {
    double number = part == 0 ? value.real() : value.imag();
    uint64_t word = 0;
    if (auto format = dyn_cast<FloatType>(real)) {
      llvm::APFloat rounded(number);
      bool inexact;
      rounded.convert(format.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
      word = rounded.bitcastToAPInt().getZExtValue();
    } else {
      word = uint64_t(int64_t(number));
      unsigned width = real.isIndex() ? 64 : real.getIntOrFloatBitWidth();
      word &= width < 64 ? (uint64_t(1) << width) - 1 : ~uint64_t(0);
    }
    std::memcpy(static_cast<char *>(to) + part * bytes, &word, bytes); // little endian
  }
}

/// One component, from its word.
static double partOf(Type real, uint64_t word) {
  unsigned width = real.isIndex() ? 64 : real.getIntOrFloatBitWidth();
  if (auto format = dyn_cast<FloatType>(real)) {
    llvm::APFloat value(format.getFloatSemantics(), llvm::APInt(width, word, false, true));
    bool inexact;
    value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return value.convertToDouble();
  }
  return width == 1 ? double(word & 1) : double(llvm::SignExtend64(word, width));
}

Scalar rooftile::verify::decode(Type type, const void *from) {
  Type real = realTypeOf(type);
  int64_t bytes = bytesOfComponent(real);
  double parts[2] = {0, 0};
  for (int part = 0; part < rooftile::componentsOf(type); ++part) {
    uint64_t word = 0;
    std::memcpy(&word, static_cast<const char *>(from) + part * bytes, bytes);
    parts[part] = partOf(real, word);
  }
  return {parts[0], parts[1]};
}

double rooftile::verify::roundoffOfType(Type type) {
  auto format = cast<FloatType>(realTypeOf(type));
  return std::ldexp(1.0, -int(format.getFPMantissaWidth()));
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static View viewOf(MemRefType type, const int64_t *descriptor) {
  const int64_t *sizes = descriptor + 3, *strides = sizes + type.getRank();
  return {{sizes, sizes + type.getRank()}, {strides, strides + type.getRank()}, descriptor[2]};
}

/// Calls `visit` with the offset of each element, in elements from the aligned pointer.
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
static Mirror mirrorOf(DeviceKind device, const View &view, const int64_t *descriptor,
                       int64_t bytes) {
  Mirror mirror;
  char *data = reinterpret_cast<char *>(descriptor[1]);
  mirror.read(device, data + view.first() * bytes, (view.last() - view.first() + 1) * bytes);
  return mirror;
}

Array rooftile::verify::readArray(DeviceKind device, MemRefType type, const int64_t *descriptor) {
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

void rooftile::verify::writeArray(DeviceKind device, MemRefType type, const int64_t *descriptor,
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

double rooftile::verify::largestIn(const Array &array) {
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

Distance rooftile::verify::distanceOf(const Array &array, const Array &reference) {
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
