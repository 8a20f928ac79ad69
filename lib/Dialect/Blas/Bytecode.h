//===- Bytecode.h - Properties of operations in bytecode, by name -*- C++ -*-===//
#ifndef ROOFTILE_LIB_DIALECT_BLAS_BYTECODE_H
#define ROOFTILE_LIB_DIALECT_BLAS_BYTECODE_H

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mlir {
class DialectAsmParser;
} // namespace mlir

namespace rooftile::blas {

/// The text of an attribute, after `#blas.`, in the words of this version: that of an older one
/// has others.
std::string upgradedText(llvm::StringRef text);

/// Whether `text`, after `#blas.`, is all that `parser` reads: an attribute of bytecode.
bool isSourceOfItsOwn(mlir::DialectAsmParser &parser, llvm::StringRef text);

/// `properties` with the sizes of `groups` groups of operands, the last of which an older file
/// may lack.
mlir::DictionaryAttr completeSegments(mlir::DictionaryAttr properties, size_t groups);

/// Groups of operands of an operation with such properties; 0 where there is one of each.
template <typename Properties>
auto operandGroups(const Properties &own, int) -> decltype(own.operandSegmentSizes.size()) {
  return own.operandSegmentSizes.size();
}
template <typename Properties> size_t operandGroups(const Properties &, long) { return 0; }

/// The properties of an operation as a dictionary: one that is absent gets its default.
template <typename Op>
llvm::LogicalResult readByName(mlir::DialectBytecodeReader &reader, mlir::OperationState &state) {
  mlir::DictionaryAttr properties;
  if (failed(reader.readAttribute(properties)))
    return llvm::failure();
  auto &own = state.getOrAddProperties<typename Op::Properties>();
  properties = completeSegments(properties, operandGroups(own, 0));
  return Op::setPropertiesFromAttr(own, properties, [&] { return reader.emitError(); });
}

template <typename Op> void writeByName(Op op, mlir::DialectBytecodeWriter &writer) {
  mlir::MLIRContext *context = op.getContext();
  mlir::Attribute properties = Op::getPropertiesAsAttr(context, op.getProperties());
  writer.writeAttribute(properties ? properties : mlir::DictionaryAttr::get(context));
}

} // namespace rooftile::blas

#endif // ROOFTILE_LIB_DIALECT_BLAS_BYTECODE_H
