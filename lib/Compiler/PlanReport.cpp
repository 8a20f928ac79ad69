//===- PlanReport.cpp - What was planned, for programs --------------------===//

#include "rooftile/Compiler/PlanReport.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Planning/Cost/Estimate.h"
#include "rooftile/Planning/Search/Blocks.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"
#include "rooftile/Transforms/Plan/SelectPlans.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

static std::string textOf(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (attribute)
    attribute.print(stream);
  return text;
}

namespace {
/// A plan with what is predicted of it.
struct Reported {
  Attribute when, plan;
  double seconds = 0;
  std::string bound;
};
} // namespace

static Reported reported(const Problem &problem, blas::GivenAttr when, blas::PlanAttr plan,
                         blas::TargetAttr target) {
  Problem met = problem.assuming(when);
  Estimate cost = estimate(met, *plan, target);
  return {when, plan, cost.seconds, toString(cost.bound).str()};
}

static std::vector<Reported> plansOf(blas::ProductOpInterface op, const Problem &problem,
                                     blas::TargetAttr target) {
  std::vector<Reported> all;
  if (blas::PlanAttr plan = op.getPlanAttr())
    all.push_back(reported(problem, {}, plan, target));
  if (ArrayAttr plans = op.getPlansAttr())
    for (auto each : plans.getAsRange<blas::CaseAttr>())
      all.push_back(reported(problem, each.getWhen(), each.getPlan(), target));
  return all;
}

static void writePlans(llvm::json::OStream &json, ArrayRef<Reported> plans) {
  if (!plans.empty())
    json.attribute("seconds", plans.back().seconds);
  json.attributeArray("plans", [&] {
    for (const Reported &each : plans)
      json.object([&] {
        json.attribute("when", textOf(each.when));
        json.attribute("plan", textOf(each.plan));
        json.attribute("seconds", each.seconds);
        if (!each.bound.empty())
          json.attribute("bound", each.bound);
      });
  });
}

/// -1 for one that each call states.
static int64_t sizeOrAny(int64_t size) { return ShapedType::isDynamic(size) ? -1 : size; }

static LogicalResult writeProduct(llvm::json::OStream &json, blas::ProductOpInterface op,
                                  blas::TargetAttr target) {
  FailureOr<Problem> problem = Problem::of(op);
  if (failed(problem))
    return failure();
  json.attribute("m", sizeOrAny(op.getM()));
  json.attribute("n", sizeOrAny(op.getN()));
  json.attribute("k", sizeOrAny(op.getK()));
  json.attribute("batch", sizeOrAny(op.getBatch()));
  json.attribute("flops", problem->flops());
  writePlans(json, plansOf(op, *problem, target));
  return success();
}

static LogicalResult writeTriangle(llvm::json::OStream &json, blas::TriangularOpInterface op,
                                   blas::TargetAttr target) {
  FailureOr<TriangularProblem> problem = TriangularProblem::of(op);
  if (failed(problem))
    return failure();
  json.attribute("m", sizeOrAny(op.getM()));
  json.attribute("n", sizeOrAny(op.getN()));
  blas::BlocksAttr plan = op.getPlanAttr();
  Blocks blocks = priced(*problem, Blocks(plan), target);
  writePlans(json, Reported{{}, plan, blocks.seconds(), ""});
  return success();
}

FailureOr<std::string> compiler::reportPlans(ModuleOp module, const CompilerOptions &options) {
  FailureOr<blas::TargetAttr> attached = attachTarget(module, options.chip);
  if (failed(attached))
    return failure();
  blas::TargetAttr target = *attached;
  DenseMap<Operation *, std::string> sources;
  auto onPlan = [&](Operation *op, StringRef source) { sources[op] = source.str(); };
  if (failed(selectPlans(module, target, PlannedOps::User, options.plans, onPlan)))
    return failure();
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  bool failedAny = false;
  json.object([&] {
    json.attribute("chip", target->chip);
    json.attributeArray("operations", [&] {
      module.walk([&](blas::Level3OpInterface op) {
        json.object([&] {
          json.attribute("operation", op->getName().getStringRef());
          json.attribute("source", sources.lookup(op));
          if (auto product = dyn_cast<blas::ProductOpInterface>(op.getOperation()))
            failedAny |= failed(writeProduct(json, product, target));
          else if (auto triangle = dyn_cast<blas::TriangularOpInterface>(op.getOperation()))
            failedAny |= failed(writeTriangle(json, triangle, target));
        });
      });
    });
  });
  if (failedAny)
    return failure();
  return text;
}
