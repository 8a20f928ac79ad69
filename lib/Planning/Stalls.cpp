//===- Stalls.cpp - Stalls of the schedulers in a step --------------------===//
//
// Fragments, barriers and copies on their way (C11): what other subgroups, or fragments that are
// read ahead, do not hide.
//
//===----------------------------------------------------------------------===//

#include "Bulk.h"
#include "Copying.h"
#include "Fragments.h"
#include "Step.h"
#include "rooftile/Planning/Constants.h"

using namespace rooftile;
using namespace rooftile::planning;

/// (C11) Clocks that a scheduler waits for the fragments of a step, slice by slice.
static double fragmentStalls(const Plan &plan, blas::TargetAttr target) {
  int64_t depth = plan.sliceDepth();
  auto readsOf = [&](const Path &path, int64_t micro, int64_t lanes) {
    bool alongK = path.major == blas::Major::K;
    int64_t vector = !alongK ? plan.vector : plan.instruction ? 1 : plan.depth;
    return fragmentElements(plan, micro, lanes) / vector * planesOf(path);
  };
  double reads = depth * (readsOf(plan.a, plan.microM, plan.lanesM) +
                          readsOf(plan.b, plan.microN, plan.lanesN));
  return plan.ownK() / depth * (target.getSharedLatencyCycles() + constants::kReadClocks * reads);
}

/// (C11) Whether stages are filled asynchronously behind matrix instructions, whose first fragments
/// of the next step are there before, or which need few at a time.
static bool streams(const Problem &problem, const Plan &plan) {
  return plan.instruction && copiesAsync(plan) && (plan.prefetch || readsSingly(problem, plan));
}

/// (C11) Whether matrix instructions hide asynchronous copies and barriers: those of real numbers.
static bool hidesCopies(const Problem &problem, const Plan &plan) {
  return streams(problem, plan) && !multipliesComplex(problem, plan);
}

/// (C11) Clocks of one subgroup for the asynchronous copies of a step beside matrix instructions,
/// or where groups share it out.
static double copyClocks(const Problem &problem, const Plan &plan) {
  bool hidden = hidesCopies(problem, plan), complex = multipliesComplex(problem, plan);
  bool grouped = !plan.instruction && plan.slicedK > 1;
  double clocks = 0;
  for (auto [path, matrix, extent] : {std::tuple(&plan.a, &problem.a, plan.macroM),
                                      std::tuple(&plan.b, &problem.b, plan.macroN)}) {
    if ((!plan.instruction && !grouped) || path->copy != blas::Copy::Async)
      continue;
    int64_t vector = storedVector(*matrix, *path);
    bool narrow = vector * matrix->elementBytes < kMaxAccessBytes;
    bool alongK = path->major == blas::Major::K;
    double each = !hidden  ? constants::kCopyIssueClocks
                  : narrow ? constants::kNarrowCopyClocks[alongK]
                           : constants::kHiddenCopyClocks;
    double copies = double(extent) * plan.macroK / plan.threads() / vector;
    clocks += copies * (grouped   ? constants::kGroupedCopyClocks
                        : complex ? constants::kComplexCopyClocks
                                  : each);
  }
  return clocks;
}

/// (C11) Whether the fragments of the next step, which are there before the last slice of this one,
/// hide most of the barrier between complex products by matrix instructions.
static bool hidesBarrier(const Problem &problem, const Plan &plan) {
  return multipliesComplex(problem, plan) && plan.prefetch && plan.stages > 1 &&
         plan.a.copy == blas::Copy::Register && plan.b.copy == blas::Copy::Register &&
         plan.ownK() > plan.instruction->depth();
}

/// (C11) Clocks of a barrier, and those that a workgroup alone on its unit idles more.
static std::array<double, 2> barrierClocks(const Problem &problem, const Plan &plan) {
  bool bulk = blas::arrivesInBulk(plan.a.copy) && blas::arrivesInBulk(plan.b.copy);
  if (!plan.instruction && ((bulk && problem.multiplyAdds == 4) || copiesWhole(plan)))
    return {constants::kBulkBarrierClocks, 0};
  if (!plan.instruction)
    return {constants::kBarrierClocks, constants::kAloneClocks};
  if (hidesBarrier(problem, plan))
    return {constants::kHiddenBarrierClocks, constants::kMatrixBarrierClocks};
  if (streams(problem, plan))
    return {plan.prefetch ? constants::kPrefetchBarrierClocks : constants::kSingleBarrierClocks, 0};
  return {constants::kBarrierClocks + constants::kMatrixBarrierClocks,
          constants::kAloneClocks + constants::kMatrixAloneClocks};
}

void planning::addStalls(Step &step, const Problem &problem, const Plan &plan,
                         blas::TargetAttr target) {
  double ofFragments = fragmentStalls(plan, target);
  auto [barrier, alone] = barrierClocks(problem, plan);
  step.fragments = ofFragments;
  step.alone = alone;
  step.hides = hidesBarrier(problem, plan);
  bool alike = plan.a.major == plan.b.major;
  step.others = step.hides && !alike ? constants::kHiddenOtherClocks : 0;
  bool hidden = hidesCopies(problem, plan) && plan.ownK() > plan.instruction->depth();
  step.exposed = hidden ? constants::kHiddenExposed : 1;
  step.stalls = ofFragments + (plan.stages > 1 ? 1 : 2) * barrier;
  bool any = plan.a.copy == blas::Copy::Async || plan.b.copy == blas::Copy::Async;
  step.copies = any && !plan.instruction && plan.slicedK == 1 ? constants::kCopyClocks : 0;
  step.copies *= problem.multiplyAdds == 4 ? constants::kComplexCopyShare : 1;
  double subgroups = std::ceil(double(plan.threads()) / target.getSubgroup());
  step.copying = subgroups * copyClocks(problem, plan);
  step.saved = copiesAsync(plan) && plan.prefetch ? constants::kPrefetchSaves * ofFragments : 0;
}
