//===- Plan.h - A plan as planning holds it ---------------------*- C++ -*-===//
//
// Planning evaluates about a thousand plans per operation: the plain values of #blas.plan, of which
// only the chosen ones become one.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_PLAN_H
#define ROOFTILE_PLANNING_PLAN_H

#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Tile/Instructions.h"

namespace rooftile::planning {

using Path = blas::PathData;
using Plan = blas::PlanData;

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_PLAN_H
