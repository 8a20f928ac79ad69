//===- SelectPlans.cpp - Plans for the operations of a module -------------===//
//
// Asks the sources of plans (Planning/Search/PlanSource.h), writes what they offer as #blas.plan,
// a set of them, or #blas.blocks, with a remark. An existing plan is left alone, but it must
// fit: a spilling or oversized plan is an error here, not a slow kernel.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Plan/SelectPlans.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Threading.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "rooftile/Planning/Problem/Footprint.h"
#include "rooftile/Planning/Search/LeastEnergy.h"
#include "rooftile/Planning/Search/PlanList.h"
#include "rooftile/Planning/Search/PlanSource.h"
#include "rooftile/Planning/Space/Packing.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Planning/Space/Tiling.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

static constexpr llvm::StringLiteral kCategory = "tile-select";

/// Reports the reason: through the remark engine where it wants this (--remarks-filter and
/// the like), else as one ordinary remark, which every tool shows.
static void remarkOnPlan(Operation *op, StringRef outcome, ArrayRef<Reason> reasons,
                         StringRef source) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  auto options = remark::RemarkOpts::name(outcome).category(kCategory).function(
      function ? function.getName() : StringRef());
  if (auto remark = remark::passed(op->getLoc(), options)) {
    for (const Reason &reason : reasons)
      remark << remark::metric(reason.key, reason.text);
    remark << remark::metric("source", source);
    return;
  }
  InFlightDiagnostic remark = emitRemark(op->getLoc());
  remark << outcome << " " << reasons.front().text;
  for (const Reason &reason : reasons.drop_front())
    remark << "\n  " << reason.key << ": " << reason.text;
}

/// Bytes that the plan of `op` allocates beside its operands.
static double allocatedBytes(blas::ProductOpInterface op) {
  FailureOr<Problem> problem = Problem::of(op);
  if (failed(problem) || problem->assumed || problem->hasWorkspace || !op.getPlanAttr())
    return 0;
  Plan plan = *op.getPlanAttr();
  return packedBytes(*problem, plan) + workspaceBytes(*problem, plan);
}

