//===- Plan.h - A plan as plain numbers -------------------------*- C++ -*-===//
//
// Planning evaluates about a thousand plans per operation; they are plain structs,
// and only the chosen one becomes a #blas.plan.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_PLAN_H
#define ROOFTILE_PLANNING_PLAN_H

#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Tile/Instructions.h"

namespace rooftile::planning {

/// #blas.path: the path of one operand to the multiplying instructions.
struct Path {
  blas::Via via = blas::Via::Shared;
  blas::Copy copy = blas::Copy::Register;
  int64_t vector = 1;  ///< Elements of one global access.
  int64_t pad = 0;     ///< Elements added to each row of the shared tile.
  int64_t swizzle = 0; ///< Elements that change places in every 8 rows of the shared tile.
  int64_t lanes = 0;   ///< Neighbouring threads along the contiguous dimension; 0: all accesses.
  bool pack = false;   ///< The operand is copied first, so that it runs along M or N.
  blas::Major major = blas::Major::MN; ///< Along which neighbours of the shared tile lie.
  blas::ComplexLayout layout =
      blas::ComplexLayout::Interleaved; ///< Of complex numbers in the shared tile.
  int64_t flat = 0; ///< Elements of a line: whole lines without gaps are copied as one.

  /// How the lines of the shared tile lie, which `threads` threads copy.
  blas::SharedTileLayout lines(int64_t threads) const {
    return {major, pad, layout, flat, threads * vector};
  }
};

/// #blas.plan. All sizes in elements; see the attribute for their meaning.
struct Plan {
  int64_t macroM = 1, macroN = 1, macroK = 1;
  int64_t microM = 1, microN = 1;
  int64_t lanesM = 1, lanesN = 1;
  int64_t slicedK = 1; ///< Groups of subgroups that share out each K step.
  int64_t depth = 1;   ///< K elements of a slice of multiply-adds.
  int64_t vector = 1;
  const tile::Instruction *instruction = nullptr; ///< Null: multiply-adds.
  int64_t products = 4; ///< Real products of a complex one; 3: that of sums of parts stands in.
  blas::ComplexMethod complex =
      blas::ComplexMethod::Native; ///< Induced: all else counts real numbers.
  blas::Summation summation =
      blas::Summation::Plain; ///< Compensated: of steps, with what rounding lost.
  Path a, b;
  blas::Via c = blas::Via::Register; ///< Shared: the tile of C passes through shared memory.
  int64_t flat = 0; ///< Elements of a row of C: whole rows without gaps are written as one.
  int64_t stages = 2;
  int64_t prefetch = 0; ///< 1: first fragments are read before the previous step ends.
  int64_t unroll = 0;   ///< Slices that are written out in the slice loop; 0: all, no loop.
  blas::Reduction reduction = blas::Reduction::None;
  int64_t splits = 1; ///< Workgroups that share the K steps of a tile.
  blas::Tail tail = blas::Tail::Overlap;
  int64_t raster = 1;
  int64_t residency = 1; ///< Workgroups that a unit is to hold.

  static Plan of(blas::PlanAttr attribute);
  blas::PlanAttr toAttr(mlir::MLIRContext *context) const;

  /// Threads of one workgroup (C2).
  int64_t threads() const { return (macroM / microM) * (macroN / microN) * slicedK; }
  /// K elements of a step that one thread multiplies.
  int64_t ownK() const { return macroK / slicedK; }
  /// K elements of a slice of one group: `depth`, or those of the matrix instruction.
  int64_t sliceDepth() const { return instruction ? instruction->depth() : depth; }
  /// True where sums keep what rounding lost.
  bool compensates() const { return summation == blas::Summation::Compensated; }
  /// Terms of compensated sums that are added up plainly.
  int64_t plainTerms() const { return ownK() + slicedK * ranks(); }
  /// True where complex numbers are multiplied as the real ones that they consist of.
  bool isInduced() const { return complex == blas::ComplexMethod::Induced; }
  /// True where an operand is copied first.
  bool packs() const { return a.pack || b.pack; }
  /// Workgroups that add up their sums in shared memory: those of a cluster.
  int64_t ranks() const { return reduction == blas::Reduction::Cluster ? splits : 1; }
  /// True where partial sums are added up in shared memory: of a cluster, or of groups.
  bool reducesInShared() const { return reduction == blas::Reduction::Cluster || slicedK > 1; }
  /// True where the tile of C passes through shared memory.
  bool exchangesC() const { return c == blas::Via::Shared || reducesInShared(); }
  /// Bytes of shared memory of one workgroup (C2), for elements of A, B and of the sums of so many
  /// bytes.
  int64_t sharedBytes(int64_t ofA, int64_t ofB, int64_t ofSum) const;
};

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_PLAN_H
