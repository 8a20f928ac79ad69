//===- Operation.h - A call of BLAS level 3 as a value ----------*- C++ -*-===//
//
// Everything about a call that decides how it is computed: the routine, element types, sizes, how
// matrices lie in memory, and which numerical freedoms the caller grants. Addresses and values of
// scalars are not part of it. A value is compared and hashed as bytes; Text.h has its one line.
//
// Index arithmetic here is in elements; alignments are in bytes.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_OPERATION_OPERATION_H
#define ROOFTILE_OPERATION_OPERATION_H

#include "rooftile/Operation/Routine.h"

#include <array>
#include <cstring>
#include <type_traits>

namespace rooftile::operation {

/// A size, leading dimension or stride that each call states.
inline constexpr int64_t kAnySize = -1;
/// Alignment, in bytes, beyond which nothing depends on it: no access of a kernel is wider.
inline constexpr int32_t kMostAlign = 16;

/// Op of a stored matrix: as it is, transposed, conjugated and transposed, conjugated.
enum class Op : char { N = 'n', T = 't', C = 'c', J = 'j' };
constexpr bool isTransposed(Op op) { return op == Op::T || op == Op::C; }
/// The op of X^T that is `op` of X.
constexpr Op transposed(Op op) {
  return op == Op::N ? Op::T : op == Op::T ? Op::N : op == Op::C ? Op::J : Op::C;
}

enum class Order : uint8_t { RowMajor, ColumnMajor };
enum class Side : uint8_t { Left, Right };
/// The stored triangle (uplo).
enum class Triangle : uint8_t { Lower, Upper };
enum class Diagonal : uint8_t { NonUnit, Unit };

/// Form in which the matrices of a batch are stated.
enum class Batch : uint8_t {
  None,    ///< One matrix for each operand.
  Strided, ///< A stride apart.
  Pointers ///< By an array of addresses in memory of the device. Sizes are known.
};

/// Knowledge about alpha or beta.
enum class Scalar : uint8_t {
  One,
  Zero,
  AtRunTime, ///< Each call states its value.
  InMemory   ///< Each call states its address in memory of the device.
};

/// The class of a scalar of that value.
constexpr Scalar scalarOf(double real, double imaginary = 0) {
  if (imaginary != 0 || (real != 0 && real != 1))
    return Scalar::AtRunTime;
  return real == 0 ? Scalar::Zero : real == 1 ? Scalar::One : Scalar::AtRunTime; // NaN
}

/// Components of a scalar of that type (f32, f64, c64 or c128) in host memory; the imaginary one of
/// a real type is 0.
std::array<double, 2> scalarAt(Element type, const void *address);

/// The vector that is added to C.
enum class Bias : uint8_t {
  None,
  PerRow,   ///< M elements.
  PerColumn ///< N elements.
};

/// A function of one real number.
enum class Activation : uint8_t {
  None,
  Relu,     ///< max(x, 0); NaN stays NaN.
  Gelu,     ///< x (1 + erf(x / sqrt(2))) / 2
  GeluTanh, ///< x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
  Sigmoid,  ///< 1 / (1 + exp(-x))
  Silu,     ///< x / (1 + exp(-x))
  Tanh
};

/// C = activation(alpha op(A) op(B) + beta C + bias)
struct Epilogue {
  Bias bias = Bias::None; ///< Has C's type; contiguous, one for all matrices of a batch.
  Activation activation = Activation::None;

  bool exists() const { return bias != Bias::None || activation != Activation::None; }
};

/// Arithmetic that may stand in for that of the type: other products of an error bound like it
/// (Emulated), or factors of f32 rounded to 11 significant bits (Tf32).
enum class Math : uint8_t { Strict, Emulated, Tf32 };
/// Whether the order of summation may differ from run to run.
enum class Summation : uint8_t { Ordered, AnyOrder };
/// Whether accumulators keep what rounding lost.
enum class Rounding : uint8_t { Plain, Compensated };
/// Whether elements of the result depend on nothing but what they are defined by, so that NaN and
/// infinities stay in their rows.
enum class Dependence : uint8_t { Any, Exact };
/// Operands that are one matrix.
enum class Alias : uint8_t { None, AB };

/// Storage of an operand.
struct Matrix {
  /// From a row (or column) to the next; kAnySize: each call states it.
  int64_t leading = kAnySize;
  /// From a matrix of a strided batch to the next; kAnySize: each call states it. 0: all products
  /// read one matrix.
  int64_t stride = kAnySize;
  /// Bytes that addresses are multiples of, a power of 2; 0: those of an element, and kernels for
  /// wider alignments are chosen at each call. Less than an element: the matrix is copied.
  int32_t align = 0;
  Element element = Element::F32;
  Order order = Order::RowMajor;
  uint8_t unused[2] = {}; ///< No byte of a value is undefined.
};

/// Sizes are known, or kAnySize. A choice that the routine does not have keeps its default.
struct Operation {
  Matrix a, b, c; ///< In place, C is the input and the result, and there is no B.
  int64_t m = kAnySize, n = kAnySize, k = kAnySize;
  int64_t count = kAnySize; ///< Matrices of a batch.
  Routine routine = Routine::Gemm;
  Op opA = Op::N, opB = Op::N;
  Batch batch = Batch::None;
  Scalar alpha = Scalar::One, beta = Scalar::Zero;
  Epilogue epilogue;
  Side side = Side::Left;
  Triangle triangle = Triangle::Lower;
  Diagonal diagonal = Diagonal::NonUnit;
  Math math = Math::Strict;
  Summation summation = Summation::Ordered;
  Rounding rounding = Rounding::Plain;
  Dependence dependence = Dependence::Any;
  Alias alias = Alias::None;

