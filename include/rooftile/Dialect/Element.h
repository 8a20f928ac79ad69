//===- Element.h - What a matrix holds --------------------------*- C++ -*-===//
//
// An element is a real one, or complex: its real and its imaginary component,
// which are neighbours in memory. Below the tile level there are real elements only.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_ELEMENT_H
#define ROOFTILE_DIALECT_ELEMENT_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace rooftile {

/// The real type of an element: f32 of f32 and of complex<f32>.
inline mlir::Type realTypeOf(mlir::Type element) {
  auto complex = mlir::dyn_cast<mlir::ComplexType>(element);
  return complex ? complex.getElementType() : element;
}

/// Real elements in one element: 2 in a complex one.
inline int64_t componentsOf(mlir::Type element) {
  return mlir::isa<mlir::ComplexType>(element) ? 2 : 1;
}

/// Bytes of one real number, and of one element.
inline int64_t componentBytes(mlir::Type element) {
  return realTypeOf(element).getIntOrFloatBitWidth() / 8;
}
inline int64_t elementBytes(mlir::Type element) {
  return componentsOf(element) * componentBytes(element);
}

/// True where the real type of `wide` has every number of that of `narrow`.
inline bool holdsExactly(mlir::Type wide, mlir::Type narrow) {
  mlir::Type to = realTypeOf(wide), from = realTypeOf(narrow);
  return to == from || to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
}

/// An element type as a word: f32, or as numpy has it c64 for complex<f32>.
inline std::string wordOf(mlir::Type element) {
  std::string word;
  llvm::raw_string_ostream out(word);
  if (mlir::isa<mlir::ComplexType>(element))
    out << 'c' << 8 * elementBytes(element);
  else
    out << element;
  return word;
}

} // namespace rooftile

#endif // ROOFTILE_DIALECT_ELEMENT_H
