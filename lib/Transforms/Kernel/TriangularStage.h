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
#ifndef ROOFTILE_LIB_TRANSFORMS_KERNEL_TRIANGULARSTAGE_H
#define ROOFTILE_LIB_TRANSFORMS_KERNEL_TRIANGULARSTAGE_H

#include "SpreadItems.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/BlockStage.h"
#include "rooftile/Transforms/Kernel/ElementMath.h"
#include "rooftile/Transforms/Kernel/FlatPlace.h"
#include <optional>

namespace rooftile {

/// What passes through shared memory, after the plan; only what is in registers does.
struct Staging {
  std::optional<blas::StagedTriangles> triangles;
  std::optional<blas::StagedLines> lines;

  int64_t bytesOfTriangles() const;
  int64_t bytes() const { return bytesOfTriangles() + (lines ? lines->bytes() : 0); }
};
Staging stagingOf(blas::TriangularOpInterface op);
/// Where the plan says that lines are solved by all threads; nothing elsewhere.
std::optional<blas::SweptBlock> sweptBlockOf(blas::TriangularOpInterface op);
/// Shared memory from byte `bytes` on, `size` bytes of it, as real numbers.
mlir::Value viewShared(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element,
                       int64_t bytes, int64_t size);
/// Elements of a line that is in registers; nothing where lines stay in memory.
std::optional<int64_t> orderInRegisters(blas::TriangularOpInterface op);
/// Bytes of shared memory that the kernel takes, by its plan.
int64_t sharedBytesOf(blas::TriangularOpInterface op);
/// Lines that a workgroup has places for: one a thread, or those of all threads.
int64_t linesOfWorkgroup(blas::TriangularOpInterface op);
/// Lines of each matrix that a workgroup has at most.
int64_t linesOfShare(blas::TriangularOpInterface op);
/// Whether elements of a line of `matrix`, an input or output of `op`, are neighbours in memory.
bool isAlongLine(blas::TriangularOpInterface op, mlir::Value matrix);

/// What one workgroup works on.
struct BlockShare {
  int64_t order, threads;
  int64_t lines;    ///< Of each matrix, at most.
  int64_t matrices; ///< At most.
  bool lower; ///< Row 0 of the triangle is that of row 0 in memory; else all count from the end.
  bool unit;
  mlir::Value firstLine, allLines, firstMatrix, allMatrices; ///< Index of the first; how many.
  bool fullLines, fullMatrices; ///< All that a workgroup may have is there.
};

/// One matrix of a batch, by its number.
using MatrixOfBatch = llvm::function_ref<FlatMatrix(mlir::Value)>;

/// Triangles in shared memory.
class StagedTriangle {
public:
  /// `bytes`: where they begin in shared memory.
  StagedTriangle(mlir::OpBuilder &builder, mlir::Location loc, const BlockShare &share,
                 const blas::StagedTriangles &layout, mlir::Type element, int64_t bytes);
  /// Rows are neighbours in memory if `rowsFast`, else columns.
  void copy(MatrixOfBatch from, bool rowsFast);
  /// Element (i, k) of triangle `triangle`, as it is in memory.
  Components load(mlir::Value triangle, int64_t i, int64_t k);

private:
  struct Place {
    FlatPlace from, to;
  };
  Place place(Item item, MatrixOfBatch from, bool rowsFast);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const BlockShare &share;
  blas::StagedTriangles layout;
  mlir::Value flat;
  int64_t components;
  std::pair<int64_t, int64_t> known{-1, -1}; ///< Column and first row of `run`.
  llvm::SmallVector<mlir::Value> run;
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

#endif // ROOFTILE_LIB_TRANSFORMS_KERNEL_TRIANGULARSTAGE_H
