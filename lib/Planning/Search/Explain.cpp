//===- Explain.cpp - Why this plan ----------------------------------------===//

#include "rooftile/Planning/Search/Explain.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "rooftile/Planning/Problem/Induced.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Search/PlanSet.h"
#include "rooftile/Planning/Space/Packing.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace rooftile;
using namespace rooftile::planning;
using llvm::formatv;

/// Waves below which an idle part of the chip is reported.
static constexpr double kFewWaves = 4;

static std::string howFilled(const Plan &plan) {
  if (plan.matrices > 1)
    return formatv("{0} matrices, each of one thread", plan.matrices);
  if (plan.a.copy == blas::Copy::Tensor || plan.b.copy == blas::Copy::Tensor)
    return formatv("{0} stages, tensor copies", plan.stages);
  if (plan.a.copy == blas::Copy::Bulk || plan.b.copy == blas::Copy::Bulk)
    return formatv("{0} stages, bulk copies", plan.stages);
  if (plan.a.copy == blas::Copy::Async || plan.b.copy == blas::Copy::Async)
    return formatv("{0} stages, asynchronous", plan.stages);
  return plan.stages > 1 ? "leap-frog" : "one stage";
}

/// The operands that are copied first.
static llvm::StringRef packedOf(const Plan &plan) {
  return plan.a.pack && plan.b.pack ? "A and B" : plan.a.pack ? "A" : "B";
}

/// The operand in scalar registers; empty if none is.
static llvm::StringRef scalarOf(const Plan &plan) {
  auto isScalar = [](const Path &path) { return path.via == blas::Via::Scalar; };
  return isScalar(plan.a) ? "A" : isScalar(plan.b) ? "B" : "";
}

std::string planning::shortForm(const Plan &plan) {
  std::string text = formatv("{0}x{1}x{2}, micro {3}x{4}, {5}", plan.macroM, plan.macroN,
                             plan.macroK, plan.microM, plan.microN, howFilled(plan));
  if (plan.instruction)
    text += formatv(", {0}", plan.instruction->name);
  if (plan.isInduced())
    text += ", induced complex";
  if (plan.products != 4)
    text += ", " + std::to_string(plan.products) + " products";
  if (plan.compensates())
    text += ", compensated summation";
  if (plan.packs())
    text += formatv(", {0} packed", packedOf(plan));
  if (llvm::StringRef scalar = scalarOf(plan); !scalar.empty())
    text += formatv(", {0} in scalar registers", scalar);
  if (plan.slicedK > 1)
    text += formatv(", sliced K over {0} groups", plan.slicedK);
  if (plan.splits > 1)
    text += formatv(", K over {0} workgroups ({1})", plan.splits,
                    blas::stringifyReduction(plan.reduction));
  if (plan.c == blas::Via::Shared)
    text += ", C through shared memory";
  return text;
}

static std::string describeRoofline(const Problem &problem, const Roofline &roof,
                                    blas::TargetAttr target) {
  bool onFmaUnits = roof.flopsPerSecond <= 2 * fmaPerSecond(problem.realBytes, target);
  double bytes = problem.bytesRead() + problem.bytesWritten();
  if (problem.flops() <= 0)
    return "nothing to multiply";
  return formatv("{0} bound: {1:f1} flops per byte; {5} {2}, DRAM {3}{4}",
                 roof.computeBound() ? "compute" : "memory", problem.flops() / bytes,
                 duration(roof.computeSeconds), duration(roof.memorySeconds),
                 problem.assumed ? " (dynamic sizes taken as 4096, a dynamic batch as 1)" : "",
                 onFmaUnits ? "FMA units" : "matrix units");
}

static std::string describeOccupancy(const Estimate &estimate, blas::TargetAttr target) {
  const Occupancy &occupancy = estimate.occupancy;
  return formatv("{0} of {1} threads per unit ({2:f0} % of the threads), limited by {3}: "
                 "{4} registers per thread, {5} of shared memory",
                 counted(occupancy.blocks, "workgroup"), occupancy.threads,
                 100.0 * occupancy.blocks * occupancy.threads / target->threadsPerUnit,
                 toString(occupancy.limit), occupancy.registers, byteCount(occupancy.sharedBytes));
}

static std::string describeWaves(const Estimate &estimate, blas::TargetAttr target) {
  double resident = double(target->units) * estimate.occupancy.blocks;
  double whole = std::ceil(estimate.waves);
  double busy = whole > 0 ? 100 * estimate.waves / whole : 0;
  return formatv("{0} in {1:f2} waves of {2:f0} ({3:f0} % of the workgroup slots filled)",
                 counted(estimate.tiles, "workgroup"), estimate.waves, resident, busy);
}

