//===- PlanTable.cpp - Plans of shapes, as text ---------------------------===//

#include "rooftile/Bench/PlanTable.h"
#include "rooftile/Bench/Asked.h"
#include "rooftile/Bench/Resources.h"
#include "rooftile/Planning/Cost/Traffic.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Planning/Search/Explain.h"
#include "rooftile/Planning/Search/PlanSource.h"
#include "rooftile/Planning/Search/Units.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <cmath>
#include <set>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;
using llvm::formatv;
using planning::Ranked;

/// The plan that is chosen for a product; an error where none fits.
static llvm::Expected<planning::Choice> chooseFor(const Shape &shape, const Asked &asked) {
  if (auto choice = planning::choose(asked.problem, asked.target))
    return *choice;
  return llvm::createStringError(shape.key() + ": no plan fits " + asked.target->chip);
}

/// The problem of `shape`, and the outcome of planning it.
static llvm::Expected<std::pair<Asked, planning::Choice>>
choiceFor(const Shape &shape, StringRef chip, MLIRContext &context) {
  std::string why;
  std::optional<Asked> asked = productAskedBy(shape, chip, context, why);
  if (!asked)
    return llvm::createStringError(shape.key() + ": " + (why.empty() ? "no product" : why));
  llvm::Expected<planning::Choice> choice = chooseFor(shape, *asked);
  if (!choice)
    return choice.takeError();
  return std::pair(*asked, *choice);
}

llvm::Error rooftile::bench::writePicks(ArrayRef<Shape> shapes, StringRef chip,
                                        MLIRContext &context, raw_ostream &out) {
  for (const Shape &shape : shapes) {
    auto chosen = choiceFor(shape, chip, context);
    if (!chosen)
      return chosen.takeError();
    out << shape.key() << ": " << planning::shortForm(chosen->second.best.plan) << '\n';
  }
  return llvm::Error::success();
}

/// The fastest plan of each tile and instruction, `count` of them.
static std::vector<Ranked> fastestTiles(const Asked &asked, size_t count) {
  std::set<std::tuple<int64_t, int64_t, int64_t, int64_t, const void *>> seen;
  std::vector<Ranked> fastest;
  for (const Ranked &ranked : planning::rankAll(asked.problem, asked.target)) {
    const planning::Plan &plan = ranked.plan;
    auto tile = std::tuple(plan.macroM, plan.macroN, plan.microM, plan.microN,
                           static_cast<const void *>(plan.instruction));
    if (fastest.size() < count && seen.insert(tile).second)
      fastest.push_back(ranked);
  }
  return fastest;
}

/// 12.3 us, right-aligned.
static std::string column(double seconds) { return formatv("{0,9}", planning::duration(seconds)); }

static void writeRow(raw_ostream &out, const Ranked &ranked, double best) {
  const planning::Estimate &estimate = ranked.estimate;
  out << column(estimate.seconds) << formatv("{0,8:f2}", estimate.seconds / best);
  for (const auto &resource : resourcesOf(estimate))
    out << column(resource.second);
  out << "  " << planning::shortForm(ranked.plan) << '\n';
}

/// The fastest plans of a product, and why.
static llvm::Error writeProduct(raw_ostream &out, const Shape &shape, const Asked &asked,
                                size_t count) {
  llvm::Expected<planning::Choice> choice = chooseFor(shape, asked);
  if (!choice)
    return choice.takeError();
  std::vector<Ranked> fastest = fastestTiles(asked, count);
  out << formatv("{0,9}{1,8}", "time", "ratio");
  for (const auto &resource : resourcesOf(choice->best.estimate))
    out << formatv("{0,9}", resource.first);
  out << "  plan\n";
  for (const Ranked &ranked : fastest)
    writeRow(out, ranked, fastest.front().estimate.seconds);
  out << '\n';
  for (const planning::Reason &reason : planning::explain(asked.problem, *choice, asked.target))
    out << formatv("{0,-13}{1}\n", reason.key + ":", reason.text);
  return llvm::Error::success();
}

/// The fastest blocks of a triangular operation.
static void writeTriangle(raw_ostream &out, const AskedTriangle &asked, size_t count) {
  std::vector<planning::Blocks> ranked = planning::rankBlocks(asked.problem, asked.target);
  out << formatv("{0,9}{1,8}  {2}\n", "time", "ratio", "plan");
  for (const planning::Blocks &blocks : llvm::ArrayRef(ranked).take_front(count))
    out << column(blocks.seconds())
        << formatv("{0,8:f2}  ", blocks.seconds() / ranked.front().seconds())
        << blocks.toAttribute(asked.target.getContext()) << '\n';
}

llvm::Error rooftile::bench::writeTable(const Shape &shape, size_t count, StringRef chip,
                                        MLIRContext &context, raw_ostream &out) {
  std::string why;
  std::vector<AskedOperation> all = askedBy(shape, chip, context, why);
  if (all.empty())
    return llvm::createStringError(shape.key() + ": " + why);
  blas::TargetAttr target = std::visit([](const auto &asked) { return asked.target; }, all[0]);
  out << shape.key() << " on " << target->chip << "\n\n";
  for (auto [index, asked] : llvm::enumerate(all)) {
    if (all.size() > 1)
      out << formatv("{0}operation {1} of {2}\n", index ? "\n" : "", index + 1, all.size());
    if (auto *triangle = std::get_if<AskedTriangle>(&asked))
      writeTriangle(out, *triangle, count);
    else if (llvm::Error failed = writeProduct(out, shape, std::get<Asked>(asked), count))
      return failed;
  }
  return llvm::Error::success();
}

