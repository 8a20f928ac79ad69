//===- Samples.cpp - A store as samples of a calibration ------------------===//

#include "rooftile/Tuning/Report/Samples.h"
#include "rooftile/Bench/Kernel.h"
#include "rooftile/Tuning/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace rooftile;
using namespace rooftile::tuning;

static bool isSplit(const Compared &plan) { return llvm::StringRef(plan.plan).contains(" + "); }

/// A row for each plan of a product.
static void addRows(const OperationReport &operation, const bench::Shape &shape,
                    std::vector<bench::Row> &rows) {
  for (const auto &[rank, plan] : llvm::enumerate(operation.plans)) {
    bench::Row &row = rows.emplace_back(bench::rowOf(shape, {}, int64_t(rank)));
    row.group = operation.shapeClass;
    row.oursMs = plan.measured, row.predictedMs = plan.predicted;
    row.verified = "yes";
    row.plan = (llvm::StringRef(plan.plan).starts_with("#") ? "" : "#blas.plan") + plan.plan;
  }
}

llvm::Expected<bench::Results> rooftile::tuning::samplesOf(const Store &store,
                                                           llvm::StringRef chip) {
  llvm::Expected<Report> report = makeReport(store, chip);
  if (!report)
    return report.takeError();
  bench::Results results;
  size_t fitted = 0;
  for (const OperationReport &each : report->operations) {
    llvm::Expected<bench::Shape> shape = bench::Shape::parse(each.operation);
    if (!shape)
      return shape.takeError();
    if (shape->isDynamic || shape->operation.routine != operation::Routine::Gemm ||
        llvm::any_of(each.plans, isSplit))
      continue;
    addRows(each, *shape, results.rows);
    ++fitted;
  }
  if (fitted < kLeastFitted)
    return llvm::createStringError(
        llvm::formatv("a fit needs {0} products on {1} with two plans or more that ran, there are "
                      "{2}; gemm-tune search adds some",
                      kLeastFitted, chip, fitted));
  return results;
}
