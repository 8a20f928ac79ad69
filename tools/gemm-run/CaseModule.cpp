//===- CaseModule.cpp - The MLIR text of a case ---------------------------===//

#include "CaseText.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "rooftile/Dialect/Tile/Instructions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace rooftile::run;

static std::string number(int64_t value) { return std::to_string(value); }

/// A power of two that divides `value`, at most `limit`.
static int64_t powerOf2Factor(int64_t value, int64_t limit) {
  int64_t factor = 1;
  while (2 * factor <= limit && value % (2 * factor) == 0)
    factor *= 2;
  return factor;
}

static bool isSet(const Case &single) { return single["plans"] == "set"; }

/// Whether `key` names operand 0 (A) or 1 (B), or both.
static bool names(const Case &single, const std::string &key, int operand) {
  return single[key] == "both" || single[key] == std::string(1, "ab"[operand]);
}

/// Whether an operand is copied first.
static bool isPacked(const Case &single, int operand) { return names(single, "pack", operand); }

/// The widest global access that an operand's layout and the plan's tile allow; `aligned`: what is
/// dynamic allows any.
static int64_t loadWidth(const Case &single, int operand, int64_t wish, bool aligned) {
  std::vector<int64_t> macro = single.sizes("macro"), micro = single.sizes("micro");
  View view = storedView(single, operand);
  size_t rank = view.sizes.size(), row = rank - 2, column = rank - 1;
  size_t contiguous = contiguousDim(single, operand, view);
  bool packed = isPacked(single, operand);
  if (!packed && ((single.flag("dynamic") && !aligned) || contiguous == rank))
    return 1;
  bool anywhere = isByPointers(single, operand);
  for (size_t dim = anywhere ? 1 : 0; dim < rank && !aligned && !packed; ++dim)
    wish = powerOf2Factor(dim == contiguous ? view.sizes[dim] : view.strides[dim], wish);
  bool alongK =
      !packed && (contiguous == (operand == 0 ? column : row)) != single.isTransposed(operand);
  int64_t extent = operand == 0 ? macro[0] : macro[1];
  wish = powerOf2Factor(alongK ? macro[2] : extent, wish);
  wish = aligned || packed || anywhere ? wish : powerOf2Factor(view.offset, wish);
  int64_t threads = macro[0] / micro[0] * (macro[1] / micro[1]);
  while (wish > 1 && extent * macro[2] / wish % threads != 0)
    wish /= 2;
  return wish;
}

/// `wish` elements of an operand, within accesses of 16 bytes.
static int64_t within(const Case &single, int operand, int64_t wish) {
  return std::min<int64_t>(wish, 16 / bytesOf(single.element(operand)));
}

/// The same for accesses in memory, where the addresses of matrices are aligned to less.
static int64_t accessWithin(const Case &single, int operand, int64_t wish) {
  wish = within(single, operand, wish);
  int64_t bytes = bytesOf(single.element(operand));
  bool narrow = isByPointers(single, operand) && single.number("align") < wish * bytes;
  return narrow ? std::max<int64_t>(1, single.number("align") / bytes) : wish;
}

/// The runs of fragments that the case asks for.
static int64_t fragmentVector(const Case &single) {
  int64_t wish = single.number("vector");
  return std::max(within(single, 0, wish), within(single, 1, wish));
}

/// Whether tiles of an operand, loaded in accesses of `width`, can be copied in rows, or as boxes.
static bool isBulk(const Case &single, int operand, int64_t width, bool aligned, bool boxes) {
  int64_t bytes = bytesOf(single.element(operand)), macro = single.sizes("macro")[operand];
  int64_t size = single.number(operand == 0 ? "m" : "n");
  View view = storedView(single, operand);
  size_t row = view.sizes.size() - 2, contiguous = contiguousDim(single, operand, view);
  bool alongK = (contiguous == row + 1 - operand) != single.isTransposed(operand);
  bool runs = isPacked(single, operand) || (contiguous < view.sizes.size() && !alongK);
  bool whole = width * bytes == 16 && (macro | single.number("pad")) * bytes % 16 == 0;
  bool moved = single["tail"] == "split" || (single["tail"] == "overlap" && size % width == 0);
  bool inside = size % macro == 0 || (moved && size >= macro);
  bool crosses = single["tail"] != "overlap" || size < macro || isPacked(single, operand);
  bool deep = single.number("k") % single.sizes("macro")[2] == 0;
  bool fits = boxes ? inside || crosses : inside && deep;
  return runs && whole && (aligned || (!single.flag("dynamic") && fits));
}

