//===- TriangularStage.h - What a block keeps in shared memory --*- C++ -*-===//
//
// Triangles and vectors pass through shared memory, copied by neighbouring threads from
// neighbours in memory:
//
//   triangles, vectors -> shared memory      barrier
//   each thread: its vector -> registers, solved or multiplied, -> its offset in shared memory
//                                          barrier
//   shared memory -> vectors
//
// Elements of A that the operation does not read are not read here either: in their
// place threads read the nearest one of their column that is.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TRANSFORMS_THREAD_TRIANGULARSTAGE_H
#define ROOFTILE_TRANSFORMS_THREAD_TRIANGULARSTAGE_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/BlockStage.h"
#include "rooftile/Transforms/Thread/ElementMath.h"
#include "rooftile/Transforms/Thread/FlatAddress.h"
#include "rooftile/Transforms/Thread/SpreadItems.h"
#include <optional>

namespace rooftile {

/// Rows and vectors of a thread at a time, after the plan.
struct ThreadRows {
  int64_t rows = 1, vectors = 1; ///< Rows of so many vectors in registers.
  std::optional<int64_t> order;  ///< Rows of a vector, where known.
  bool whole = false;            ///< `rows` is the order.
  bool ragged = false;           ///< It is not known to divide the order.
};
ThreadRows rowsOfThread(blas::TriangularOpInterface op);

/// Operands that pass through shared memory, after the plan; only vectors of known length do.
struct Staging {
  std::optional<blas::StagedTriangles> triangles;
  std::optional<blas::DivisorLayout> divisors; ///< After the triangles; else each thread divides.
  std::optional<blas::StagedVectors> vectors;

  int64_t bytesOfTriangles() const;
  int64_t startOfVectors() const { return bytesOfTriangles() + (divisors ? divisors->bytes() : 0); }
  int64_t bytes() const { return startOfVectors() + (vectors ? vectors->bytes() : 0); }
};
Staging stagingOf(blas::TriangularOpInterface op);
/// Set where the plan has all threads solve vectors together.
std::optional<blas::SweptBlock> sweptBlockOf(blas::TriangularOpInterface op);
/// Shared memory from byte `bytes` on, `size` bytes of it, as real elements.
mlir::Value viewShared(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element,
                       int64_t bytes, int64_t size);
/// Bytes of shared memory that the kernel needs, by its plan.
int64_t sharedBytesOf(blas::TriangularOpInterface op);
/// Vectors that a workgroup has room for: one a thread, or those of all threads.
int64_t vectorsOfWorkgroup(blas::TriangularOpInterface op);
/// Vectors of each matrix that a workgroup has at most.
int64_t vectorsOfShare(blas::TriangularOpInterface op);
/// Whether elements of a vector of `matrix`, an input or output of `op`, are neighbours in memory.
bool isAlongVector(blas::TriangularOpInterface op, mlir::Value matrix);

/// Share of one workgroup.
struct BlockShare {
  int64_t order, threads;
  int64_t stagedOrder; ///< Order of triangles in shared memory, in whole parts of vectors.
  int64_t vectors;     ///< Vectors of each matrix, at most.
  int64_t matrices;    ///< At most.
  bool lower; ///< Row 0 of the triangle is that of row 0 in memory; else all count from the end.
  bool unit;
  mlir::Value firstVector, allVectors, firstMatrix, allMatrices; ///< Index of the first; how many.
  bool fullVectors, fullMatrices; ///< All that a workgroup may have is there.
};

/// One matrix of a batch, by its number.
using MatrixOfBatch = llvm::function_ref<FlatMatrix(mlir::Value)>;

/// Triangles in shared memory. Rows and columns after the last ones hold the nearest elements.
class StagedTriangle {
public:
  /// `bytes`: where they begin in shared memory.
  StagedTriangle(mlir::OpBuilder &builder, mlir::Location loc, const BlockShare &share,
                 const blas::StagedTriangles &layout, mlir::Type element, int64_t bytes);
  /// Rows are neighbours in memory if `rowsFast`, else columns.
  void copy(MatrixOfBatch from, bool rowsFast);
  /// Element (row + i, column + k) of triangle `triangle`, as it is in memory; `row` is a multiple
  /// of a wide access.
  Components load(mlir::Value triangle, mlir::Value row, int64_t i, mlir::Value column, int64_t k);

private:
  struct Place {
    FlatAddress from, to;
  };
  std::pair<mlir::Value, mlir::Value> nearestElement(mlir::Value i, mlir::Value k, bool rowsFast);
  Place place(Item item, MatrixOfBatch from, bool rowsFast);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const BlockShare &share;
  blas::StagedTriangles layout;
  mlir::Value flat;
  int64_t components;
  std::tuple<mlir::Value, int64_t, mlir::Value, int64_t> known; ///< First row, column of `run`.
  llvm::SmallVector<mlir::Value> run;
};

/// Divisors for the elements of diagonals, in shared memory: an inverse and a scale each.
class StagedDivisors {
public:
  /// Divisors of elements of type `element`, from byte `bytes` of shared memory on.
  StagedDivisors(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element,
                 const blas::DivisorLayout &layout, int64_t bytes)
      : builder(builder), loc(loc), real(realTypeOf(element)), layout(layout),
        flat(viewShared(builder, loc, real, bytes, layout.bytes())) {}
  /// Makes all of those of `from`, which `load` loads in the accumulator type. Those of rows after
  /// the last one are its own.
  void copy(const BlockShare &share, MatrixOfBatch from,
            llvm::function_ref<Components(const FlatAddress &)> load);
  /// Makes divisor `at` of `element`, in the accumulator type. A null triangle is the only one.
  void store(mlir::Value triangle, mlir::Value at, const Components &element);
  /// Divisor `at`, in type `sum`.
  Divisor load(mlir::Value triangle, mlir::Value at, mlir::Type sum);

private:
  FlatAddress place(mlir::Value triangle, mlir::Value at, int64_t number);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type real;
  blas::DivisorLayout layout;
  mlir::Value flat;
};

/// Vectors in shared memory.
class StagedVector {
public:
  StagedVector(mlir::OpBuilder &builder, mlir::Location loc, const BlockShare &share,
               const blas::StagedVectors &layout, mlir::Type element, int64_t bytes);
  /// `alongVector`: elements of a vector are neighbours there.
  void copyIn(MatrixOfBatch from, bool alongVector);
  void copyOut(MatrixOfBatch to, bool alongVector);
  /// Element i, in memory's order, of vector `vector` of matrix `matrix` of the workgroup.
  FlatAddress at(mlir::Value matrix, mlir::Value vector, mlir::Value i);

private:
  struct Place {
    FlatAddress shared, memory;
    mlir::Value exists; ///< Whether there is such a vector; null: there is.
  };
  Place place(Item item, MatrixOfBatch matrices, bool alongVector, bool clamped);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const BlockShare &share;
  blas::StagedVectors layout;
  mlir::Value flat;
  int64_t components;
};

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_THREAD_TRIANGULARSTAGE_H
