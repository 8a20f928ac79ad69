//===- Candidates.h - The plans that are evaluated --------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_CANDIDATES_H
#define ROOFTILE_PLANNING_SPACE_CANDIDATES_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

/// Calls `evaluate` for every plan worth evaluating, in a fixed order; about a
/// thousand for a large problem. Paths, lanes, vector and padding follow from
/// the tile sizes; the raster is left at 1 (see chooseRaster).
void forEachCandidate(const Problem &problem, blas::TargetAttr target,
                      llvm::function_ref<void(const Plan &)> evaluate);

/// The same for toInduced of a complex product, of few rows and columns and a long K: of matrix
/// instructions, which divide 2 M and 2 N more finely than M and N. The plans are those of the real
/// product.
void forEachInducedCandidate(const Problem &product, blas::TargetAttr target,
                             llvm::function_ref<void(const Plan &)> evaluate);

/// Whether a narrow tile, or one of a matrix instruction that is no small part of what it reads, is
/// stored with a bank conflict. Such candidates are worth a price only where there is no other.
bool storesMeet(const Problem &problem, const Plan &plan, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_CANDIDATES_H
