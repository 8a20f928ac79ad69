//===- ElementType.h - The table of element types in MLIR -------*- C++ -*-===//
#ifndef ROOFTILE_DIALECT_ELEMENTTYPE_H
#define ROOFTILE_DIALECT_ELEMENTTYPE_H

#include "mlir/IR/Builders.h"
#include "rooftile/Operation/Element.h"

namespace rooftile {

/// The type of a row of the table.
inline mlir::Type typeOf(mlir::Builder &builder, operation::Element element) {
  using operation::Element;
  switch (element) {
  case Element::F16:
    return builder.getF16Type();
  case Element::BF16:
    return builder.getBF16Type();
  case Element::F32:
    return builder.getF32Type();
  case Element::F64:
    return builder.getF64Type();
  case Element::C64:
  case Element::C128:
    return mlir::ComplexType::get(typeOf(builder, realOf(element)));
  }
  return {};
}

/// The row of a type; none for types that the table does not have.
inline std::optional<operation::Element> elementOf(mlir::Type type) {
  mlir::Builder builder(type.getContext());
  for (const operation::ElementInfo &info : operation::kElements)
    if (typeOf(builder, info.element) == type)
      return info.element;
  return std::nullopt;
}

} // namespace rooftile

#endif // ROOFTILE_DIALECT_ELEMENTTYPE_H
