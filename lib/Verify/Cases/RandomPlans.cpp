//===- RandomPlans.cpp - Plans at random, and what goes with them ---------===//

#include "RandomPlans.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

using namespace rooftile::verify;

using Strings = std::vector<std::string>;

/// Multiplications of a thread in one unrolled step: larger kernels compile slowly, and
/// differ from smaller ones in nothing but size.
static constexpr int64_t kMaxUnrolled = 512;
/// Threads of one group of subgroups: `slicedK` of a plan multiply them.
static constexpr int64_t kMaxThreads = 256;

/// Tiles of a matrix instruction, in place of those of multiply-adds: a few times what a lane has
/// of it, and one or two subgroups; some must be refused.
static void drawInstruction(Draw &draw, Case &single, const Strings &names) {
  static const std::vector<int64_t> repetitions{1, 1, 2, 2, 3}, subgroups{1, 1, 1, 2, 2},
      depths{8, 16, 16, 32, 4};
  single.values["mma"] = draw.of(names);
  const rooftile::tile::Instruction &own = *rooftile::tile::findInstruction(single["mma"]);
  single.values["math"] = own.isOfTf32() ? "tf32" : "strict";
  auto [lanesM, lanesN] = own.lanesOfC();
  auto text = [](int64_t number) { return std::to_string(number); };
  int64_t microM = own.m / lanesM * draw.of(repetitions),
          microN = own.n / lanesN * draw.of(repetitions);
  int64_t threadsM = lanesM * draw.of(subgroups), threadsN = lanesN * draw.of(subgroups);
  if (draw.chance(10))
    (draw.chance(50) ? microM : threadsM) /= 2;
  microM = std::max<int64_t>(1, microM), threadsM = std::max<int64_t>(1, threadsM);
  single.values["macro"] =
      text(microM * threadsM) + "x" + text(microN * threadsN) + "x" + text(draw.of(depths));
  single.values["micro"] = text(microM) + "x" + text(microN);
}

Strings rooftile::verify::instructionsOf(
    llvm::function_ref<bool(const rooftile::tile::Instruction &)> isWanted) {
  Strings names;
  for (const rooftile::tile::Instruction &own : rooftile::tile::allInstructions())
    if (isWanted(own))
      names.push_back(own.name.str());
  return names;
}

/// The instructions of `draw` that multiply elements of a type, or of types with slashes.
static Strings instructionsFor(llvm::StringRef type, const Draw &draw) {
  static const llvm::StringMap<llvm::StringRef> factors{
      {"f64", "f64"}, {"c128", "f64"},  {"f64/c128/c128", "f64"}, {"c128/f64/c128", "f64"},
      {"f32", "f32"}, {"c64", "f32"},   {"f32/c64/c64", "f32"},   {"c64/f32/c64", "f32"},
      {"f16", "f16"}, {"bf16", "bf16"}, {"f16/f16/f32", "f16"},   {"bf16/bf16/f32", "bf16"}};
  return instructionsOf([&](const rooftile::tile::Instruction &own) {
    bool isDrawn = draw.instructions ? llvm::is_contained(*draw.instructions, own.name)
                                     : own.unit == rooftile::tile::MatrixUnit::Mma ||
                                           own.unit == rooftile::tile::MatrixUnit::Wgmma;
    bool isReal = type == "f32"; // complex elements have none of tf32
    return isDrawn && factors.lookup(type) == own.factors.name && (isReal || !own.isOfTf32());
  });
}

/// Values of a plan that an instruction which reads shared memory needs; they would hardly ever
/// be drawn at once; some must be refused.
static void drawSharedFactors(Draw &draw, Case &single) {
  const auto *own = rooftile::tile::findInstruction(single["mma"]);
  if (!own || !own->readsShared())
    return;
  int64_t bytes = own->factors.bytes;
  std::vector<int64_t> macro = single.sizes("macro");
  auto text = [](int64_t number) { return std::to_string(number); };
  std::pair<const char *, std::string> values[] = {
      {"macro",
       text(macro[0]) + "x" + text(macro[1]) + "x" + text(rooftile::tile::kSharedRowBytes / bytes)},
      {"major", draw.of(Strings{"both", "both", "none", "a", "b"})},
      {"swizzle", text(rooftile::tile::kSharedUnitBytes / bytes)},
      {"pad", "0"},
      {"pack", own->needsRowsOfK ? draw.of(Strings{"none", "a", "b", "both"}) : "none"},
      {"prefetch", "0"},
      {"unroll", "0"},
      {"vector", draw.of(Strings{"1", "2"})}};
  for (auto &[key, value] : values)
    if (!draw.chance(2))
      single.values[key] = value;
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
  if (Strings names = instructionsFor(single["type"], draw); !names.empty() && draw.chance(35))
    drawInstruction(draw, single, names);
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
  drawSharedFactors(draw, single);
}

