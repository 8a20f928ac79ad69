//===- RandomCases.cpp - Cases at random ----------------------------------===//

#include "RandomCases.h"
#include "rooftile/Verify/Model/OperationModel.h"
#include "rooftile/Verify/Runs/Fuzz.h"

#include <algorithm>

using namespace rooftile::verify;
using Strings = std::vector<std::string>;

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static constexpr int kCasesPerDynamicKernel = 16;

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
    modelOf(single).drawSizes(draw, single);
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

/// The first operation of the table is what the others leave.
static const OperationModel &drawModel(Draw &draw) {
  for (const OperationModel *model : operationModels())
    if (model->share() > 0 && draw.chance(model->share()))
      return *model;
  return *operationModels().front();
}

Kernel rooftile::verify::drawKernel(Draw &draw, const std::string &name) {
  Case single = defaultCase();
  drawTypes(draw, single);
  single.values["dynamic"] = draw.of(Strings{"0", "1"});
  drawBatch(draw, single);
  drawLayouts(draw, single);
  drawScalars(draw, single);
  single.values["scalars"] = draw.of(Strings{"const", "arg"});
  drawModel(draw).draw(draw, single);
  std::vector<Case> cases = drawCases(draw, single);
  modelOf(single).drawLast(draw, cases);
  return {name, std::move(cases)};
}

std::vector<Case> rooftile::verify::randomCases(int64_t kernels, uint64_t seed) {
  Draw draw(seed);
  std::vector<Case> cases;
  for (int64_t index = 0; index < kernels; ++index)
    cases.push_back(drawKernel(draw, "f").cases.front());
  return cases;
}

//===----------------------------------------------------------------------===//
// Simplification of failures
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
  for (const char *key : {"batch", "share", "alpha", "beta", "scalars", "layout", "shift"})
    simpler.without({key});
  for (const Key &key : plainPlanKeys())
    if (llvm::StringRef(key.name) != "reduction" && llvm::StringRef(key.name) != "splits")
      simpler.without({key.name});
  for (const char *key : {"pad", "load", "vector", "copy", "plans", "via", "swizzle", "across",
                          "pack", "major", "planar", "flat", "out", "type", "op", "epilogue"})
    simpler.without({key});
  const OperationModel &model = modelOf(single);
  for (const Key &key : model.keys())
    simpler.without({key.name});
  simpler.without({"reduction", "splits"});
  simpler.without({"pointers", "align"});
  simpler.without({"dynamic", "plans"});
  simpler.shifts();
  for (const std::string &key : model.sizeKeys())
    simpler.smaller(key);
  return std::move(simpler.list);
}
