//===- LeastEnergy.h - Plans that need the least energy ---------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SEARCH_LEASTENERGY_H
#define ROOFTILE_PLANNING_SEARCH_LEASTENERGY_H

#include "rooftile/Planning/Search/PlanSource.h"

namespace rooftile::planning {

/// Aim of a choice of plans.
enum class Objective { Time, Energy };

/// The objective by its name, "time" or "energy"; nothing for another.
std::optional<Objective> parseObjective(llvm::StringRef name);

/// The plan of the least energy (C31) among those that an assembler did not refuse. Has answers for
/// products of known sizes, by plans without copied operands.
class LeastEnergy : public PlanSource {
public:
  static constexpr llvm::StringLiteral kName = "the model, for the least energy";
  explicit LeastEnergy(std::vector<Refusal> refusals) : refusals(std::move(refusals)) {}
  std::optional<PlanOffer> offer(const PlanRequest &request) const override;

private:
  std::vector<Refusal> refusals;
};

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_LEASTENERGY_H
