//===- Results.h - Rows of a result file ------------------------*- C++ -*-===//
//
// A result file is CSV: comment lines that specify where and with what it was
// measured, a line of column names, and a line for each shape and plan.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_BENCH_RESULTS_H
#define ROOFTILE_BENCH_RESULTS_H

#include "rooftile/Runtime/Device/DeviceState.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <vector>

namespace rooftile::bench {

/// Measurements of one shape and plan. Milliseconds; NaN where there are none.
struct Row {
  std::string group, type, op, sizes, modifiers;
  double flops = 0, bytes = 0; ///< of one call
  double oursMs = NAN, vendorMs = NAN, predictedMs = NAN;
  double compileMs = NAN, binaryMs = NAN;   ///< all of it; of it LLVM's code generator and ptxas
  double registers = NAN, spillBytes = NAN; ///< of a thread, as ptxas reports
  std::string verified;                     ///< yes, NO, or empty: not checked
  int64_t rank = 0;   ///< of the plan among the model's candidates; 0: its choice
  std::string status; ///< empty, "no kernel", or what went wrong
  std::string plan;
  std::vector<double> samples; ///< In the order in which they were taken; not in a result file.
  DeviceState device;          ///< While they were; not in one, either.

  std::string key() const { return type + " " + op + " " + sizes + modifiers; }
  /// Above 1: ours is faster.
  double ratio() const { return vendorMs / oursMs; }
  double tflops(double ms) const { return flops / ms / 1e9; }
  double gbytesPerSecond(double ms) const { return bytes / ms / 1e6; }
  bool failed() const { return !status.empty() && status != "no kernel"; }
};

/// The present date and time, UTC: "2026-11-25T13:05:00Z".
std::string now();
/// The date of a measurement: the day of now().
inline std::string today() { return now().substr(0, sizeof "2026-11-25" - 1); }
/// "Rooftile 0.1.0, LLVM 22.1.8".
std::string compilerVersion();

/// Where and with what: lines of "name: value".
using Header = std::vector<std::pair<std::string, std::string>>;

struct Results {
  Header header;
  std::vector<Row> rows;
};

void writeHeader(llvm::raw_ostream &out, const Header &header);
void writeRow(llvm::raw_ostream &out, const Row &row);

/// Reads a result file; errors begin with `file:line:`.
llvm::Expected<Results> readResults(llvm::StringRef file);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_RESULTS_H