/// Sums whose errors do not grow with K, with the planner's own plan, too.
static void drawSummation(Draw &draw, std::vector<Case> &cases) {
  if (cases[0]["reduction"] != "atomic" && draw.chance(15))
    for (Case &each : cases)
      each.values["summation"] = "compensated";
}

/// Complex numbers as real ones: together with all that this asks of a case, which would hardly
/// ever be drawn at once.
static void drawInduced(Draw &draw, std::vector<Case> &cases) {
  const Case &first = cases[0];
  bool complex = first["type"] == "c64" || first["type"] == "c128";
  if (!complex || first["macro"] == "auto" || first["batch"] != "1" ||
      first["pointers"] != "none" || first.flag("dynamic") || !draw.chance(15))
    return;
  bool isSplit = first["tail"] == "split";
  std::string copy = first["copy"] == "tensor" ? "bulk" : first["copy"];
  std::pair<const char *, std::string> values[] = {
      {"complex", "induced"},
      {"op", draw.of(Strings{"tn", "cn"})},
      {"layout", "row"},
      {"reduction", "workspace"},
      {"splits", draw.of(Strings{"1", "2", "2", "3", "4", "8"})},
      {"products", "4"},
      {"copy", copy},
      {"pack", "none"},
      {"tail", isSplit ? "overlap" : first["tail"]}};
  for (Case &each : cases)
    for (const auto &[key, value] : values)
      each.values[key] = value;
}

//===----------------------------------------------------------------------===//
// Values drawn last, so that the rest of a case does not depend on them
//===----------------------------------------------------------------------===//

