//===- Entries.cpp - The functions that programs call ---------------------===//
//
// Each puts its arguments into the words of rooftile.h. What is not taken goes
// to the real function as it came.
//
//===----------------------------------------------------------------------===//

#include "Route.h"

using namespace rooftile::cublas;

#define ROOFTILE_ENTRY extern "C" __attribute__((visibility("default"))) Status

//===----------------------------------------------------------------------===//
// Types of the Ex functions
//===----------------------------------------------------------------------===//

/// 0 where it is none of the four.
static rooftile_type typeOf(DataType type) {
  switch (type) {
  case kReal32:
    return ROOFTILE_F32;
  case kReal64:
    return ROOFTILE_F64;
  case kComplex32:
    return ROOFTILE_C64;
  case kComplex64:
    return ROOFTILE_C128;
  default:
    return 0;
  }
}

static void setTypes(GemmCall &call, DataType a, DataType b, DataType c, ComputeType compute) {
  rooftile_type type = typeOf(c);
  call.args.type_a = call.args.type_b = call.args.type_c = type;
  bool isDouble = type == ROOFTILE_F64 || type == ROOFTILE_C128;
  bool matches = isDouble ? compute == kCompute64 || compute == kCompute64Pedantic
                          : compute == kCompute32 || compute == kCompute32Pedantic;
  if (!type || a != c || b != c)
    call.whyNot = "the types are none that is taken";
  else if (!matches)
    call.whyNot = "the compute type is none that is taken";
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
struct Matrix {
  const void *address; ///< The array, for batches by pointers.
  int64_t leading;
  int64_t stride = 0;
};
} // namespace

static GemmCall gemmCall(Function function, Handle handle, Operation opA, Operation opB, int64_t m,
                         int64_t n, int64_t k) {
  GemmCall call = {function, handle};
  call.args.order = ROOFTILE_COLUMN_MAJOR;
  call.args.op_a = opA, call.args.op_b = opB;
  call.args.m = m, call.args.n = n, call.args.k = k;
  return call;
}

static void setTypes(GemmCall &call, rooftile_type type) {
  call.args.type_a = call.args.type_b = call.args.type_c = type;
}

static void setOperands(GemmCall &call, const void *alpha, Matrix a, Matrix b, const void *beta,
                        Matrix c) {
  rooftile_gemm_args &args = call.args;
  args.alpha = alpha, args.beta = beta;
  args.a = a.address, args.b = b.address, args.c = const_cast<void *>(c.address);
  args.lda = a.leading, args.ldb = b.leading, args.ldc = c.leading;
  args.stride_a = a.stride, args.stride_b = b.stride, args.stride_c = c.stride;
}

/// Addresses in device memory are unknown but for the alignment of elements.
static void setBatch(GemmCall &call, rooftile_batch batch, int64_t count) {
  call.args.batch = batch, call.args.count = count;
}

#define ROOFTILE_TAKE_OR_CALL(name, ...)                                                           \
  Status status;                                                                                   \
  if (take(call, status))                                                                          \
    return status;                                                                                 \
  return callNext(Function::name, &name, __VA_ARGS__)

#define ROOFTILE_GEMM(name, type, Int)                                                             \
  ROOFTILE_ENTRY name(Handle handle, Operation opA, Operation opB, Int m, Int n, Int k,            \
                      const void *alpha, const void *a, Int lda, const void *b, Int ldb,           \
                      const void *beta, void *c, Int ldc) {                                        \
    GemmCall call = gemmCall(Function::name, handle, opA, opB, m, n, k);                           \
    setTypes(call, type);                                                                          \
    setOperands(call, alpha, {a, lda}, {b, ldb}, beta, {c, ldc});                                  \
    ROOFTILE_TAKE_OR_CALL(name, handle, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);   \
  }

