//===- Packing.h - Operands that are copied first ---------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_PACKING_H
#define ROOFTILE_PLANNING_SPACE_PACKING_H

#include "rooftile/Planning/Space/Plan.h"

#include <utility>

namespace rooftile::planning {

/// The problem as the kernel of `plan` sees it: operands that the plan packs run along M or N, in
/// accesses of 16 bytes.
Problem packed(const Problem &problem, const Plan &plan);

/// Problem and plan of the kernel of `plan`: packed operands, or for an induced product the real
/// elements of complex ones.
std::pair<Problem, Plan> ofKernel(const Problem &problem, const Plan &plan);

/// Bytes of the copies: K rows of whole cache lines for each matrix.
double packedBytes(const Problem &problem, const Plan &plan);

/// The paths of plans that pack: every operand which that would serve, one that runs along K, or
/// whose rows allow no accesses of 16 bytes; and only those of such rows. None where sizes are not
/// known.
llvm::SmallVector<Plan, 2> packingsOf(const Problem &problem, blas::TargetAttr target);

/// Whether `plan`, which packs operands of `problem`, is worth a price: on chips with
/// asynchronous copies (others are not measured); where rows begin anywhere by matrix
/// instructions; and by those that read shared memory, which find vectors along K there, too, no
/// other operands.
bool isWorthPacking(const Problem &problem, const Plan &plan, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_PACKING_H