/// Whether tiles of an operand that can be copied in whole rows can be copied at once: of one
/// matrix whose rows follow each other upward, to slots that begin at multiples of 128 bytes.
static bool isTensor(const Case &single, int operand) {
  constexpr int64_t kMostBox = rooftile::tile::kMostBox;
  std::vector<int64_t> macro = single.sizes("macro");
  bool packed = isPacked(single, operand), batched = storedView(single, operand).sizes.size() > 2;
  bool forward = packed || (single.flag("dynamic") ? single.layout(operand) == "row"
                                                   : single.layout(operand) != "flip");
  bool slots = true;
  for (int of = 0; of <= operand; ++of)
    slots &= macro[of] * macro[2] * bytesOf(single.element(of)) % rooftile::tile::kBoxBytes == 0;
  return !batched && forward && slots && single.number("pad") == 0 && macro[2] <= kMostBox &&
         macro[operand] * partsOf(single.element(operand)) <= kMostBox;
}

/// How an operand is copied that is loaded in accesses of `width`.
static std::string copyOf(const Case &single, int operand, int64_t width, bool aligned) {
  const std::string &copy = single["copy"];
  bool boxes = copy == "tensor" && isTensor(single, operand);
  bool inBulk = copy == "bulk" || copy == "tensor";
  if (inBulk && isBulk(single, operand, width, aligned, boxes))
    return boxes ? "tensor" : "bulk";
  bool halves = partsOf(single.element(operand)) == 1 && bytesOf(single.element(operand)) < 4;
  if (inBulk)
    return halves ? "register" : "async";
  return copy == "async" || copy == std::string(1, "ab"[operand]) ? "async" : "register";
}

static std::string pathText(const Case &single, int operand, bool aligned) {
  int64_t wish = accessWithin(single, operand, single.number("load"));
  int64_t width = loadWidth(single, operand, wish, aligned);
  return "<via = shared, copy = " + copyOf(single, operand, width, aligned) +
         ", vector = " + number(width) + ", pad = " + single["pad"] +
         (isPacked(single, operand) ? ", pack = 1" : "") +
         (names(single, "major", operand) ? ", major = k>" : ">");
}

static std::string planText(const Case &single, bool aligned) {
  auto list = [](const std::vector<int64_t> &sizes) {
    return "[" + llvm::join(llvm::map_range(sizes, number), ", ") + "]";
  };
  std::vector<int64_t> macro = single.sizes("macro"), micro = single.sizes("micro"), lanes;
  if (single["lanes"] != "auto") {
    lanes = single.sizes("lanes");
  } else if (const auto *instruction = rooftile::tile::findInstruction(single["mma"])) {
    std::array<int64_t, 2> own = instruction->lanesOfC();
    lanes = {own[0], own[1]};
  } else {
    int64_t threadsM = macro[0] / micro[0], threadsN = macro[1] / micro[1];
    int64_t alongN = powerOf2Factor(threadsN, 32 / powerOf2Factor(threadsM, 4));
    lanes = {powerOf2Factor(threadsM, 32 / alongN), alongN};
  }
  std::string text = "<macro = " + list(macro) + ", micro = " + list(micro) +
                     ", lanes = " + list(lanes) + ", vector = " + number(fragmentVector(single)) +
                     ", a = " + pathText(single, 0, aligned) +
                     ", b = " + pathText(single, 1, aligned) + ", c = " + single["out"];
  for (std::string key :
       {"mma", "products", "stages", "ahead", "unroll", "reduction", "splits", "tail", "raster"})
    text += ", " + key + " = " + single[key];
  return text + ">";
}

/// plan(<...>), plans([#blas.case<...>, ...]), or nothing when the planner decides.
static std::string planClause(const Case &single) {
  if (single["macro"] == "auto")
    return "";
  std::string any = planText(single, false);
  if (!isSet(single))
    return " plan(" + any + ")";
  std::vector<int64_t> macro = single.sizes("macro");
  auto multipleOf = [](int64_t size) { return "<multiple = " + number(size) + ">"; };
  std::string when = "<m = " + multipleOf(macro[0]) + ", n = " + multipleOf(macro[1]) +
                     ", k = " + multipleOf(macro[2]);
  for (int operand : {0, 1})
    if (!isPacked(single, operand))
      when += std::string(", ") + "ab"[operand] + " = " +
              number(loadWidth(single, operand,
                               accessWithin(single, operand, single.number("load")), true));
  if (contiguousDim(single, 2, storedView(single, 2)) < storedView(single, 2).sizes.size())
    when += ", c = " + number(accessWithin(single, 2, fragmentVector(single)));
  return " plans([#blas.case<when = " + when + ">, plan = " + planText(single, true) +
         ">, #blas.case<plan = " + any + ">])";
}

