//===- TileSelect.cpp - Choose a plan for every blas operation ------------===//
//
// The only pass that decides. Raises linalg, so that it can be given what other
// compilers emit; asks lib/Planning, which is pure; writes #blas.plan and says
// why. All later passes carry out. A plan already there is left alone, but it
// must fit: a spilling or oversized plan is an error here, not a slow kernel.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Plan/TileSelect.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Threading.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "rooftile/Planning/Feasibility/Refusals.h"
#include "rooftile/Planning/Problem/Footprint.h"
#include "rooftile/Planning/Search/Blocks.h"
#include "rooftile/Planning/Search/PlanSet.h"
#include "rooftile/Planning/Space/Packing.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "rooftile/Planning/Space/Tiling.h"
#include "rooftile/Transforms/Kernel/UserKernel.h"
#include "rooftile/Transforms/Passes.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"
#include "rooftile/Transforms/Plan/PlanList.h"
#include "rooftile/Transforms/Raise/ConvertLinalgToBlas.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MemoryBuffer.h"

#define DEBUG_TYPE "tile-select"

using namespace mlir;
using namespace rooftile::planning;

namespace rooftile {
#define GEN_PASS_DEF_TILESELECT
#include "rooftile/Transforms/Passes.h.inc"

static constexpr llvm::StringLiteral kCategory = "tile-select";

/// Says why: through the remark engine where it wants this (--remarks-filter and
/// the like), else as one ordinary remark, which every tool shows.
static void remarkOnPlan(Operation *op, StringRef outcome, ArrayRef<Reason> reasons) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  auto options = remark::RemarkOpts::name(outcome).category(kCategory).function(
      function ? function.getName() : StringRef());
  if (auto remark = remark::passed(op->getLoc(), options)) {
    for (const Reason &reason : reasons)
      remark << remark::metric(reason.key, reason.text);
    return;
  }
  InFlightDiagnostic remark = emitRemark(op->getLoc());
  remark << outcome << " " << reasons.front().text;
  for (const Reason &reason : reasons.drop_front())
    remark << "\n  " << reason.key << ": " << reason.text;
}

/// What the plan of `op` allocates beside its operands, in bytes.
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
  double bytes = operandBytes(op), memory = target.getMemoryBytes();
  auto product = dyn_cast<blas::ProductOpInterface>(op);
  double extra = product ? allocatedBytes(product) : 0;
  if (memory == 0 || bytes + extra <= memory)
    return;
  InFlightDiagnostic warning = emitWarning(op->getLoc());
  warning << "operands of " << byteCount(bytes);
  if (extra > 0)
    warning << ", with copies and partial sums of " << byteCount(extra) << ",";
  warning << " exceed the memory of " << target.getChip() << ", " << byteCount(memory);
}

/// What does not fit, with what the operation itself has to say of it.
static std::string describe(blas::ProductOpInterface op, const Violation &violation,
                            blas::TargetAttr target) {
  std::string why = violation.rule == Violation::Rule::Induced ? whyNotInduced(op) : "";
  return why.empty() ? planning::describe(violation, target) : "complex = induced, but " + why;
}

/// A plan already there: an error unless it fits.
static LogicalResult keepPlan(blas::ProductOpInterface op, const Problem &problem,
                              blas::TargetAttr target) {
  Plan plan = *op.getPlanAttr();
  if (auto violation = check(problem, plan, target))
    return op->emitOpError("plan does not fit: ") << describe(op, *violation, target);
  Ranked ranked{plan, estimate(problem, plan, target)};
  remarkOnPlan(op, "kept plan", explain(problem, ranked, target));
  return success();
}

/// A set already there: an error unless every plan fits where it may run.
static LogicalResult keepPlans(blas::ProductOpInterface op, const Problem &problem,
                               blas::TargetAttr target) {
  for (auto [index, each] : llvm::enumerate(op.getPlansAttr().getAsRange<blas::CaseAttr>()))
    if (auto violation = check(problem.assuming(each.getWhen()), *each.getPlan(), target))
      return op->emitOpError("plan of case ")
             << index << " does not fit: " << describe(op, *violation, target);
  return success();
}

namespace {
/// What an assembler refused, and what of it one operation meets: planning chooses, and where the
/// plan was refused counts its registers by that and chooses once more.
class Fitting {
public:
  Fitting(Problem &problem, const std::vector<Refusal> &refusals) : refusals(refusals) {
    problem.refusals = &met;
  }
  /// Whether `plan` was refused, and is met for the first time.
  bool meets(const Plan &plan, MLIRContext *context);
  /// One remark on each plan that was given up; `taken` are those instead.
  void remarkOn(Operation *op, blas::TargetAttr target, ArrayRef<std::string> taken) const;

private:
  const std::vector<Refusal> &refusals;
  std::vector<Refusal> met;
};
} // namespace

