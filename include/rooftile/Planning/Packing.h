//===- Packing.h - Operands that are copied first ---------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_PACKING_H
#define ROOFTILE_PLANNING_PACKING_H

#include "rooftile/Planning/Choose.h"

namespace rooftile::planning {

/// The problem as the kernel of `plan` sees it: operands that the plan packs run along M or N, in
/// accesses of 16 bytes.
Problem packed(const Problem &problem, const Plan &plan);

/// Bytes that copies take: K rows of whole 16 bytes for each matrix.
double packedBytes(const Problem &problem, const Plan &plan);

/// (C24) Seconds of the kernels that copy, and of memory for the copies where none is given.
double packSeconds(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// Calls `evaluate` with the paths of a plan that packs every operand which that would serve: one
/// that runs along K, or whose rows allow no accesses of 16 bytes. Not at all where copies would
/// take more than a small part of the product, or sizes are not known.
void forEachPacking(const Problem &problem, blas::TargetAttr target,
                    llvm::function_ref<void(const Plan &)> evaluate);

/// Whether `plan`, which packs operands of `problem`, is worth a price: large tiles, on chips with
/// asynchronous copies (others are not measured), and where rows begin anywhere matrix
/// instructions.
bool isWorthPacking(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// (C25) Seconds that a plan without copies takes more than its price says: for operands along K,
/// or with rows that begin anywhere.
double transposingSeconds(const Problem &problem, const Ranked &ranked, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_PACKING_H