#define ROOFTILE_GEMM_STRIDED(name, type, Int)                                                     \
  ROOFTILE_ENTRY name(Handle handle, Operation opA, Operation opB, Int m, Int n, Int k,            \
                      const void *alpha, const void *a, Int lda, long long strideA, const void *b, \
                      Int ldb, long long strideB, const void *beta, void *c, Int ldc,              \
                      long long strideC, Int count) {                                              \
    GemmCall call = gemmCall(Function::name, handle, opA, opB, m, n, k);                           \
    setTypes(call, type);                                                                          \
    setOperands(call, alpha, {a, lda, strideA}, {b, ldb, strideB}, beta, {c, ldc, strideC});       \
    setBatch(call, ROOFTILE_BATCH_STRIDED, count);                                                 \
    ROOFTILE_TAKE_OR_CALL(name, handle, opA, opB, m, n, k, alpha, a, lda, strideA, b, ldb,         \
                          strideB, beta, c, ldc, strideC, count);                                  \
  }

#define ROOFTILE_GEMM_BATCHED(name, type, Int)                                                     \
  ROOFTILE_ENTRY name(Handle handle, Operation opA, Operation opB, Int m, Int n, Int k,            \
                      const void *alpha, const void *const *a, Int lda, const void *const *b,      \
                      Int ldb, const void *beta, void *const *c, Int ldc, Int count) {             \
    GemmCall call = gemmCall(Function::name, handle, opA, opB, m, n, k);                           \
    setTypes(call, type);                                                                          \
    setOperands(call, alpha, {a, lda}, {b, ldb}, beta, {c, ldc});                                  \
    setBatch(call, ROOFTILE_BATCH_POINTERS, count);                                                \
    ROOFTILE_TAKE_OR_CALL(name, handle, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,    \
                          count);                                                                  \
  }

#define ROOFTILE_GEMM_EX(name, Int)                                                                \
  ROOFTILE_ENTRY name(Handle handle, Operation opA, Operation opB, Int m, Int n, Int k,            \
                      const void *alpha, const void *a, DataType typeA, Int lda, const void *b,    \
                      DataType typeB, Int ldb, const void *beta, void *c, DataType typeC, Int ldc, \
                      ComputeType compute, int32_t algorithm) {                                    \
    GemmCall call = gemmCall(Function::name, handle, opA, opB, m, n, k);                           \
    setTypes(call, typeA, typeB, typeC, compute);                                                  \
    setOperands(call, alpha, {a, lda}, {b, ldb}, beta, {c, ldc});                                  \
    ROOFTILE_TAKE_OR_CALL(name, handle, opA, opB, m, n, k, alpha, a, typeA, lda, b, typeB, ldb,    \
                          beta, c, typeC, ldc, compute, algorithm);                                \
  }

#define ROOFTILE_GEMM_STRIDED_EX(name, Int)                                                        \
  ROOFTILE_ENTRY name(Handle handle, Operation opA, Operation opB, Int m, Int n, Int k,            \
                      const void *alpha, const void *a, DataType typeA, Int lda,                   \
                      long long strideA, const void *b, DataType typeB, Int ldb,                   \
                      long long strideB, const void *beta, void *c, DataType typeC, Int ldc,       \
                      long long strideC, Int count, ComputeType compute, int32_t algorithm) {      \
    GemmCall call = gemmCall(Function::name, handle, opA, opB, m, n, k);                           \
    setTypes(call, typeA, typeB, typeC, compute);                                                  \
    setOperands(call, alpha, {a, lda, strideA}, {b, ldb, strideB}, beta, {c, ldc, strideC});       \
    setBatch(call, ROOFTILE_BATCH_STRIDED, count);                                                 \
    ROOFTILE_TAKE_OR_CALL(name, handle, opA, opB, m, n, k, alpha, a, typeA, lda, strideA, b,       \
                          typeB, ldb, strideB, beta, c, typeC, ldc, strideC, count, compute,       \
                          algorithm);                                                              \
  }