bool Fitting::meets(const Plan &plan, MLIRContext *context) {
  if (refusals.empty())
    return false;
  Plan ofKernel = kernelPlan(plan);
  for (const Refusal &refusal : refusals)
    if (*refusal.plan == ofKernel && !llvm::is_contained(met, refusal)) {
      met.push_back(refusal);
      return true;
    }
  return false;
}

void Fitting::remarkOn(Operation *op, blas::TargetAttr target, ArrayRef<std::string> taken) const {
  for (const Refusal &refusal : met)
    emitRemark(op->getLoc()) << "gave up plan " << refusal.plan << ": its kernel " << refusal.kernel
                             << " needs " << refusal.scratch
                             << " bytes of scratch memory a thread on " << target.getArch()
                             << "; took " << llvm::join(taken, ", ");
}

/// A plan and what its remark cannot do without: how many workgroups registers leave room for.
static std::string describeTaken(const Plan &plan) {
  return shortForm(plan) + ", residency " + std::to_string(plan.residency);
}

/// Plans with conditions for an operation whose sizes or alignment are not known.
static LogicalResult selectPlans(blas::ProductOpInterface op, Problem problem,
                                 blas::TargetAttr target, const std::vector<Refusal> &refusals) {
  MLIRContext *context = op.getContext();
  Fitting fitting(problem, refusals);
  std::vector<PlanCase> set;
  for (bool again = true; again;) {
    set = chooseSet(problem, target);
    again = false;
    for (const PlanCase &each : set)
      again |= fitting.meets(each.ranked.plan, context);
  }
  if (set.empty())
    return op->emitOpError("no plan fits chip '") << target.getChip() << "'";
  SmallVector<Attribute> cases;
  for (const PlanCase &each : set)
    cases.push_back(blas::CaseAttr::get(
        context, each.when, blas::PlanAttr::get(context, each.ranked.plan), each.price));
  op.setPlansAttr(ArrayAttr::get(context, cases));
  fitting.remarkOn(op, target, llvm::map_to_vector(set, [](const PlanCase &each) {
                     return describeTaken(each.ranked.plan);
                   }));
  remarkOnPlan(op, "chose plans", explain(set, target));
  return success();
}

/// Reads a user's list; errors are located in it.
static FailureOr<PlanList> readList(ModuleOp module, StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return module.emitError("cannot read the list of plans '")
           << file << "': " << buffer.getError().message();
  return PlanList::parse((*buffer)->getBuffer(), file, module.getContext());
}

/// Plans one operation from a user's list. False where no line of the list applies.
static FailureOr<bool> selectFromList(blas::ProductOpInterface op, const Problem &problem,
                                      blas::TargetAttr target, const PlanList &list) {
  PlanList::Selection selection = list.select(op, problem, target);
  if (selection.lines == 0)
    return false;
  if (selection.kernel) {
    op->setAttr(blas::BlasDialect::kKernelName, selection.kernel);
    emitRemark(op.getLoc()) << "took kernel " << selection.kernel << " from " << selection.from;
    return true;
  }
  if (!selection.choice) {
    InFlightDiagnostic error = op->emitOpError("no plan of the list fits chip '")
                               << target.getChip() << "'";
    for (auto &[place, why] : selection.violations)
      error.attachNote(place) << why;
    return error;
  }
  op.setPlanAttr(blas::PlanAttr::get(op->getContext(), selection.choice->best.plan));
  SmallVector<Reason> reasons = explain(problem, *selection.choice, target);
  reasons.push_back({"from", selection.from});
  remarkOnPlan(op, "chose plan", reasons);
  return true;
}

/// One plan for an operation. `listed`: there is a user's list, of which no line applies.
static LogicalResult selectOne(blas::ProductOpInterface op, Problem problem,
                               blas::TargetAttr target, const std::vector<Refusal> &refusals,
                               bool listed) {
  Fitting fitting(problem, refusals);
  std::optional<Choice> choice = choose(problem, target);
  while (choice && fitting.meets(choice->best.plan, op.getContext()))
    choice = choose(problem, target);
  if (!choice)
    return op->emitOpError("no plan fits chip '") << target.getChip() << "'";
  op.setPlanAttr(blas::PlanAttr::get(op->getContext(), choice->best.plan));
  fitting.remarkOn(op, target, describeTaken(choice->best.plan));
  SmallVector<Reason> reasons = explain(problem, *choice, target);
  if (listed)
    reasons.push_back({"from", "the model: no line of the list applies"});
  remarkOnPlan(op, "chose plan", reasons);
  return success();
}

/// What is planned for `op`.
static FailureOr<Problem> problemOf(blas::ProductOpInterface op, bool newOnly) {
  FailureOr<Problem> problem = Problem::of(op);
  if (failed(problem))
    return failure();
  problem->canPack &= !newOnly; // operand-pack has been
  problem->counted = op->getParentOfType<ModuleOp>()->hasAttr(kRefusedName);
  return problem;
}

