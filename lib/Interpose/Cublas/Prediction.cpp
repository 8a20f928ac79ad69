//===- Prediction.cpp - Whether a call is expected to win -----------------===//

#include "Prediction.h"
#include "State.h"
#include "Times.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace rooftile;
using namespace rooftile::cublas;

//===----------------------------------------------------------------------===//
// Our time
//===----------------------------------------------------------------------===//

/// The sum of the members "seconds" of the objects in "operations", of what rooftile_plan
/// reports; those of the plans, which are objects in these, are not meant. Negative where there is
/// none.
static double secondsIn(const std::string &report) {
  constexpr int kDepthOfOperations = 2;
  constexpr char kKey[] = "\"seconds\":";
  double sum = -1;
  int depth = 0;
  bool isInText = false;
  for (size_t i = 0; i < report.size(); ++i) {
    char character = report[i];
    if (isInText && character == '\\') {
      ++i;
      continue;
    }
    depth += isInText ? 0 : (character == '{') - (character == '}');
    isInText ^= character == '"';
    bool isKey = isInText && character == '"' && depth == kDepthOfOperations &&
                 report.compare(i, sizeof kKey - 1, kKey) == 0;
    if (isKey)
      sum = std::max(sum, 0.0) + std::strtod(report.c_str() + i + sizeof kKey - 1, nullptr);
  }
  return sum;
}

/// Asks the cost model about the kernels that would be compiled; or advises against the call.
static bool predict(const Session &session, const Call &call, double &seconds, Advice &advice) {
  rooftile_operation args = argumentsOf(call);
  std::string report(4096, 0);
  for (bool isLarger = true; isLarger;) {
    size_t bytes = report.size();
    rooftile_status status = session.library->plan(session.handle, &args, report.data(), &bytes);
    if (status != ROOFTILE_SUCCESS) {
      advice.why = session.library->message(session.handle);
      advice.holdsForKind = status != ROOFTILE_INVALID_ARGUMENT;
      return false;
    }
    isLarger = bytes > report.size();
    report.resize(bytes);
  }
  seconds = secondsIn(report);
  advice.why = "librooftile.so predicts no time";
  return seconds > 0;
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

static std::string explain(const Comparison &both) {
  char text[128];
  std::snprintf(text, sizeof text,
                "predicted %.2f times as fast (%.1f us, cuBLAS %.1f us), %.2f are asked for",
                both.cublas / both.ours, both.ours * 1e6, both.cublas * 1e6, both.margin);
  return text;
}

Advice cublas::advise(const Session &session, const Call &call) {
  const std::string chip = nameOfChip(session.device);
  const Times *times = timesOf(chip);
  if (!times)
    return {false, "no times of cuBLAS on '" + chip + "' are built in"};
  double predicted = 0;
  Advice advice;
  if (!predict(session, call, predicted, advice))
    return advice;
  Comparison both;
  if (!times->compare(call.operation, predicted, both)) {
    std::string routine = operation::nameOf(call.operation.routine);
    return {false, "no times of cuBLAS" + (routine == "gemm" ? "" : "'s " + routine) + " in type " +
                       infoOf(call.element()).letter + " are built in"};
  }
  return {both.cublas >= both.margin * both.ours, explain(both)};
}
