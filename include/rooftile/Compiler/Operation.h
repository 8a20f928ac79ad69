//===- Operation.h - An operation as a library is asked for it --*- C++ -*-===//
//
// C = alpha op(A) op(B) + beta C, once or for a batch, by sizes, element types and orders. What a
// description leaves open is given with each call: sizes and leading dimensions of -1, and scalars.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_COMPILER_OPERATION_H
#define ROOFTILE_COMPILER_OPERATION_H

#include "rooftile/Compiler/Epilogue.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rooftile::compiler {

/// What a matrix holds; C64 and C128 are complex numbers of two floats, or two doubles.
enum class Element : uint8_t { F16, BF16, F32, F64, C64, C128 };

/// "f32", "c128".
const char *nameOf(Element element);
/// Bytes of one element.
int64_t bytesOf(Element element);
inline bool isComplex(Element element) {
  return element == Element::C64 || element == Element::C128;
}

/// How A and B enter: as stored, transposed, adjoint, conjugated.
enum class Op : char { N = 'n', T = 't', C = 'c', J = 'j' };

inline bool isTransposed(Op op) { return op == Op::T || op == Op::C; }

/// Which dimension of a stored matrix is contiguous.
enum class Order : uint8_t { RowMajor, ColumnMajor };

/// A size that each call states.
constexpr int64_t kAnySize = -1;

/// How the matrices of a batch are given.
enum class Batch : uint8_t {
  None,    ///< One matrix.
  Strided, ///< A stride apart.
  Pointers ///< By an array, in device memory, of their addresses; sizes must be known.
};

/// A scalar of the operation.
enum class Scalar : uint8_t {
  One,
  Zero,
  AtRunTime,
  InMemory ///< Each call states its address in memory of the device.
};

/// An operand as it is stored.
struct Matrix {
  Element element = Element::F32;
  Order order = Order::RowMajor;
  /// Elements from a row (or column) to the next; kAnySize: each call states it.
  int64_t leading = kAnySize;
  /// Elements from a matrix of a strided batch to the next; kAnySize: each call states it. 0: the
  /// batch shares one matrix.
  int64_t stride = kAnySize;
  /// Bytes that addresses are multiples of, a power of 2; 0: those of an element. A call with
  /// another address fails. Of less than a complex element, the matrix is copied around the
  /// kernels.
  int64_t align = 0;
};

enum class Routine : uint8_t { Gemm, Trmm, Trsm };
enum class Side : uint8_t { Left, Right };
enum class Triangle : uint8_t { Lower, Upper };
enum class Diagonal : uint8_t { NonUnit, Unit };

struct Operation {
  Routine routine = Routine::Gemm;
  Op opA = Op::N, opB = Op::N;
  Matrix a, b, c; ///< Of triangular operations A is the triangle; C is replaced, and there is no B.
  /// Of op(A) M x K, op(B) K x N. Triangular operations have no K.
  int64_t m = kAnySize, n = kAnySize, k = kAnySize;
  Batch batch = Batch::None;
  int64_t count = kAnySize; ///< Matrices of a batch.
  Scalar alpha = Scalar::One, beta = Scalar::Zero;
  Epilogue epilogue; ///< Of products.
  Side side = Side::Left;
  Triangle triangle = Triangle::Lower;
  Diagonal diagonal = Diagonal::NonUnit;
  bool exact = false; ///< Of triangular operations, as of blas.trsm.

  bool isTriangular() const { return routine != Routine::Gemm; }
  /// Rows and columns of operand 0 (A), 1 (B) or 2 (C), as stored.
  int64_t rows(int operand) const;
  int64_t columns(int operand) const;
};

/// Why there is no such operation, naming the operand and the numbers; empty where there is.
std::string whyInvalid(const Operation &operation);

/// The operation as a module of one function @operation in the dialect blas. Its arguments are the
/// matrices in order (of triangular operations A and C), then alpha and beta where these are given
/// at run time, or memrefs of them where they are in memory, then the bias.
std::string moduleOf(const Operation &operation);

/// What a call gives for a matrix.
struct MatrixArgument {
  uint64_t address = 0; ///< Of the first element, or of the array of addresses.
  int64_t leading = 0;  ///< Elements, where the description leaves it open.
  int64_t stride = 0;   ///< Elements from a matrix of a batch to the next.
};

/// What a call gives.
struct CallArguments {
  int64_t m = 0, n = 0, k = 0, count = 1; ///< Where the description leaves them open.
  MatrixArgument a, b, c;
  double alpha[2] = {1, 0}, beta[2] = {0, 0}; ///< Real and imaginary part.
  uint64_t alphaAddress = 0, betaAddress = 0; ///< Of scalars in memory.
  uint64_t biasAddress = 0;
};

/// The registers of arguments of @operation (Runtime/Executable/Code.h), in `registers`, which is
/// cleared first.
void argumentsOf(const Operation &operation, const CallArguments &call,
                 std::vector<uint64_t> &registers);

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_OPERATION_H
