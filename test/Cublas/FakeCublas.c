/*===- FakeCublas.c - A libcublas.so.12 that computes nothing -------------===*\
|*
|* Prints what it is called with, in the order of its parameters. A handle is
|* a struct of the test program (Handle.h).
|*
\*===----------------------------------------------------------------------===*/

#include "Handle.h"

#include <stdint.h>
#include <stdio.h>

int cublasGetPointerMode_v2(struct FakeHandle *handle, int *mode) {
  return handle ? (*mode = handle->pointerMode, 0) : 1;
}
int cublasGetMathMode(struct FakeHandle *handle, int *mode) {
  return handle ? (*mode = handle->mathMode, 0) : 1;
}
int cublasGetStream_v2(struct FakeHandle *handle, void **stream) {
  return handle ? (*stream = handle->stream, 0) : 1;
}

static void begin(const char *name, const struct FakeHandle *handle) {
  printf("real %s%s:", name, handle ? "" : " without a handle");
}
static void integer(long long number) { printf(" %lld", number); }
static void address(const void *memory) { printf(" @%llx", (unsigned long long)(uintptr_t)memory); }
static int end(void) {
  printf("\n");
  fflush(stdout);
  return 0;
}

#define PRODUCT(name)                                                                              \
  begin(#name, handle);                                                                            \
  integer(opA), integer(opB), integer(m), integer(n), integer(k);                                  \
  (void)alpha, (void)beta

#define ROOFTILE_GEMM(name, type, Int)                                                             \
  int name(const struct FakeHandle *handle, int opA, int opB, Int m, Int n, Int k,                 \
           const void *alpha, const void *a, Int lda, const void *b, Int ldb, const void *beta,    \
           void *c, Int ldc) {                                                                     \
    PRODUCT(name);                                                                                 \
    address(a), integer(lda), address(b), integer(ldb), address(c), integer(ldc);                  \
    return end();                                                                                  \
  }
#define ROOFTILE_GEMM_STRIDED(name, type, Int)                                                     \
  int name(const struct FakeHandle *handle, int opA, int opB, Int m, Int n, Int k,                 \
           const void *alpha, const void *a, Int lda, long long strideA, const void *b, Int ldb,   \
           long long strideB, const void *beta, void *c, Int ldc, long long strideC, Int count) {  \
    PRODUCT(name);                                                                                 \
    address(a), integer(lda), integer(strideA), address(b), integer(ldb), integer(strideB);        \
    address(c), integer(ldc), integer(strideC), integer(count);                                    \
    return end();                                                                                  \
  }
#define ROOFTILE_GEMM_BATCHED(name, type, Int)                                                     \
  int name(const struct FakeHandle *handle, int opA, int opB, Int m, Int n, Int k,                 \
           const void *alpha, const void *const *a, Int lda, const void *const *b, Int ldb,        \
           const void *beta, void *const *c, Int ldc, Int count) {                                 \
    PRODUCT(name);                                                                                 \
    address(a), integer(lda), address(b), integer(ldb), address(c), integer(ldc);                  \
    integer(count);                                                                                \
    return end();                                                                                  \
  }
#define ROOFTILE_GEMM_EX(name, Int)                                                                \
  int name(const struct FakeHandle *handle, int opA, int opB, Int m, Int n, Int k,                 \
           const void *alpha, const void *a, int typeA, Int lda, const void *b, int typeB,         \
           Int ldb, const void *beta, void *c, int typeC, Int ldc, int compute, int algorithm) {   \
    PRODUCT(name);                                                                                 \
    address(a), integer(typeA), integer(lda), address(b), integer(typeB), integer(ldb);            \
    address(c), integer(typeC), integer(ldc), integer(compute), integer(algorithm);                \
    return end();                                                                                  \
  }
#define ROOFTILE_GEMM_STRIDED_EX(name, Int)                                                        \
  int name(const struct FakeHandle *handle, int opA, int opB, Int m, Int n, Int k,                 \
           const void *alpha, const void *a, int typeA, Int lda, long long strideA, const void *b, \
           int typeB, Int ldb, long long strideB, const void *beta, void *c, int typeC, Int ldc,   \
           long long strideC, Int count, int compute, int algorithm) {                             \
    PRODUCT(name);                                                                                 \
    address(a), integer(typeA), integer(lda), integer(strideA);                                    \
    address(b), integer(typeB), integer(ldb), integer(strideB);                                    \
    address(c), integer(typeC), integer(ldc), integer(strideC);                                    \
    integer(count), integer(compute), integer(algorithm);                                          \
    return end();                                                                                  \
  }
#define ROOFTILE_GEMM_BATCHED_EX(name, Int)                                                        \
  int name(const struct FakeHandle *handle, int opA, int opB, Int m, Int n, Int k,                 \
           const void *alpha, const void *const *a, int typeA, Int lda, const void *const *b,      \
           int typeB, Int ldb, const void *beta, void *const *c, int typeC, Int ldc, Int count,    \
           int compute, int algorithm) {                                                           \
    PRODUCT(name);                                                                                 \
    address(a), integer(typeA), integer(lda), address(b), integer(typeB), integer(ldb);            \
    address(c), integer(typeC), integer(ldc), integer(count), integer(compute);                    \
    integer(algorithm);                                                                            \
    return end();                                                                                  \
  }

#define TRIANGULAR(name)                                                                           \
  begin(#name, handle);                                                                            \
  integer(side), integer(fill), integer(op), integer(diagonal), integer(m), integer(n);            \
  (void)alpha

#define ROOFTILE_TRSM(name, type, Int)                                                             \
  int name(const struct FakeHandle *handle, int side, int fill, int op, int diagonal, Int m,       \
           Int n, const void *alpha, const void *a, Int lda, void *b, Int ldb) {                   \
    TRIANGULAR(name);                                                                              \
    address(a), integer(lda), address(b), integer(ldb);                                            \
    return end();                                                                                  \
  }
#define ROOFTILE_TRSM_BATCHED(name, type, Int)                                                     \
  int name(const struct FakeHandle *handle, int side, int fill, int op, int diagonal, Int m,       \
           Int n, const void *alpha, const void *const *a, Int lda, void *const *b, Int ldb,       \
           Int count) {                                                                            \
    TRIANGULAR(name);                                                                              \
    address(a), integer(lda), address(b), integer(ldb), integer(count);                            \
    return end();                                                                                  \
  }
#define ROOFTILE_TRMM(name, type, Int)                                                             \
  int name(const struct FakeHandle *handle, int side, int fill, int op, int diagonal, Int m,       \
           Int n, const void *alpha, const void *a, Int lda, const void *b, Int ldb, void *c,      \
           Int ldc) {                                                                              \
    TRIANGULAR(name);                                                                              \
    address(a), integer(lda), address(b), integer(ldb), address(c), integer(ldc);                  \
    return end();                                                                                  \
  }
#define SYMMETRIC(name, first, second, one, other)                                                 \
  begin(#name, handle);                                                                            \
  integer(first), integer(second), integer(one), integer(other);                                   \
  (void)alpha, (void)beta

#define ROOFTILE_SYMM(name, routine, type, Int)                                                    \
  int name(const struct FakeHandle *handle, int side, int fill, Int m, Int n, const void *alpha,   \
           const void *a, Int lda, const void *b, Int ldb, const void *beta, void *c, Int ldc) {   \
    SYMMETRIC(name, side, fill, m, n);                                                             \
    address(a), integer(lda), address(b), integer(ldb), address(c), integer(ldc);                  \
    return end();                                                                                  \
  }
#define ROOFTILE_SYRK(name, routine, type, Int)                                                    \
  int name(const struct FakeHandle *handle, int fill, int op, Int n, Int k, const void *alpha,     \
           const void *a, Int lda, const void *beta, void *c, Int ldc) {                           \
    SYMMETRIC(name, fill, op, n, k);                                                               \
    address(a), integer(lda), address(c), integer(ldc);                                            \
    return end();                                                                                  \
  }
#define ROOFTILE_SYR2K(name, routine, type, Int)                                                   \
  int name(const struct FakeHandle *handle, int fill, int op, Int n, Int k, const void *alpha,     \
           const void *a, Int lda, const void *b, Int ldb, const void *beta, void *c, Int ldc) {   \
    SYMMETRIC(name, fill, op, n, k);                                                               \
    address(a), integer(lda), address(b), integer(ldb), address(c), integer(ldc);                  \
    return end();                                                                                  \
  }
#include "Functions.inc"
