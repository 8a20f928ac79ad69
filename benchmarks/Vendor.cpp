//===- Vendor.cpp - cuBLAS, opened at run time ----------------------------===//

#include "Vendor.h"
#include <dlfcn.h>

using namespace rooftile::bench;

template <typename Function> static Function symbol(void *library, const char *name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

bool Vendor::open() {
  for (const char *name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"})
    if (!library)
      library = dlopen(name, RTLD_NOW);
  auto create = library ? symbol<int (*)(void **)>(library, "cublasCreate_v2") : nullptr;
  return create && create(&handle) == 0;
}

int Vendor::version() const {
  int version = 0;
  symbol<int (*)(void *, int *)>(library, "cublasGetVersion_v2")(handle, &version);
  return version;
}

/// cuBLAS is column-major: row-major C = op(A) op(B) is C^T = op(B)^T op(A)^T there.
template <typename T>
static bool call(void *library, void *handle, const char *name, const Problem &p, uint64_t a,
                 uint64_t b, uint64_t c) {
  using Gemm = int (*)(void *, int, int, int, int, int, const T *, uint64_t, int, uint64_t, int,
                       const T *, uint64_t, int);
  T alpha = 1, beta = 0;
  int64_t lda = p.transposeA ? p.m : p.k, ldb = p.transposeB ? p.k : p.n;
  return symbol<Gemm>(library, name)(handle, p.transposeB, p.transposeA, p.n, p.m, p.k, &alpha, b,
                                     ldb, a, lda, &beta, c, p.n) == 0;
}

bool Vendor::gemm(const Problem &problem, uint64_t a, uint64_t b, uint64_t c) const {
  return problem.isDouble ? call<double>(library, handle, "cublasDgemm_v2", problem, a, b, c)
                          : call<float>(library, handle, "cublasSgemm_v2", problem, a, b, c);
}
