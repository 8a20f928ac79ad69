//===- Problem.h - What is to be planned ------------------------*- C++ -*-===//
//
// The sizes and properties of one level-3 operation that a plan depends on. Reads types
// and constants only; nothing here rewrites IR.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_PROBLEM_PROBLEM_H
#define ROOFTILE_PLANNING_PROBLEM_PROBLEM_H

#include "rooftile/Dialect/Blas/ProductFacts.h"

#include <vector>

namespace rooftile::planning {

struct Refusal;

using blas::Contiguous;
using blas::kAssumedSize;
using blas::Widths;
using Matrix = blas::OperandFacts;

/// A GEMM, `batch` times: its facts, and what prices depend on beside them.
struct Problem : blas::ProductFacts {
  /// Multiply-adds of one product: 4 of two complex numbers, 2 of a complex and a real one.
  int64_t multiplyAdds = 1;
  /// True unless beta is the constant 0.
  bool readsC = false;
  /// True if beta is the constant 1: partial results can be added to C as it is.
  bool adds = false;
  /// Whether memory for partial sums is given.
  bool hasWorkspace = false;
  /// Elements of partial sums that it has room for at most.
  int64_t roomElements = INT64_MAX;
  /// True if operands may be copied first: passes that do it are still to come, and where a
  /// workspace is given it is of their type.
  bool canPack = false;
  /// M and N of the product that this is an edge of; 0: of none.
  int64_t wholeM = 0, wholeN = 0;
  /// Bytes of the extra operands of an epilogue.
  double extraBytes = 0;
  /// Plans for it that the assembler refused; null: none. Not owned.
  const std::vector<Refusal> *refusals = nullptr;
  /// True where an assembler counts registers, so that a plan that spills is refused.
  bool counted = false;

  /// The problem that `op` states; a tensor counts as contiguous row-major.
  /// Fails with an error on `op` that names the types where no kernel exists: accumulators of
  /// f16 or bf16, or of f64 that are rounded to these.
  static llvm::FailureOr<Problem> of(blas::Level3OpInterface op);

  /// This problem where `given` (null: nothing) holds, too.
  Problem assuming(blas::GivenAttr given) const;
  /// True where a macro tile along M, N is known to fit into the matrix.
  bool holdsM(int64_t macro) const { return (knownM ? m : leastM) >= macro; }
  bool holdsN(int64_t macro) const { return (knownN ? n : leastN) >= macro; }
  /// True where C may have any number of rows or columns.
  bool isUnbounded() const { return (!knownM && mostM == 0) || (!knownN && mostN == 0); }
  bool isEdge() const { return wholeM > 0; }
  /// 32-bit registers of one accumulator.
  int64_t registersPerElement() const { return elementBytes / 4; }
  /// Multiplications and additions: those with zeros of a triangle left out.
  double flops() const { return 2.0 * multiplyAdds * batch * products(); }
  /// Elements of one matrix C that are computed.
  double elementsOfC() const { return triangle ? double(m) * (m + 1) / 2 : double(m) * n; }
  /// Bytes of A, of B, and of both, which may be one matrix.
  double bytesOfA() const { return double(a.batched ? batch : 1) * m * k * a.elementBytes; }
  double bytesOfB() const { return double(b.batched ? batch : 1) * n * k * b.elementBytes; }
  double bytesOfOperands() const { return bytesOfA() + (oneMatrix ? 0 : bytesOfB()); }
  /// Bytes of C.
  double bytesOfC() const { return double(batch) * elementsOfC() * c.elementBytes; }
  /// Real elements of the micro tile's fragments: the factors of one slice.
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
  /// once; of a triangle its elements.
  double bytesRead() const;
  /// Bytes that must be written: C.
  double bytesWritten() const { return bytesOfC(); }

private:
  /// Products of elements of one matrix of a batch.
  double products() const;
};

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_PROBLEM_PROBLEM_H
