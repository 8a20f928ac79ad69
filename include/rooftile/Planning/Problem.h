//===- Problem.h - What is to be planned ------------------------*- C++ -*-===//
//
// One level-3 operation in numbers: all that a plan depends on. Reads types
// and constants only; nothing here rewrites IR.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_PROBLEM_H
#define ROOFTILE_PLANNING_PROBLEM_H

#include "rooftile/Dialect/Blas/Blas.h"

#include <vector>

namespace rooftile::planning {

struct Refusal;

/// Size that stands in for a dynamic M, N or K while planning.
inline constexpr int64_t kAssumedSize = 4096;

/// The dimension of the product along which neighbours lie side by side in memory.
enum class Contiguous {
  Outer, ///< M of op(A) or N of op(B): the dimension that C has, too. For C: M.
  Inner, ///< K. For C: N.
  None   ///< Every stride is larger than 1, or unknown.
};

/// Accesses that a matrix allows where a stride that its type leaves open turns out to be 1.
struct Widths {
  int64_t legal = 0;    ///< As Matrix::maxVector; 0: the type rules the order out, or states it.
  int64_t possible = 0; ///< As Matrix::possibleVector.
};

/// How one matrix lies in memory.
struct Matrix {
  Contiguous contiguous = Contiguous::Inner;
  /// Widest legal access in elements: a power of two that divides the static
  /// offset, all other strides and the contiguous extent, at most 16 bytes.
  int64_t maxVector = 1;
  /// Bytes of one element, and its components (real numbers).
  int64_t elementBytes = 4, components = 1;
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

  /// The dimension along which neighbouring threads copy: the contiguous one, else the columns.
  Contiguous along() const { return contiguous == Contiguous::None ? columns : contiguous; }
  /// True when the tile is turned on its way to shared memory, whose rows run along M or N.
  bool alongK() const { return along() == Contiguous::Inner; }
  /// Widest access that no static number forbids: what facts about the rest may allow.
  int64_t possibleVector = 1;
  /// Its lines along the contiguous dimension, if they follow each other without gaps.
  blas::FlatRuns flat{};
  /// What a run time test of the strides may find, where `contiguous` is None.
  Widths rowMajor{}, columnMajor{};

  /// Orders that it may turn out to have, row-major first; none where nothing is left open.
  llvm::SmallVector<blas::Order> possibleOrders() const;
  /// The same matrix where `order` holds and accesses of `vector` elements are aligned.
  Matrix assuming(blas::Order order, int64_t vector) const;
};

/// A GEMM, C (M x N) = alpha * op(A) (M x K) * op(B) (K x N) + beta * C,
/// `batch` times. Sizes in elements.
struct Problem {
  int64_t m = 0, n = 0, k = 0, batch = 1;
  /// True if a size is dynamic and was replaced by `kAssumedSize` (batch: by 1).
  bool assumed = false;
  /// False for a size that is dynamic. Then M is known to lie in leastM .. mostM (0: no bound), N
  /// in leastN .. mostN.
  bool knownM = true, knownN = true, knownK = true;
  int64_t leastM = 0, leastN = 0, mostM = 0, mostN = 0;
  /// What sizes that are dynamic are known to be multiples of.
  int64_t multipleM = 1, multipleN = 1, multipleK = 1;
  /// Bytes of an element of the accumulators, and of a real number in it: 4 (f32) or 8 (f64).
  int64_t elementBytes = 4, realBytes = 4;
  /// Multiply-adds of one product: 4 of two complex numbers, 2 of a complex and a real one.
  int64_t multiplyAdds = 1;
  /// True where three real products may stand in for the four of complex numbers of one type.
  bool threeProducts = false;
  /// True where A and B may be multiplied as the real numbers that they consist of: of one complex
  /// type, along M and N.
  bool canBeInduced = false;
  Matrix a, b, c;
  /// True unless beta is the constant 0.
  bool readsC = false;
  /// True if beta is the constant 1: partial results can be added to C as it is.
  bool adds = false;
  /// True if the order of summation may change from run to run; and if the operation could say so:
  /// no epilogue needs whole sums.
  bool anyOrder = false, canReorder = false;
  /// True if sums must keep what rounding lost.
  bool compensated = false;
  /// True if memory for partial sums is given.
  bool hasWorkspace = false;
  /// Elements of partial sums that there is room for at most.
  int64_t roomElements = INT64_MAX;
  /// True if operands may be copied first: passes that do it are still to come, and where a
  /// workspace is given it is of their type.
  bool canPack = false;
  /// M and N of the product that this is an edge of; 0: of none.
  int64_t wholeM = 0, wholeN = 0;
  /// Slices of partial sums that are asked for; 1: the product itself.
  int64_t slices = 1;
  /// Bytes of the extra operands of an epilogue.
  double extraBytes = 0;
  /// What the assembler said of plans for it that it refused; null: nothing. Not owned.
  const std::vector<Refusal> *refusals = nullptr;

  /// The problem that `op` states; a tensor counts as contiguous row-major.
  /// Fails with an error on `op` that names the types where no kernel exists: sums in
  /// f16 or bf16, sums in f64 that are rounded to these.
  static llvm::FailureOr<Problem> of(blas::Level3OpInterface op);

  /// The same problem where `given` (null: nothing) holds, too.
  Problem assuming(blas::GivenAttr given) const;
  /// True where a macro tile along M, N is known to fit into the matrix.
  bool holdsM(int64_t macro) const { return (knownM ? m : leastM) >= macro; }
  bool holdsN(int64_t macro) const { return (knownN ? n : leastN) >= macro; }
  /// True where C may have any number of rows or columns.
  bool isUnbounded() const { return (!knownM && mostM == 0) || (!knownN && mostN == 0); }
  bool isEdge() const { return wholeM > 0; }
  /// 32-bit registers that one element of the sums takes.
  int64_t registersPerElement() const { return elementBytes / 4; }
  /// Multiplications and additions.
  double flops() const { return 2.0 * multiplyAdds * batch * m * n * k; }
  /// Bytes of A and B.
  double bytesOfOperands() const;
  /// Bytes of C.
  double bytesOfC() const { return double(batch) * m * n * c.elementBytes; }
  /// Real numbers of the micro tile's fragments: what is multiplied in one slice.
  int64_t factors(int64_t microM, int64_t microN) const {
    return microM * a.components + microN * b.components;
  }
  /// Elements of A and B that one access of `bytes` bytes moves at least.
  int64_t widest(int64_t bytes) const {
    return std::max<int64_t>(1, bytes / std::max(a.elementBytes, b.elementBytes));
  }
  /// True where the address of a matrix must be read before it.
  bool readsPointers() const { return a.byPointers || b.byPointers || c.byPointers; }
  /// Bytes that must be read: A, B, addresses, extra operands, and C where beta is not 0, each
  /// once.
  double bytesRead() const;
  /// Bytes that must be written: C.
  double bytesWritten() const { return bytesOfC(); }
};

/// True if `instruction` multiplies elements of the types of `problem`, in its accumulator.
bool multiplies(const tile::Instruction &instruction, const Problem &problem);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_PROBLEM_H
