//===- FuzzPlan.cpp - Plans at random -------------------------------------===//

#include "FuzzDraw.h"

#include <algorithm>

using namespace rooftile::run;

using Strings = std::vector<std::string>;

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

void rooftile::run::drawPlan(Draw &draw, Case &single) {
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

void rooftile::run::drawSummation(Draw &draw, std::vector<Case> &cases) {
  auto set = [&](const char *key, const char *value) {
    for (Case &each : cases)
      each.values[key] = value;
  };
  if (cases[0]["routine"] == "gemm" && cases[0]["reduction"] != "atomic" && draw.chance(15))
    set("summation", "compensated");
  if (canBeInduced(cases[0]) && draw.chance(70))
    set("complex", "induced");
}
