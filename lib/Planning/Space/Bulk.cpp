//===- Bulk.cpp - Plans of bulk copies ------------------------------------===//

#include "rooftile/Planning/Space/Bulk.h"
#include "rooftile/Dialect/Blas/PlanRules.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Planning/Space/Paths.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;

/// Plans that are evaluated: a workgroup alone on its unit, two subgroups a scheduler, each with
/// all of K, or with what `shares` of it there are (c64 256 x 256 x 131072: 1.48 ms so, 1.37
/// otherwise).
struct Form {
  int64_t multiplyAdds, microM, microN, macroK, stages, unroll;
  bool shares;
};
/// For complex<f32> and f32: the fastest of 126 and of 192 that an H200 ran.
static constexpr Form kForms[] = {{4, 8, 8, 32, 3, 16, false}, {1, 8, 16, 64, 2, 16, true}};
/// Of all of them. With 4 x 8 lanes ptxas reads the fragments of an 8 x 16 micro tile early enough.
static constexpr int64_t kThreads = 256, kLanesM = 4, kLanesN = 8;
/// K of a workgroup, and share of the units that get one, from which on: smaller products were not
/// measured.
static constexpr int64_t kLeastK = 1024;
static constexpr double kLeastUnits = 0.9;

/// The form of `plan`, if it has one.
static const Form *formOf(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  auto single = [](const Matrix &matrix) { return matrix.elementBytes == 4 * matrix.components; };
  if (plan.instruction || plan.threads() != kThreads || problem.realBytes != 4 ||
      !single(problem.a) || !single(problem.b) || problem.k < kLeastK)
    return nullptr;
  double tiles = tilesOf(problem, plan);
  for (const Form &form : kForms) {
    double workgroups = tiles * (form.shares ? problem.k / kLeastK : 1);
    if (form.multiplyAdds == problem.multiplyAdds && form.microM == plan.microM &&
        form.microN == plan.microN && workgroups >= kLeastUnits * target.getUnits())
      return &form;
  }
  return nullptr;
}

/// `plan` with both operands copied so; nothing where one cannot be.
static std::optional<Plan> copiedBy(blas::Copy copy, const Problem &problem, Plan plan,
                                    blas::TargetAttr target) {
  plan.a = plan.b = Path();
  plan.a.copy = plan.b.copy = copy;
  plan.a = choosePath(problem, true, plan, target);
  plan.b = choosePath(problem, false, plan, target);
  if (blas::checkBulkCopies(plan, problem, target))
    return std::nullopt;
  return plan;
}

std::optional<Plan> planning::bulkPlan(const Problem &problem, Plan plan, blas::TargetAttr target) {
  const Form *form = formOf(problem, plan, target);
  if (!form)
    return std::nullopt;
  plan.macroK = form->macroK;
  plan.stages = form->stages;
  plan.unroll = form->unroll;
  plan.lanesM = kLanesM, plan.lanesN = kLanesN;
  plan.prefetch = 0;
  std::optional<Plan> whole = copiedBy(blas::Copy::Tensor, problem, plan, target);
  return whole ? whole : copiedBy(blas::Copy::Bulk, problem, plan, target);
}
