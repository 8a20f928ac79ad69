//===- Blocks.h - How a triangular operation is cut -------------*- C++ -*-===//
//
// blas.trmm and blas.trsm run as kernels of one block on the diagonal, and
// blas.gemm for the rest. This file chooses the order of the blocks, by the
// formulas (C17) .. (C19) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SEARCH_BLOCKS_H
#define ROOFTILE_PLANNING_SEARCH_BLOCKS_H

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Search/Explain.h"

namespace rooftile::planning {

/// Sizes and properties of one triangular operation that its plan depends on. Sizes in elements.
struct TriangularProblem {
  int64_t order = 0;        ///< Rows of A.
  int64_t vectors = 0;      ///< Columns of the output (rows with A on the right), all batches.
  int64_t triangles = 1;    ///< Matrices A.
  int64_t batch = 1;        ///< Matrices of the output.
  int64_t elementBytes = 4; ///< One element of the output: 2 (f16) to 16 (complex of f64).
  int64_t components = 1;   ///< Real elements of an element: 2 of a complex one.
  int64_t triangleBytes = 4, triangleComponents = 1; ///< Those of A.
  bool left = true;                                  ///< A is on the left.
  bool solves = true;                                ///< blas.trsm, else blas.trmm.
  bool inPlace = false;                              ///< The output is B.
  bool alongVector = false;  ///< Neighbours in memory are elements of one vector.
  bool substitutes = false;  ///< No other method is possible.
  bool whole = false;        ///< Nor can it be cut: pointers give the matrices.
  bool dynamicOrder = false; ///< The order is known at run time only.
  bool assumed = false;      ///< A size is dynamic and was replaced by `kAssumedSize`.
  Problem product;           ///< The types, for the instructions that multiply them.

  /// Vectors of one matrix.
  int64_t vectorsEach() const { return batch > 0 ? vectors / batch : 0; }
  /// Fails with an error on `op` where no kernel exists: a blas.trsm of f16 or bf16.
  static llvm::FailureOr<TriangularProblem> of(blas::TriangularOpInterface op);
};

/// #blas.blocks and its prediction. Times in seconds.
struct Blocks : blas::BlocksData {
  int64_t count = 0;          ///< Blocks on the diagonal.
  double diagonalSeconds = 0; ///< All kernels of one block, or what inverts them (C17).
  double updateSeconds = 0;   ///< All products (C18), and copies for them.
  double leastSeconds = 0;    ///< By the roofline of the operation (C1).
  double modelledSeconds() const { return diagonalSeconds + updateSeconds; }
  /// (C28) The predicted time.
  double seconds() const { return std::max(modelledSeconds(), leastSeconds); }

  Blocks() = default;
  explicit Blocks(blas::BlocksAttr plan) : BlocksData(*plan) {}
  blas::BlocksAttr toAttribute(mlir::MLIRContext *context) const {
    return blas::BlocksAttr::get(context, *this);
  }
};

/// Products at once of matrices that come from A, rows x depth, with the vectors of others; `times`
/// of them one after the other.
struct BlockProduct {
  double times, count, rows, depth;
  int64_t vectors;
  bool ofTriangle = false; ///< Steps of zeros are left out.
  bool adds = false;       ///< To what the vectors are updated to.
  bool masked = false;     ///< The zeros of the triangle are not in memory.
};

/// (C18) The products beside blocks of order `b` on the diagonal, `count` of them: by powers of 2
/// where the order is known; else of all that follows each block, half of it in the mean.
llvm::SmallVector<BlockProduct> updatesOf(const TriangularProblem &problem, double b,
                                          int64_t count);

/// (C1) A lower bound of the time of the operation, whatever its blocks.
Roofline roofline(const TriangularProblem &problem, blas::TargetAttr target);

/// Overhead of each kernel of a stream (C14, C20).
double streamedSeconds(blas::TargetAttr target);

/// The choice `blocks` with its price for `problem`, (C17) and (C18).
Blocks priced(const TriangularProblem &problem, Blocks blocks, blas::TargetAttr target);

/// All methods and orders of blocks (C19), the fastest first. Deterministic; of ties that which is
/// simpler.
std::vector<Blocks> rankBlocks(const TriangularProblem &problem, blas::TargetAttr target);
/// The first of them.
Blocks chooseBlocks(const TriangularProblem &problem, blas::TargetAttr target);

/// The key of `plan` that the target has no room for, with both sizes; empty where it fits.
std::string whyBlocksDoNotFit(blas::BlocksAttr plan, blas::TargetAttr target);

/// The plan, the prediction and what it consists of.
llvm::SmallVector<Reason> explain(const TriangularProblem &problem, const Blocks &blocks);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_BLOCKS_H
