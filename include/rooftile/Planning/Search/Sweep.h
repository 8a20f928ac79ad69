//===- Sweep.h - How all threads of a workgroup solve vectors ---*- C++ -*-===//
//
// The kernel of one block of a blas.trsm whose vectors do not fit into the registers of one thread:
// formula (C27) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SEARCH_SWEEP_H
#define ROOFTILE_PLANNING_SEARCH_SWEEP_H

#include "rooftile/Planning/Search/Blocks.h"

namespace rooftile::planning {

/// Matrices of vectors, and triangles, one for each or for all.
struct SweptProblem {
  int64_t order, matrices, vectorsEach, triangles;
  int64_t triangleBytes, vectorBytes; ///< Bytes of an element.
  int64_t components, triangleComponents;
};

/// Threads and vectors of a workgroup, and the time of all workgroups.
struct Sweep {
  int64_t threads, vectors;
  double seconds;
};

/// Time of the sweep of `threads` and `vectors`; nothing where it has no room on `target`.
std::optional<double> sweepSeconds(const SweptProblem &problem, int64_t threads, int64_t vectors,
                                   blas::TargetAttr target);

/// The fastest, or nothing where none has room.
std::optional<Sweep> chooseSweep(const SweptProblem &problem, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_SWEEP_H
