/*===- Wrapper.c - Another library that is preloaded -----------------------===*\
|*
|* It passes a call on as interposers do, by what follows it.
|*
\*===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

typedef int Gemm(void *, int, int, int, int, int, const void *, const void *, int, const void *,
                 int, const void *, void *, int);

int cublasSgemm_v2(void *handle, int opA, int opB, int m, int n, int k, const void *alpha,
                   const void *a, int lda, const void *b, int ldb, const void *beta, void *c,
                   int ldc) {
  Gemm *next = (Gemm *)dlsym(RTLD_NEXT, "cublasSgemm_v2");
  printf("wrapped\n");
  return next(handle, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
