//===- ClauseText.h - How clauses of operations are written -----*- C++ -*-===//
//
//   opA<t>      a clause with a value, of an enum attribute; left out where it is the first one
//   anyOrder    a flag
//
// Keys are written as `anyOrder`. The spelling as `any_order`, which they had before, is read with
// a warning.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_DIALECT_CLAUSETEXT_H
#define ROOFTILE_LIB_DIALECT_CLAUSETEXT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

namespace rooftile {

/// Reads the key `name`, or its older spelling, if it comes next.
bool parseOptionalClause(mlir::OpAsmParser &parser, llvm::StringRef name);

/// Parser and printer of custom<Clause> in an assembly format, space included.
inline mlir::ParseResult parseClause(mlir::OpAsmParser &parser, llvm::StringRef name,
                                     mlir::UnitAttr &flag) {
  if (parseOptionalClause(parser, name))
    flag = parser.getBuilder().getUnitAttr();
  return mlir::success();
}
template <typename Word>
mlir::ParseResult parseClause(mlir::OpAsmParser &parser, llvm::StringRef name, Word &word) {
  return mlir::failure(parseOptionalClause(parser, name) &&
                       mlir::failed(parser.parseCustomAttributeWithFallback(word)));
}

inline void printClause(mlir::OpAsmPrinter &printer, mlir::Operation *, llvm::StringRef name,
                        mlir::UnitAttr flag) {
  if (flag)
    printer << ' ' << name;
}
template <typename Word>
void printClause(mlir::OpAsmPrinter &printer, mlir::Operation *, llvm::StringRef name, Word word) {
  if (!word || word.getValue() == decltype(word.getValue())())
    return;
  printer << ' ' << name;
  printer.printStrippedAttrOrType(word);
}

} // namespace rooftile

#endif // ROOFTILE_LIB_DIALECT_CLAUSETEXT_H
