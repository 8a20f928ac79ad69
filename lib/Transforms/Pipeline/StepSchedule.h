//===- StepSchedule.h - The order of the operations of a K step -*- C++ -*-===//
//
// Private to leap-frog. With S stages a K step is spread over up to S iterations of the
// pipelined loop; iteration i holds
//
//   loads to registers of step i + 1          first fragments of step i
//   asynchronous copies of step i + S - 1     slices of step i
//   stores of what was loaded, step i + 1
//
// With tile.prefetch the first fragments are those of step i + 1 and stand between the slices
// of step i and their last multiplication.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_TRANSFORMS_PIPELINE_STEPSCHEDULE_H
#define ROOFTILE_LIB_TRANSFORMS_PIPELINE_STEPSCHEDULE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Tile/Tile.h"

namespace rooftile {

/// Operations in the order of the pipelined loop, with the stage of each: the number of
/// iterations after the first that it happens.
using Schedule = std::vector<std::pair<mlir::Operation *, unsigned>>;

/// The operations in the body of a K loop by their role.
class StepSchedule {
public:
  explicit StepSchedule(mlir::scf::ForOp loop);

  bool fillsRings() const { return !copies.empty() || !stores.empty(); }
  bool hasCopies() const { return !copies.empty(); }
  bool hasProductsOfViews() const { return multipliesViews; }
  /// Whether first fragments are those of the next step.
  bool readsAhead() const { return prefetch && !firsts.empty(); }
  /// Stages of the smallest ring that is filled; 0 where a ring is unknown.
  int64_t getStages() const { return stages; }

  /// Gives copies index arithmetic and views of their own, so that nothing but tiles travels
  /// from one stage to another.
  void separateCopies(mlir::RewriterBase &rewriter);
  /// The schedule; at least two stages.
  void emit(Schedule &schedule) const;

private:
  using Operations = llvm::SmallVector<mlir::Operation *>;
  /// Operations of the body that `roots` need, roots included.
  llvm::DenseSet<mlir::Operation *> withOperands(llvm::ArrayRef<mlir::Operation *> roots) const;

  mlir::Block *body;
  Operations copies, loads, stores, firsts;
  mlir::Operation *slices = nullptr; // the loop over slices, when it is pipelined
  int64_t stages = 0;
  bool prefetch, multipliesViews = false;
};

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_PIPELINE_STEPSCHEDULE_H