/// Operands, with what a plan allocates beside them, that exceed the memory of the device: a
/// warning, since the kernel is right, and may run on another device.
static void warnOfMemory(Operation *op, blas::TargetAttr target) {
  double bytes = operandBytes(op), memory = target->memoryBytes;
  auto product = dyn_cast<blas::ProductOpInterface>(op);
  double extra = product ? allocatedBytes(product) : 0;
  if (memory == 0 || bytes + extra <= memory)
    return;
  InFlightDiagnostic warning = emitWarning(op->getLoc());
  warning << "operands of " << byteCount(bytes);
  if (extra > 0)
    warning << ", with copies and partial sums of " << byteCount(extra) << ",";
  warning << " exceed the memory of " << target->chip << ", " << byteCount(memory);
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// All sources, in the order in which they are asked.
static PlanSources sourcesFor(ModuleOp module, blas::TargetAttr target, const SharedPlanList &list,
                              Objective objective) {
  PlanSources sources;
  sources.add(std::make_unique<WrittenPlans>());
  if (list)
    sources.add(std::make_unique<ListedPlans>(list));
  if (objective == Objective::Energy)
    sources.add(std::make_unique<LeastEnergy>(refusalsOf(module, target)));
  sources.add(std::make_unique<RefusedPlans>(refusalsOf(module, target)));
  sources.add(std::make_unique<ModelPlans>());
  return sources;
}

/// One remark on lines of the list that are for other chips.
static void remarkOnLeftOut(ModuleOp module, blas::TargetAttr target, const SharedPlanList &list) {
  std::string leftOut = list ? list->whatIsLeftOut(target->chip) : "";
  if (!leftOut.empty())
    emitRemark(module.getLoc()) << leftOut;
}

static FailureOr<PlanRequest> requestOf(blas::Level3OpInterface op, blas::TargetAttr target,
                                        PlannedOps which) {
  FailureOr<PlanRequest> request = PlanRequest::of(op, target);
  if (failed(request))
    return failure();
  request->onePlan = which == PlannedOps::Parts;
  if (std::optional<Problem> &problem = request->product) {
    problem->canPack &= which == PlannedOps::User; // operand-pack has been
    problem->counted = op->getParentOfType<ModuleOp>()->hasAttr(blas::BlasDialect::kRefusedName);
  }
  return request;
}

/// Whether a plan, plans or a kernel are on the operation.
static bool isPlanned(Operation *op) {
  auto product = dyn_cast<blas::ProductOpInterface>(op);
  return op->hasAttr(blas::BlasDialect::kKernelName) || (product && product.getPlansAttr()) ||
         cast<blas::Level3OpInterface>(op).getAnyPlan();
}

/// Makes the choices that one operation after another asks for, side by side: planning keeps them.
static void planAhead(ModuleOp module, blas::TargetAttr target, PlannedOps which) {
  std::vector<Problem> problems;
  ScopedDiagnosticHandler unsaid(module.getContext(), [](Diagnostic &) { return success(); });
  module.walk([&](blas::ProductOpInterface op) {
    if (isPlanned(op))
      return;
    FailureOr<PlanRequest> request =
        requestOf(cast<blas::Level3OpInterface>(op.getOperation()), target, which);
    if (succeeded(request) && !request->needsSet())
      problems.push_back(*request->product);
  });
  parallelForEach(module.getContext(), problems,
                  [&](const Problem &problem) { (void)choose(problem, target); });
}

//===----------------------------------------------------------------------===//
// Offers
//===----------------------------------------------------------------------===//

/// A plan and what its remark cannot do without: how many workgroups registers leave room for.
static std::string describeTaken(const Plan &plan) {
  return shortForm(plan) + ", residency " + std::to_string(plan.residency);
}

/// One remark on each plan that was given up.
static void remarkOnGivenUp(Operation *op, const PlanOffer &offer, blas::TargetAttr target) {
  SmallVector<std::string> taken;
  if (offer.choice)
    taken.push_back(describeTaken(offer.choice->best.plan));
  for (const PlanCase &each : offer.set)
    taken.push_back(describeTaken(each.ranked.plan));
  if (offer.blocks)
    taken.push_back(blas::textOf(*offer.blocks));
  for (const Refusal &refusal : offer.givenUp)
    emitRemark(op->getLoc()) << "gave up plan " << refusal.kernelPlan() << ": its kernel "
                             << refusal.stated.getKernel() << " needs "
                             << refusal.stated.getScratch()
                             << " bytes of scratch memory a thread on " << target->arch << "; took "
                             << llvm::join(taken, ", ");
}

/// "tiles.txt:3: why"
static std::string textOf(const PlanOffer::Misfit &misfit) {
  auto place = cast<FileLineColLoc>(misfit.place);
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ": " + misfit.why).str();
}

static LogicalResult refuse(Operation *op, const PlanOffer &offer, blas::TargetAttr target) {
  if (offer.written && !offer.misfits.empty())
    return op->emitOpError() << offer.misfits.front().why;
  InFlightDiagnostic error = op->emitOpError("no plan ")
                             << (offer.misfits.empty() ? "" : "of the list ") << "fits chip '"
                             << target->chip << "'";
  if (!offer.misfits.empty()) // programs have the message without its notes
    error << ": " << textOf(offer.misfits.front());
  for (const PlanOffer::Misfit &each : offer.misfits)
    error.attachNote(Location(each.place)) << each.why;
  return error;
}

/// Writes a set of plans on `op`.
static void writeSet(blas::ProductOpInterface op, ArrayRef<PlanCase> set) {
  MLIRContext *context = op.getContext();
  op.setPlansAttr(ArrayAttr::get(
      context, llvm::map_to_vector(set, [&](const PlanCase &each) -> Attribute {
        return blas::CaseAttr::get(context, each.when,
                                   blas::PlanAttr::get(context, each.ranked.plan), each.price);
      })));
}

