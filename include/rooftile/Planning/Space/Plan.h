//===- Plan.h - A plan as planning holds it ---------------------*- C++ -*-===//
//
// Planning evaluates about a thousand plans per operation: the plain values of #blas.plan, of which
// only the chosen ones become one.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SPACE_PLAN_H
#define ROOFTILE_PLANNING_SPACE_PLAN_H

#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Planning/Problem/Problem.h"

namespace rooftile::planning {

using Path = blas::PathData;
using Plan = blas::PlanData;

/// Whether matrix instructions multiply complex numbers, component by component.
inline bool multipliesComplex(const Problem &problem, const Plan &plan) {
  return plan.instruction && problem.c.components == 2;
}

/// (C6) Multiply-adds of one product by `plan`.
inline int64_t realProducts(const Problem &problem, const Plan &plan) {
  return plan.products == 3 ? 3 : problem.multiplyAdds;
}

/// Whether one tile of X X^T, or X^T X, is both operands, copied once.
inline bool sharesTile(const Problem &problem, const Plan &plan) {
  bool copied =
      plan.a == plan.b && plan.a.via == blas::Via::Shared && !blas::arrivesInBulk(plan.a.copy);
  return problem.oneMatrix && copied && problem.knownM && problem.knownN &&
         plan.macroM == plan.macroN && std::max(problem.m, problem.n) <= plan.macroM;
}

/// Bytes of shared memory of one workgroup (C2).
inline int64_t sharedBytes(const Problem &problem, const Plan &plan) {
  int64_t ofB = sharesTile(problem, plan) ? 0 : problem.b.elementBytes;
  return plan.sharedBytes(problem.a.elementBytes, ofB, problem.elementBytes);
}

/// Elements of an access to a tile of C that comes from shared memory.
inline int64_t exchangeVector(const Problem &problem) {
  return std::min(blas::exchangeVector(problem.elementBytes), problem.c.maxVector);
}

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_PLAN_H
