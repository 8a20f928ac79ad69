//===- Bulk.h - Plans of bulk copies ----------------------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_BULK_H
#define ROOFTILE_PLANNING_SPACE_BULK_H

#include "rooftile/Planning/Space/Plan.h"

#include <optional>

namespace rooftile::planning {

/// The plan with the tile of `plan` that copies both operands in bulk, whole tiles at once where it
/// can be, where that is worth evaluating: products of f32 and complex<f32> in the forms of which
/// an H200 did 3 to 8 % more so than through registers.
std::optional<Plan> bulkPlan(const Problem &problem, Plan plan, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_BULK_H
