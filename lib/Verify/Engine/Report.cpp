//===- Report.cpp - What a run found, for people and for programs ---------===//

#include "rooftile/Verify/Engine/Report.h"
#include "rooftile/Verify/Model/OperationModel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace rooftile;
using namespace rooftile::verify;

/// f32; where types differ those of A, B, C and the accumulators: f16/f16/f32/f32
static std::string types(const Site &site) {
  std::string a = nameOf(site.elementA), b = nameOf(site.elementB), c = nameOf(site.element),
              sum = nameOf(site.sum);
  return a == b && b == c && c == sum ? c : a + "/" + b + "/" + c + "/" + sum;
}

static std::string shapeOf(const Outcome &outcome) {
  std::string batch = outcome.batch == 1 ? "" : std::to_string(outcome.batch) + " x ";
  return batch + std::to_string(outcome.m) + "x" + std::to_string(outcome.n) + "x" +
         std::to_string(outcome.k);
}

/// Results that are the exact ones, or next to them, are reported as such; a share of the bound,
/// which is 1 for every result that is rounded up or down, would mean less.
static constexpr double kFewUlps = 2;

/// Error of the results.
static std::string errorText(const Outcome &outcome) {
  bool passed = outcome.failure.empty();
  std::string text = llvm::formatv("error {0:f3} of the bound", outcome.ratio);
  if (passed && outcome.compared == 0)
    text = "no elements";
  else if (passed && outcome.ulps == 0)
    text = "equal to the exact results";
  else if (passed && outcome.ulps > 0 && outcome.ulps <= kFewUlps)
    text = llvm::formatv("at most {0} ulp from the exact results", std::ceil(outcome.ulps));
  if (outcome.unbounded > 0)
    text += llvm::formatv(", {0} elements without a bound: the epilogue may make anything of them",
                          outcome.unbounded);
  return text;
}

void Report::printLine(const Outcome &outcome, const Call &call, const Roofline &roofline) {
  const Site &site = *outcome.site;
  llvm::raw_ostream &out = llvm::outs();
  out << (outcome.failure.empty() ? "PASS " : "FAIL ") << site.function << '#' << site.index << ' '
      << types(site) << ' ' << site.model->name() << ' ' << site.model->form(site) << ' '
      << shapeOf(outcome);
  if (!call.label.empty())
    out << " [" << call.label << ']';
  out << "  " << outcome.planText() << "  " << nameOf(device);
  if (double ms = outcome.median(); ms > 0) {
    out << llvm::formatv(" {0:f4} ms {1:f3} TFLOP/s", ms, outcome.flops() / ms * 1e-9);
    if (double bound = device == DeviceKind::Cuda ? outcome.bound(roofline) : 0) // of a GPU
      out << llvm::formatv(" {0:f2}% of the {1} roofline", bound * 1e5 / ms, roofline.chip);
  }
  out << "  " << errorText(outcome);
  if (!outcome.exactTested && outcome.failure.empty())
    out << ", no exact test (alpha or beta is not a multiple of 1/4, or K is too large)";
  if (outcome.sampled)
    out << ", sampled";
  out << '\n';
  if (!outcome.failure.empty())
    out << "     " << (call.label.empty() ? site.location + ": " : "") << outcome.failure << '\n';
}

void Report::printObject(const Outcome &outcome, const Call &call, const Roofline &roofline) {
  const Site &site = *outcome.site;
  double ms = outcome.median(), bound = outcome.bound(roofline);
  llvm::json::Object object{
      {"function", site.function},
      {"index", site.index},
      {"location", site.location},
      {"label", call.label},
      {"type", types(site)},
      {"operation", site.model->name()},
      {"op", site.model->form(site)},
      {"batch", outcome.batch},
      {"m", outcome.m},
      {"n", outcome.n},
      {"k", outcome.k},
      {"layouts", outcome.layouts},
      {"plan", llvm::join(outcome.plans, " + ")},
      {"device", nameOf(device)},
      {"chip", roofline.chip},
      {"error_ratio", std::isfinite(outcome.ratio) ? llvm::json::Value(outcome.ratio) : nullptr},
      {"ulps", std::isfinite(outcome.ulps) && outcome.ulps >= 0 ? llvm::json::Value(outcome.ulps)
                                                                : nullptr},
      {"exact_test", outcome.exactTested},
      {"sampled", outcome.sampled},
      {"pass", outcome.failure.empty()},
      {"failure", outcome.failure}};
  if (ms > 0) {
    object["ms"] = ms;
    object["tflops"] = outcome.flops() / ms * 1e-9;
    if (bound > 0 && device == DeviceKind::Cuda)
      object["roofline_share"] = bound * 1e3 / ms;
  }
  llvm::outs() << llvm::json::Value(std::move(object)) << '\n';
}

bool Report::add(const Program &program, const Call &call, const Session &session, bool quiet) {
  bool right = true;
  for (const Outcome &outcome : session.getOutcomes()) {
    right &= outcome.failure.empty();
    ++operations;
    failures += !outcome.failure.empty();
    if (quiet && outcome.failure.empty())
      continue;
    if (json)
      printObject(outcome, call, program.roofline);
    else
      printLine(outcome, call, program.roofline);
  }
  for (const std::string &failure : session.getFailures()) {
    right = false;
    ++failures;
    if (json)
      llvm::outs() << llvm::json::Value(llvm::json::Object{
                          {"function", call.function}, {"pass", false}, {"failure", failure}})
                   << '\n';
    else
      llvm::outs() << "FAIL " << call.function << ": " << failure << '\n';
  }
  llvm::outs().flush();
  return right;
}