/// Why the offer was made, in the order of its remark.
static SmallVector<Reason> reasonsOf(const PlanRequest &request, const PlanOffer &offer,
                                     bool namesSource) {
  blas::TargetAttr target = request.target;
  if (offer.blocks) {
    SmallVector<Reason> reasons = explain(*request.triangle, *offer.blocks);
    if (namesSource && !offer.written)
      reasons.push_back({"from", offer.from});
    return reasons;
  }
  if (!offer.set.empty())
    return explain(offer.set, target);
  if (offer.written)
    return explain(*request.product, offer.choice->best, target);
  SmallVector<Reason> reasons = explain(*request.product, *offer.choice, target);
  if (namesSource)
    reasons.push_back({"from", offer.from});
  return reasons;
}

/// Writes the plan of `offer` on the operation, with a remark.
static void carryOut(const PlanRequest &request, const PlanOffer &offer, bool namesSource) {
  Operation *op = request.op;
  if (offer.kernel) {
    op->setAttr(blas::BlasDialect::kKernelName, offer.kernel);
    InFlightDiagnostic remark = emitRemark(op->getLoc())
                                << (offer.written ? "kept" : "took") << " kernel " << offer.kernel;
    if (!offer.written)
      remark << " from " << offer.from;
    return;
  }
  bool written = offer.written;
  if (auto product = dyn_cast<blas::ProductOpInterface>(op); product && !written) {
    if (offer.choice)
      product.setPlanAttr(blas::PlanAttr::get(op->getContext(), offer.choice->best.plan));
    else
      writeSet(product, offer.set);
  } else if (auto triangular = dyn_cast<blas::TriangularOpInterface>(op); triangular && !written) {
    triangular.setPlanAttr(offer.blocks->toAttribute(op->getContext()));
  }
  remarkOnGivenUp(op, offer, request.target);
  if (written && !offer.choice && !offer.blocks)
    return; // a set that was there
  StringRef outcome = written ? "kept plan" : offer.set.empty() ? "chose plan" : "chose plans";
  remarkOnPlan(op, outcome, reasonsOf(request, offer, namesSource), offer.from);
}

//===----------------------------------------------------------------------===//
// A module
//===----------------------------------------------------------------------===//

namespace {
/// Inputs of the choice of each plan.
struct Selection {
  blas::TargetAttr target;
  PlannedOps which;
  const PlanSources &sources;
  bool hasList;
  PlanListener onPlan;

  LogicalResult select(blas::Level3OpInterface op) const;
};
} // namespace

LogicalResult Selection::select(blas::Level3OpInterface op) const {
  if (which == PlannedOps::Parts && isPlanned(op))
    return success();
  FailureOr<PlanRequest> request = requestOf(op, target, which);
  if (failed(request))
    return failure();
  PlanOffer offer = sources.offer(*request);
  if (!offer.fits() || (offer.written && !offer.misfits.empty()))
    return refuse(op, offer, target);
  if (hasList && offer.from == ModelPlans::kName)
    offer.from += ": no line of the list applies";
  carryOut(*request, offer, hasList || offer.from == LeastEnergy::kName);
  if (onPlan)
    onPlan(op, offer.from);
  return success();
}

LogicalResult rooftile::selectPlans(ModuleOp module, blas::TargetAttr target, PlannedOps which,
                                    const SharedPlanList &list, PlanListener onPlan,
                                    Objective objective) {
  PlanSources sources = sourcesFor(module, target, list, objective);
  remarkOnLeftOut(module, target, list);
  if (!list && objective == Objective::Time)
    planAhead(module, target, which);
  module.walk([&](blas::ReduceOp op) {
    if (!op.getPlanAttr())
      op.setPlanAttr(chooseTiling(op, target));
  });
  module.walk([&](blas::PackOp op) {
    if (!op.getPlanAttr())
      op.setPlanAttr(chooseTiling(op, target));
  });
  // Every operation is looked at, so that one run reports all errors.
  Selection selection{target, which, sources, list != nullptr, onPlan};
  bool failedAny = false;
  module.walk([&](blas::Level3OpInterface op) {
    if (isa<blas::ProductOpInterface, blas::TriangularOpInterface>(op.getOperation()))
      failedAny |= failed(selection.select(op));
    if (which == PlannedOps::User && !failedAny)
      warnOfMemory(op, target);
  });
  return failure(failedAny);
}