static std::string describePrediction(const Problem &problem, const Estimate &estimate,
                                      const Roofline &roof) {
  return formatv("{0}, {1}, {2:f0} % of the roofline", duration(estimate.seconds),
                 flopRate(problem.flops() / estimate.seconds),
                 100 * roof.seconds() / estimate.seconds);
}

/// The largest single cost, and a word on idle units.
static std::string describeLimit(const Ranked &ranked) {
  const Estimate &estimate = ranked.estimate;
  double steps = estimate.stepSeconds[static_cast<int>(estimate.bound)];
  if (estimate.launchSeconds > std::max({steps, estimate.epilogueSeconds, estimate.beginSeconds}))
    return formatv("the launch ({0})", duration(estimate.launchSeconds));
  if (estimate.beginSeconds > std::max(steps, estimate.epilogueSeconds))
    return formatv("beginning {0} ({1})", counted(estimate.tiles, "workgroup"),
                   duration(estimate.beginSeconds));
  if (estimate.epilogueSeconds > steps)
    return formatv("writing C ({0})", duration(estimate.epilogueSeconds));
  bool onMatrixUnits = estimate.bound == Bound::Fma && ranked.plan.instruction;
  std::string text = onMatrixUnits ? "the matrix units" : toString(estimate.bound).str();
  text += " (" + duration(steps) + ")";
  if (estimate.waves < 1)
    text += formatv(", with {0:f0} % of the workgroup slots empty", 100 * (1 - estimate.waves));
  else if (estimate.waves < kFewWaves && std::ceil(estimate.waves) > 1.2 * estimate.waves)
    text += ", and a last wave that is not full";
  return text;
}

/// Why the tile of C passes through shared memory.
static std::string describeOutput(const Problem &problem, const Plan &plan) {
  int64_t legal = problem.c.contiguous == Contiguous::Inner ? problem.c.maxVector : 1;
  if (legal >= plan.vector)
    return "through shared memory, although accesses to C may be as wide as the runs of a thread";
  return formatv(
      "through shared memory: the runs of a thread are of {0} elements, accesses to C of "
      "{1}, and would touch each sector {2} times",
      plan.vector, legal, plan.vector / legal);
}

/// Scalar registers in place of a tile in shared memory.
static std::string describeScalar(const Problem &problem, const Plan &plan,
                                  blas::TargetAttr target) {
  bool isA = scalarOf(plan) == "A";
  int64_t micro = isA ? plan.microM : plan.microN;
  int64_t bytes = (isA ? problem.a : problem.b).elementBytes;
  int64_t slice = micro * plan.sliceDepth() * bytes / 4; // 32-bit registers
  return formatv("{0} in scalar registers, which the threads of a subgroup share: a slice needs "
                 "{1}, {2} are loaded at a time; no shared memory, no barrier",
                 scalarOf(plan), slice, std::min<int64_t>(slice, target->scalarGroup()));
}

/// Operands that are copied first.
static std::string describePacking(const Problem &problem, const Plan &plan,
                                   blas::TargetAttr target) {
  return formatv(
      "{0} {1} copied first, in {2}: {3}{4}", packedOf(plan),
      plan.a.pack && plan.b.pack ? "are" : "is", duration(packSeconds(problem, plan, target)),
      byteCount(packedBytes(problem, plan)), problem.hasWorkspace ? ", given" : ", allocated");
}

std::string planning::whySlower(const Estimate &slower, const Estimate &faster) {
  std::string what;
  double most = 0;
  auto compare = [&](llvm::StringRef name, double more) {
    if (more > most)
      what = name, most = more;
  };
  for (int bound = 0; bound < kBounds; ++bound)
    compare(toString(static_cast<Bound>(bound)),
            slower.stepSeconds[bound] - faster.stepSeconds[bound]);
  compare("writing C", slower.epilogueSeconds - faster.epilogueSeconds);
  compare("beginning workgroups", slower.beginSeconds - faster.beginSeconds);
  compare("launches and copies", slower.launchSeconds - faster.launchSeconds);
  return most > 0 ? formatv("{0}, {1} more", what, duration(most)).str() : "";
}

/// Cost, or gain, of the same bits in every run: against the plan with atomic additions, which
/// `anyOrder` allows. Empty where these cannot be.
static std::string describeOrder(Problem problem, const Ranked &ranked, blas::TargetAttr target) {
  Plan atomic = ranked.plan;
  if (problem.anyOrder || !problem.canReorder || atomic.splits == 1 || atomic.isInduced())
    return "";
  problem.anyOrder = true;
  atomic.reduction = blas::Reduction::Atomic;
  if (check(problem, atomic, target))
    return "";
  return formatv("the same bits in every run; atomic additions (anyOrder) {0}",
                 duration(estimate(problem, atomic, target).seconds));
}

