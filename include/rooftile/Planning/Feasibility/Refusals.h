//===- Refusals.h - What an assembler said of kernels -----------*- C++ -*-===//
//
// An assembler counts registers exactly, the model (C3) does not. Where a kernel of a plan needs
// scratch memory, its plan is tried no more with so many workgroups to a unit: nvvm-to-binary and
// rocdl-to-binary note what was said of it in an attribute of the binary, fit-plans moves that to
// the module, and planning counts by it.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_FEASIBILITY_REFUSALS_H
#define ROOFTILE_PLANNING_FEASIBILITY_REFUSALS_H

#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"

#include <optional>
#include <string>

namespace rooftile::planning {

/// The attribute of a module, or a binary, that lists kernels which the assembler refused.
inline constexpr llvm::StringLiteral kRefusedName("blas.refused");

/// One kernel that was refused.
struct Refusal {
  blas::PlanAttr plan;   ///< As the kernel has it: after the passes that carry out parts of it.
  std::string kernel;    ///< Its name, for messages.
  int64_t scratch = 0;   ///< Bytes of scratch memory of a thread.
  int64_t registers = 0; ///< 32-bit registers that a thread takes, at least.

  /// {plan = #blas.plan<...>, kernel = "...", scratch = 64, registers = 143}
  mlir::DictionaryAttr toAttr() const;
  /// Reads the attribute; nothing where it has another form.
  static std::optional<Refusal> of(mlir::Attribute attribute);
  bool operator==(const Refusal &other) const { return plan == other.plan; }
};

/// Refusals in the attribute of `module`, none where it has none. `registers` are raised to the
/// least that leaves no room for as many workgroups as the plan has. Fails with an error at the
/// module where the attribute is no list of refusals.
llvm::FailureOr<std::vector<Refusal>> refusalsOf(mlir::ModuleOp module, blas::TargetAttr target);

/// The plan that the kernel of `plan` has, after the passes that carry out parts of it.
Plan kernelPlan(const Plan &plan);

/// Registers that kernels which differ from that of `plan` in the number and order of workgroups
/// alone were said to take, 0 where none was refused.
int64_t refusedRegisters(const std::vector<Refusal> &refusals, const Plan &plan);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_FEASIBILITY_REFUSALS_H
