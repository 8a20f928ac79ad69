//===- TriangularStage.h - What a block keeps in shared memory --*- C++ -*-===//
//
// Triangles and lines pass through shared memory, copied by neighbouring threads from
// neighbours in memory:
//
//   triangles, lines -> shared memory      barrier
//   each thread: its line -> registers, solved or multiplied, -> its place in shared memory
//                                          barrier
//   shared memory -> lines
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
#include "rooftile/Transforms/Thread/FlatPlace.h"
#include "rooftile/Transforms/Thread/SpreadItems.h"
#include <optional>

namespace rooftile {

/// Rows and lines of a thread at a time, after the plan.
struct ThreadRows {
  int64_t rows = 1, lines = 1;  ///< Rows of so many lines in registers.
  std::optional<int64_t> order; ///< Rows of a line, where known.
  bool whole = false;           ///< `rows` is the order.
  bool ragged = false;          ///< It is not known to divide the order.
};
ThreadRows rowsOfThread(blas::TriangularOpInterface op);

/// Operands that pass through shared memory, after the plan; only lines of known length do.
struct Staging {
  std::optional<blas::StagedTriangles> triangles;
  std::optional<blas::DivisorLayout> divisors; ///< After the triangles; else each thread divides.
  std::optional<blas::StagedLines> lines;

  int64_t bytesOfTriangles() const;
  int64_t startOfLines() const { return bytesOfTriangles() + (divisors ? divisors->bytes() : 0); }
  int64_t bytes() const { return startOfLines() + (lines ? lines->bytes() : 0); }
};
Staging stagingOf(blas::TriangularOpInterface op);
/// Set where the plan has all threads solve lines together.
std::optional<blas::SweptBlock> sweptBlockOf(blas::TriangularOpInterface op);
/// Shared memory from byte `bytes` on, `size` bytes of it, as real numbers.
mlir::Value viewShared(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element,
                       int64_t bytes, int64_t size);
/// Bytes of shared memory that the kernel takes, by its plan.
int64_t sharedBytesOf(blas::TriangularOpInterface op);
/// Lines that a workgroup has places for: one a thread, or those of all threads.
int64_t linesOfWorkgroup(blas::TriangularOpInterface op);
/// Lines of each matrix that a workgroup has at most.
int64_t linesOfShare(blas::TriangularOpInterface op);
/// Whether elements of a line of `matrix`, an input or output of `op`, are neighbours in memory.
bool isAlongLine(blas::TriangularOpInterface op, mlir::Value matrix);

/// Share of one workgroup.
struct BlockShare {
  int64_t order, threads;
  int64_t stagedOrder; ///< Order of triangles in shared memory, in whole parts of lines.
  int64_t lines;       ///< Lines of each matrix, at most.
  int64_t matrices;    ///< At most.
  bool lower; ///< Row 0 of the triangle is that of row 0 in memory; else all count from the end.
  bool unit;
  mlir::Value firstLine, allLines, firstMatrix, allMatrices; ///< Index of the first; how many.
  bool fullLines, fullMatrices; ///< All that a workgroup may have is there.
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
    FlatPlace from, to;
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
  /// Makes all of those of `from`, which `load` loads in the type of sums. Those of rows after the
  /// last one are its own.
  void copy(const BlockShare &share, MatrixOfBatch from,
            llvm::function_ref<Components(const FlatPlace &)> load);
  /// Makes divisor `at` of `element`, in the type of sums. A null triangle is the only one.
  void store(mlir::Value triangle, mlir::Value at, const Components &element);
  /// Divisor `at`, in type `sum`.
  Divisor load(mlir::Value triangle, mlir::Value at, mlir::Type sum);

private:
  FlatPlace place(mlir::Value triangle, mlir::Value at, int64_t number);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type real;
  blas::DivisorLayout layout;
  mlir::Value flat;
};

/// Lines in shared memory.
class StagedLine {
public:
  StagedLine(mlir::OpBuilder &builder, mlir::Location loc, const BlockShare &share,
             const blas::StagedLines &layout, mlir::Type element, int64_t bytes);
  /// `alongLine`: elements of a line are neighbours there.
  void copyIn(MatrixOfBatch from, bool alongLine);
  void copyOut(MatrixOfBatch to, bool alongLine);
  /// Element i, in memory's order, of line `line` of matrix `matrix` of the workgroup.
  FlatPlace at(mlir::Value matrix, mlir::Value line, mlir::Value i);

private:
  struct Place {
    FlatPlace shared, memory;
    mlir::Value exists; ///< Whether there is such a line; null: there is.
  };
  Place place(Item item, MatrixOfBatch matrices, bool alongLine, bool clamped);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const BlockShare &share;
  blas::StagedLines layout;
  mlir::Value flat;
  int64_t components;
};

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_THREAD_TRIANGULARSTAGE_H
