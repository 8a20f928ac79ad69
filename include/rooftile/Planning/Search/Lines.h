//===- Lines.h - How threads compute whole lines ----------------*- C++ -*-===//
//
// The kernel of one block of which each thread computes lines from their first row to the last:
// formula (C17) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SEARCH_LINES_H
#define ROOFTILE_PLANNING_SEARCH_LINES_H

#include "rooftile/Planning/Search/Blocks.h"

namespace rooftile::planning {

/// What a thread has at a time, as #blas.blocks says it.
struct ThreadRows {
  int64_t rows = 0;  ///< Of each line in registers; 0: all, or as many as there are by default.
  int64_t lines = 1; ///< Of a thread.
};

/// What the kernel of the block of order `order` of `problem` takes.
double lineSeconds(const TriangularProblem &problem, int64_t order, ThreadRows rows,
                   blas::TargetAttr target);

/// Threads of its workgroups.
int64_t lineThreads(const TriangularProblem &problem, int64_t order, ThreadRows rows,
                    blas::TargetAttr target);

/// Bytes of shared memory that `count` of its triangles take, in whole parts of lines, and what
/// divides by the diagonal of one.
int64_t stagedBytes(const TriangularProblem &problem, int64_t order, ThreadRows rows,
                    int64_t count);

/// Whether its triangle is too large for shared memory, so that each thread reads it element by
/// element.
bool readsInPlace(const TriangularProblem &problem, int64_t order, ThreadRows rows,
                  blas::TargetAttr target);

/// The order from which on a triangle that all threads read is read from shared memory: the unit
/// that reads memory would limit one that is read element by element.
inline constexpr int64_t kWideOrder = 16;

/// The fastest.
ThreadRows chooseRows(const TriangularProblem &problem, int64_t order, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_LINES_H
