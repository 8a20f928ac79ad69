//===- LeastSeconds.h - Lower bounds of the time of plans -------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_COST_LEASTSECONDS_H
#define ROOFTILE_PLANNING_COST_LEASTSECONDS_H

#include "rooftile/Planning/Cost/Price.h"

namespace rooftile::planning {

/// (C25) Bounds of prices: of a tile, whatever its K steps, and of one of its plans before the
/// paths of its operands are laid out. A bound is the price of the least facts.
class LeastSeconds {
public:
  /// For all plans that have the macro M, macro N, micro tile, lanes, depth and instruction of
  /// `tile`, vectors along the same dimensions, and copies in bulk where it has. `chip` is that of
  /// `target`; both and `problem` must outlive this.
  LeastSeconds(const Problem &problem, const Plan &tile, blas::TargetAttr target,
               const ChipRates &chip);

  /// Seconds of the quickest of them.
  double ofTile() const { return secondsOfTile; }
  /// The least counts of a step of plans whose K step, groups, copies and stages are those of
  /// `plan`.
  StepFacts stepOf(const Plan &plan) const;
  /// Seconds of the quickest of these whose K steps are shared out among several workgroups, in
  /// whatever way; infinite where none can be.
  double ofShares(const Plan &plan, const StepFacts &step) const;
  /// Seconds of those that share them out as `plan`.
  double of(const Plan &plan, const StepFacts &step) const;

private:
  /// Least work of a workgroup for a K element of an operand's tile.
  struct OperandCounts {
    double bytes = 0;                ///< That are copied.
    double accesses = 0, single = 0; ///< By subgroups: the fewest, and to single elements.
  };
  void countOperand(const Plan &tile, bool isA);

  const Problem &problem;
  blas::TargetAttr target;
  const ChipRates &chip;
  StepFacts ofK; ///< Facts of one K element, without copies.
  OperandCounts a, b;
  double threads; ///< In one group.
  double secondsOfTile;
};

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_COST_LEASTSECONDS_H
