//===- Picks.cpp - Plans that are picked at real sizes --------------------===//

#include "rooftile/Verify/Runs/Picks.h"
#include "RandomCases.h"
#include "rooftile/Target/Chips.h"
#include "rooftile/Verify/Model/OperationModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace rooftile::verify;

static constexpr int64_t kMostSize = 8192, kMostK = 2000000, kMostBatch = 100000;
/// Elements of one operand: 512 MiB in f64.
static constexpr double kMostElements = 0x1p26;

/// Keys of what is asked for. All others are the planner's affair, or not of its sizes.
static const std::vector<std::string> kAsked{
    "type",     "op",       "m",       "n",      "k",       "batch",    "share",
    "alpha",    "beta",     "scalars", "layout", "dynamic", "products", "summation",
    "epilogue", "triangle", "maskA",   "rest",   "maskB",   "routine",  "side",
    "uplo",     "diag",     "form",    "exact",  "math"};

/// 1 .. `most`, log-uniform.
static int64_t drawLog(Draw &draw, int64_t most) {
  double share = double(draw.below(1 << 30)) / (1 << 30);
  return std::llround(std::exp(share * std::log(double(most))));
}

static void drawSizes(Draw &draw, Case &single) {
  auto set = [&](const char *key, int64_t size) { single.values[key] = std::to_string(size); };
  set("m", drawLog(draw, kMostSize)), set("n", drawLog(draw, kMostSize));
  set("k", drawLog(draw, draw.chance(20) ? kMostK : kMostSize));
  if (single["batch"] != "1")
    set("batch", drawLog(draw, kMostBatch));
}

/// Elements of the largest operand.
static double elementsOf(const Case &single) {
  double most = 0;
  for (int operand : {0, 1, 2}) {
    auto [rows, columns] = modelOf(single).storedShape(single, operand);
    most = std::max(most, double(rows) * double(columns));
  }
  return most * double(single.number("batch"));
}

/// Rows and columns of a tile as they may be, and how much more work one tile may be than is asked
/// for: that of the longest K but few.
static constexpr int64_t kTile = 64;
static constexpr double kMoreWork = 16;

/// Multiply-adds that must run for the operation to run.
static double workOf(const Case &single) {
  double m = double(single.number("m")), n = double(single.number("n"));
  double components = componentsOf(single.element(0)) * componentsOf(single.element(2));
  if (modelOf(single).hasIndependentTiles())
    return std::min<double>(m, kTile) * std::min<double>(n, kTile) * double(single.number("k")) *
           components / kMoreWork;
  auto [rows, columns] = modelOf(single).storedShape(single, 0);
  return m * n * double(std::max(rows, columns)) * double(single.number("batch")) * components;
}

static Case drawPick(Draw &draw, double work) {
  Case drawn = drawKernel(draw, "f").cases.front(), single = defaultCase();
  for (const std::string &key : kAsked)
    single.values[key] = drawn[key];
  do
    drawSizes(draw, single);
  while (elementsOf(single) > kMostElements || workOf(single) > work);
  return single;
}

std::vector<std::string> rooftile::verify::drawPicks(int64_t count, uint64_t seed, double work) {
  Draw draw(seed);
  std::vector<std::string> lines;
  for (int64_t pick = 0; pick < count; ++pick)
    lines.push_back(drawPick(draw, work).text());
  return lines;
}

int rooftile::verify::runPicks(mlir::MLIRContext &context, int64_t count,
                               const CaseOptions &options, Report &report) {
  bool wholly = options.compile.device == DeviceKind::Cuda;
  std::vector<std::string> lines =
      drawPicks(count, options.invoke.seed, wholly ? INFINITY : options.invoke.work);
  std::vector<std::string> chips{options.compile.chip};
  if (options.compile.chip.empty() && !wholly)
    chips.assign(rooftile::target::chipNames().begin(), rooftile::target::chipNames().end());
  int status = 0;
  for (auto [index, chip] : llvm::enumerate(chips)) {
    std::vector<std::string> own;
    for (size_t line = index; line < lines.size(); line += chips.size())
      own.push_back(lines[line]);
    if (own.empty())
      continue;
    CaseOptions ofChip = options;
    ofChip.compile.chip = chip;
    std::string name = chip.empty() ? "picks" : "picks for " + chip;
    status |= runCases(context, name, llvm::join(own, "\n"), ofChip, report);
  }
  return status;
}
