//===- Bulk.h - Rules and costs of bulk copies ------------------*- C++ -*-===//
//
// Private to Planning. Agrees with checkBulkCopy of macro-tile.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_PLANNING_BULK_H
#define ROOFTILE_LIB_PLANNING_BULK_H

#include "rooftile/Planning/Check.h"

namespace rooftile::planning {

/// What keeps the tiles of operand `name` ('a' or 'b') from being copied row by row; nothing where
/// they can be, or another copy is planned.
std::optional<Violation> checkBulk(const Problem &problem, const Plan &plan, char name,
                                   blas::TargetAttr target);

/// The plan with the tile of `plan` that copies both operands in bulk, whole tiles at once where it
/// can be, where that is worth evaluating: products of f32 and complex<f32> in the forms of which
/// an H200 did 3 to 8 % more so than through registers.
std::optional<Plan> bulkPlan(const Problem &problem, Plan plan, blas::TargetAttr target);

/// Whether both operands are copied whole, by tensor copies.
bool copiesWhole(const Plan &plan);

/// As `message` of Check.cpp, for these rules.
const char *bulkMessage(Violation::Rule rule);

/// (C8) Instructions of a thread that start the copies of one operand's tile, on average.
double bulkInstructions(const Path &path, const Plan &plan);

} // namespace rooftile::planning

#endif // ROOFTILE_LIB_PLANNING_BULK_H
