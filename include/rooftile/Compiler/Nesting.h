//===- Nesting.h - How deep a text is nested --------------------*- C++ -*-===//
//
// Parsers call themselves for what is in brackets: a text that is nested deep enough ends the
// process. What people and compilers write is not nested 256 deep.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_COMPILER_NESTING_H
#define ROOFTILE_COMPILER_NESTING_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace rooftile::compiler {

constexpr unsigned kDeepestNesting = 256;

enum class Language { Mlir, Yaml };

/// A position in a text, counted from 1.
struct TextPlace {
  unsigned line = 1, column = 1;
};

TextPlace placeOf(llvm::StringRef text, size_t offset);

/// Why `text` is nested too deep for a parser, with its position; empty where it is not.
std::string whyTooDeep(llvm::StringRef text, Language language, TextPlace &place);

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_NESTING_H
