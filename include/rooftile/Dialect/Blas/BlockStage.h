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

/// Elements that a thread copies at once of a triangle which all workgroups read.
inline constexpr int64_t kCopiedAtOnce = 16;

/// Bytes of what divides by the diagonal of one triangle of order `order`: as many numbers as an
/// element has, and one more.
inline int64_t bytesOfDivisors(int64_t order, int64_t elementBytes, int64_t components) {
  return llvm::alignTo(order * (elementBytes + elementBytes / components), kMaxAccessBytes);
}

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

/// Rows that a sweep (`lines` of #blas.blocks) solves at a time.
inline constexpr int64_t kSweepRows = 16;
/// Lines of a workgroup of a sweep at most.
inline constexpr int64_t kMostSweptLines = 32;

/// Registers that a thread of a sweep keeps at most, of those that each thread of any chip has.
inline constexpr int64_t kMostSweptRegisters = 160;

/// A sweep: `threads` have rows of `stripes` stripes each. In shared memory are the columns of the
/// triangle that belong to the rows being solved, each row a record; these rows of all lines; and
/// for each row what divides by its element of the diagonal, as many numbers as the element has and
/// one more.
struct SweptBlock {
  int64_t threads, stripes, lines, record;
  int64_t triangleBytes, lineBytes;     ///< Of an element.
  int64_t divisorNumbers, divisorBytes; ///< Of one divisor.

  SweptBlock(int64_t order, int64_t threads, int64_t lines, int64_t triangleBytes,
             int64_t lineBytes, int64_t numberBytes)
      : threads(threads), stripes(llvm::divideCeil(order, threads)), lines(lines),
        record(kSweepRows + kMaxAccessBytes / triangleBytes), triangleBytes(triangleBytes),
        lineBytes(lineBytes), divisorNumbers(triangleBytes / numberBytes + 1),
        divisorBytes(divisorNumbers * numberBytes) {}
  int64_t bytesOfColumns() const { return stripes * threads * record * triangleBytes; }
  int64_t bytesOfRows() const { return kSweepRows * lines * lineBytes; }
  int64_t bytesOfDivisors() const { return stripes * threads * divisorBytes; }
  int64_t bytes() const { return bytesOfColumns() + bytesOfRows() + bytesOfDivisors(); }
  /// Registers of a thread for what it keeps: its rows of the lines, and of the next columns.
  int64_t registers() const {
    return stripes * (lines * lineBytes + kSweepRows * triangleBytes) / 4;
  }
};

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_BLOCKSTAGE_H
