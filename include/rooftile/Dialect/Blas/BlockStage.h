//===- BlockStage.h - Shared memory of a triangular block -------*- C++ -*-===//
//
// What #blas.blocks and planning count and macro-tile allocates for the kernel of one
// block: triangles in the order of their use, and lines of the output. Offsets and
// distances are in elements.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_BLOCKSTAGE_H
#define ROOFTILE_DIALECT_BLAS_BLOCKSTAGE_H

#include "rooftile/Dialect/Blas/Limits.h"
#include "llvm/Support/MathExtras.h"

namespace rooftile::blas {

/// Triangles, lower ones whatever they are in memory, column by column. A thread reads `vector`
/// elements of a column at a time; columns, and triangles, begin an odd number of such accesses
/// apart, so that threads that write a row, or read different triangles, meet different banks.
struct StagedTriangles {
  int64_t vector, column, triangle, count, elementBytes;

  StagedTriangles(int64_t order, int64_t count, int64_t elementBytes)
      : vector(kMaxAccessBytes / elementBytes),
        column((llvm::divideCeil(order, vector) | 1) * vector),
        triangle(count > 1 ? ((order * column / vector) | 1) * vector : order * column),
        count(count), elementBytes(elementBytes) {}
  int64_t bytes() const { return count * triangle * elementBytes; }
};

/// The lines of `matrices` matrices, each line a record where its elements are neighbours in
/// memory, else each matrix: so neighbours in memory are neighbours here, and records are an odd
/// number of elements apart.
struct StagedLines {
  int64_t element, line, matrix; ///< From one to the next.
  int64_t count, elementBytes;

  StagedLines(int64_t order, int64_t lines, int64_t matrices, bool alongLine, int64_t elementBytes)
      : element(alongLine ? 1 : lines), line(alongLine ? order | 1 : 1),
        matrix(alongLine      ? lines * line
               : matrices > 1 ? (order * lines) | 1
                              : order * lines),
        count(matrices), elementBytes(elementBytes) {}
  int64_t bytes() const { return count * matrix * elementBytes; }
};

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_BLOCKSTAGE_H
