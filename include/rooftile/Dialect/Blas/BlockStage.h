//===- BlockStage.h - Shared memory of a triangular block -------*- C++ -*-===//
//
// Shared memory of the kernel of one block, as #blas.blocks and planning count it and macro-tile
// allocates it: triangles in the order of their use, and lines of the output. Offsets and
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

/// Elements that a thread copies at once of the only triangle of its workgroup.
inline constexpr int64_t kCopiedAtOnce = 16;
/// Elements that a thread copies at once of lines, and of several triangles.
inline constexpr int64_t kOwnCopiedAtOnce = 8;

/// Divisors, for the diagonals of `count` triangles of order `order`: for each element as many
/// numbers as it has, and one more. Triangles begin an odd number of these apart, as above.
struct DivisorLayout {
  int64_t numbers, triangle, count, numberBytes;

  DivisorLayout(int64_t order, int64_t count, int64_t elementBytes, int64_t components)
      : numbers(components + 1), triangle(count > 1 ? order * numbers | 1 : order * numbers),
        count(count), numberBytes(elementBytes / components) {}
  int64_t bytes() const { return llvm::alignTo(count * triangle * numberBytes, kMaxAccessBytes); }
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
  int64_t triangleBytes, lineBytes; ///< Bytes of an element.
  DivisorLayout divisors;

  SweptBlock(int64_t order, int64_t threads, int64_t lines, int64_t triangleBytes,
             int64_t lineBytes, int64_t numberBytes)
      : threads(threads), stripes(llvm::divideCeil(order, threads)), lines(lines),
        record(kSweepRows + kMaxAccessBytes / triangleBytes), triangleBytes(triangleBytes),
        lineBytes(lineBytes),
        divisors(stripes * threads, 1, triangleBytes, triangleBytes / numberBytes) {}
  int64_t bytesOfColumns() const { return stripes * threads * record * triangleBytes; }
  int64_t bytesOfRows() const { return kSweepRows * lines * lineBytes; }
  int64_t bytes() const { return bytesOfColumns() + bytesOfRows() + divisors.bytes(); }
  /// Registers of a thread for what it keeps: its rows of the lines, and of the next columns.
  int64_t registers() const {
    return stripes * (lines * lineBytes + kSweepRows * triangleBytes) / 4;
  }
};

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_BLOCKSTAGE_H