/// 20864, right-aligned.
static std::string countColumn(double count) { return formatv("{0,10:f0}", count); }

llvm::Error rooftile::bench::writeTraffic(const Shape &shape, size_t count, StringRef chip,
                                          MLIRContext &context, raw_ostream &out) {
  auto chosen = choiceFor(shape, chip, context);
  if (!chosen)
    return chosen.takeError();
  const auto &[problem, target] = std::pair(chosen->first.problem, chosen->first.target);
  out << shape.key() << " on " << target->chip
      << ": elements that a workgroup moves for each element of K\n\n";
  for (StringRef name : {"from L2", "scalar", "registers", "of A", "of B", "of C", "shared"})
    out << formatv("{0,10}", name);
  out << formatv("{0,8}{1,9}  plan\n", "energy", "time");
  double first = 0;
  for (const Ranked &ranked : fastestTiles(chosen->first, count)) {
    planning::Traffic traffic = planning::trafficOf(problem, ranked.plan, target);
    double energy = planning::energyOf(problem, ranked.plan, ranked.estimate, target).total();
    first = first > 0 ? first : energy;
    for (double each :
         {traffic.a.loaded + traffic.b.loaded, traffic.a.scalarWritten + traffic.b.scalarWritten,
          traffic.registers(), traffic.a.registers(), traffic.b.registers(), traffic.sums,
          traffic.shared()})
      out << countColumn(each);
    out << formatv("{0,8:f2}", energy / first) << column(ranked.estimate.seconds) << "  "
        << planning::shortForm(ranked.plan) << '\n';
  }
  return llvm::Error::success();
}

llvm::Error rooftile::bench::writeJson(const Shape &shape, size_t count, StringRef chip,
                                       MLIRContext &context, raw_ostream &out) {
  auto chosen = choiceFor(shape, chip, context);
  if (!chosen)
    return chosen.takeError();
  const planning::Problem &problem = chosen->first.problem;
  blas::TargetAttr target = chosen->first.target;
  planning::Roofline roof = planning::roofline(problem, target);
  double read = problem.bytesRead(), written = problem.bytesWritten();
  llvm::json::OStream json(out, 1);
  json.object([&] {
    json.attribute("shape", shape.key());
    json.attribute("chip", target->chip);
    json.attribute("source", planning::ModelPlans::kName);
    json.attribute("flops", problem.flops());
    json.attribute("bytes", read + written);
    json.attribute("flopsPerSecond", roof.flopsPerSecond);
    json.attribute("bytesPerSecond", planning::dramRate(read, written, target));
    json.attributeArray("plans", [&] {
      for (const Ranked &ranked : fastestTiles(chosen->first, count))
        json.object([&] {
          const planning::Estimate &estimate = ranked.estimate;
          json.attribute("plan", planning::shortForm(ranked.plan));
          json.attribute("seconds", estimate.seconds);
          json.attribute("bytes", estimate.dramBytes + written);
          json.attributeObject("resources", [&] {
            for (const auto &[name, seconds] : resourcesOf(estimate))
              json.attribute(name, seconds);
          });
        });
    });
  });
  out << '\n';
  return llvm::Error::success();
}

/// Runs of which the shortest counts: other processes disturb the rest.
static constexpr int kRuns = 5;

/// Seconds of `run`, the shortest of some runs.
static double shortest(llvm::function_ref<void()> run) {
  using Clock = std::chrono::steady_clock;
  double seconds = INFINITY;
  for (int count = 0; count < kRuns; ++count) {
    auto start = Clock::now();
    run();
    seconds = std::min(seconds, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return seconds;
}

llvm::Error rooftile::bench::writeChoosingTimes(ArrayRef<Shape> shapes, StringRef chip,
                                                MLIRContext &context, raw_ostream &out) {
  std::vector<double> first, again;
  for (const Shape &shape : shapes) {
    std::string why;
    std::optional<Asked> asked = productAskedBy(shape, chip, context, why);
    if (!asked)
      return llvm::createStringError(shape.key() + ": " + why);
    first.push_back(shortest([&] { planning::search(asked->problem, asked->target); }));
    planning::choose(asked->problem, asked->target);
    again.push_back(shortest([&] { planning::choose(asked->problem, asked->target); }));
  }
  for (auto [what, seconds] : {std::pair("choosing a plan", &first), {"once more", &again}}) {
    llvm::sort(*seconds);
    out << formatv("{0}: median {1}, 95 % within {2}, at most {3} ({4} shapes)\n", what,
                   planning::duration((*seconds)[seconds->size() / 2]),
                   planning::duration((*seconds)[seconds->size() * 95 / 100]),
                   planning::duration(seconds->back()), seconds->size());
  }
  return llvm::Error::success();
}
