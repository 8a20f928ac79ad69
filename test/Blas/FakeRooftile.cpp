//===- FakeRooftile.cpp - A librooftile.so without a compiler -------------===//
//
// Beside the fake libcuda, whose memory is the host's: products of what lies there, by their
// formulas. It shows what copies and panels do, with right results. ROOFTILE_FAKE_STATUS="3 5" lets
// the call 3 return status 5; calls are counted from 1, for all of the process.
//
//===----------------------------------------------------------------------===//

#include "Naive.h"
#include "rooftile/rooftile.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

/// The status that the environment states for this call.
static rooftile_status statusOfCall() {
  static std::atomic<int> calls{0};
  int number = 0, status = 0, call = ++calls;
  const char *stated = std::getenv("ROOFTILE_FAKE_STATUS");
  bool isStated = stated && std::sscanf(stated, "%d %d", &number, &status) == 2;
  return isStated && call == number ? status : ROOFTILE_SUCCESS;
}

static char letterOf(rooftile_op op) { return "NTC"[op]; }

template <typename T> static const T *matrix(const void *address) {
  return static_cast<const T *>(address);
}

template <typename T> static void runGemm(const rooftile_gemm_args &args) {
  naive::gemm<T>(letterOf(args.op_a), letterOf(args.op_b), args.m, args.n, args.k,
                 *matrix<T>(args.alpha), matrix<T>(args.a), args.lda, matrix<T>(args.b), args.ldb,
                 *matrix<T>(args.beta), static_cast<T *>(args.c), args.ldc);
}

template <typename T>
static void runTriangular(bool isSolve, const rooftile_triangular_args &args) {
  naive::triangular<T>(
      isSolve, args.side == ROOFTILE_LEFT ? 'L' : 'R', args.triangle == ROOFTILE_UPPER ? 'U' : 'L',
      letterOf(args.op_a), args.diagonal == ROOFTILE_UNIT ? 'U' : 'N', args.m, args.n,
      *matrix<T>(args.alpha), matrix<T>(args.a), args.lda, static_cast<T *>(args.b), args.ldb);
}

static rooftile_status triangular(bool isSolve, const rooftile_triangular_args *args) {
  if (rooftile_status status = statusOfCall())
    return status;
  if (args->order != ROOFTILE_COLUMN_MAJOR || args->sizes != ROOFTILE_SIZES_ANY || !args->exact)
    return ROOFTILE_INVALID_ARGUMENT;
  switch (args->type) {
  case ROOFTILE_F32:
    return runTriangular<float>(isSolve, *args), ROOFTILE_SUCCESS;
  case ROOFTILE_F64:
    return runTriangular<double>(isSolve, *args), ROOFTILE_SUCCESS;
  case ROOFTILE_C64:
    return runTriangular<std::complex<float>>(isSolve, *args), ROOFTILE_SUCCESS;
  default:
    return runTriangular<std::complex<double>>(isSolve, *args), ROOFTILE_SUCCESS;
  }
}

extern "C" {

rooftile_status rooftile_create(rooftile_handle *handle, const rooftile_options *) {
  static char context;
  *handle = reinterpret_cast<rooftile_handle>(&context);
  return ROOFTILE_SUCCESS;
}

rooftile_status rooftile_set_stream(rooftile_handle, void *stream) {
  return stream ? ROOFTILE_SUCCESS : ROOFTILE_INVALID_ARGUMENT;
}

rooftile_status rooftile_plan_trmm(rooftile_handle, const rooftile_triangular_args *, char *,
                                   size_t *) {
  return ROOFTILE_INTERNAL;
}

rooftile_status rooftile_plan_trsm(rooftile_handle, const rooftile_triangular_args *, char *,
                                   size_t *) {
  return ROOFTILE_INTERNAL;
}

rooftile_status rooftile_plan_gemm(rooftile_handle, const rooftile_gemm_args *, char *, size_t *) {
  return ROOFTILE_INTERNAL; // BLAS in place asks for none.
}
const char *rooftile_message(rooftile_handle) { return "as the environment says"; }

const char *rooftile_status_name(rooftile_status status) {
  static thread_local char name[32];
  std::snprintf(name, sizeof name, "status %d", int(status));
  return name;
}

rooftile_status rooftile_gemm(rooftile_handle, const rooftile_gemm_args *args) {
  if (rooftile_status status = statusOfCall())
    return status;
  if (args->order != ROOFTILE_COLUMN_MAJOR || args->sizes != ROOFTILE_SIZES_ANY)
    return ROOFTILE_INVALID_ARGUMENT;
  switch (args->type_c) {
  case ROOFTILE_F32:
    return runGemm<float>(*args), ROOFTILE_SUCCESS;
  case ROOFTILE_F64:
    return runGemm<double>(*args), ROOFTILE_SUCCESS;
  case ROOFTILE_C64:
    return runGemm<std::complex<float>>(*args), ROOFTILE_SUCCESS;
  default:
    return runGemm<std::complex<double>>(*args), ROOFTILE_SUCCESS;
  }
}

rooftile_status rooftile_trmm(rooftile_handle, const rooftile_triangular_args *args) {
  return triangular(false, args);
}

rooftile_status rooftile_trsm(rooftile_handle, const rooftile_triangular_args *args) {
  return triangular(true, args);
}

} // extern "C"
