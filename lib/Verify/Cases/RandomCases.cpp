//===- RandomCases.cpp - Cases at random ----------------------------------===//

#include "RandomCases.h"

#include <algorithm>

using namespace rooftile::verify;
using Strings = std::vector<std::string>;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Multiplications of a thread in one unrolled step: larger kernels take long to compile, and
/// differ from smaller ones in nothing but size.
static constexpr int64_t kMaxUnrolled = 512;
/// Threads of one group of subgroups: `slicedK` of a plan multiply them.
static constexpr int64_t kMaxThreads = 256;

/// Tiles of a matrix instruction, in place of those of multiply-adds; some must be refused.
static void drawInstruction(Draw &draw, Case &single) {
  static const Strings names{"m8n8k4_f64",   "m16n8k4_f64", "m16n8k8_f64", "m16n8k8_f64",
                             "m16n8k16_f64", "m8n16k4_f64", "m8n16k8_f64"};
  static const std::vector<int64_t> micros{2, 2, 4, 4, 6, 1}, threadsM{4, 8, 8, 16},
      threadsN{4, 8, 8, 12}, depths{8, 16, 16, 32, 4};
  int64_t microM = draw.of(micros), microN = draw.of(micros);
  auto text = [](int64_t number) { return std::to_string(number); };
  single.values["mma"] = draw.of(names);
  single.values["macro"] = text(microM * draw.of(threadsM)) + "x" +
                           text(microN * draw.of(threadsN)) + "x" + text(draw.of(depths));
  single.values["micro"] = text(microM) + "x" + text(microN);
}

void rooftile::verify::drawPlan(Draw &draw, Case &single) {
  static const std::vector<int64_t> micros{1, 2, 2, 4, 4, 4, 8, 3, 5, 6, 7};
  static const std::vector<int64_t> threads{1, 2, 4, 4, 8, 8, 16, 32};
  static const std::vector<int64_t> depths{8, 8, 8, 16, 16, 32, 4, 2, 1, 12};
  int64_t microM, microN, threadsM, threadsN, depth;
  do {
    microM = draw.of(micros), microN = draw.of(micros);
    depth = draw.of(depths);
  } while (microM * microN * depth > kMaxUnrolled);
  do
    threadsM = draw.of(threads), threadsN = draw.of(threads);
  while (threadsM * threadsN > kMaxThreads);
  auto text = [](int64_t number) { return std::to_string(number); };
  single.values["macro"] =
      text(microM * threadsM) + "x" + text(microN * threadsN) + "x" + text(depth);
  single.values["micro"] = text(microM) + "x" + text(microN);
  static const Strings multiplied{"f64", "c128", "f64/c128/c128", "c128/f64/c128"};
  if (std::count(multiplied.begin(), multiplied.end(), single["type"]) && draw.chance(35))
    drawInstruction(draw, single);
  single.values["vector"] = draw.of(Strings{"1", "1", "2", "4", "8"});
  single.values["load"] = draw.of(Strings{"1", "2", "4", "8"});
  single.values["pad"] = draw.of(Strings{"0", "0", "1", "2", "4"});
  single.values["stages"] = draw.of(Strings{"1", "2", "2", "3"});
  single.values["raster"] = draw.of(Strings{"1", "2", "3", "7"});
  auto perhaps = [&](const std::string &key, int percent, const Strings &values) {
    if (draw.chance(percent))
      single.values[key] = draw.of(values);
  };
  perhaps("tail", 60, {"overlap", "guard", "split"});
  perhaps("copy", 40, {"async", "a", "b", "bulk", "tensor"});
  perhaps("out", 30, {"shared"});
  perhaps("reduction", 30, {"workspace", "atomic", "cluster"});
  perhaps("prefetch", 20, {"1"});
  perhaps("unroll", 20, {"1", "2", "4", "8"});
  if (single["reduction"] == "cluster")
    perhaps("splits", 100, {"2", "2", "4", "4", "8", "3"});
  else if (single["reduction"] != "none")
    perhaps("splits", 100, {"2", "2", "3", "4", "8", "1"});
  if (single.flag("dynamic"))
    perhaps("plans", 50, {"set"});
  perhaps("pack", 20, {"a", "b", "both"});
}

/// Whether complex = induced may be a plan for a case, by what the case is.
static bool canBeInduced(const Case &single) {
  bool complex = single["type"] == "c64" || single["type"] == "c128";
  bool along = single["op"] == "tn" || single["op"] == "cn";
  bool whole = single["pack"] == "none" && single["tail"] != "split" && single["products"] == "4" &&
               single["copy"] != "tensor";
  return single["routine"] == "gemm" && complex && along && whole && single["batch"] == "1" &&
         single["layout"] == "row" && !single.flag("dynamic") && single["macro"] != "auto" &&
         single["reduction"] == "workspace";
}

