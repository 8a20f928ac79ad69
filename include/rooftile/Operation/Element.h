//===- Element.h - Element types of matrices --------------------*- C++ -*-===//
#ifndef ROOFTILE_OPERATION_ELEMENT_H
#define ROOFTILE_OPERATION_ELEMENT_H

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rooftile::operation {

/// Element type of a matrix. C64 and C128 are complex: the real component precedes the imaginary.
enum class Element : uint8_t { F16, BF16, F32, F64, C64, C128 };

/// One row of the table of element types.
struct ElementInfo {
  Element element;
  const char *name; ///< As NumPy has it: "f32", "c64".
  const char *type; ///< In MLIR: "f32", "complex<f32>".
  char letter;      ///< First letter of routines of BLAS; 0: the reference has none.
  int64_t bytes;
  int64_t components;  ///< Real elements in an element.
  Element real;        ///< Type of each component.
  Element accumulator; ///< Type of accumulators, and of alpha and beta.
};

inline constexpr std::array<ElementInfo, 6> kElements = {{
    {Element::F16, "f16", "f16", 0, 2, 1, Element::F16, Element::F32},
    {Element::BF16, "bf16", "bf16", 0, 2, 1, Element::BF16, Element::F32},
    {Element::F32, "f32", "f32", 's', 4, 1, Element::F32, Element::F32},
    {Element::F64, "f64", "f64", 'd', 8, 1, Element::F64, Element::F64},
    {Element::C64, "c64", "complex<f32>", 'c', 8, 2, Element::F32, Element::C64},
    {Element::C128, "c128", "complex<f64>", 'z', 16, 2, Element::F64, Element::C128},
}};

constexpr const ElementInfo &infoOf(Element element) { return kElements[size_t(element)]; }

constexpr const char *nameOf(Element element) { return infoOf(element).name; }
/// Bytes of one element.
constexpr int64_t bytesOf(Element element) { return infoOf(element).bytes; }
constexpr int64_t componentsOf(Element element) { return infoOf(element).components; }
constexpr bool isComplex(Element element) { return componentsOf(element) == 2; }
constexpr Element realOf(Element element) { return infoOf(element).real; }
/// Bytes of one component.
constexpr int64_t bytesOfComponent(Element element) { return bytesOf(realOf(element)); }

/// The element type of that name; none for other names.
constexpr std::optional<Element> elementNamed(std::string_view name) {
  for (const ElementInfo &info : kElements)
    if (name == info.name)
      return info.element;
  return std::nullopt;
}

} // namespace rooftile::operation

#endif // ROOFTILE_OPERATION_ELEMENT_H
