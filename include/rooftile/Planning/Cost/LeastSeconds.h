//===- LeastSeconds.h - What plans take at least ----------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_COST_LEASTSECONDS_H
#define ROOFTILE_PLANNING_COST_LEASTSECONDS_H

#include "rooftile/Planning/Cost/Price.h"

namespace rooftile::planning {

/// (C25) Bounds of prices: of a tile, whatever its K steps, and of one of its plans before the
/// paths of its operands are laid out. Counts of one K element are made once for a tile.
class LeastSeconds {
public:
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  /// Clocks of a unit for a K element of one workgroup.
  struct Work {
    double multiply = 0, issue = 0, shared = 0;
    double longest() const { return std::max({multiply, issue, shared}); }
    /// The longest of so many workgroups, each with so many subgroups for a scheduler.
    double of(double blocks, double ofScheduler) const;
  };
  /// Clocks of a step of one workgroup, of `length` K elements.
  struct Step {
    Work work; ///< Of a K element.
    double length = 0, ofScheduler = 0, alone = 0, barriers = 0, chain = 0, fetching = 0;
  };

  /// For all plans that have the macro M, macro N, micro tile, lanes, depth and instruction of
  /// `tile`, lines along the same dimensions, and copies in bulk where it has. `chip` is that of
  /// `target`; both and `problem` must outlive this.
  LeastSeconds(const Problem &problem, const Plan &tile, blas::TargetAttr target,
               const ChipRates &chip);

  /// Seconds of the quickest of them.
  double ofTile() const { return secondsOfTile; }
  /// What a step takes of plans whose K step, groups, copies and stages are those of `plan`.
  Step stepOf(const Plan &plan) const;
  /// Whether all of them take longer than `limit` seconds, however the K steps are shared out.
  bool allExceed(double limit, const Plan &plan, const Step &step) const;
  /// Seconds of one of them; where that is more than `limit`, maybe less, but also more than that.
  double of(const Plan &plan, const Step &step, double limit = kNoLimit) const;

private:
  /// (C5), or the longest: that is no more, and quickly known.
  using Join = llvm::function_ref<double(std::initializer_list<double>)>;
  /// What an operand's tile takes of a workgroup, for a K element.
  struct OperandCounts {
    double bytes = 0;                ///< That are copied.
    double accesses = 0, single = 0; ///< Of subgroups: the fewest, and those to single elements.
  };
  void countOperand(const Plan &tile, bool isA);
  double boundTile(const Plan &tile) const;
  /// With what copies take.
  Work workOf(const Plan &plan) const;
  /// Whether shares of K may find room for groups of so many threads.
  bool mayShare(int64_t threads) const;
  /// Clocks of C, and of what is launched beside the kernel.
  double outputOf(const Plan &plan, double workgroups) const;
  double othersOf(const Plan &plan) const;
  /// Seconds of a kernel of so many clocks, and of others.
  double launched(double kernel, double others, Join join) const;
  /// `bound` by (C5), unless the longest times are enough to exceed `limit`.
  double joined(llvm::function_ref<double(Join)> bound, double limit = kNoLimit) const;

  const Problem &problem;
  blas::TargetAttr target;
  const blas::CalibrationData &per;
  const ChipRates &chip;
  OperandCounts a, b;
  Work work;
  double instructions = 0; ///< That multiply and read fragments, for a K element.
  double tiles, threads;   ///< Workgroups of C, and threads of one group.
  double dram;             ///< Clocks until A and B have come from memory once.
  double secondsOfTile;
};

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_COST_LEASTSECONDS_H