std::string rooftile::run::typeText(Element element) {
  std::string real = nameOf(realOf(element));
  return partsOf(element) == 2 ? "complex<" + real + ">" : real;
}

/// A number as MLIR has it, with a decimal point and its type.
static std::string floatText(double value, Element type) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17e", value) << " : " << nameOf(type);
  return text;
}

std::string rooftile::run::constantText(const Case &single, const std::string &scalar) {
  Scalar value = single.scalar(scalar);
  Element type = single.element(3);
  std::string re = floatText(value.real(), realOf(type));
  if (partsOf(type) == 1)
    return "arith.constant " + re;
  return "complex.constant [" + re + ", " + floatText(value.imag(), realOf(type)) +
         "] : " + typeText(type);
}

/// The clauses that make an operation what the case says.
static std::string attributesOf(const Case &single) {
  std::string text;
  for (int operand : {0, 1})
    if (char op = single["op"][operand]; op != 'n')
      text += std::string(" op_") + "ab"[operand] + "<" + op + ">";
  text += single["products"] == "3" ? " math<emulated>" : "";
  text += single["reduction"] == "atomic" ? " any_order" : "";
  if (llvm::StringRef(single["type"]).count('/') == 3)
    text += " acc(" + typeText(single.element(3)) + ")";
  return text;
}

std::string rooftile::run::functionOf(const Case &single, const std::string &name) {
  if (single["routine"] != "gemm")
    return triangularFunctionOf(single, name);
  std::string types[] = {memrefType(single, 0), memrefType(single, 1), memrefType(single, 2)};
  std::string type = typeText(single.element(3));
  std::string header = "func.func @" + name + "(", numbers, body, clauses;
  for (int operand : {0, 1, 2}) {
    CaseOperand own = operandOfCase(single, operand);
    header += (operand ? ", " : "") + own.parameter;
    numbers += own.numbers;
    body += own.body;
  }
  for (std::string scalar : {"alpha", "beta"}) {
    if (single[scalar] == "none")
      continue;
    clauses += " " + scalar + "(%" + scalar + " : " + type + ")";
    if (single["scalars"] == "arg")
      header += ", %" + scalar + ": " + type;
    else
      body += "  %" + scalar + " = " + constantText(single, scalar) + "\n";
  }
  CaseEpilogue epilogue = epilogueOfCase(single);
  for (size_t index = 0; index < epilogue.extras.size(); ++index)
    header += ", %e" + number(index) + ": " + epilogue.extras[index].type;
  header += numbers;
  body += std::string("  blas.gemm") + attributesOf(single) + " ins(%a, %b : " + types[0] + ", " +
          types[1] + ") outs(%c : " + types[2] + ")" + clauses + planClause(single) +
          epilogue.clause;
  return header + ") {\n" + body + " loc(\"" + single.text() + "\":1:1)\n  return\n}\n";
}

Call rooftile::run::callOfCase(const Case &single, const std::string &name) {
  if (single["routine"] != "gemm")
    return triangularCallOf(single, name);
  Call call{name, single.text(), {}};
  std::vector<Argument> numbers;
  for (int operand : {0, 1, 2}) {
    CaseOperand own = operandOfCase(single, operand);
    call.arguments.push_back(own.argument);
    numbers.insert(numbers.end(), own.numberArguments.begin(), own.numberArguments.end());
  }
  for (std::string scalar : {"alpha", "beta"})
    if (single[scalar] != "none" && single["scalars"] == "arg")
      call.arguments.push_back({View{}, single.scalar(scalar), 0});
  for (const CaseExtra &extra : epilogueOfCase(single).extras)
    call.arguments.push_back({extra.view, extra.isScalar ? 0.75 : 0, 0});
  call.arguments.insert(call.arguments.end(), numbers.begin(), numbers.end());
  return call;
}