void rooftile::verify::drawSummation(Draw &draw, std::vector<Case> &cases) {
  auto set = [&](const char *key, const char *value) {
    for (Case &each : cases)
      each.values[key] = value;
  };
  if (cases[0]["routine"] == "gemm" && cases[0]["reduction"] != "atomic" && draw.chance(15))
    set("summation", "compensated");
  if (canBeInduced(cases[0]) && draw.chance(70))
    set("complex", "induced");
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static constexpr int kCasesPerDynamicKernel = 16;

/// 0 seldom; else near a multiple of the tile, tiny, or anything.
static std::string drawSize(Draw &draw, int64_t tile) {
  int64_t size = draw.below(96);
  if (draw.chance(45))
    size = tile * (1 + draw.below(std::max<int64_t>(1, 80 / tile))) + int64_t(draw.below(3)) - 1;
  else if (draw.chance(30))
    size = 1 + draw.below(8);
  return std::to_string(draw.chance(3) ? size : std::max<int64_t>(size, 1));
}

static void drawSizes(Draw &draw, Case &single) {
  if (single["routine"] != "gemm") {
    int64_t order = single["blocks"] == "auto" ? 16 : std::max<int64_t>(single.number("blocks"), 4);
    single.values["m"] = drawSize(draw, order);
    single.values["n"] = drawSize(draw, order);
    return;
  }
  // Wide accesses need strides that are multiples of their width.
  bool planned = single["macro"] != "auto", wide = draw.chance(30);
  std::vector<int64_t> macro = planned ? single.sizes("macro") : std::vector<int64_t>{16, 16, 8};
  single.values["m"] = drawSize(draw, macro[0]);
  single.values["n"] = drawSize(draw, macro[1]);
  single.values["k"] = drawSize(draw, macro[2]);
  for (std::string size : {"m", "n", "k"})
    if (wide)
      single.values[size] = std::to_string((single.number(size) + 3) / 4 * 4);
}

static std::string drawLayout(Draw &draw) {
  static const Strings names{"row", "col", "gap", "wide", "colgap", "strided", "flip"};
  return draw.of(names);
}

static void drawLayouts(Draw &draw, Case &single) {
  if (draw.chance(35))
    return;
  std::string one = drawLayout(draw);
  single.values["layout"] =
      draw.chance(50) ? one : drawLayout(draw) + "/" + drawLayout(draw) + "/" + one;
}

static void drawScalars(Draw &draw, Case &single) {
  static const Strings alphas{"none", "1", "-2", "0", "0.5", "3.25", "1:-2", "0:0.5"};
  static const Strings betas{"none", "0", "1", "3", "-0.75", "0.5:1", "0:-1"};
  single.values["alpha"] = draw.of(alphas);
  single.values["beta"] = draw.of(betas);
}

static void drawBatch(Draw &draw, Case &single) {
  if (!draw.chance(25))
    return;
  single.values["batch"] = std::to_string(2 + draw.below(3));
  single.values["share"] = draw.of(Strings{"none", "none", "a", "b"});
}

/// Operands that are arrays of pointers. Drawn last, so that the rest of a case does not depend on
/// it; plans that need views of operands, or a second kernel for C, are refused.
static void drawPointers(Draw &draw, std::vector<Case> &cases) {
  bool backwards = cases[0]["layout"].find("flip") != std::string::npos;
  if (cases[0]["routine"] != "gemm" || backwards || !draw.chance(12))
    return;
  std::string pointers = draw.of(Strings{"a", "b", "c", "ab", "bc", "abc", "abc"}),
              align = draw.of(Strings{"0", "16", "16", "32"});
  for (Case &each : cases)
    each.values["pointers"] = pointers, each.values["align"] = align;
}

/// Shared tiles whose neighbours lie along K, of operands that are not copied first. Drawn last.
static void drawMajor(Draw &draw, std::vector<Case> &cases) {
  if (cases[0]["macro"] == "auto" || cases[0]["copy"] == "bulk" || cases[0]["copy"] == "tensor" ||
      !draw.chance(20))
    return;
  std::string major = draw.of(Strings{"a", "b", "both"});
  for (Case &each : cases)
    each.values["major"] = major;
}

/// `key` of a plan by hand, for one operand or both. Drawn last: planes of real and of imaginary
/// parts (apart), lines without gaps that are copied as one (flat).
static void drawOperands(Draw &draw, std::vector<Case> &cases, const std::string &key) {
  if (cases[0]["routine"] != "gemm" || cases[0]["macro"] == "auto" || !draw.chance(20))
    return;
  std::string operands = draw.of(Strings{"a", "b", "both", "both"});
  for (Case &each : cases)
    each.values[key] = operands;
}

/// Three real products for a complex one. Drawn last, too.
static void drawProducts(Draw &draw, std::vector<Case> &cases) {
  const std::string type = cases[0]["type"];
  if (cases[0]["routine"] == "gemm" && (type == "c64" || type == "c128") && draw.chance(25))
    for (Case &each : cases)
      each.values["products"] = "3";
}

/// Groups that share out each K step. Drawn last of all; plans that they do not divide are refused.
static void drawSlicedK(Draw &draw, std::vector<Case> &cases) {
  if (cases[0]["routine"] != "gemm" || cases[0]["macro"] == "auto" || !draw.chance(25))
    return;
  std::string groups = draw.of(Strings{"2", "2", "4", "8", "3"});
  std::vector<int64_t> macro = cases[0].sizes("macro");
  macro[2] *= std::stoll(groups); // what was drawn is the part of one
  std::string tile =
      std::to_string(macro[0]) + "x" + std::to_string(macro[1]) + "x" + std::to_string(macro[2]);
  for (Case &each : cases)
    each.values["slicedK"] = groups, each.values["macro"] = tile;
}

/// Slices of several K elements. Drawn behind the groups; plans that they do not divide are
/// refused.
static void drawDepth(Draw &draw, std::vector<Case> &cases) {
  if (cases[0]["routine"] != "gemm" || cases[0]["macro"] == "auto" || cases[0]["mma"] != "fma" ||
      !draw.chance(15))
    return;
  std::string depth = draw.of(Strings{"2", "2", "4", "4", "8", "3"});
  for (Case &each : cases)
    each.values["depth"] = depth;
}

/// Rows of C that are written as one.
static void drawRows(Draw &draw, std::vector<Case> &cases) {
  if (cases[0]["out"] == "shared" && draw.chance(50))
    for (Case &each : cases)
      each.values["out"] = "flat";
}

/// Base pointers that are aligned to elements only.
static void drawShift(Draw &draw, Case &single) {
  static const Strings numbers{"0", "1", "1", "2", "3"};
  single.values["shift"] = "0";
  if (!draw.chance(25))
    return;
  std::string one = draw.of(numbers);
  single.values["shift"] =
      draw.chance(30) ? one : draw.of(numbers) + "/" + draw.of(numbers) + "/" + one;
}

/// Blocks are legal whatever they are.
static void drawTriangular(Draw &draw, Case &single) {
  single.values["routine"] = draw.of(Strings{"trmm", "trsm"});
  single.values["type"] = draw.of(Strings{"f32", "f64"});
  single.values["side"] = draw.of(Strings{"left", "right"});
  single.values["uplo"] = draw.of(Strings{"lower", "upper"});
  single.values["op"] = draw.of(Strings{"nn", "tn"});
  single.values["diag"] = draw.of(Strings{"non_unit", "unit"});
  single.values["form"] = draw.of(Strings{"in", "out"});
  single.values["beta"] = "none";
  if (single["share"] == "b")
    single.values["share"] = "a";
  single.values["blocks"] =
      draw.of(Strings{"auto", "0", "1", "2", "4", "7", "8", "8", "16", "16", "32", "64"});
  if (single["blocks"] != "auto")
    single.values["workgroup"] = draw.of(Strings{"64", "64", "1", "32", "33", "128", "256"});
}

/// Mostly one type for all; else what the dialect lets be mixed.
static void drawTypes(Draw &draw, Case &single) {
  static const Strings same{"f32", "f32", "f64", "f64", "c64", "c64", "c128", "f16", "bf16"};
  static const Strings mixed{
      "f16/f16/f32",     "bf16/bf16/f32", "f16/bf16/f32",    "f32/bf16/f32",     "f32/f32/f16/f32",
      "f32/f32/f32/f64", "f32/f64/f64",   "f64/f32/f32/f64", "f16/f32/f64",      "f32/c64/c64",
      "c64/f32/c64",     "f64/c128/c128", "c128/f64/c128",   "c64/c64/c64/c128", "f32/c64/c64/c128",
      "c64/f16/c64",     "bf16/c64/c128"};
  single.values["type"] = draw.of(draw.chance(80) ? same : mixed);
  static const std::string letters = "nntcj";
  std::string op;
  for (int operand = 0; operand < 2; ++operand)
    op += letters[draw.below(letters.size())];
  single.values["op"] = op;
}

/// The cases that one kernel serves: several where sizes are given at run time.
static std::vector<Case> drawCases(Draw &draw, Case single) {
  std::vector<Case> cases;
  for (int i = 0; i < (single.flag("dynamic") ? kCasesPerDynamicKernel : 1); ++i) {
    drawSizes(draw, single);
    drawShift(draw, single);
    if (Case other = single; i > 0 && single["scalars"] == "arg") {
      drawScalars(draw, other);
      for (std::string scalar : {"alpha", "beta"})
        if (single[scalar] != "none" && other[scalar] != "none")
          single.values[scalar] = other[scalar];
    }
    cases.push_back(single);
  }
  return cases;
}

/// What is applied to the sums: what their type has; all cases of a kernel the same. Drawn last, so
/// that the rest of a case does not depend on it.
static void drawEpilogue(Draw &draw, std::vector<Case> &cases) {
  static const Strings any{"row", "column", "residual"},
      real{"relu", "clamp", "scale", "row+relu", "column+scale+residual"},
      single{"row+gelu", "erf", "exp"};
  Element sum = cases[0].element(3);
  if (cases[0]["routine"] != "gemm" || !draw.chance(25))
    return;
  Strings words = any;
  if (componentsOf(sum) == 1)
    words.insert(words.end(), real.begin(), real.end());
  if (sum == Element::F32)
    words.insert(words.end(), single.begin(), single.end());
  std::string word = draw.of(words);
  for (Case &each : cases)
    each.values["epilogue"] = word;
}

Kernel rooftile::verify::drawKernel(Draw &draw, const std::string &name) {
  Case single = defaultCase();
  drawTypes(draw, single);
  single.values["dynamic"] = draw.of(Strings{"0", "1"});
  drawBatch(draw, single);
  drawLayouts(draw, single);
  drawScalars(draw, single);
  single.values["scalars"] = draw.of(Strings{"const", "arg"});
  if (draw.chance(25))
    drawTriangular(draw, single);
  else if (draw.chance(85))
    drawPlan(draw, single);
  std::vector<Case> cases = drawCases(draw, single);
  drawEpilogue(draw, cases);
  drawPointers(draw, cases);
  drawMajor(draw, cases);
  drawProducts(draw, cases);
  drawSlicedK(draw, cases);
  drawOperands(draw, cases, "planar");
  drawOperands(draw, cases, "flat");
  drawDepth(draw, cases);
  drawRows(draw, cases);
  drawSummation(draw, cases);
  return {name, std::move(cases)};
}

//===----------------------------------------------------------------------===//
// What a failure is made simpler by
//===----------------------------------------------------------------------===//

namespace {

/// Collects cases that differ from one in a key or two.
class Simpler {
public:
  explicit Simpler(const Case &single) : single(single), plain(defaultCase()) {}

  void with(const std::string &key, const std::string &value) {
    if (single[key] == value)
      return;
    list.push_back(single);
    list.back().values[key] = value;
  }
  /// Puts keys that mean something together only back to their defaults.
  void without(const std::vector<std::string> &keys) {
    Case other = single;
    for (const std::string &key : keys)
      other.values[key] = plain[key];
    if (other.values != single.values)
      list.push_back(std::move(other));
  }
  void smaller(const std::string &key) {
    int64_t size = single.number(key);
    for (int64_t smaller : {int64_t(1), size / 4, size / 2, size * 3 / 4, size - 1})
      if (smaller > 0 && smaller < size)
        with(key, std::to_string(smaller));
  }
  /// One operand's pointer alone.
  void shifts() {
    int64_t a = single.shift(0), b = single.shift(1), c = single.shift(2);
    auto text = [](int64_t number) { return std::to_string(number); };
    if ((a != 0) + (b != 0) + (c != 0) < 2)
      return;
    with("shift", text(a) + "/0/0");
    with("shift", "0/" + text(b) + "/0");
    with("shift", "0/0/" + text(c));
  }

  std::vector<Case> list;

private:
  const Case &single;
  Case plain;
};

} // namespace

std::vector<Case> rooftile::verify::simplerCases(const Case &single) {
  Simpler simpler(single);
  for (const char *key :
       {"batch",  "share",    "alpha",    "beta",   "scalars", "layout",    "shift",  "products",
        "raster", "prefetch", "unroll",   "stages", "pad",     "load",      "vector", "tail",
        "copy",   "plans",    "mma",      "pack",   "major",   "planar",    "flat",   "out",
        "depth",  "side",     "uplo",     "diag",   "complex", "summation", "form",   "workgroup",
        "type",   "op",       "epilogue", "slicedK"})
    simpler.without({key});
  simpler.without({"reduction", "splits"});
  simpler.without({"pointers", "align"});
  simpler.without({"blocks", "workgroup"});
  simpler.without({"dynamic", "plans"});
  simpler.shifts();
  for (const char *key : {"m", "n"})
    simpler.smaller(key);
  if (single["routine"] == "gemm")
    simpler.smaller("k");
  return std::move(simpler.list);
}