llvm::SmallVector<Reason> planning::explain(const Problem &problem, const Ranked &ranked,
                                            blas::TargetAttr target) {
  Problem seen = ranked.plan.isInduced() ? toInduced(problem, ranked.plan) : problem;
  Roofline roof = roofline(problem, target);
  llvm::SmallVector<Reason> reasons = {
      {"plan", shortForm(ranked.plan)},
      {"roofline", describeRoofline(problem, roof, target)},
      {"occupancy", describeOccupancy(ranked.estimate, target)},
      {"waves", describeWaves(ranked.estimate, target)},
      {"predicted", describePrediction(problem, ranked.estimate, roof)},
      {"limit", describeLimit(ranked)}};
  if (ranked.plan.c == blas::Via::Shared)
    reasons.push_back({"output", describeOutput(seen, ranked.plan)});
  if (!scalarOf(ranked.plan).empty())
    reasons.push_back({"scalar", describeScalar(seen, ranked.plan, target)});
  if (ranked.plan.packs())
    reasons.push_back({"pack", describePacking(problem, ranked.plan, target)});
  if (std::string text = describeOrder(problem, ranked, target); !text.empty())
    reasons.push_back({"order", text});
  if (double bytes = workspaceBytes(seen, ranked.plan); bytes > 0)
    reasons.push_back({"workspace", formatv("{0}{1}", byteCount(bytes),
                                            problem.hasWorkspace ? ", given" : ", allocated")});
  return reasons;
}

/// Why the plan of an edge need not be the fastest.
static std::string describeEdge(const Problem &problem, const Choice &choice,
                                blas::TargetAttr target) {
  return formatv("of {0}x{1}: the shortest code of the plans that lose at most {2}, about {3:f0} "
                 "instructions",
                 problem.wholeM, problem.wholeN, duration(edgeSlack(problem, target)),
                 codeOf(problem, choice.best.plan, target));
}

llvm::SmallVector<Reason> planning::explain(const Problem &problem, const Choice &choice,
                                            blas::TargetAttr target) {
  llvm::SmallVector<Reason> reasons = explain(problem, choice.best, target);
  std::string count =
      formatv("of {0} plans, {1} do not fit", choice.evaluated + choice.rejected, choice.rejected);
  if (choice.runnerUp) {
    const Estimate &second = choice.runnerUp->estimate;
    std::string why = whySlower(second, choice.best.estimate);
    count = formatv("{0}, {1}{2} ({3})", shortForm(choice.runnerUp->plan), duration(second.seconds),
                    why.empty() ? "" : ": " + why, count);
  }
  reasons.push_back({"runner-up", count});
  if (llvm::StringRef relative = target::relativeOf(target); !relative.empty())
    reasons.push_back(
        {"calibration",
         formatv("of {0}, the nearest relative of {1} that was measured", relative, target->chip)});
  if (problem.isEdge())
    reasons.push_back({"edge", describeEdge(problem, choice, target)});
  return reasons;
}

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

/// "M >= 128 multiple of 4, K multiple of 16, A column-major in accesses of 4"
static std::string condition(blas::GivenAttr when) {
  llvm::SmallVector<std::string> parts;
  for (int dim : {0, 1, 2}) {
    blas::ExtentAttr extent = when.getExtent(dim);
    if (!extent)
      continue;
    std::string text(1, "MNK"[dim]);
    if (extent.getLeast() > 0)
      text += formatv(" >= {0}", extent.getLeast());
    if (extent.getMost() > 0)
      text += formatv(" <= {0}", extent.getMost());
    if (extent.getMultiple() > 1)
      text += formatv(" multiple of {0}", extent.getMultiple());
    parts.push_back(text);
  }
  for (int operand : {0, 1, 2}) {
    std::string text(1, "ABC"[operand]);
    if (blas::Order order = when.getOrder(operand); order != blas::Order::Any)
      text += order == blas::Order::Rows ? " row-major" : " column-major";
    if (int64_t vector = when.getVector(operand); vector > 1)
      text += formatv(" in accesses of {0}", vector);
    if (text.size() > 1)
      parts.push_back(text);
  }
  return llvm::join(parts, ", ");
}

llvm::SmallVector<Reason> planning::explain(const std::vector<PlanCase> &set,
                                            blas::TargetAttr target) {
  llvm::SmallVector<Reason> reasons;
  reasons.push_back(
      {"plans",
       formatv("for {0} cases, the first that holds, or the cheapest with a price:", set.size())});
  for (const PlanCase &plan : set) {
    const Problem &problem = plan.problem;
    double seconds = plan.ranked.estimate.seconds;
    std::string when = plan.when ? condition(plan.when) : "whatever is left";
    reasons.push_back(
        {plan.name, formatv("{0}: {1}; {2}x{3}x{4} at {5}", when, shortForm(plan.ranked.plan),
                            problem.m, problem.n, problem.k, flopRate(problem.flops() / seconds))});
  }
  return reasons;
}
