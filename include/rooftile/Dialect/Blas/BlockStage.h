//===- BlockStage.h - Shared memory of a triangular block -------*- C++ -*-===//
//
// Shared memory of the kernel of one block, as #blas.blocks and planning count it and macro-tile
// allocates it: triangles in the order of their use, and vectors of the output. Offsets and
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
/// Elements that a thread copies at once of vectors, and of several triangles.
inline constexpr int64_t kOwnCopiedAtOnce = 8;

/// Divisors, for the diagonals of `count` triangles of order `order`: `reals` real elements for
/// each of the diagonal, its components and one more. Triangles begin an odd number of these apart,
/// as above.
struct DivisorLayout {
  int64_t reals, triangle, count, realBytes;

  DivisorLayout(int64_t order, int64_t count, int64_t elementBytes, int64_t components)
      : reals(components + 1), triangle(count > 1 ? order * reals | 1 : order * reals),
        count(count), realBytes(elementBytes / components) {}
  int64_t bytes() const { return llvm::alignTo(count * triangle * realBytes, kMaxAccessBytes); }
};

/// The vectors of `matrices` matrices, each vector a record where its elements are neighbours in
/// memory, else each matrix: so neighbours in memory are neighbours here, and records are an odd
/// number of elements apart.
struct StagedVectors {
  int64_t element, vector, matrix; ///< From one to the next.
  int64_t count, elementBytes;

  StagedVectors(int64_t order, int64_t vectors, int64_t matrices, bool alongVector,
                int64_t elementBytes)
      : element(alongVector ? 1 : vectors), vector(alongVector ? order | 1 : 1),
        matrix(alongVector    ? vectors * vector
               : matrices > 1 ? (order * vectors) | 1
                              : order * vectors),
        count(matrices), elementBytes(elementBytes) {}
  int64_t bytes() const { return count * matrix * elementBytes; }
};

/// Rows that a sweep (`workgroupVectors` of #blas.blocks) solves at a time.
inline constexpr int64_t kSweepRows = 16;
/// Vectors of a workgroup of a sweep at most.
inline constexpr int64_t kMostSweptVectors = 32;

/// Registers that a thread of a sweep keeps at most, of those that each thread of any chip has.
inline constexpr int64_t kMostSweptRegisters = 160;

/// A sweep: `threads` have rows of `stripes` stripes each. In shared memory are the columns of the
/// triangle that belong to the rows being solved, each row a record; these rows of all vectors; and
/// the divisor of each row.
struct SweptBlock {
  int64_t threads, stripes, vectors, record;
  int64_t triangleBytes, vectorBytes; ///< Bytes of an element.
  DivisorLayout divisors;

  SweptBlock(int64_t order, int64_t threads, int64_t vectors, int64_t triangleBytes,
             int64_t vectorBytes, int64_t realBytes)
      : threads(threads), stripes(llvm::divideCeil(order, threads)), vectors(vectors),
        record(kSweepRows + kMaxAccessBytes / triangleBytes), triangleBytes(triangleBytes),
        vectorBytes(vectorBytes),
        divisors(stripes * threads, 1, triangleBytes, triangleBytes / realBytes) {}
  int64_t bytesOfColumns() const { return stripes * threads * record * triangleBytes; }
  int64_t bytesOfRows() const { return kSweepRows * vectors * vectorBytes; }
  int64_t bytes() const { return bytesOfColumns() + bytesOfRows() + divisors.bytes(); }
  /// Registers of a thread for what it keeps: its rows of the vectors, and of the next columns.
  int64_t registers() const {
    return stripes * (vectors * vectorBytes + kSweepRows * triangleBytes) / 4;
  }
};

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_BLOCKSTAGE_H
