//===- ProductFacts.h - Facts about a product -------------------*- C++ -*-===//
//
// Facts of one level-3 operation for rules of plans, planning and passes: sizes, the layout of its
// matrices in memory, and what it allows. Read off types and constants once.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_PRODUCTFACTS_H
#define ROOFTILE_DIALECT_BLAS_PRODUCTFACTS_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/Limits.h"

namespace rooftile::blas {

/// Size that stands in for a dynamic M, N or K.
inline constexpr int64_t kAssumedSize = 4096;

/// The dimension of the product along which neighbours lie side by side in memory.
enum class Contiguous {
  Outer, ///< M of op(A) or N of op(B): the dimension that C has, too. For C: M.
  Inner, ///< K. For C: N.
  None   ///< Every stride is larger than 1, or unknown.
};

/// Accesses that a matrix allows where a dynamic stride turns out to be 1.
struct Widths {
  int64_t legal = 0;    ///< As maxVector; 0: the type rules the order out, or states it.
  int64_t possible = 0; ///< As possibleVector.
};

/// Layout of one matrix in memory.
struct OperandFacts {
  Contiguous contiguous = Contiguous::Inner;
  /// Widest legal access in elements: a power of two that divides the static
  /// offset, all other strides and the contiguous extent, at most 16 bytes.
  int64_t maxVector = 1;
  /// Bytes of one element, and its components (real elements).
  int64_t elementBytes = 4, components = 1;
  /// The name of a format of its real elements that is not IEEE's of their width (bf16).
  llvm::StringRef format{};
  /// False for a matrix that is the same for the whole batch.
  bool batched = false;
  /// True for a batch by pointers: a workgroup reads the address of its matrix first.
  bool byPointers = false;
  /// True where rows and columns are known to follow each other upward in memory.
  bool forward = false;
  /// True where rows end with padding up to whole accesses (of a packed copy): no tile is moved
  /// back inside the matrix, since those may read the padding.
  bool padded = false;
  /// The dimension of the product that the stored columns run along.
  Contiguous columns = Contiguous::Inner;
  /// Widest access that no static number forbids: what facts about the rest may allow.
  int64_t possibleVector = 1;
  /// Its vectors along the contiguous dimension, if they follow each other without gaps.
  FlatRuns flat{};
  /// Possible outcomes of a run time test of the strides, where `contiguous` is None.
  Widths rowMajor{}, columnMajor{};
  /// Elements along M (A) or N (B) that can be read, padding included; 0: as the product has.
  int64_t readable = 0;

  /// The dimension of the product that the last stored dimension (`last`) runs along, or the other.
  Contiguous ofStored(bool last) const {
    Contiguous other = columns == Contiguous::Inner ? Contiguous::Outer : Contiguous::Inner;
    return last ? columns : other;
  }
  /// The dimension along which neighbouring threads copy: the contiguous one, else the columns.
  Contiguous along() const { return contiguous == Contiguous::None ? columns : contiguous; }
  /// True when the tile is transposed on its way to shared memory, whose rows run along M or N.
  bool alongK() const { return along() == Contiguous::Inner; }
  /// Orders that it may turn out to have, row-major first; none where it is known.
  llvm::SmallVector<Order> possibleOrders() const;
  /// This matrix where `order` holds and accesses of `vector` elements are aligned.
  OperandFacts assuming(Order order, int64_t vector) const;
};

/// A product, C (M x N) = alpha * op(A) (M x K) * op(B) (K x N) + beta * C. Sizes in elements.
struct ProductFacts {
  int64_t m = 0, n = 0, k = 0, batch = 1;
  /// True if a size is dynamic and was replaced by `kAssumedSize` (batch: by 1).
  bool assumed = false;
  /// False for a size that is dynamic. Then M is known to lie in leastM .. mostM (0: no bound), N
  /// in leastN .. mostN.
  bool knownM = true, knownN = true, knownK = true;
  int64_t leastM = 0, leastN = 0, mostM = 0, mostN = 0;
  /// Known divisors of dynamic sizes.
  int64_t multipleM = 1, multipleN = 1, multipleK = 1;
  /// Bytes of an element of the accumulators, and of a real number in it: 4 (f32) or 8 (f64).
  int64_t elementBytes = 4, realBytes = 4;
  /// Whether three real products may replace the four of complex elements of one type.
  bool threeProducts = false;
  /// Whether six products of parts of f32 elements may replace one (products = 6); and whether A
  /// and B are copies of such parts, six times as long along K.
  bool sixProducts = false, inParts = false;
  /// Whether factors of f32 may be rounded to 11 significant bits (math<tf32>).
  bool tf32 = false;
  /// True where A and B may be multiplied as real elements: of one complex
  /// type, along M and N.
  bool canBeInduced = false;
  /// True where copies of them may be, in parts (products = 6), whatever they run along.
  bool canBeInducedInParts = false;
  OperandFacts a, b, c;
  /// Whether the order of summation may change from run to run; and whether the operation may allow
  /// it: no epilogue needs complete accumulators.
  bool anyOrder = false, canReorder = false;
  /// Whether summation must be compensated.
  bool compensated = false;
  /// Slices of partial sums that are asked for; 1: the product itself.
  int64_t slices = 1;
  /// True where an epilogue reads a matrix, a row or a column.
  bool readsExtras = false;
  /// True where one triangle of a square C is computed; and of X X^T or X^T X.
  bool triangle = false, oneMatrix = false;
  /// True where op(A), op(B) is a triangle with zeros beside it, of which whole steps are left out.
  bool triangularA = false, triangularB = false;
  /// True where the zeros, and the ones of a unit diagonal, are not in memory.
  bool masked = false;

  /// Facts from the types and constants of `op`. A tensor counts as contiguous row-major.
  static ProductFacts of(Level3OpInterface op);
  /// Adds the sizes of `given` (null: nothing); and of the orders of matrices, too, which
  /// types do not show before plan-dispatch has carried it out.
  void assumeSizes(GivenAttr given);
  void assume(GivenAttr given);

  /// A (`dim` 0, as M) or B (1, as N).
  const OperandFacts &operand(int dim) const { return dim == 0 ? a : b; }
  /// Known divisor, and least value, of M, N or K.
  int64_t multiple(int dim) const {
    int64_t sizes[] = {knownM ? m : multipleM, knownN ? n : multipleN, knownK ? k : multipleK};
    return sizes[dim];
  }
  int64_t least(int dim) const { return dim == 0 ? (knownM ? m : leastM) : knownN ? n : leastN; }
};

/// True if `instruction` multiplies elements of the types of `product`, in its accumulator.
bool multiplies(const tile::Instruction &instruction, const ProductFacts &product);

//===----------------------------------------------------------------------===//
// Copies of tiles
//===----------------------------------------------------------------------===//

/// True where a tile is transposed on its way: neighbours in memory are none in shared memory.
bool isTransposed(const OperandFacts &matrix, const PathData &path);

/// Elements that reach shared memory at a time.
int64_t storedVector(const OperandFacts &matrix, const PathData &path);

/// Neighbouring threads along the dimension along which the tile, of `extent` along M or N, is
/// copied.
int64_t copyLanes(const OperandFacts &matrix, const PathData &path, int64_t extent,
                  const PlanData &plan);

/// Bytes of an element in the tile: of one of its components, where these are planar.
int64_t stepBytes(const OperandFacts &matrix, const PathData &path);

/// Elements of the widest access to a tile of flat vectors, on their way by `path.copy`.
int64_t flatVector(const OperandFacts &matrix, const PathData &path, int64_t extent,
                   int64_t macroK);

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_PRODUCTFACTS_H
