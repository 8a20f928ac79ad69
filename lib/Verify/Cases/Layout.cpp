//===- Layout.cpp - How the operands of a case lie in memory --------------===//

#include "rooftile/Verify/Cases/Layout.h"
#include "rooftile/Verify/Model/OperationModel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace rooftile::verify;
using llvm::StringRef;

static std::string number(int64_t value) { return std::to_string(value); }

static bool isShared(const Case &single, int operand) {
  return single["share"] == std::string(1, "abc"[operand]);
}

bool rooftile::verify::isByPointers(const Case &single, int operand) {
  return modelOf(single).takesPointers() && !isShared(single, operand) &&
         single["pointers"] != "none" &&
         single["pointers"].find("abc"[operand]) != std::string::npos;
}

/// Operands have a batch dimension.
static bool isBatched(const Case &single) {
  for (int operand : {0, 1, 2})
    if (isByPointers(single, operand))
      return true;
  return single.number("batch") != 1;
}

/// Elements of a column lie side by side.
static bool isByColumn(const Case &single, int operand) {
  return single.layout(operand) == "col" || single.layout(operand) == "colgap";
}

View rooftile::verify::storedView(const Case &single, int operand) {
  auto [rows, columns] = modelOf(single).storedShape(single, operand);
  std::string layout = single.layout(operand);
  bool byColumn = isByColumn(single, operand);
  int64_t inner = std::max<int64_t>(1, byColumn ? rows : columns);
  int64_t outer = std::max<int64_t>(1, byColumn ? columns : rows);
  int64_t step = layout == "strided" ? 3 : 1, leading = inner * step;
  View view;
  if (layout == "gap" || layout == "colgap" || layout == "strided")
    leading += 3, view.offset = 5;
  if (layout == "wide")
    leading = (inner + 3) / 4 * 4 + 4, view.offset = 8;
  view.sizes = {rows, columns};
  view.strides = {byColumn ? step : leading, byColumn ? leading : step};
  if (layout == "flip")
    view.strides[0] = -leading, view.offset = (std::max<int64_t>(rows, 1) - 1) * leading;
  if (isBatched(single) && !isShared(single, operand)) {
    view.sizes.insert(view.sizes.begin(), single.number("batch"));
    view.strides.insert(view.strides.begin(), leading * outer);
  }
  return view;
}

size_t rooftile::verify::contiguousDim(const Case &single, int operand, const View &view) {
  size_t rank = view.sizes.size();
  if (single.layout(operand) == "strided")
    return rank;
  return isByColumn(single, operand) ? rank - 2 : rank - 1;
}

std::string rooftile::verify::stridedType(const Case &single, int operand) {
  View view = storedView(single, operand);
  bool dynamic = single.flag("dynamic"), plain = single.layout(operand) == "row";
  std::string text = "memref<", strides;
  for (size_t dim = 0; dim < view.sizes.size(); ++dim) {
    text += (dynamic ? "?" : number(view.sizes[dim])) + "x";
    bool isStatic = !dynamic || dim == contiguousDim(single, operand, view);
    strides += (dim ? ", " : "") + (isStatic ? number(view.strides[dim]) : "?");
  }
  text += infoOf(single.element(operand)).type;
  if (plain)
    return text + ">";
  return text + ", strided<[" + strides + "], offset: " + (dynamic ? "?" : number(view.offset)) +
         ">>";
}

//===----------------------------------------------------------------------===//
// Batches by pointers
//===----------------------------------------------------------------------===//

/// Names of the operands that give dimension `dim` (1 or 2) of a batch a size and a stride.
static std::string numberName(int operand, char what, int dim) {
  return std::string("%") + "abc"[operand] + what + number(dim);
}

/// Dimensions whose strides within a matrix are dynamic.
static std::vector<int> dynamicStrides(const Case &single, int operand) {
  std::vector<int> dims;
  for (int dim : {1, 2})
    if (single.flag("dynamic") &&
        contiguousDim(single, operand, storedView(single, operand)) != size_t(dim))
      dims.push_back(dim);
  return dims;
}

std::string rooftile::verify::memrefType(const Case &single, int operand) {
  if (!isByPointers(single, operand))
    return stridedType(single, operand);
  View view = storedView(single, operand);
  bool dynamic = single.flag("dynamic");
  auto text = [&](int64_t value) { return dynamic ? "?" : number(value); };
  std::vector<std::string> strides{number(view.strides[1]), number(view.strides[2])};
  for (int dim : dynamicStrides(single, operand))
    strides[dim - 1] = "?";
  return "memref<" + text(view.sizes[0]) + "x" + text(view.sizes[1]) + "x" + text(view.sizes[2]) +
         "x" + infoOf(single.element(operand)).type + ", #blas.pointers<strides = [" + strides[0] +
         ", " + strides[1] + "], align = " + number(single.align(operand)) + ">>";
}

