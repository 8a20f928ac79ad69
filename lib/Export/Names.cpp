//===- Names.cpp - Which names C takes ------------------------------------===//

#include "Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

/// Of C11 and C++20, and `main`.
static constexpr llvm::StringLiteral kKeywords[] = {"alignas",     "alignof",
                                                    "and",         "and_eq",
                                                    "asm",         "auto",
                                                    "bitand",      "bitor",
                                                    "bool",        "break",
                                                    "case",        "catch",
                                                    "char",        "char8_t",
                                                    "class",       "co_await",
                                                    "co_return",   "co_yield",
                                                    "compl",       "concept",
                                                    "const",       "const_cast",
                                                    "consteval",   "constexpr",
                                                    "constinit",   "continue",
                                                    "decltype",    "default",
                                                    "delete",      "do",
                                                    "double",      "dynamic_cast",
                                                    "else",        "enum",
                                                    "explicit",    "export",
                                                    "extern",      "false",
                                                    "float",       "for",
                                                    "friend",      "goto",
                                                    "if",          "inline",
                                                    "int",         "long",
                                                    "main",        "mutable",
                                                    "namespace",   "new",
                                                    "noexcept",    "not",
                                                    "not_eq",      "nullptr",
                                                    "operator",    "or",
                                                    "or_eq",       "private",
                                                    "protected",   "public",
                                                    "register",    "reinterpret_cast",
                                                    "requires",    "restrict",
                                                    "return",      "short",
                                                    "signed",      "sizeof",
                                                    "static",      "static_assert",
                                                    "static_cast", "struct",
                                                    "switch",      "template",
                                                    "this",        "thread_local",
                                                    "throw",       "true",
                                                    "try",         "typedef",
                                                    "typeid",      "typename",
                                                    "union",       "unsigned",
                                                    "using",       "virtual",
                                                    "void",        "volatile",
                                                    "wchar_t",     "while",
                                                    "xor",         "xor_eq"};

static constexpr size_t kMostLetters = 100;

std::string rooftile::exporter::whyNoName(StringRef name) {
  auto isPart = [](char letter) { return llvm::isAlnum(letter) || letter == '_'; };
  if (name.empty() || !llvm::isAlpha(name.front()) || !llvm::all_of(name, isPart))
    return "expected a name of C: a letter, then letters, digits and '_'";
  if (name.size() > kMostLetters)
    return "expected a name of at most " + std::to_string(kMostLetters) + " letters";
  if (llvm::is_contained(kKeywords, name) || name.ends_with("_t"))
    return "expected a name that C and C++ leave free";
  return "";
}

bool rooftile::exporter::isOwnName(StringRef suffix) {
  constexpr llvm::StringLiteral kNames[] = {"message",   "ok",      "bad_argument",
                                            "no_device", "no_chip", "failed"};
  return llvm::is_contained(kNames, suffix);
}
