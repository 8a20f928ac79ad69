//===- PlanSource.h - Where plans come from ---------------------*- C++ -*-===//
//
// A plan is on the operation already, in a user's list, what an assembler leaves of the model's
// choice, or the model's choice. Each of these is a source; they are asked in this order, and the
// first that has an answer decides. A further kind of plans is one more source.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SEARCH_PLANSOURCE_H
#define ROOFTILE_PLANNING_SEARCH_PLANSOURCE_H

#include "rooftile/Planning/Feasibility/Refusals.h"
#include "rooftile/Planning/Search/Blocks.h"
#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Planning/Search/PlanSet.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rooftile::planning {

/// An operation that needs a plan: either a product or a triangular operation.
struct PlanRequest {
  blas::Level3OpInterface op; ///< Read for its keys and what is written on it.
  std::optional<Problem> product;
  std::optional<TriangularProblem> triangle;
  blas::TargetAttr target;
  bool onePlan = false; ///< Dynamic sizes get one plan, too, not a set.

  /// Fails with an error on `op` where no kernel exists.
  static llvm::FailureOr<PlanRequest> of(blas::Level3OpInterface op, blas::TargetAttr target);
  bool needsSet() const { return product && !onePlan && planning::needsSet(*product); }
};

/// The answer of a source. One of choice, set, blocks and kernel, or none where no plan of the
/// source fits.
struct PlanOffer {
  /// A plan that does not fit, and why. `place` is null for a plan on the operation.
  struct Misfit {
    mlir::LocationAttr place;
    std::string why;
  };

  std::string from;     ///< "tiles.txt:3", "the model", for remarks.
  bool written = false; ///< It is on the operation, and stays.
  std::optional<Choice> choice;
  std::vector<PlanCase> set; ///< Sizes for which no case holds are for other sources.
  std::optional<Blocks> blocks;
  mlir::SymbolRefAttr kernel;   ///< A kernel of the user's.
  std::vector<Misfit> misfits;  ///< Plans that do not fit.
  std::vector<Refusal> givenUp; ///< Plans that an assembler refused.

  bool leavesSizes() const { return !set.empty() && set.back().when; }
  bool fits() const { return choice || !set.empty() || blocks || kernel || written; }
};

/// One origin of plans. Pure: the same request has the same answer.
class PlanSource {
public:
  virtual ~PlanSource() = default;
  /// The best plan of this source, with its reasons; nothing where it has none for `request`.
  virtual std::optional<PlanOffer> offer(const PlanRequest &request) const = 0;
};

/// Plans, blocks and kernels that are on the operation.
class WrittenPlans : public PlanSource {
public:
  std::optional<PlanOffer> offer(const PlanRequest &request) const override;
};

/// The model's choice among plans that an assembler did not refuse, where it refused the first.
class RefusedPlans : public PlanSource {
public:
  explicit RefusedPlans(std::vector<Refusal> refusals) : refusals(std::move(refusals)) {}
  std::optional<PlanOffer> offer(const PlanRequest &request) const override;

private:
  std::vector<Refusal> refusals;
};

/// The fastest by the formulas of docs/CostModel.md. Has an answer for everything.
class ModelPlans : public PlanSource {
public:
  static constexpr llvm::StringLiteral kName = "the model";
  std::optional<PlanOffer> offer(const PlanRequest &request) const override;
};

/// Sources in the order in which they are asked.
class PlanSources {
public:
  PlanSources &add(std::unique_ptr<PlanSource> source) {
    sources.push_back(std::move(source));
    return *this;
  }
  /// That of the first source which has one. Sizes for which no case of it holds are for those
  /// after it.
  PlanOffer offer(const PlanRequest &request) const;

private:
  std::vector<std::unique_ptr<PlanSource>> sources;
};

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_PLANSOURCE_H
