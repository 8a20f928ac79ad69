//===- Refusals.h - Kernels that an assembler refused -----------*- C++ -*-===//
//
// An assembler counts registers exactly, the model (C3) does not. Where a kernel of a plan needs
// scratch memory, its plan is tried no more with so many workgroups to a unit: nvvm-to-binary and
// rocdl-to-binary list it on the binary (#blas.refusal), the driver (rooftile::fitPlans) moves that
// to the module, and planning counts by it.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_FEASIBILITY_REFUSALS_H
#define ROOFTILE_PLANNING_FEASIBILITY_REFUSALS_H

#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"

#include <string>

namespace rooftile::planning {

/// One kernel that was refused, with the registers that planning counts by.
struct Refusal {
  blas::RefusalAttr stated;
  int64_t registers = 0; ///< 32-bit registers that a thread needs, at least.

  bool operator==(const Refusal &other) const { return kernelPlan() == other.kernelPlan(); }
  /// That of the kernel: after the passes that carry out some of its keys.
  mlir::Attribute kernelPlan() const { return stated.getKernelPlan(); }
  /// Whether it is about the kernel of these plans.
  bool isOf(const Plan &chosen) const;
  bool isOf(const blas::BlocksData &chosen) const {
    return stated.getBlocks() && *stated.getBlocks() == chosen.ofBlock();
  }
};

/// The list on `module` (blas.refused), empty where it has none. `registers` are raised to the
/// least that leaves no room for as many workgroups as the plan has.
std::vector<Refusal> refusalsOf(mlir::ModuleOp module, blas::TargetAttr target);

/// The plan that the kernel of `plan` has, after the passes that carry out some of its keys.
Plan kernelPlan(const Plan &plan);

/// Registers that kernels which differ from that of `plan` in the number and order of workgroups
/// alone were reported to need, 0 where none was refused.
int64_t refusedRegisters(const std::vector<Refusal> &refusals, const Plan &plan);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_FEASIBILITY_REFUSALS_H