  const RoutineInfo &info() const { return infoOf(routine); }
  /// Operand 0 (A), 1 (B) or 2 (C).
  const Matrix &operand(int index) const { return index == 0 ? a : index == 1 ? b : c; }
  Matrix &operand(int index) { return index == 0 ? a : index == 1 ? b : c; }
  Structure structure(int index) const {
    return index == 0 ? info().a : index == 1 ? info().b : info().c;
  }
  bool has(int index) const { return structure(index) != Structure::None; }
  /// Whether a triangular A enters: trmm and trsm.
  bool isTriangular() const { return info().a == Structure::Triangle; }
  /// Whether there is anything to multiply: K is not known to be 0.
  bool hasTerms() const { return !info().hasK() || k != 0; }
  /// Whether C is read.
  bool readsC() const { return info().inPlace || beta != Scalar::Zero; }
  /// Rows and columns of a matrix as stored.
  int64_t rows(int index) const;
  int64_t columns(int index) const;
  /// Length of a row (of a column in column-major order), and the number of these.
  int64_t vectorLength(int index) const;
  int64_t vectors(int index) const;
  /// Order of a square A.
  int64_t order() const { return info().hasSide && side == Side::Left ? m : n; }

  bool operator==(const Operation &other) const {
    return std::memcmp(this, &other, sizeof(Operation)) == 0;
  }
  bool operator!=(const Operation &other) const { return !(*this == other); }
};
static_assert(std::has_unique_object_representations_v<Operation>, "compared as bytes");
static_assert(sizeof(Operation) % sizeof(uint64_t) == 0, "hashed as words");

/// 64 bits of all bytes; equal for equal values, in every process.
uint64_t hash(const Operation &operation);

struct OperationHash {
  size_t operator()(const Operation &operation) const { return size_t(hash(operation)); }
};

/// The operation with C in row-major order, by C^T: the transpose of a stored matrix is the same
/// memory in the other order. Where `swapsOperands` holds for the routine, A and B are exchanged.
Operation exchanged(const Operation &operation);
bool swapsOperands(Routine routine);

/// The operation that stands for all that compute the same: C in row-major order, no conjugation of
/// real matrices.
Operation canonical(const Operation &operation);

/// The operation that is compiled for calls: alpha of 0 and beta of 1 are scalars as others, since
/// kernels for them alone would gain little.
Operation withGeneralScalars(Operation operation);

/// The operation without sizes, leading dimensions and strides but those of 0: each call states
/// them. Kernels for wider alignments are chosen at each call.
Operation withAnySizes(Operation operation);

/// C = beta C, or C = 0 of routines without beta: a product of no terms, or of one triangle a rank
/// update of none. A and B are C's memory, without an element.
Operation withoutTerms(const Operation &operation);

/// Floating-point operations of all matrices of a batch, sizes being known: a complex multiply-add
/// counts 8, a real one 2.
double flops(const Operation &operation);
/// Bytes of operand 0, 1 or 2 that count, each once.
double bytesOfOperand(const Operation &operation, int index);
/// Bytes that must be read and written.
double bytesRead(const Operation &operation);
double bytesWritten(const Operation &operation);

/// Name of operand 0, 1 or 2 in messages, as BLAS has it: C in place is B of trmm and trsm.
const char *nameOfOperand(Routine routine, int index);

/// Why an operation cannot be computed.
struct Wrong {
  enum Kind : uint8_t { Nothing, Invalid, Unsupported } kind = Nothing;
  std::string message; ///< Names the operand and the sizes.

  explicit operator bool() const { return kind != Nothing; }
};

/// Whether sizes, leading dimensions and strides may be kAnySize.
enum class Dynamic : uint8_t { Refused, Allowed };

/// Invalid: no routine is described. Unsupported: a routine without kernels.
Wrong whatIsWrong(const Operation &operation, Dynamic dynamic = Dynamic::Allowed);

} // namespace rooftile::operation

#endif // ROOFTILE_OPERATION_OPERATION_H
