//===- NarrowFloats.cpp - Conversions of floats of at most 8 bits ---------===//

#include "NarrowFloats.h"
#include "llvm/ADT/APFloat.h"

using namespace rooftile::verify;

/// A number in the bits of the format with this number.
static float widen(int32_t format, int32_t bits) {
  const llvm::fltSemantics &semantics =
      llvm::APFloat::EnumToSemantics(llvm::APFloat::Semantics(format));
  unsigned width = llvm::APFloat::getSizeInBits(semantics);
  llvm::APFloat value(semantics, llvm::APInt(width, uint32_t(bits), false, true));
  bool inexact;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToFloat();
}

/// The bits of a number in that format, rounded to nearest.
static int32_t narrow(int32_t format, float number) {
  const llvm::fltSemantics &semantics =
      llvm::APFloat::EnumToSemantics(llvm::APFloat::Semantics(format));
  llvm::APFloat value(number);
  bool inexact;
  value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.bitcastToAPInt().getZExtValue();
}

std::vector<std::pair<std::string, void *>> rooftile::verify::narrowFloatSymbols() {
  return {{"loopsWiden", reinterpret_cast<void *>(widen)},
          {"loopsNarrow", reinterpret_cast<void *>(narrow)}};
}
