//===- Entries.cpp - The functions that programs call ---------------------===//
//
// Each makes an operation of its arguments. Others go to the real
// function as it came.
//
//===----------------------------------------------------------------------===//

#include "Route.h"

#include <initializer_list>
#include <string_view>

using namespace rooftile::cublas;
using namespace rooftile::operation;

#define ROOFTILE_ENTRY extern "C" __attribute__((visibility("default"))) Status

//===----------------------------------------------------------------------===//
// Types of the Ex functions
//===----------------------------------------------------------------------===//

/// F16 where it is none of the four.
static Element elementOfData(DataType type) {
  switch (type) {
  case kReal32:
    return Element::F32;
  case kReal64:
    return Element::F64;
  case kComplex32:
    return Element::C64;
  case kComplex64:
    return Element::C128;
  default:
    return Element::F16;
  }
}

static Element elementOf(rooftile_type type) { return Element(type - ROOFTILE_F16); }

static Element typesOf(Call &call, DataType a, DataType b, DataType c, ComputeType compute) {
  Element element = elementOfData(c);
  bool matches = bytesOfComponent(element) == 8
                     ? compute == kCompute64 || compute == kCompute64Pedantic
                     : compute == kCompute32 || compute == kCompute32Pedantic;
  if (element == Element::F16 || a != c || b != c)
    call.whyNot = "the types are none that is taken";
  else if (!matches)
    call.whyNot = "the compute type is none that is taken";
  return element;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {
struct Stated {
  const void *address; ///< The array, for batches by pointers.
  int64_t leading;
  int64_t stride = 0;
};
} // namespace

static Call callOf(Function function, Handle handle, Routine routine, int64_t m, int64_t n,
                   int64_t k = kAnySize) {
  Call call = {function, handle};
  call.operation.routine = routine;
  call.operation.m = m, call.operation.n = n, call.operation.k = k;
  // Programs expect what is not a number in the rows that depend on it.
  call.operation.dependence = infoOf(routine).hasExact ? Dependence::Exact : Dependence::Any;
  return call;
}

static Op opOf(Call &call, Transpose op) {
  constexpr Op kOps[] = {Op::N, Op::T, Op::C, Op::J};
  if (op >= 0 && op < 4)
    return kOps[op];
  call.whyNot = "an operation is none of N, T, C";
  return Op::N;
}

template <typename Of> static Of choiceOf(Call &call, Choice choice) {
  if (choice != 0 && choice != 1)
    call.whyNot = "a side, triangle or diagonal is unknown to cuBLAS";
  return Of(choice == 1);
}

/// `operands`: A, B and C; one that the routine lacks is left out.
static void setOperands(Call &call, Element element, const void *alpha, const void *beta,
                        std::initializer_list<Stated> operands) {
  call.alpha = alpha, call.beta = beta;
  auto stated = operands.begin();
  for (int index : {0, 1, 2}) {
    if (!call.operation.has(index))
      continue;
    Matrix &matrix = call.operation.operand(index);
    matrix.element = element, matrix.order = Order::ColumnMajor;
    matrix.leading = stated->leading, matrix.stride = stated->stride;
    call.addresses[index] = (stated++)->address;
  }
}

static void setBatch(Call &call, Batch batch, int64_t count) {
  call.operation.batch = batch, call.operation.count = count;
}

/// The functions with gemm3m in their names are for three real products.
static constexpr Math mathOf(std::string_view name) {
  return name.find("gemm3m") != name.npos ? Math::Emulated : Math::Strict;
}

static Call gemmCall(Function function, Handle handle, Transpose opA, Transpose opB, int64_t m,
                     int64_t n, int64_t k) {
  Call call = callOf(function, handle, Routine::Gemm, m, n, k);
  call.operation.opA = opOf(call, opA), call.operation.opB = opOf(call, opB);
  return call;
}

/// A call of a routine with a square A on one side.
static Call sidedCall(Function function, Handle handle, Routine routine, Choice side, Choice fill,
                      int64_t m, int64_t n) {
  Call call = callOf(function, handle, routine, m, n);
  call.operation.side = choiceOf<Side>(call, side);
  call.operation.triangle = choiceOf<Triangle>(call, fill);
  return call;
}

static Call triangularCall(Function function, Handle handle, Routine routine, Choice side,
                           Choice fill, Transpose op, Choice diagonal, int64_t m, int64_t n) {
  Call call = sidedCall(function, handle, routine, side, fill, m, n);
  call.operation.opA = opOf(call, op);
  call.operation.diagonal = choiceOf<Diagonal>(call, diagonal);
  return call;
}

static Call rankCall(Function function, Handle handle, Routine routine, Choice fill, Transpose op,
                     int64_t n, int64_t k) {
  Call call = callOf(function, handle, routine, kAnySize, n, k);
  call.operation.triangle = choiceOf<Triangle>(call, fill);
  call.operation.opA = opOf(call, op);
  return call;
}

#define ROOFTILE_TAKE_OR_CALL(name, ...)                                                           \
  Status status;                                                                                   \
  if (take(call, status))                                                                          \
    return status;                                                                                 \
  return callNext(Function::name, &name, __VA_ARGS__)

#define ROOFTILE_GEMM(name, type, Int)                                                             \
  ROOFTILE_ENTRY name(Handle handle, Transpose opA, Transpose opB, Int m, Int n, Int k,            \
                      const void *alpha, const void *a, Int lda, const void *b, Int ldb,           \
                      const void *beta, void *c, Int ldc) {                                        \
    Call call = gemmCall(Function::name, handle, opA, opB, m, n, k);                               \
    setOperands(call, elementOf(type), alpha, beta, {{a, lda}, {b, ldb}, {c, ldc}});               \
    ROOFTILE_TAKE_OR_CALL(name, handle, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);   \
  }

#define ROOFTILE_GEMM_STRIDED(name, type, Int)                                                     \
  ROOFTILE_ENTRY name(Handle handle, Transpose opA, Transpose opB, Int m, Int n, Int k,            \
                      const void *alpha, const void *a, Int lda, long long strideA, const void *b, \
                      Int ldb, long long strideB, const void *beta, void *c, Int ldc,              \
                      long long strideC, Int count) {                                              \
    Call call = gemmCall(Function::name, handle, opA, opB, m, n, k);                               \
    call.operation.math = mathOf(#name);                                                           \
    setOperands(call, elementOf(type), alpha, beta,                                                \
                {{a, lda, strideA}, {b, ldb, strideB}, {c, ldc, strideC}});                        \
    setBatch(call, Batch::Strided, count);                                                         \
    ROOFTILE_TAKE_OR_CALL(name, handle, opA, opB, m, n, k, alpha, a, lda, strideA, b, ldb,         \
                          strideB, beta, c, ldc, strideC, count);                                  \
  }

#define ROOFTILE_GEMM_BATCHED(name, type, Int)                                                     \
  ROOFTILE_ENTRY name(Handle handle, Transpose opA, Transpose opB, Int m, Int n, Int k,            \
                      const void *alpha, const void *const *a, Int lda, const void *const *b,      \
                      Int ldb, const void *beta, void *const *c, Int ldc, Int count) {             \
    Call call = gemmCall(Function::name, handle, opA, opB, m, n, k);                               \
    setOperands(call, elementOf(type), alpha, beta, {{a, lda}, {b, ldb}, {c, ldc}});               \
    setBatch(call, Batch::Pointers, count);                                                        \
    ROOFTILE_TAKE_OR_CALL(name, handle, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,    \
                          count);                                                                  \
  }

#define ROOFTILE_GEMM_EX(name, Int)                                                                \
  ROOFTILE_ENTRY name(Handle handle, Transpose opA, Transpose opB, Int m, Int n, Int k,            \
                      const void *alpha, const void *a, DataType typeA, Int lda, const void *b,    \
                      DataType typeB, Int ldb, const void *beta, void *c, DataType typeC, Int ldc, \
                      ComputeType compute, int32_t algorithm) {                                    \
    Call call = gemmCall(Function::name, handle, opA, opB, m, n, k);                               \
    Element element = typesOf(call, typeA, typeB, typeC, compute);                                 \
    setOperands(call, element, alpha, beta, {{a, lda}, {b, ldb}, {c, ldc}});                       \
    ROOFTILE_TAKE_OR_CALL(name, handle, opA, opB, m, n, k, alpha, a, typeA, lda, b, typeB, ldb,    \
                          beta, c, typeC, ldc, compute, algorithm);                                \
  }

#define ROOFTILE_GEMM_STRIDED_EX(name, Int)                                                        \
  ROOFTILE_ENTRY name(Handle handle, Transpose opA, Transpose opB, Int m, Int n, Int k,            \
                      const void *alpha, const void *a, DataType typeA, Int lda,                   \
                      long long strideA, const void *b, DataType typeB, Int ldb,                   \
                      long long strideB, const void *beta, void *c, DataType typeC, Int ldc,       \
                      long long strideC, Int count, ComputeType compute, int32_t algorithm) {      \
    Call call = gemmCall(Function::name, handle, opA, opB, m, n, k);                               \
    Element element = typesOf(call, typeA, typeB, typeC, compute);                                 \
    setOperands(call, element, alpha, beta,                                                        \
                {{a, lda, strideA}, {b, ldb, strideB}, {c, ldc, strideC}});                        \
    setBatch(call, Batch::Strided, count);                                                         \
    ROOFTILE_TAKE_OR_CALL(name, handle, opA, opB, m, n, k, alpha, a, typeA, lda, strideA, b,       \
                          typeB, ldb, strideB, beta, c, typeC, ldc, strideC, count, compute,       \
                          algorithm);                                                              \
  }

#define ROOFTILE_GEMM_BATCHED_EX(name, Int)                                                        \
  ROOFTILE_ENTRY name(Handle handle, Transpose opA, Transpose opB, Int m, Int n, Int k,            \
                      const void *alpha, const void *const *a, DataType typeA, Int lda,            \
                      const void *const *b, DataType typeB, Int ldb, const void *beta,             \
                      void *const *c, DataType typeC, Int ldc, Int count, ComputeType compute,     \
                      int32_t algorithm) {                                                         \
    Call call = gemmCall(Function::name, handle, opA, opB, m, n, k);                               \
    Element element = typesOf(call, typeA, typeB, typeC, compute);                                 \
    setOperands(call, element, alpha, beta, {{a, lda}, {b, ldb}, {c, ldc}});                       \
    setBatch(call, Batch::Pointers, count);                                                        \
    ROOFTILE_TAKE_OR_CALL(name, handle, opA, opB, m, n, k, alpha, a, typeA, lda, b, typeB, ldb,    \
                          beta, c, typeC, ldc, count, compute, algorithm);                         \
  }

//===----------------------------------------------------------------------===//
// Triangular matrices
//===----------------------------------------------------------------------===//

#define ROOFTILE_TRSM(name, type, Int)                                                             \
  ROOFTILE_ENTRY name(Handle handle, Choice side, Choice fill, Transpose op, Choice diagonal,      \
                      Int m, Int n, const void *alpha, const void *a, Int lda, void *b, Int ldb) { \
    Call call =                                                                                    \
        triangularCall(Function::name, handle, Routine::Trsm, side, fill, op, diagonal, m, n);     \
    setOperands(call, elementOf(type), alpha, nullptr, {{a, lda}, {b, ldb}});                      \
    ROOFTILE_TAKE_OR_CALL(name, handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb);    \
  }

#define ROOFTILE_TRSM_BATCHED(name, type, Int)                                                     \
  ROOFTILE_ENTRY name(Handle handle, Choice side, Choice fill, Transpose op, Choice diagonal,      \
                      Int m, Int n, const void *alpha, const void *const *a, Int lda,              \
                      void *const *b, Int ldb, Int count) {                                        \
    Call call =                                                                                    \
        triangularCall(Function::name, handle, Routine::Trsm, side, fill, op, diagonal, m, n);     \
    setOperands(call, elementOf(type), alpha, nullptr, {{a, lda}, {b, ldb}});                      \
    setBatch(call, Batch::Pointers, count);                                                        \
    ROOFTILE_TAKE_OR_CALL(name, handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb,     \
                          count);                                                                  \
  }

// C = alpha op(A) B of its own: in place where C is B.
#define ROOFTILE_TRMM(name, type, Int)                                                             \
  ROOFTILE_ENTRY name(Handle handle, Choice side, Choice fill, Transpose op, Choice diagonal,      \
                      Int m, Int n, const void *alpha, const void *a, Int lda, const void *b,      \
                      Int ldb, void *c, Int ldc) {                                                 \
    Call call =                                                                                    \
        triangularCall(Function::name, handle, Routine::Trmm, side, fill, op, diagonal, m, n);     \
    setOperands(call, elementOf(type), alpha, nullptr, {{a, lda}, {c, ldc}});                      \
    if (b != c || ldb != ldc)                                                                      \
      call.whyNot = "B and C are not the same memory";                                             \
    ROOFTILE_TAKE_OR_CALL(name, handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb, c,  \
                          ldc);                                                                    \
  }

//===----------------------------------------------------------------------===//
// Symmetric and Hermitian matrices
//===----------------------------------------------------------------------===//

#define ROOFTILE_SYMM(name, routine, type, Int)                                                    \
  ROOFTILE_ENTRY name(Handle handle, Choice side, Choice fill, Int m, Int n, const void *alpha,    \
                      const void *a, Int lda, const void *b, Int ldb, const void *beta, void *c,   \
                      Int ldc) {                                                                   \
    Call call = sidedCall(Function::name, handle, Routine::routine, side, fill, m, n);             \
    setOperands(call, elementOf(type), alpha, beta, {{a, lda}, {b, ldb}, {c, ldc}});               \
    ROOFTILE_TAKE_OR_CALL(name, handle, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);    \
  }

#define ROOFTILE_SYRK(name, routine, type, Int)                                                    \
  ROOFTILE_ENTRY name(Handle handle, Choice fill, Transpose op, Int n, Int k, const void *alpha,   \
                      const void *a, Int lda, const void *beta, void *c, Int ldc) {                \
    Call call = rankCall(Function::name, handle, Routine::routine, fill, op, n, k);                \
    setOperands(call, elementOf(type), alpha, beta, {{a, lda}, {c, ldc}});                         \
    ROOFTILE_TAKE_OR_CALL(name, handle, fill, op, n, k, alpha, a, lda, beta, c, ldc);              \
  }

#define ROOFTILE_SYR2K(name, routine, type, Int)                                                   \
  ROOFTILE_ENTRY name(Handle handle, Choice fill, Transpose op, Int n, Int k, const void *alpha,   \
                      const void *a, Int lda, const void *b, Int ldb, const void *beta, void *c,   \
                      Int ldc) {                                                                   \
    Call call = rankCall(Function::name, handle, Routine::routine, fill, op, n, k);                \
    setOperands(call, elementOf(type), alpha, beta, {{a, lda}, {b, ldb}, {c, ldc}});               \
    ROOFTILE_TAKE_OR_CALL(name, handle, fill, op, n, k, alpha, a, lda, b, ldb, beta, c, ldc);      \
  }

#include "Functions.inc"
