//===- KernelFacts.h - What a kernel does, counted --------------*- C++ -*-===//
//
// Derived once from a problem, a plan and the hardware figures of a target. Prices are made of
// these counts alone: no formula depends on a family of kernels, a vendor or an element type.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_COST_KERNELFACTS_H
#define ROOFTILE_PLANNING_COST_KERNELFACTS_H

#include "rooftile/Planning/Feasibility/Occupancy.h"

namespace rooftile::planning {

/// `count` waves of workgroups, with `blocks` on each unit and `active` in all.
struct WaveFacts {
  double count = 0, blocks = 0, active = 0;
  double begun = 0;     ///< Workgroups that a unit begins.
  double followed = 0;  ///< Waves that another one follows.
  double scheduled = 0; ///< Workgroups that would keep all schedulers as busy as the fullest is.
  double missed = 0;    ///< Share of the loads that the L2 cache does not serve.
  /// Bytes that a step of all of them reads, each counted once.
  double differentBytes = 0;
  /// Bytes that a step of all of them reads from DRAM, and runs of neighbours that these make up.
  double dramBytes = 0, dramRuns = 0;
};

/// Counts of one workgroup in one K step: the same however the steps are shared out. Instructions
/// are those of subgroups, of all of the workgroup; clocks are those of a unit, the fewest that the
/// hardware accepts.
struct StepFacts {
  double subgroups = 0; ///< In a workgroup.
  double stages = 0;    ///< Tiles of a ring; all but one are on their way. 1: none is.
  double barriers = 0;

  // Multipliers.
  double multiplyClocks = 0; ///< At the ceiling of the instruction.
  double wide =
      0; ///< 1: by multiply-adds in micro tiles wider than tall, by threads that copy, too.

  // Issue slots.
  double multiplies = 0;
  double fragmentReads = 0;
  double sharedStores = 0;
  double asyncCopies = 0;
  double otherInstructions = 0; ///< Loads, bulk copies, conversions, compensated additions.
  double code = 0;              ///< Instructions of a thread that are compiled.

  /// Times that a subgroup waits for loads of scalar registers before it goes on multiplying: they
  /// arrive in any order, so that it waits for all that are on their way.
  double scalarWaits = 0;

  // Shared memory, and the port to it, which loads share.
  double readClocks = 0;  ///< Reading fragments.
  double storeClocks = 0; ///< Storing tiles that pass through registers.
  double copyClocks = 0;  ///< Writing asynchronous and bulk copies.
  double loadLines = 0;   ///< Cache lines that loads touch.
  double copyLines = 0;   ///< Cache lines that asynchronous copies touch.
  double scatters = 0;    ///< Accesses of threads of asynchronous copies that transpose.

  // Memory.
  double cacheBytes = 0;     ///< From the L2 cache, in whole sectors.
  double runA = 0, runB = 0; ///< Bytes of a run of neighbours in memory.
};

/// All counts of a kernel; of one workgroup, unless stated.
struct KernelFacts : StepFacts {
  explicit KernelFacts(const StepFacts &step) : StepFacts(step) {}

  // The grid.
  double workgroups = 0;  ///< All of them.
  double steps = 0;       ///< K steps of a workgroup.
  double share = 1;       ///< Factor of the time of all waves, where workgroups have fewer steps.
  WaveFacts full, last;   ///< The waves that fill the chip, and that of the rest.
  double pointers = 0;    ///< 1: addresses of matrices are read first.
  double descriptors = 0; ///< 1: descriptors of matrices are, by tensor copies.

  // C.
  double storedBytes = 0;
  double readBytes = 0;   ///< Read from C and from operands of an epilogue.
  double storeLines = 0;  ///< Cache lines that its stores touch, each time that they do.
  double atomicBytes = 0; ///< Added to C.
  double exchangeClocks =
      0; ///< Clocks of the shared-memory port, for accumulators that pass through it.
  double peerBytes = 0; ///< From the shared memory of other units.
  double ranks = 0;     ///< Workgroups of the cluster.

  // Beside the kernel.
  double launches = 0;    ///< Kernels launched before and after it.
  double otherBytes = 0;  ///< Bytes that these move through DRAM ...
  double otherCached = 0; ///< ... and through the L2 cache.
  double allocations = 0;
};

/// The counts of a step of `plan`, which is not induced, for operands as they are after packing.
StepFacts stepFactsOf(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// Barriers of a step: none where fragments come from memory.
int64_t barriersOf(const Plan &plan);

/// (C6) Multiply-adds per second for `problem`: of the matrix instruction of `plan`, else of the
/// FMA units, where `packedF32` counts as far as the compiler can pack.
double multiplyAddsPerSecond(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// Multiply-adds of real elements that one instruction of `plan` does.
double productsOfInstruction(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// (C7) Clocks in which a subgroup reads its fragments of A or B for one K element, `vector`
/// elements at a time, where nothing meets in the banks.
double fragmentClocks(const Plan &plan, bool isA, int64_t vector, int64_t elementBytes,
                      blas::TargetAttr target);

/// No less than what kernels of the tile, the splits and the reduction of `plan` do whose steps
/// need `step` at least: all workgroups are resident at once, so that A and B are read once, and C
/// is written in whole cache lines. `problem` is as it is after packing.
KernelFacts leastFactsOf(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                         const StepFacts &step);

/// The counts of `plan`, which must have passed check(), with the residency of `occupancy`. Of an
/// induced plan `occupancy` is that of the real product. `step`: where its counts are known.
KernelFacts factsOf(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                    const Occupancy &occupancy, const StepFacts *step = nullptr);

/// Units that workgroups of `plan` fill.
int64_t unitsFilled(const Plan &plan, blas::TargetAttr target);

/// The counts of `plan`, which packs nothing and is not induced, with one wave of `ofUnit`
/// workgroups on each unit, as there are of a larger product of the same K.
KernelFacts waveFactsOf(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                        const Occupancy &occupancy, int64_t ofUnit);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_COST_KERNELFACTS_H
