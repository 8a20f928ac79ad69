//===- CaseEpilogue.cpp - The epilogue of a case --------------------------===//
//
// The words of the key `epilogue`, one after the other:
//
//   row, column   + a bias of each column, of each row      (extra operand)
//   residual      + a matrix as C                           (extra operand)
//   scale         * a number                                (extra operand)
//   relu, clamp   maximum with 0; between -1 and 6
//   gelu, erf     x / 2 (1 + tanh(..)), x / 2 (1 + erf(x / sqrt 2))
//   exp           exp(x / 8)
//
// A bias of columns is added in C's type, where that is narrower than the sums as well.
//
//===----------------------------------------------------------------------===//

#include "CaseText.h"

#include "llvm/ADT/StringExtras.h"

using namespace rooftile::run;
using llvm::StringRef;

/// A matrix of the type of C with these dimensions of it: laid out as C with all of them, else
/// contiguous.
static CaseExtra extraOf(const Case &single, const std::vector<int64_t> &dims) {
  View c = storedView(single, 2), view;
  if (dims.size() == c.sizes.size())
    return {stridedType(single, 2), c};
  std::string text = "memref<";
  for (int64_t dim : dims) {
    view.sizes.push_back(c.sizes[dim]);
    text += (single.flag("dynamic") ? "?" : std::to_string(c.sizes[dim])) + "x";
  }
  view.strides = {1};
  return {text + typeText(single.element(2)) + ">", view};
}

namespace {
/// Builds the clause, line by line; `value` is the name of the last result.
class Clause {
public:
  explicit Clause(const Case &single)
      : single(single), sum(single.element(3)), c(single.element(2)) {}

  void apply(StringRef word);
  std::string text() const;
  std::vector<CaseExtra> extras;

private:
  std::string emit(const std::string &op, const std::string &operands, const std::string &type);
  std::string constant(double number);
  std::string arithmetic(const std::string &op) const {
    return (componentsOf(sum) == 2 ? "complex." : "arith.") + op +
           (componentsOf(sum) == 2 ? "" : "f");
  }
  void addExtra(std::vector<int64_t> dims, bool narrow);
  void sigmoid(const std::string &inner);
  void gelu();

  const Case &single;
  Element sum, c;
  std::string arguments, body, value = "%sum";
  int64_t count = 0;
};
} // namespace

std::string Clause::emit(const std::string &op, const std::string &operands,
                         const std::string &type) {
  std::string name = "%v" + std::to_string(count++);
  body += "    " + name + " = " + op + " " + operands + " : " + type + "\n";
  return name;
}

std::string Clause::constant(double number) {
  std::string text = std::to_string(number);
  return emit("arith.constant", text, typeText(sum));
}

/// value + an element of a matrix with these dimensions of C, in C's type if `narrow`.
void Clause::addExtra(std::vector<int64_t> dims, bool narrow) {
  std::string name = "%x" + std::to_string(extras.size()), of = typeText(c), to = typeText(sum);
  CaseExtra extra = extraOf(single, dims);
  auto number = [](int64_t dim) { return std::to_string(dim); };
  arguments += ", " + name + " = %e" + std::to_string(extras.size()) + "[" +
               llvm::join(llvm::map_range(dims, number), ", ") + "] : " + extra.type;
  extras.push_back(extra);
  if (c != sum && narrow) {
    value = emit("arith.truncf", value, to + " to " + of);
    value = emit("arith.addf", value + ", " + name, of);
    value = emit("arith.extf", value, of + " to " + to);
    return;
  }
  if (c != sum)
    name = emit("arith.extf", name, of + " to " + to);
  value = emit(arithmetic("add"), value + ", " + name, to);
}

/// value / 2 * (1 + inner)
void Clause::sigmoid(const std::string &inner) {
  std::string type = typeText(sum);
  std::string half = emit("arith.mulf", value + ", " + constant(0.5), type);
  std::string shifted = emit("arith.addf", inner + ", " + constant(1), type);
  value = emit("arith.mulf", half + ", " + shifted, type);
}

/// By tanh(sqrt(2 / pi) (x + 0.044715 x^3)).
void Clause::gelu() {
  std::string type = typeText(sum);
  std::string square = emit("arith.mulf", value + ", " + value, type);
  std::string part = emit("arith.mulf", square + ", " + constant(0.044715), type);
  std::string factor = emit("arith.addf", part + ", " + constant(1), type);
  std::string cubic = emit("arith.mulf", value + ", " + factor, type);
  std::string inner = emit("arith.mulf", cubic + ", " + constant(0.797885), type);
  sigmoid(emit("math.tanh", inner, type));
}

void Clause::apply(StringRef word) {
  int64_t rank = storedView(single, 2).sizes.size();
  std::string type = typeText(sum);
  if (word == "row" || word == "column")
    return addExtra({rank - (word == "row" ? 1 : 2)}, /*narrow=*/word == "row");
  if (word == "residual")
    return addExtra(rank == 2 ? std::vector<int64_t>{0, 1} : std::vector<int64_t>{0, 1, 2}, false);
  if (word == "scale") {
    std::string index = std::to_string(extras.size());
    arguments += ", %x" + index + " = %e" + index + " : " + type;
    extras.push_back({type, View{}, true});
    value = emit("arith.mulf", value + ", %x" + index, type);
  } else if (word == "relu") {
    value = emit("arith.maximumf", value + ", " + constant(0), type);
  } else if (word == "clamp") {
    value = emit("arith.minimumf", value + ", " + constant(6), type);
    value = emit("arith.maximumf", value + ", " + constant(-1), type);
  } else if (word == "gelu") {
    gelu();
  } else if (word == "erf") {
    std::string inner = emit("arith.mulf", value + ", " + constant(0.707107), type);
    sigmoid(emit("math.erf", inner, type));
  } else if (word == "exp") {
    value = emit("math.exp", emit("arith.mulf", value + ", " + constant(0.125), type), type);
  }
}

std::string Clause::text() const {
  std::string type = typeText(sum);
  return " epilogue(%sum: " + type + arguments + ") {\n" + body + "    blas.yield " + value +
         " : " + type + "\n  }";
}

CaseEpilogue rooftile::run::epilogueOfCase(const Case &single) {
  if (single["epilogue"] == "none")
    return {};
  Clause clause(single);
  for (StringRef word : llvm::split(StringRef(single["epilogue"]), '+'))
    clause.apply(word);
  return {clause.text(), std::move(clause.extras)};
}
