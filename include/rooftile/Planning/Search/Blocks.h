//===- Blocks.h - How a triangular operation is cut -------------*- C++ -*-===//
//
// blas.trmm and blas.trsm run as kernels of one block on the diagonal, and
// blas.gemm for the rest. This file chooses the order of the blocks, by the
// formulas (C17) .. (C19) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SEARCH_BLOCKS_H
#define ROOFTILE_PLANNING_SEARCH_BLOCKS_H

#include "rooftile/Planning/Search/Explain.h"

namespace rooftile::planning {

/// One triangular operation in numbers. Sizes in elements.
struct TriangularProblem {
  int64_t order = 0;        ///< Of A.
  int64_t lines = 0;        ///< Columns of the output (rows with A on the right), all batches.
  int64_t elementBytes = 4; ///< 4 (f32) or 8 (f64).
  bool assumed = false;     ///< A size is dynamic and was replaced by `kAssumedSize`.

  /// Fails with an error on `op` where no kernel exists: anything but f32 or f64.
  static llvm::FailureOr<TriangularProblem> of(blas::TriangularOpInterface op);
};

/// #blas.blocks and what it is predicted to take. Times in seconds.
struct Blocks {
  int64_t diagonal = 0; ///< Order of a block; 0: the whole matrix is one block.
  int64_t workgroup = 64;
  int64_t count = 0;          ///< Blocks on the diagonal.
  double diagonalSeconds = 0; ///< All kernels of one block (C17).
  double updateSeconds = 0;   ///< All products (C18).
  double seconds() const { return diagonalSeconds + updateSeconds; }
};

/// Prices blocks of the given order (C17), (C18).
Blocks estimateBlocks(const TriangularProblem &problem, int64_t diagonal, int64_t workgroup,
                      blas::TargetAttr target);

/// The fastest order of blocks (C19). Deterministic; ties go to the smaller.
Blocks chooseBlocks(const TriangularProblem &problem, blas::TargetAttr target);

/// The plan, the prediction and what it consists of.
llvm::SmallVector<Reason> explain(const TriangularProblem &problem, const Blocks &blocks);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_BLOCKS_H
