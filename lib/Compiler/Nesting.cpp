//===- Nesting.cpp - How deep a text is nested ----------------------------===//

#include "rooftile/Compiler/Nesting.h"

using namespace rooftile;
using namespace rooftile::compiler;
using llvm::StringRef;

TextPlace compiler::placeOf(StringRef text, size_t offset) {
  StringRef before = text.take_front(offset);
  size_t newline = before.rfind('\n');
  size_t start = newline == StringRef::npos ? 0 : newline + 1;
  return {unsigned(before.count('\n')) + 1, unsigned(before.size() - start) + 1};
}

/// The end of a string that begins at `at`, with escapes.
static size_t endOfString(StringRef text, size_t at) {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  return at;
}

/// The first bracket of MLIR's that is too deep, or npos. A `>` of an arrow closes nothing.
static size_t deepBracketOfMlir(StringRef text) {
  unsigned depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"')
      at = endOfString(text, at);
    else if (text.substr(at, 2) == "//")
      at = std::min(text.find('\n', at), text.size());
    else if (text.substr(at, 2) == "->")
      ++at;
    else if (StringRef("([{<").contains(text[at]) && ++depth > kDeepestNesting)
      return at;
    else if (StringRef(")]}>").contains(text[at]) && depth > 0)
      --depth;
  }
  return StringRef::npos;
}

/// Whether a list, key or value of a block begins at `at`.
static bool beginsBlock(StringRef text, size_t at) {
  StringRef next = text.substr(at + 1, 1);
  return StringRef("-?:").contains(text[at]) && (next.empty() || next == " " || next == "\n");
}

/// The first bracket that is too deep, or the first block: these are nested by the spaces before
/// them, and by what begins before them in their line. npos where there is none.
static size_t deepPlaceOfYaml(StringRef text) {
  unsigned depth = 0, blocks = 0;
  bool isIndentation = true;
  for (size_t at = 0, lineStart = 0; at < text.size(); ++at) {
    bool isSpace = text[at] == ' ';
    if (text[at] == '\n') {
      lineStart = at + 1, blocks = 0, isIndentation = true;
      continue;
    }
    if (text[at] == '#' && (at == lineStart || text[at - 1] == ' ')) {
      at = std::min(text.find('\n', at), text.size()) - 1;
      continue;
    }
    if (isIndentation && !isSpace && at - lineStart > kDeepestNesting)
      return at;
    isIndentation &= isSpace;
    if (StringRef("[{").contains(text[at]) && ++depth > kDeepestNesting)
      return at;
    if (StringRef("]}").contains(text[at]) && depth > 0)
      --depth;
    if (depth == 0 && beginsBlock(text, at) && ++blocks > kDeepestNesting)
      return at;
  }
  return StringRef::npos;
}

std::string compiler::whyTooDeep(StringRef text, Language language, TextPlace &place) {
  size_t at = language == Language::Mlir ? deepBracketOfMlir(text) : deepPlaceOfYaml(text);
  if (at == StringRef::npos)
    return "";
  place = placeOf(text, at);
  return "nested more than " + std::to_string(kDeepestNesting) + " deep";
}
