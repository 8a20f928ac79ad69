//===- CaseLayout.cpp - How the operands of a case lie in memory ----------===//

#include "CaseText.h"

using namespace rooftile::run;

static std::string number(int64_t value) { return std::to_string(value); }

static bool isShared(const Case &single, int operand) {
  return single["share"] == std::string(1, "abc"[operand]);
}

bool rooftile::run::isByPointers(const Case &single, int operand) {
  return single["routine"] == "gemm" && !isShared(single, operand) &&
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

/// Rows and columns of the operand (0 A, 1 B, 2 C) as stored.
static std::pair<int64_t, int64_t> storedShape(const Case &single, int operand) {
  int64_t m = single.number("m"), n = single.number("n"), k = single.number("k");
  if (single["routine"] != "gemm") {
    int64_t order = single["side"] == "left" ? m : n;
    return operand == 0 ? std::pair(order, order) : std::pair(m, n);
  }
  bool transposed = operand < 2 && single.isTransposed(operand);
  int64_t rows = operand == 1 ? k : m, columns = operand == 0 ? k : n;
  return transposed ? std::pair(columns, rows) : std::pair(rows, columns);
}

View rooftile::run::storedView(const Case &single, int operand) {
  auto [rows, columns] = storedShape(single, operand);
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

size_t rooftile::run::contiguousDim(const Case &single, int operand, const View &view) {
  size_t rank = view.sizes.size();
  if (single.layout(operand) == "strided")
    return rank;
  return isByColumn(single, operand) ? rank - 2 : rank - 1;
}

std::string rooftile::run::stridedType(const Case &single, int operand) {
  View view = storedView(single, operand);
  bool dynamic = single.flag("dynamic"), plain = single.layout(operand) == "row";
  std::string text = "memref<", strides;
  for (size_t dim = 0; dim < view.sizes.size(); ++dim) {
    text += (dynamic ? "?" : number(view.sizes[dim])) + "x";
    bool isStatic = !dynamic || dim == contiguousDim(single, operand, view);
    strides += (dim ? ", " : "") + (isStatic ? number(view.strides[dim]) : "?");
  }
  text += typeText(single.element(operand));
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

/// Dimensions whose strides within a matrix the type leaves open.
static std::vector<int> openStrides(const Case &single, int operand) {
  std::vector<int> dims;
  for (int dim : {1, 2})
    if (single.flag("dynamic") &&
        contiguousDim(single, operand, storedView(single, operand)) != size_t(dim))
      dims.push_back(dim);
  return dims;
}

std::string rooftile::run::memrefType(const Case &single, int operand) {
  if (!isByPointers(single, operand))
    return stridedType(single, operand);
  View view = storedView(single, operand);
  bool dynamic = single.flag("dynamic");
  auto text = [&](int64_t value) { return dynamic ? "?" : number(value); };
  std::vector<std::string> strides{number(view.strides[1]), number(view.strides[2])};
  for (int dim : openStrides(single, operand))
    strides[dim - 1] = "?";
  return "memref<" + text(view.sizes[0]) + "x" + text(view.sizes[1]) + "x" + text(view.sizes[2]) +
         "x" + typeText(single.element(operand)) + ", #blas.pointers<strides = [" + strides[0] +
         ", " + strides[1] + "], align = " + single["align"] + ">>";
}

CaseOperand rooftile::run::operandOfCase(const Case &single, int operand) {
  std::string name = std::string("%") + "abc"[operand], type = memrefType(single, operand);
  View view = storedView(single, operand);
  if (!isByPointers(single, operand))
    return {name + ": " + type, "", "", {view, 0, single.shift(operand)}, {}};
  std::string table = "memref<" + (single.flag("dynamic") ? "?" : number(view.sizes[0])) + "xi64>";
  CaseOperand result{name + "p: " + table, "", "", {}, {}};
  Argument addresses{view, 0, 0};
  addresses.pointee = Pointee{single.element(operand), single.number("align")};
  result.argument = addresses;
  std::string sizes, strides;
  auto open = [&](std::string &list, char what, int dim, int64_t value) {
    std::string own = numberName(operand, what, dim);
    list += (list.empty() ? "" : ", ") + own;
    result.numbers += ", " + own + ": index";
    result.numberArguments.push_back({View{}, Scalar(double(value)), 0});
  };
  for (int dim : {1, 2})
    if (single.flag("dynamic"))
      open(sizes, 's', dim, view.sizes[dim]);
  for (int dim : openStrides(single, operand))
    open(strides, 't', dim, view.strides[dim]);
  result.body = "  " + name + " = blas.batch " + name + "p" +
                (sizes.empty() ? "" : " sizes [" + sizes + "]") +
                (strides.empty() ? "" : " strides [" + strides + "]") + " : " + table + " to " +
                type + "\n";
  return result;
}