/// Makes the choices that one operation after another asks for, side by side: planning keeps them.
static void planAhead(ModuleOp module, blas::TargetAttr target, bool newOnly) {
  std::vector<Problem> problems;
  ScopedDiagnosticHandler unsaid(module.getContext(), [](Diagnostic &) { return success(); });
  module.walk([&](blas::ProductOpInterface op) {
    if (op.getPlanAttr() || op.getPlansAttr() || userKernelOf(op))
      return;
    FailureOr<Problem> problem = problemOf(op, newOnly);
    if (succeeded(problem) && (newOnly || !needsSet(*problem)))
      problems.push_back(*problem);
  });
  parallelForEach(module.getContext(), problems,
                  [&](const Problem &problem) { (void)choose(problem, target); });
}

/// Plans one operation; one that has a plan is checked, or with `newOnly` passed over. What the
/// line itself has made (`newOnly`) gets one plan, whatever its sizes are. A kernel of the user's
/// needs none.
static LogicalResult selectPlan(blas::ProductOpInterface op, blas::TargetAttr target, bool newOnly,
                                const std::optional<PlanList> &list,
                                const std::vector<Refusal> &refusals) {
  SymbolRefAttr kernel = userKernelOf(op);
  if (newOnly && (op.getPlanAttr() || op.getPlansAttr() || kernel))
    return success();
  if (kernel) {
    emitRemark(op.getLoc()) << "kept kernel " << kernel;
    return success();
  }
  FailureOr<Problem> problem = problemOf(op, newOnly);
  if (failed(problem))
    return failure();
  if (op.getPlanAttr())
    return keepPlan(op, *problem, target);
  if (op.getPlansAttr())
    return keepPlans(op, *problem, target);
  FailureOr<bool> listed = false;
  if (list && (failed(listed = selectFromList(op, *problem, target, *list)) || *listed))
    return listed;
  if (!newOnly && needsSet(*problem))
    return selectPlans(op, *problem, target, refusals);
  return selectOne(op, *problem, target, refusals, list.has_value());
}

/// Chooses the blocks of a triangular operation, or checks those that are there.
static LogicalResult selectBlocks(blas::TriangularOpInterface op, blas::TargetAttr target,
                                  bool newOnly) {
  blas::BlocksAttr plan = op.getPlanAttr();
  if (newOnly && plan)
    return success();
  FailureOr<TriangularProblem> problem = TriangularProblem::of(op);
  if (failed(problem))
    return failure();
  if (!plan) {
    Blocks best = chooseBlocks(*problem, target);
    op.setPlanAttr(best.toAttribute(op->getContext()));
    remarkOnPlan(op, "chose plan", explain(*problem, best));
    return success();
  }
  if (plan.getWorkgroup() > target.getThreadsPerBlock())
    return op->emitOpError("plan does not fit: workgroup: ")
           << plan.getWorkgroup() << " threads, but a workgroup of " << target.getChip()
           << " has at most " << target.getThreadsPerBlock();
  Blocks kept = priced(*problem, Blocks(plan), target);
  remarkOnPlan(op, "kept plan", explain(*problem, kept));
  return success();
}

LogicalResult selectTiles(ModuleOp module, StringRef chip, bool newOnly, StringRef plans) {
  if (!newOnly && failed(raiseLinalgToBlas(module)))
    return failure();
  FailureOr<blas::TargetAttr> target = attachTarget(module, chip);
  if (failed(target))
    return failure();
  FailureOr<std::vector<Refusal>> refusals = refusalsOf(module, *target);
  if (failed(refusals))
    return failure();
  std::optional<PlanList> list;
  if (!plans.empty()) {
    FailureOr<PlanList> read = readList(module, plans);
    if (failed(read))
      return failure();
    list = *read;
  }
  if (!list)
    planAhead(module, *target, newOnly);
  module.walk([&](blas::ReduceOp op) {
    if (!op.getPlanAttr())
      op.setPlanAttr(chooseTiling(op, *target));
  });
  module.walk([&](blas::PackOp op) {
    if (!op.getPlanAttr())
      op.setPlanAttr(chooseTiling(op, *target));
  });
  // Every operation is looked at, so that one run reports all errors.
  bool failedAny = false;
  module.walk([&](Operation *op) {
    if (auto product = dyn_cast<blas::ProductOpInterface>(op))
      failedAny |= failed(selectPlan(product, *target, newOnly, list, *refusals));
    else if (auto triangular = dyn_cast<blas::TriangularOpInterface>(op))
      failedAny |= failed(selectBlocks(triangular, *target, newOnly));
    if (!newOnly && !failedAny && isa<blas::Level3OpInterface>(op))
      warnOfMemory(op, *target);
  });
  return failure(failedAny);
}

namespace {
struct TileSelectPass : impl::TileSelectBase<TileSelectPass> {
  using TileSelectBase::TileSelectBase;

  void runOnOperation() override {
    if (failed(selectTiles(getOperation(), chip, newOnly, plans)))
      return signalPassFailure();
    getOperation().walk([&](blas::Level3OpInterface op) {
      ++numOperations;
      LDBG() << op->getName() << " at " << op->getLoc();
    });
  }
};
} // namespace
} // namespace rooftile
