//===- PlanMaps.h - The maps and layouts that a plan names ------*- C++ -*-===//
//
// A plan names sizes; these functions turn them into the shape:stride maps of
// the tile level. T = threads, all sizes in elements.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TRANSFORMS_KERNEL_PLANMAPS_H
#define ROOFTILE_TRANSFORMS_KERNEL_PLANMAPS_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Tile/Tile.h"

namespace rooftile {

/// Accumulator of macro M x macro N, one of each group below the other: the lanes and registers of
/// the multiplying instruction, over the subgroups, repeated. Lane and subgroup digits step by runs
/// of `vector` elements; the runs of one thread lie far apart, so that a subgroup reads
/// neighbouring runs (conflict-free).
tile::MapAttr accumulatorMap(blas::PlanAttr plan);

/// Fragment of A, macro M x depth of a slice, and of B, depth x macro N, for that accumulator. A
/// lane of a matrix instruction holds neighbours along K: where rows of K are spread over the
/// banks for stores that transpose a tile, reads do not meet either.
tile::MapAttr rowFragmentMap(blas::PlanAttr plan);
tile::MapAttr columnFragmentMap(blas::PlanAttr plan);

/// K elements of a slice, one share of it for each group, and the instruction that multiplies such
/// a share, by its offset in the macro tile (null: multiply-adds).
int64_t sliceDepth(blas::PlanAttr plan);
tile::InstructionAttr instructionOf(blas::PlanAttr plan);

/// A `rows` x `columns` tile and how it is copied: in accesses of `vector` elements along
/// columns (`alongColumns`) or rows, `lanes` of them side by side (0: all).
struct CopyShape {
  int64_t rows = 1, columns = 1, vector = 1, lanes = 0;
  bool alongColumns = true;
  bool planar = false; ///< Real and imaginary components are stored by themselves.
};

/// Who copies what: consecutive threads have consecutive accesses. Null when the accesses do
/// not divide evenly among the threads.
tile::MapAttr copyMap(mlir::MLIRContext *context, const CopyShape &shape, int64_t threads);

/// copyMap of `parts` tiles of that shape, one above the other, `threads` threads for each. Where
/// these are fewer than `all` threads of the workgroup, several hold the same elements.
tile::MapAttr stackedMap(mlir::MLIRContext *context, const CopyShape &shape, int64_t threads,
                         int64_t parts, int64_t all);

/// The stored dimension of A, or B, along which it is accessed: contiguous, and legal for the
/// plan's path.vector. Nothing where there is none: accesses are of single elements, or illegal.
std::optional<int64_t> accessedDim(blas::ProductOpInterface op, bool isA);

/// Copy map of the tile of op(A), or op(B), that the plan of `op` names. Null as above.
tile::MapAttr operandCopyMap(blas::ProductOpInterface op, bool isA);

/// Shared ring of A (macro M x macro K) and B (macro K x macro N), both K-major:
/// K rows of M + pad, or N + pad, elements.
tile::BufferType bufferTypeA(blas::PlanAttr plan, mlir::Type elementType);
tile::BufferType bufferTypeB(blas::PlanAttr plan, mlir::Type elementType);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_KERNEL_PLANMAPS_H
