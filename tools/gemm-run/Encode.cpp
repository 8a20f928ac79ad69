//===- Encode.cpp - Elements of any type in memory ------------------------===//

#include "Encode.h"
#include "rooftile/Dialect/Element.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::run;

bool rooftile::run::canEncode(Type type) {
  Type real = realTypeOf(type);
  if (auto number = dyn_cast<FloatType>(real))
    return number.getWidth() <= 64;
  return type.isIndex() || (type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 64);
}

/// Bytes of one part.
static int64_t bytesOfComponent(Type real) {
  return real.isIndex() ? 8 : llvm::PowerOf2Ceil((real.getIntOrFloatBitWidth() + 7) / 8);
}

int64_t rooftile::run::storedBytes(Type type) {
  return bytesOfComponent(realTypeOf(type)) * rooftile::componentsOf(type);
}

void rooftile::run::encode(Type type, Scalar value, void *to) {
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

/// One part, from its word.
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

Scalar rooftile::run::decode(Type type, const void *from) {
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

double rooftile::run::roundoffOfType(Type type) {
  auto format = cast<FloatType>(realTypeOf(type));
  return std::ldexp(1.0, -int(format.getFPMantissaWidth()));
}