#define ROOFTILE_GEMM_BATCHED_EX(name, Int)                                                        \
  ROOFTILE_ENTRY name(Handle handle, Operation opA, Operation opB, Int m, Int n, Int k,            \
                      const void *alpha, const void *const *a, DataType typeA, Int lda,            \
                      const void *const *b, DataType typeB, Int ldb, const void *beta,             \
                      void *const *c, DataType typeC, Int ldc, Int count, ComputeType compute,     \
                      int32_t algorithm) {                                                         \
    GemmCall call = gemmCall(Function::name, handle, opA, opB, m, n, k);                           \
    setTypes(call, typeA, typeB, typeC, compute);                                                  \
    setOperands(call, alpha, {a, lda}, {b, ldb}, beta, {c, ldc});                                  \
    setBatch(call, ROOFTILE_BATCH_POINTERS, count);                                                \
    ROOFTILE_TAKE_OR_CALL(name, handle, opA, opB, m, n, k, alpha, a, typeA, lda, b, typeB, ldb,    \
                          beta, c, typeC, ldc, count, compute, algorithm);                         \
  }

//===----------------------------------------------------------------------===//
// Triangular matrices
//===----------------------------------------------------------------------===//

static TriangularCall triangularCall(Function function, Handle handle, Choice side, Choice fill,
                                     Operation op, Choice diagonal, int64_t m, int64_t n) {
  TriangularCall call = {function, handle};
  call.args.order = ROOFTILE_COLUMN_MAJOR;
  call.args.side = side + ROOFTILE_LEFT, call.args.triangle = fill + ROOFTILE_LOWER;
  call.args.op_a = op, call.args.diagonal = diagonal + ROOFTILE_NON_UNIT;
  call.args.m = m, call.args.n = n;
  call.args.exact = 1; // Programs expect what is not a number in the rows that depend on it.
  return call;
}

static void setOperands(TriangularCall &call, rooftile_type type, const void *alpha, Matrix a,
                        Matrix b) {
  call.args.type = type, call.args.alpha = alpha;
  call.args.a = a.address, call.args.lda = a.leading;
  call.args.b = const_cast<void *>(b.address), call.args.ldb = b.leading;
}

#define ROOFTILE_TRSM(name, type, Int)                                                             \
  ROOFTILE_ENTRY name(Handle handle, Choice side, Choice fill, Operation op, Choice diagonal,      \
                      Int m, Int n, const void *alpha, const void *a, Int lda, void *b, Int ldb) { \
    TriangularCall call = triangularCall(Function::name, handle, side, fill, op, diagonal, m, n);  \
    setOperands(call, type, alpha, {a, lda}, {b, ldb});                                            \
    ROOFTILE_TAKE_OR_CALL(name, handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb);    \
  }

#define ROOFTILE_TRSM_BATCHED(name, type, Int)                                                     \
  ROOFTILE_ENTRY name(Handle handle, Choice side, Choice fill, Operation op, Choice diagonal,      \
                      Int m, Int n, const void *alpha, const void *const *a, Int lda,              \
                      void *const *b, Int ldb, Int count) {                                        \
    TriangularCall call = triangularCall(Function::name, handle, side, fill, op, diagonal, m, n);  \
    setOperands(call, type, alpha, {a, lda}, {b, ldb});                                            \
    call.args.batch = ROOFTILE_BATCH_POINTERS, call.args.count = count;                            \
    ROOFTILE_TAKE_OR_CALL(name, handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb,     \
                          count);                                                                  \
  }

// C = alpha op(A) B of its own: in place where C is B.
#define ROOFTILE_TRMM(name, type, Int)                                                             \
  ROOFTILE_ENTRY name(Handle handle, Choice side, Choice fill, Operation op, Choice diagonal,      \
                      Int m, Int n, const void *alpha, const void *a, Int lda, const void *b,      \
                      Int ldb, void *c, Int ldc) {                                                 \
    TriangularCall call = triangularCall(Function::name, handle, side, fill, op, diagonal, m, n);  \
    setOperands(call, type, alpha, {a, lda}, {c, ldc});                                            \
    if (b != c || ldb != ldc)                                                                      \
      call.whyNot = "B and C are not the same memory";                                             \
    ROOFTILE_TAKE_OR_CALL(name, handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb, c,  \
                          ldc);                                                                    \
  }

#include "Functions.inc"
