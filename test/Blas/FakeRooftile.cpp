//===- FakeRooftile.cpp - A librooftile.so without a compiler -------------===//
//
// Beside the fake libcuda, whose memory is the host's: products of what lies there, by their
// formulas. It shows what copies and panels do, with right results. ROOFTILE_FAKE_STATUS="3 5" lets
// the call 3 return status 5; calls are counted from 1, for all of the process. ROOFTILE_FAKE_TRACE
// lets each call write its device to stderr.
//
//===----------------------------------------------------------------------===//

#include "NaiveUpdates.h"
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

static char uploOf(const rooftile_operation &args) {
  return args.triangle == ROOFTILE_UPPER ? 'U' : 'L';
}

/// alpha or beta: real of herk, and beta of her2k.
template <typename T> static T scalar(const rooftile_operation &args, const void *address) {
  bool isReal =
      args.routine == ROOFTILE_HERK || (args.routine == ROOFTILE_HER2K && address == args.beta);
  using Real = decltype(std::abs(T()));
  return isReal ? T(*matrix<Real>(address)) : *matrix<T>(address);
}

template <typename T> static rooftile_status run(const rooftile_operation &args) {
  const T *a = matrix<T>(args.a), *b = matrix<T>(args.b);
  T *c = static_cast<T *>(args.c), alpha = scalar<T>(args, args.alpha);
  char side = args.side == ROOFTILE_LEFT ? 'L' : 'R', op = letterOf(args.op_a);
  switch (args.routine) {
  case ROOFTILE_TRMM:
  case ROOFTILE_TRSM:
    if (!args.exact)
      return ROOFTILE_INVALID_ARGUMENT;
    naive::triangular<T>(args.routine == ROOFTILE_TRSM, side, uploOf(args), op,
                         args.diagonal == ROOFTILE_UNIT ? 'U' : 'N', args.m, args.n, alpha, a,
                         args.lda, c, args.ldc);
    return ROOFTILE_SUCCESS;
  case ROOFTILE_GEMM:
    naive::gemm<T>(op, letterOf(args.op_b), args.m, args.n, args.k, alpha, a, args.lda, b, args.ldb,
                   scalar<T>(args, args.beta), c, args.ldc);
    return ROOFTILE_SUCCESS;
  case ROOFTILE_SYMM:
  case ROOFTILE_HEMM:
    naive::symm<T>(args.routine == ROOFTILE_HEMM, side, uploOf(args), args.m, args.n, alpha, a,
                   args.lda, b, args.ldb, scalar<T>(args, args.beta), c, args.ldc);
    return ROOFTILE_SUCCESS;
  default:
    bool hasB = args.routine == ROOFTILE_SYR2K || args.routine == ROOFTILE_HER2K;
    bool isHermitian = args.routine == ROOFTILE_HERK || args.routine == ROOFTILE_HER2K;
    naive::rank<T>(isHermitian, uploOf(args), op, args.n, args.k, alpha, a, args.lda,
                   hasB ? b : nullptr, args.ldb, scalar<T>(args, args.beta), c, args.ldc);
    return ROOFTILE_SUCCESS;
  }
}

extern "C" {

/// A handle is the number of its device, plus 1.
rooftile_status rooftile_create(rooftile_handle *handle, const rooftile_options *options) {
  *handle = reinterpret_cast<rooftile_handle>(size_t(options->ordinal) + 1);
  return ROOFTILE_SUCCESS;
}

rooftile_status rooftile_set_stream(rooftile_handle, void *stream) {
  return stream ? ROOFTILE_SUCCESS : ROOFTILE_INVALID_ARGUMENT;
}

const char *rooftile_message(rooftile_handle) { return "as the environment says"; }

const char *rooftile_warning(rooftile_handle) { return ""; }

const char *rooftile_status_name(rooftile_status status) {
  static thread_local char name[32];
  std::snprintf(name, sizeof name, "status %d", int(status));
  return name;
}

rooftile_status rooftile_run(rooftile_handle handle, const rooftile_operation *args) {
  if (std::getenv("ROOFTILE_FAKE_TRACE"))
    std::fprintf(stderr, "run on device %zu\n", reinterpret_cast<size_t>(handle) - 1);
  if (rooftile_status status = statusOfCall())
    return status;
  if (args->order != ROOFTILE_COLUMN_MAJOR || args->sizes != ROOFTILE_SIZES_ANY)
    return ROOFTILE_INVALID_ARGUMENT;
  switch (args->type_a) {
  case ROOFTILE_F32:
    return run<float>(*args);
  case ROOFTILE_F64:
    return run<double>(*args);
  case ROOFTILE_C64:
    return run<std::complex<float>>(*args);
  default:
    return run<std::complex<double>>(*args);
  }
}

// BLAS in place asks for no plan, and computes by rooftile_run alone.
rooftile_status rooftile_plan(rooftile_handle, const rooftile_operation *, char *, size_t *) {
  return ROOFTILE_INTERNAL;
}

} // extern "C"
