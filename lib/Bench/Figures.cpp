//===- Figures.cpp - The figures of a target, with their sources ----------===//

#include "rooftile/Bench/Figures.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;

/// Longest value that a comment follows on its line.
static constexpr size_t kMostValue = 24;

/// Splits `text` at the commas that stand in no brackets and no string.
static SmallVector<StringRef> splitOutside(StringRef text) {
  SmallVector<StringRef> parts;
  int depth = 0;
  bool inString = false;
  size_t begin = 0;
  for (auto [at, letter] : llvm::enumerate(text)) {
    inString ^= letter == '"';
    depth += letter == '<' || letter == '[' ? 1 : letter == '>' || letter == ']' ? -1 : 0;
    if (letter == ',' && depth == 0 && !inString) {
      parts.push_back(text.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  parts.push_back(text.drop_front(begin).trim());
  return parts;
}

Figures::Figures(blas::TargetAttr target, StringRef source) {
  std::string text;
  llvm::raw_string_ostream(text) << target;
  StringRef inside = StringRef(text).drop_until([](char letter) { return letter == '<'; });
  for (StringRef part : splitOutside(inside.drop_front().drop_back())) {
    auto [name, value] = part.split(" = ");
    figures.push_back({name.str(), value.str(), source.str()});
  }
}

void Figures::set(StringRef name, const std::string &value, const std::string &source) {
  auto known = llvm::find_if(figures, [&](const Figure &each) { return each.name == name; });
  if (known == figures.end())
    figures.push_back({name.str(), value, source});
  else
    *known = {name.str(), value, source};
}

void Figures::set(StringRef name, double value, const std::string &source) {
  set(name, std::to_string(std::llround(value)), source);
}

void Figures::print(llvm::raw_ostream &out) const {
  size_t column = 0; // of the comments, where lines have room for one
  for (const Figure &each : figures)
    if (each.value.size() <= kMostValue)
      column = std::max(column, each.name.size() + each.value.size());
  out << "#blas.target<\n";
  for (const Figure &each : figures) {
    size_t used = each.name.size() + each.value.size();
    if (used > column)
      out << "  // " << each.source << '\n';
    out << "  " << each.name << " = " << each.value << (&each == &figures.back() ? " " : ",");
    if (used <= column)
      out.indent(column - used) << " // " << each.source;
    out << '\n';
  }
  out << ">\n";
}

blas::TargetAttr Figures::attribute(MLIRContext *context) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  print(out);
  return dyn_cast_or_null<blas::TargetAttr>(parseAttribute(text, context));
}