CaseOperand rooftile::verify::operandOfCase(const Case &single, int operand) {
  std::string name = std::string("%") + "abc"[operand], type = memrefType(single, operand);
  View view = storedView(single, operand);
  if (!isByPointers(single, operand))
    return {name + ": " + type, "", "", {view, 0, single.shift(operand)}, {}};
  std::string table = "memref<" + (single.flag("dynamic") ? "?" : number(view.sizes[0])) + "xi64>";
  CaseOperand result{name + "p: " + table, "", "", {}, {}};
  Argument addresses{view, 0, 0};
  addresses.pointee = Pointee{single.element(operand), single.align(operand)};
  result.argument = addresses;
  std::string sizes, strides;
  auto open = [&](std::string &list, char what, int dim, int64_t value) {
    std::string own = numberName(operand, what, dim);
    list += (list.empty() ? "" : ", ") + own;
    result.scalars += ", " + own + ": index";
    result.scalarArguments.push_back({View{}, Scalar(double(value)), 0});
  };
  for (int dim : {1, 2})
    if (single.flag("dynamic"))
      open(sizes, 's', dim, view.sizes[dim]);
  for (int dim : dynamicStrides(single, operand))
    open(strides, 't', dim, view.strides[dim]);
  result.body = "  " + name + " = blas.batch " + name + "p" +
                (sizes.empty() ? "" : " sizes [" + sizes + "]") +
                (strides.empty() ? "" : " strides [" + strides + "]") + " : " + table + " to " +
                type + "\n";
  return result;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// A number as MLIR has it, with a decimal point and its type.
static std::string floatText(double value, Element type) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17e", value) << " : " << nameOf(type);
  return text;
}

std::string rooftile::verify::constantText(const Case &single, const std::string &scalar) {
  Scalar value = single.scalar(scalar);
  Element type = single.element(3);
  std::string re = floatText(value.real(), realOf(type));
  if (componentsOf(type) == 1)
    return "arith.constant " + re;
  return "complex.constant [" + re + ", " + floatText(value.imag(), realOf(type)) +
         "] : " + std::string(infoOf(type).type);
}

//===----------------------------------------------------------------------===//
// Epilogues
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
// A bias of columns is added in C's type, where that is narrower than the accumulators as well.
//===----------------------------------------------------------------------===//

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
  return {text + infoOf(single.element(2)).type + ">", view};
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
  return emit("arith.constant", text, infoOf(sum).type);
}

/// value + an element of a matrix with these dimensions of C, in C's type if `narrow`.
void Clause::addExtra(std::vector<int64_t> dims, bool narrow) {
  std::string name = "%x" + std::to_string(extras.size()), of = infoOf(c).type,
              to = infoOf(sum).type;
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
  std::string type = infoOf(sum).type;
  std::string half = emit("arith.mulf", value + ", " + constant(0.5), type);
  std::string shifted = emit("arith.addf", inner + ", " + constant(1), type);
  value = emit("arith.mulf", half + ", " + shifted, type);
}

/// By tanh(sqrt(2 / pi) (x + 0.044715 x^3)).
void Clause::gelu() {
  std::string type = infoOf(sum).type;
  std::string square = emit("arith.mulf", value + ", " + value, type);
  std::string part = emit("arith.mulf", square + ", " + constant(0.044715), type);
  std::string factor = emit("arith.addf", part + ", " + constant(1), type);
  std::string cubic = emit("arith.mulf", value + ", " + factor, type);
  std::string inner = emit("arith.mulf", cubic + ", " + constant(0.797885), type);
  sigmoid(emit("math.tanh", inner, type));
}

void Clause::apply(StringRef word) {
  int64_t rank = storedView(single, 2).sizes.size();
  std::string type = infoOf(sum).type;
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
  std::string type = infoOf(sum).type;
  return " epilogue(%sum: " + type + arguments + ") {\n" + body + "    blas.yield " + value +
         " : " + type + "\n  }";
}

CaseEpilogue rooftile::verify::epilogueOfCase(const Case &single) {
  if (single["epilogue"] == "none")
    return {};
  Clause clause(single);
  for (StringRef word : llvm::split(StringRef(single["epilogue"]), '+'))
    clause.apply(word);
  return {clause.text(), std::move(clause.extras)};
}
