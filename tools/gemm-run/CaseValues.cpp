//===- CaseValues.cpp - What the values of a case mean --------------------===//

#include "Cases.h"

#include "llvm/ADT/StringExtras.h"

using namespace rooftile::run;
using llvm::StringRef;

int64_t Case::number(const std::string &key) const { return std::stoll((*this)[key]); }

std::vector<int64_t> Case::sizes(const std::string &key) const {
  std::vector<int64_t> numbers;
  for (StringRef part : llvm::split((*this)[key], 'x'))
    numbers.push_back(std::stoll(part.str()));
  return numbers;
}

/// One value for all operands, or one for each.
static std::string valueOf(StringRef values, int operand) {
  llvm::SmallVector<StringRef> parts;
  values.split(parts, '/');
  return parts[parts.size() == 1 ? 0 : operand].str();
}

Element Case::element(int operand) const {
  llvm::SmallVector<StringRef> parts;
  StringRef((*this)["type"]).split(parts, '/');
  size_t part = parts.size() == 1 ? 0 : std::min<size_t>(operand, parts.size() - 1);
  Element element = Element::F32;
  elementNamed(parts[part].str(), element);
  bool isSum = operand == 3 && parts.size() != 4;
  return isSum && bytesOf(element) < 4 ? Element::F32 : element;
}

bool Case::isTransposed(int operand) const {
  char op = (*this)["op"][operand];
  return op == 't' || op == 'c';
}

Scalar Case::scalar(const std::string &key) const {
  auto [re, im] = StringRef((*this)[key]).split(':');
  bool isReal = im.empty() || componentsOf(element(3)) == 1;
  return {std::stod(re.str()), isReal ? 0 : std::stod(im.str())};
}

std::string Case::layout(int operand) const { return valueOf((*this)["layout"], operand); }

int64_t Case::shift(int operand) const { return std::stoll(valueOf((*this)["shift"], operand)); }
