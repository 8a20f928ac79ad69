//===- VendorArguments.h - A product as cuBLAS states it --------*- C++ -*-===//
//
// cuBLAS is column-major: row-major C = op(A) op(B) is C^T = op(B)^T op(A)^T
// there. Source of names and enumerators: the cuBLAS reference.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_BENCH_VENDORARGUMENTS_H
#define ROOFTILE_LIB_BENCH_VENDORARGUMENTS_H

#include "rooftile/Bench/Operands.h"

#include <optional>

namespace rooftile::bench {

/// The arguments of every gemm of the library, as it wants them.
struct VendorCall {
  int transposeLeft, transposeRight, rows, columns, depth;
  const void *alpha, *beta;
  uint64_t left, right, out;
  int leadingLeft, leadingRight, leadingOut;
  long long strideLeft, strideRight, strideOut;
  int batch;
};

/// cudaDataType of the matrices and of alpha and beta, and cublasComputeType_t.
struct VendorTypes {
  static constexpr int kComputeTf32 = 77;
  int data, scale, compute;
  bool isTf32() const { return compute == kComputeTf32; }
};
VendorTypes vendorTypes(const Shape &shape);

/// cublasOperation_t; none for conjugation alone, which it does not have.
std::optional<int> opOf(operation::Op op);

/// alpha and beta in the type that the library reads. Complex values are aligned as such: 16 bytes
/// for cuDoubleComplex.
class VendorScalars {
public:
  explicit VendorScalars(const Shape &shape);
  const void *alpha() const { return at(0); }
  const void *beta() const { return at(2); }

private:
  const void *at(int index) const {
    return isDouble ? static_cast<const void *>(doubles + index) : singles + index;
  }
  alignas(16) double doubles[4];
  alignas(16) float singles[4];
  bool isDouble;
};

int leadingOf(const Shape &shape, int operand);

/// op of the matrix that operand `operand` is in memory by rows, of which `op` is asked.
operation::Op inMemory(const Shape &shape, int operand, operation::Op op);

VendorCall vendorArguments(const Shape &shape, const OperandSet &operands,
                           const VendorScalars &scalars);

/// Whether the library has a call for it: conjugation only with transposition, one order of A and B
/// in rank updates, B of symm and hemm in that of C, no epilogue.
bool isCallable(const Shape &shape);

} // namespace rooftile::bench

#endif // ROOFTILE_LIB_BENCH_VENDORARGUMENTS_H