/// Draws an epilogue that the types allow; all cases of a kernel have the same.
static void drawEpilogue(Draw &draw, std::vector<Case> &cases) {
  static const Strings any{"row", "column", "residual"},
      real{"relu", "clamp", "scale", "row+relu", "column+scale+residual"},
      single{"row+gelu", "erf", "exp"};
  Element sum = cases[0].element(3);
  // arith converts no complex values, of which a case would add one type to another.
  bool isMixed = componentsOf(sum) == 2 && cases[0].element(2) != sum;
  if (isMixed || !draw.chance(25))
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

/// Operands that are arrays of pointers. Drawn last, so that the rest of a case does not depend on
/// it; plans that need views of operands, or a second kernel for C, are refused.
static void drawPointers(Draw &draw, std::vector<Case> &cases) {
  bool backwards = cases[0]["layout"].find("flip") != std::string::npos;
  if (backwards || !draw.chance(12))
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
/// planar components, vectors without gaps that are copied as one (flat).
static void drawOperands(Draw &draw, std::vector<Case> &cases, const std::string &key) {
  if (cases[0]["macro"] == "auto" || !draw.chance(20))
    return;
  std::string operands = draw.of(Strings{"a", "b", "both", "both"});
  for (Case &each : cases)
    each.values[key] = operands;
}

/// Three real products for a complex one. Drawn last, too.
static void drawProducts(Draw &draw, std::vector<Case> &cases) {
  const std::string type = cases[0]["type"];
  if ((type == "c64" || type == "c128") && draw.chance(25))
    for (Case &each : cases)
      each.values["products"] = "3";
}

/// Groups that share out each K step. Drawn last of all; plans that they do not divide are refused.
static void drawSlicedK(Draw &draw, std::vector<Case> &cases) {
  if (cases[0]["macro"] == "auto" || !draw.chance(25))
    return;
  std::string groups = draw.of(Strings{"2", "2", "4", "8", "3"});
  std::vector<int64_t> macro = cases[0].sizes("macro");
  macro[2] *= std::stoll(groups); // what was drawn is the part of one
  std::string tile =
      std::to_string(macro[0]) + "x" + std::to_string(macro[1]) + "x" + std::to_string(macro[2]);
  for (Case &each : cases)
    each.values["slicedK"] = groups, each.values["macro"] = tile;
}

/// Slices of several K elements. Drawn after the groups; plans that they do not divide are
/// refused.
static void drawDepth(Draw &draw, std::vector<Case> &cases) {
  if (cases[0]["macro"] == "auto" || cases[0]["mma"] != "fma" || !draw.chance(15))
    return;
  std::string depth = draw.of(Strings{"2", "2", "4", "4", "8", "3"});
  for (Case &each : cases)
    each.values["depth"] = depth;
}

/// An operand in scalar registers, with one micro tile along it, and its fragments in runs along K
/// or not; chips without such registers refuse the plan. Drawn last of all.
static void drawScalar(Draw &draw, std::vector<Case> &cases) {
  const Case &first = cases[0];
  if (first["macro"] == "auto" || first["mma"] != "fma" || first["slicedK"] != "1" ||
      first["matrices"] != "1" || !draw.chance(8))
    return;
  size_t dim = draw.below(2);
  std::vector<int64_t> macro = first.sizes("macro"), micro = first.sizes("micro");
  macro[dim] = micro[dim];
  std::string tile =
      std::to_string(macro[0]) + "x" + std::to_string(macro[1]) + "x" + std::to_string(macro[2]);
  std::string major = draw.of(Strings{"none", "a", "b", "both"}),
              direct = draw.of(Strings{"shared", "both"});
  for (Case &each : cases)
    each.values["scalar"] = "ab"[dim], each.values["macro"] = tile, each.values["major"] = major,
    each.values["via"] = direct;
}

/// Rows of C that are written as one.
static void drawRows(Draw &draw, std::vector<Case> &cases) {
  if (cases[0]["out"] == "shared" && draw.chance(50))
    for (Case &each : cases)
      each.values["out"] = "flat";
}

/// One triangle of a square C, in square tiles.
static void drawTriangle(Draw &draw, std::vector<Case> &cases) {
  const Case &first = cases[0];
  bool planned = first["macro"] != "auto";
  bool square = planned && first.sizes("macro")[0] == first.sizes("macro")[1];
  bool parts = first["tail"] == "split" || first["out"] == "flat" || first["complex"] == "induced";
  if ((planned && !square) || parts || !draw.chance(planned ? 30 : 10))
    return;
  std::string triangle = draw.of(Strings{"lower", "upper"});
  for (Case &each : cases)
    each.values["triangle"] = triangle, each.values["raster"] = "1";
}

/// Triangles of operands.
static void drawMasks(Draw &draw, std::vector<Case> &cases) {
  const Case &first = cases[0];
  if (first["tail"] == "split" || first["complex"] == "induced" || !draw.chance(25))
    return;
  std::string rest = draw.of(Strings{"any", "any", "zeros"});
  std::string operands = draw.of(Strings{"A", "A", "B", "B", "AB"});
  for (char operand : operands) {
    Strings masks{"lower", "upper"};
    if (rest == "any")
      masks.insert(masks.end(), {"unit_lower", "unit_upper"});
    std::string mask = draw.of(masks);
    for (Case &each : cases)
      each.values[std::string("mask") + operand] = mask, each.values["rest"] = rest;
  }
}

/// Tiles spread over the banks, and copied by lanes in another order. Drawn last.
static void drawSpread(Draw &draw, std::vector<Case> &cases) {
  if (cases[0]["macro"] == "auto")
    return;
  auto perhaps = [&](const std::string &key, const Strings &values) {
    if (!draw.chance(15))
      return;
    std::string value = draw.of(values);
    for (Case &each : cases)
      each.values[key] = value;
  };
  perhaps("swizzle", {"1", "2", "4", "8"});
  perhaps("across", {"1", "2", "4", "8", "16"});
  perhaps("residency", {"2", "3"});
  perhaps("loadsC", {"1", "4", "16", "256"});
}

/// Tiny products of a batch, each of one thread. Their sizes are those of the case.
static void drawMatrices(Draw &draw, std::vector<Case> &cases) {
  static constexpr int64_t kMostElements = 64;
  const Case first = cases[0];
  int64_t m = first.number("m"), n = first.number("n");
  bool same = llvm::all_of(
      cases, [&](const Case &each) { return each["m"] == first["m"] && each["n"] == first["n"]; });
  if (first["macro"] == "auto" || first["batch"] == "1" || first["triangle"] != "all" ||
      first.flag("dynamic") || !same || m * n > kMostElements || !draw.chance(60))
    return;
  auto text = [](int64_t number) { return std::to_string(number); };
  std::string depth = draw.of(Strings{"1", "1", "2", "4"}), size = text(m) + "x" + text(n);
  std::string macro =
      size + "x" + text(std::stoll(depth) * draw.of(std::vector<int64_t>{1, 2, 3, 4}));
  std::pair<const char *, std::string> values[] = {
      {"macro", macro},     {"micro", size},
      {"depth", depth},     {"lanes", "auto"},
      {"vector", "1"},      {"matrices", draw.of(Strings{"2", "7", "32", "64"})},
      {"mma", "fma"},       {"out", "register"},
      {"copy", "register"}, {"pack", "none"},
      {"planar", "none"},   {"flat", "none"},
      {"via", "shared"},    {"reduction", "none"},
      {"splits", "1"},      {"slicedK", "1"},
      {"unroll", "0"},      {"complex", "native"},
      {"swizzle", "0"},     {"across", "0"}};
  for (Case &each : cases)
    for (const auto &[key, value] : values)
      each.values[key] = value;
}

/// Accumulators that are added to totals.
static void drawTotals(Draw &draw, std::vector<Case> &cases) {
  const Case &first = cases[0];
  if (first["macro"] == "auto" || !rooftile::tile::findInstruction(first["mma"]) ||
      first["products"] == "3" || first["summation"] != "plain" || !draw.chance(20))
    return;
  std::string steps = draw.of(Strings{"1", "2", "3", "5"});
  for (Case &each : cases)
    each.values["promote"] = steps;
}

/// Six products of bf16 for one of f32, or of real elements of c64, with a tile and all else that
/// they need.
static void drawSixProducts(Draw &draw, std::vector<Case> &cases) {
  const Case &first = cases[0];
  bool isComplex = first["type"] == "c64";
  if ((first["type"] != "f32" && !isComplex) || first["macro"] == "auto" ||
      first["pointers"] != "none" || first["maskA"] != "general" || first["maskB"] != "general" ||
      (isComplex && first.flag("dynamic")) || !draw.chance(15))
    return;
  bool isSplit = first["tail"] == "split";
  std::string copy = first["copy"] == "tensor" ? "bulk" : first["copy"];
  std::vector<std::pair<const char *, std::string>> values{
      {"products", "6"},
      {"mma", "m16n8k16_bf16"},
      {"macro", draw.of(Strings{"64x64x32", "32x32x64", "64x32x16"})},
      {"micro", draw.of(Strings{"4x4", "8x8", "4x8"})},
      {"lanes", "auto"},
      {"promote", draw.of(Strings{"24", "48", "96"})},
      {"load", draw.of(Strings{"1", "8"})},
      {"vector", draw.of(Strings{"1", "2"})},
      {"pad", draw.of(Strings{"0", "8"})},
      {"copy", copy},
      {"pack", "both"},
      {"major", "none"},
      {"planar", "none"},
      {"flat", "none"},
      {"via", "shared"},
      {"scalar", "none"},
      {"swizzle", "0"},
      {"depth", "1"},
      {"slicedK", "1"},
      {"matrices", "1"},
      {"unroll", "0"},
      {"summation", "plain"},
      {"tail", isSplit ? "overlap" : first["tail"]}};
  if (isComplex)
    values.insert(values.end(), {{"complex", "induced"},
                                 {"reduction", "workspace"},
                                 {"splits", draw.of(Strings{"1", "1", "2", "3"})},
                                 {"batch", "1"},
                                 {"share", "none"},
                                 {"plans", "one"}});
  for (Case &each : cases)
    for (const auto &[key, value] : values)
      each.values[key] = value;
}

void rooftile::verify::drawLastOfPlan(Draw &draw, std::vector<Case> &cases) {
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
  drawInduced(draw, cases);
  drawTriangle(draw, cases);
  drawMasks(draw, cases);
  drawOperands(draw, cases, "via");
  drawSpread(draw, cases);
  drawMatrices(draw, cases);
  drawScalar(draw, cases);
  drawTotals(draw, cases);
  drawSixProducts(draw, cases);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

std::string rooftile::verify::drawSize(Draw &draw, int64_t tile) {
  int64_t size = draw.below(96);
  if (draw.chance(45))
    size = tile * (1 + draw.below(std::max<int64_t>(1, 80 / tile))) + int64_t(draw.below(3)) - 1;
  else if (draw.chance(30))
    size = 1 + draw.below(8);
  return std::to_string(draw.chance(3) ? size : std::max<int64_t>(size, 1));
}

std::string rooftile::verify::drawManyTiles(Draw &draw, int64_t tile) {
  return std::to_string((kManyTiles - 1) * tile + int64_t(draw.below(tile)));
}
