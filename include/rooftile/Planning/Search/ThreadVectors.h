//===- ThreadVectors.h - How threads compute whole vectors ------*- C++ -*-===//
//
// The kernel of one block of which each thread computes vectors from their first row to the last:
// formula (C17) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SEARCH_THREADVECTORS_H
#define ROOFTILE_PLANNING_SEARCH_THREADVECTORS_H

#include "rooftile/Planning/Search/Blocks.h"

namespace rooftile::planning {

/// Rows, vectors, threads and matrices of a workgroup, as in #blas.blocks.
struct VectorKernel {
  int64_t rows = 0;     ///< Rows in registers; 0: all, or the default number.
  int64_t vectors = 1;  ///< Vectors that a thread computes.
  int64_t threads = 64; ///< Threads of a workgroup.
  int64_t matrices = 1; ///< Matrices of a batch in one workgroup.
  blas::Via a = blas::Via::Register, b = blas::Via::Register;
};

/// (C17) Time of `kernel` for the block of order `order` of `problem`.
double vectorSeconds(const TriangularProblem &problem, int64_t order, const VectorKernel &kernel,
                     blas::TargetAttr target);

/// Whether a triangle of order `order` is too large for shared memory, so that each thread reads
/// it element by element.
bool readsInPlace(const TriangularProblem &problem, int64_t order, const VectorKernel &kernel,
                  blas::TargetAttr target);

/// Threads of a workgroup where nothing else limits them: few, so that all units have some.
int64_t threadsByDefault(const TriangularProblem &problem, blas::TargetAttr target);

/// The fastest for the block of order `order`.
VectorKernel chooseVectors(const TriangularProblem &problem, int64_t order,
                           blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_THREADVECTORS_H
