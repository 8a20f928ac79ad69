//===- PlanSource.cpp - Where plans come from -----------------------------===//

#include "rooftile/Planning/Search/PlanSource.h"
#include "rooftile/Dialect/Blas/SixProducts.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

FailureOr<PlanRequest> PlanRequest::of(blas::Level3OpInterface op, blas::TargetAttr target) {
  PlanRequest request{op, {}, {}, target};
  if (op->hasAttr(blas::BlasDialect::kKernelName))
    return request; // whatever its author expects
  if (auto triangular = dyn_cast<blas::TriangularOpInterface>(op.getOperation())) {
    FailureOr<TriangularProblem> problem = TriangularProblem::of(triangular);
    if (failed(problem))
      return failure();
    request.triangle = *problem;
    return request;
  }
  FailureOr<Problem> problem = Problem::of(op);
  if (failed(problem))
    return failure();
  request.product = *problem;
  return request;
}

/// `first` has cases, which come before what `rest` has for all sizes.
static PlanOffer joined(PlanOffer first, PlanOffer rest, const PlanRequest &request) {
  if (rest.choice)
    rest.set = {{"any", {}, *request.product, rest.choice->best, {}}};
  append(first.set, std::move(rest.set));
  first.from += ", else " + rest.from;
  llvm::append_range(first.misfits, rest.misfits);
  llvm::append_range(first.givenUp, rest.givenUp);
  return first;
}

PlanOffer PlanSources::offer(const PlanRequest &request) const {
  std::optional<PlanOffer> first;
  for (const std::unique_ptr<PlanSource> &each : sources) {
    std::optional<PlanOffer> offer = each->offer(request);
    if (!offer)
      continue;
    if (first)
      offer = joined(std::move(*first), std::move(*offer), request);
    if (!offer->leavesSizes())
      return std::move(*offer);
    first = std::move(offer);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// On the operation
//===----------------------------------------------------------------------===//

/// The violation, or a message of the operation itself about it.
static std::string whyNot(blas::ProductOpInterface op, const Violation &violation,
                          blas::TargetAttr target) {
  bool six = op.getPlanAttr() && op.getPlanAttr()->products == blas::kPartBlocks;
  std::string why;
  if (violation.rule == Violation::Rule::Induced)
    why = six ? blas::whyNotInducedInParts(op) : blas::whyNotInduced(op);
  return why.empty() ? describe(violation, target) : "complex = induced, but " + why;
}

static void offerPlans(blas::ProductOpInterface op, const PlanRequest &request, PlanOffer &offer) {
  const Problem &problem = *request.product;
  blas::TargetAttr target = request.target;
  if (blas::PlanAttr plan = op.getPlanAttr()) {
    if (auto violation = check(problem, *plan, target))
      offer.misfits.push_back({{}, "plan does not fit: " + whyNot(op, *violation, target)});
    else
      offer.choice.emplace().best = {*plan, estimate(problem, *plan, target)};
    return;
  }
  for (auto [index, each] : llvm::enumerate(op.getPlansAttr().getAsRange<blas::CaseAttr>()))
    if (auto violation = check(problem.assuming(each.getWhen()), *each.getPlan(), target)) {
      offer.misfits.push_back({{},
                               llvm::formatv("plan of case {0} does not fit: {1}", index,
                                             whyNot(op, *violation, target))});
      return;
    }
}

std::optional<PlanOffer> WrittenPlans::offer(const PlanRequest &request) const {
  Operation *op = request.op;
  PlanOffer offer;
  offer.from = "the operation", offer.written = true;
  if ((offer.kernel = op->getAttrOfType<SymbolRefAttr>(blas::BlasDialect::kKernelName)))
    return offer;
  if (auto product = dyn_cast<blas::ProductOpInterface>(op)) {
    if (!product.getPlanAttr() && !product.getPlansAttr())
      return std::nullopt;
    offerPlans(product, request, offer);
    return offer;
  }
  blas::BlocksAttr plan = cast<blas::TriangularOpInterface>(op).getPlanAttr();
  if (!plan)
    return std::nullopt;
  if (std::string why = whyBlocksDoNotFit(plan, request.target); !why.empty())
    offer.misfits.push_back({{}, "plan does not fit: " + why});
  else
    offer.blocks = priced(*request.triangle, Blocks(plan), request.target);
  return offer;
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

static void choosePlans(const PlanRequest &request, const Problem &problem, PlanOffer &offer) {
  if (request.needsSet())
    offer.set = chooseSet(problem, request.target);
  else
    offer.choice = choose(problem, request.target);
}

std::optional<PlanOffer> ModelPlans::offer(const PlanRequest &request) const {
  PlanOffer offer;
  offer.from = kName.str();
  if (request.triangle)
    offer.blocks = chooseBlocks(*request.triangle, request.target);
  else
    choosePlans(request, *request.product, offer);
  return offer;
}

//===----------------------------------------------------------------------===//
// The assembler
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kCountedName =
    "the model, with registers as the assembler counts them";

/// Adds what of `refusals` a plan of `offer` meets for the first time; false where it meets none.
static bool addMet(const PlanOffer &offer, const std::vector<Refusal> &refusals,
                   std::vector<Refusal> &met) {
  size_t before = met.size();
  auto meet = [&](const Plan &plan) {
    for (const Refusal &refusal : refusals)
      if (refusal.isOf(plan) && !llvm::is_contained(met, refusal)) {
        met.push_back(refusal);
        return;
      }
  };
  if (offer.choice)
    meet(offer.choice->best.plan);
  for (const PlanCase &each : offer.set)
    meet(each.ranked.plan);
  return met.size() > before;
}

/// All blocks, the fastest first, and after them those of the fastest with fewer elements of a
/// vector in registers: small triangles have one kernel to choose from, which may be refused.
static std::vector<Blocks> rankWithLeaner(const TriangularProblem &problem,
                                          blas::TargetAttr target) {
  std::vector<Blocks> ranked = rankBlocks(problem, target);
  for (int64_t rows : {8, 4}) {
    Blocks leaner = ranked.front();
    leaner.rows = rows, leaner.workgroupVectors = 0, leaner.threadVectors = 1;
    ranked.push_back(priced(problem, leaner, target));
  }
  return ranked;
}

/// The fastest blocks that were not refused; nothing where the fastest of all were not, or all
/// were.
static std::optional<PlanOffer> offerBlocks(const PlanRequest &request,
                                            const std::vector<Refusal> &refusals) {
  PlanOffer offer;
  offer.from = kCountedName.str();
  for (const Blocks &blocks : rankWithLeaner(*request.triangle, request.target)) {
    auto refusal = llvm::find_if(refusals, [&](const Refusal &each) { return each.isOf(blocks); });
    if (refusal == refusals.end()) {
      offer.blocks = blocks;
      break;
    }
    if (!llvm::is_contained(offer.givenUp, *refusal))
      offer.givenUp.push_back(*refusal);
  }
  if (!offer.blocks || offer.givenUp.empty())
    return std::nullopt;
  return offer;
}

std::optional<PlanOffer> RefusedPlans::offer(const PlanRequest &request) const {
  if (refusals.empty())
    return std::nullopt;
  if (request.triangle)
    return offerBlocks(request, refusals);
  std::vector<Refusal> met;
  Problem problem = *request.product;
  problem.refusals = &met;
  PlanOffer offer;
  offer.from = kCountedName.str();
  do {
    offer.choice.reset(), offer.set.clear();
    choosePlans(request, problem, offer);
  } while (addMet(offer, refusals, met));
  if (met.empty())
    return std::nullopt;
  offer.givenUp = std::move(met);
  return offer;
}
