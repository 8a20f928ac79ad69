//===- Predictions.cpp - A calibration against measurements ---------------===//

#include "rooftile/Bench/Predictions.h"
#include "mlir/AsmParser/AsmParser.h"
#include "rooftile/Bench/Asked.h"
#include "rooftile/Dialect/Blas/CalibrationData.h"
#include "rooftile/Planning/Cost/Price.h"
#include "rooftile/Planning/Space/Packing.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;

struct Predictions::Timed {
  Row row;
  planning::KernelFacts facts;
  planning::ChipRates chip;
  std::string chipName;
  int64_t registers; ///< Registers of a thread, by the model.
};

/// Registers of a thread by the model, of which the residency of `plan` leaves some at most.
static int64_t registersOf(const planning::Problem &problem, const planning::Plan &plan,
                           blas::TargetAttr target) {
  auto [seen, own] = planning::ofKernel(problem, plan);
  return std::min(registersPerThread(seen, own, target->vendor),
                  planning::registersLeft(plan, target));
}

Predictions::Predictions() = default;
Predictions::~Predictions() = default;

llvm::Error Predictions::add(const Results &results, StringRef chip, MLIRContext &context) {
  // The machine's launches, not the chip's: nothing is faster than the fastest kernel.
  double launchMs = INFINITY;
  for (const Row &row : results.rows)
    if (row.verified == "yes")
      launchMs = std::min(launchMs, row.oursMs);
  for (const Row &row : results.rows) {
    if (row.verified != "yes")
      continue;
    llvm::Expected<Shape> shape = Shape::parse(row.key() + " class=" + row.group);
    if (!shape)
      return shape.takeError();
    std::string why;
    std::optional<Asked> asked = productAskedBy(*shape, chip, context, why);
    auto plan = dyn_cast_or_null<blas::PlanAttr>(parseAttribute(row.plan, &context));
    if (!asked || !plan)
      return llvm::createStringError(row.key() + ": cannot be planned as " + row.plan + ": " + why);
    if (rows.empty())
      present = target::calibrationOf(asked->target);
    planning::Occupancy resident = planning::residentOf(asked->problem, *plan, asked->target);
    if (resident.blocks < 1)
      continue;
    auto facts = planning::factsOf(asked->problem, *plan, asked->target, resident);
    int64_t registers = registersOf(asked->problem, *plan, asked->target);
    planning::ChipRates rates(asked->target);
    rates.launch = launchMs * 1e-3 * rates.clocksPerSecond;
    rows.push_back(std::make_unique<Timed>(Timed{row, facts, rates, chip.str(), registers}));
  }
  return llvm::Error::success();
}

void Predictions::writeRows(raw_ostream &out) const {
  out << "chip,class,type,shape,ms,registers,compiled_registers,spill_bytes,plan\n";
  for (const auto &timed : rows)
    out << timed->chipName << ',' << timed->row.group << ',' << timed->row.type << ','
        << timed->row.key() << ',' << llvm::format("%.9g", timed->row.oursMs) << ','
        << timed->registers << ',' << timed->row.registers << ',' << timed->row.spillBytes << ",\""
        << timed->row.plan << "\"\n";
}

std::vector<double> Predictions::predict(const blas::CalibrationData &calibration) const {
  std::vector<double> seconds;
  for (const auto &timed : rows) {
    timed->chip.per = calibration;
    seconds.push_back(planning::secondsOf(timed->facts, timed->chip));
  }
  return seconds;
}

void Predictions::writeCoefficients(raw_ostream &out) const {
  out << "name,unit,value,least,most,meaning\n";
  blas::CalibrationData::visitCoefficients([&](const blas::Coefficient &key, auto member) {
    out << llvm::formatv("{0},{1},{2},{3},{4},\"{5}\"\n", key.name, key.unit, present.*member,
                         key.least, key.most, key.doc);
  });
  out << '\n';
}

void rooftile::bench::answerCalibrations(const Predictions &predictions, std::FILE *in,
                                         raw_ostream &out) {
  while (true) {
    blas::CalibrationData calibration;
    bool complete = true;
    blas::CalibrationData::visitCoefficients([&](const blas::Coefficient &, auto member) {
      complete = complete && std::fscanf(in, "%lf", &(calibration.*member)) == 1;
    });
    if (!complete)
      return;
    for (double seconds : predictions.predict(calibration))
      out << llvm::format("%.9g ", seconds);
    out << '\n';
    out.flush();
  }
}
