//===- Occupancy.h - How many workgroups share a unit -----------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_FEASIBILITY_OCCUPANCY_H
#define ROOFTILE_PLANNING_FEASIBILITY_OCCUPANCY_H

#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

/// Resource that keeps one more workgroup off a unit.
enum class OccupancyLimit { Registers, Shared, Threads, Workgroups };

/// Name for messages: "registers", "shared memory", "threads" or "resident workgroups".
llvm::StringRef toString(OccupancyLimit limit);

/// Resources of one workgroup and how many of them fit on one unit (C3, C4).
struct Occupancy {
  int64_t registers = 0;   ///< 32-bit registers that one thread is left.
  int64_t sharedBytes = 0; ///< One workgroup's, without the driver's reserve.
  int64_t threads = 0;     ///< In one workgroup.
  int64_t blocks = 0;      ///< Workgroups resident on one unit; 0: it does not fit.
  OccupancyLimit limit = OccupancyLimit::Workgroups;
};

/// 32-bit registers that one thread needs where nothing limits it (C3). The vendor decides whose
/// assembler allocates them: ptxas or LLVM's for AMD GPUs. Where it refused a kernel of the plan,
/// its report counts.
int64_t registersPerThread(const Problem &problem, const Plan &plan,
                           blas::Vendor vendor = blas::Vendor::Nvidia);

/// The fewest of these that the assembler can be held to (C3); nothing may spill.
int64_t heldRegisters(const Problem &problem, const Plan &plan, blas::Vendor vendor);

/// Registers of a kernel that needs the least within the model's error: with fewer nearly all
/// spill. A plan that somebody wrote must fit these.
int64_t leastRegisters(const Problem &problem, const Plan &plan, blas::Vendor vendor);

/// Workgroups per unit: the least that registers, shared memory, threads and
/// workgroup stages allow. `registers` (per thread) defaults to what it can be held to by the model
/// (C3), as far as a thread can address them; pass what an assembler reports to compare.
Occupancy occupancy(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                    int64_t registers = 0);

/// The registers that the residency of `plan` leaves a thread: its share of the file of a scheduler
/// (C4), as far as a thread can address it.
int64_t registersLeft(const Plan &plan, blas::TargetAttr target);

/// (C3) Accesses to C that a thread of `plan` may read before it writes the first of them: those
/// whose elements, addresses and conditions fit beside its accumulators into the registers that
/// the residency leaves. 0 where C is not read.
int64_t loadsOfC(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// Workgroups per unit that an assembler may be held to, at least 1: as many as `modelled`, but
/// with the registers that nearly all kernels keep to, rather than the model's (C3).
int64_t surelyResident(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                       const Occupancy &modelled);

/// Whether a thread nearly certainly does not spill where its elements of C come back from shared
/// memory (C3); true where it does not.
bool surelyExchanges(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// Whether a thread that can be held to `registers` by the model nearly certainly does not spill
/// (C3): what planning asks of its own choices.
bool surelyFits(int64_t registers, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_FEASIBILITY_OCCUPANCY_H
