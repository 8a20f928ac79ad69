//===- ClauseText.cpp - How clauses of operations are written -------------===//

#include "../ClauseText.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

bool rooftile::parseOptionalClause(OpAsmParser &parser, StringRef name) {
  SMLoc place = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(name)))
    return true;
  std::string older = llvm::convertToSnakeFromCamelCase(name);
  if (older == name || failed(parser.parseOptionalKeyword(older)))
    return false;
  emitWarning(parser.getEncodedSourceLoc(place))
      << "'" << older << "' is called '" << name << "' now";
  return true;
}
