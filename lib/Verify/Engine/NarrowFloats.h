//===- NarrowFloats.h - Conversions of floats of at most 8 bits -*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_ENGINE_NARROWFLOATS_H
#define ROOFTILE_VERIFY_ENGINE_NARROWFLOATS_H

#include <string>
#include <utility>
#include <vector>

namespace rooftile::verify {

/// Functions that code for the CPU calls to convert such floats, with their addresses:
/// `loopsWiden(format, bits)` to f32 and `loopsNarrow(format, f32)`, rounded to nearest. `format`
/// is that of llvm::APFloat::Semantics.
std::vector<std::pair<std::string, void *>> narrowFloatSymbols();

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_ENGINE_NARROWFLOATS_H
