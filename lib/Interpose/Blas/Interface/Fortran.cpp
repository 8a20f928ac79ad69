//===- Fortran.cpp - Fortran's names of BLAS ------------------------------===//
//
// sgemm_ and the like, and sgemm_64_, whose integers have 64 bits, as the reference and OpenBLAS
// have it.
//
//===----------------------------------------------------------------------===//

#include "../Route/Execute.h"
#include "Forward.h"
#include "Xerbla.h"

using namespace rooftile::interpose;
using rooftile::operation::Element;
using rooftile::operation::Routine;

/// Whether the call is done: computed, or refused.
static bool isDone(const Arguments &arguments) {
  if (NextScope::isInside())
    return false;
  Reading reading = read(arguments);
  if (reading.bad == 0)
    return execute(reading.call);
  if (isExtension(arguments) && hasNext(reading.call))
    return false;
  return reportFortran(reading.call, reading.bad), true;
}

/// `args`: what the function got, and the lengths of its letters.
template <typename... Args> static void run(const Arguments &arguments, Args... args) {
  if (!isDone(arguments))
    forward(arguments, args...);
}

/// The begin of a function, with arguments of every routine.
#define ROOFTILE_BEGIN(name, of, type, Int)                                                        \
  static NextSymbol symbol{#name};                                                                 \
  Arguments arguments = {ROOFTILE_CALL_SITE(symbol), Routine::of, Element::type, widthOf<Int>()};  \
  arguments.n = *n, arguments.alpha = alpha, arguments.a = {a, *lda}

#define ROOFTILE_FORTRAN_PRODUCT(name, of, type, Int)                                              \
  ROOFTILE_BLAS_NAME name(const char *opA, const char *opB, const Int *m, const Int *n,            \
                          const Int *k, const void *alpha, const void *a, const Int *lda,          \
                          const void *b, const Int *ldb, const void *beta, void *c,                \
                          const Int *ldc) {                                                        \
    ROOFTILE_BEGIN(name, of, type, Int);                                                           \
    arguments.opA = letter(opA), arguments.opB = letter(opB);                                      \
    arguments.m = *m, arguments.k = *k;                                                            \
    arguments.b = {b, *ldb}, arguments.beta = beta, arguments.c = {c, *ldc};                       \
    run(arguments, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, size_t(1), size_t(1));  \
  }

#define ROOFTILE_FORTRAN_TRIANGULAR(name, of, type, Int)                                           \
  ROOFTILE_BLAS_NAME name(const char *side, const char *uplo, const char *op, const char *diag,    \
                          const Int *m, const Int *n, const void *alpha, const void *a,            \
                          const Int *lda, void *b, const Int *ldb) {                               \
    ROOFTILE_BEGIN(name, of, type, Int);                                                           \
    arguments.side = letter(side), arguments.uplo = letter(uplo);                                  \
    arguments.opA = letter(op), arguments.diag = letter(diag);                                     \
    arguments.m = *m, arguments.c = {b, *ldb};                                                     \
    run(arguments, side, uplo, op, diag, m, n, alpha, a, lda, b, ldb, size_t(1), size_t(1),        \
        size_t(1), size_t(1));                                                                     \
  }

#define ROOFTILE_FORTRAN_SYMMETRIC(name, of, type, Int)                                            \
  ROOFTILE_BLAS_NAME name(const char *side, const char *uplo, const Int *m, const Int *n,          \
                          const void *alpha, const void *a, const Int *lda, const void *b,         \
                          const Int *ldb, const void *beta, void *c, const Int *ldc) {             \
    ROOFTILE_BEGIN(name, of, type, Int);                                                           \
    arguments.side = letter(side), arguments.uplo = letter(uplo), arguments.m = *m;                \
    arguments.b = {b, *ldb}, arguments.beta = beta, arguments.c = {c, *ldc};                       \
    run(arguments, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, size_t(1), size_t(1));   \
  }

#define ROOFTILE_FORTRAN_RANK_K(name, of, type, Int)                                               \
  ROOFTILE_BLAS_NAME name(const char *uplo, const char *op, const Int *n, const Int *k,            \
                          const void *alpha, const void *a, const Int *lda, const void *beta,      \
                          void *c, const Int *ldc) {                                               \
    ROOFTILE_BEGIN(name, of, type, Int);                                                           \
    arguments.uplo = letter(uplo), arguments.opA = letter(op), arguments.k = *k;                   \
    arguments.beta = beta, arguments.c = {c, *ldc};                                                \
    run(arguments, uplo, op, n, k, alpha, a, lda, beta, c, ldc, size_t(1), size_t(1));             \
  }

#define ROOFTILE_FORTRAN_RANK_2K(name, of, type, Int)                                              \
  ROOFTILE_BLAS_NAME name(const char *uplo, const char *op, const Int *n, const Int *k,            \
                          const void *alpha, const void *a, const Int *lda, const void *b,         \
                          const Int *ldb, const void *beta, void *c, const Int *ldc) {             \
    ROOFTILE_BEGIN(name, of, type, Int);                                                           \
    arguments.uplo = letter(uplo), arguments.opA = letter(op), arguments.k = *k;                   \
    arguments.b = {b, *ldb}, arguments.beta = beta, arguments.c = {c, *ldc};                       \
    run(arguments, uplo, op, n, k, alpha, a, lda, b, ldb, beta, c, ldc, size_t(1), size_t(1));     \
  }

#define ROOFTILE_NAMES(FAMILY, letter, name, of, type)                                             \
  ROOFTILE_FORTRAN_##FAMILY(letter##name##_, of, type, int32_t)                                    \
      ROOFTILE_FORTRAN_##FAMILY(letter##name##_64_, of, type, int64_t)
#define ROOFTILE_PRODUCT(letter, name, of, type, Alpha, Beta)                                      \
  ROOFTILE_NAMES(PRODUCT, letter, name, of, type)
#define ROOFTILE_TRIANGULAR(letter, name, of, type, Alpha, Beta)                                   \
  ROOFTILE_NAMES(TRIANGULAR, letter, name, of, type)
#define ROOFTILE_SYMMETRIC(letter, name, of, type, Alpha, Beta)                                    \
  ROOFTILE_NAMES(SYMMETRIC, letter, name, of, type)
#define ROOFTILE_RANK_K(letter, name, of, type, Alpha, Beta)                                       \
  ROOFTILE_NAMES(RANK_K, letter, name, of, type)
#define ROOFTILE_RANK_2K(letter, name, of, type, Alpha, Beta)                                      \
  ROOFTILE_NAMES(RANK_2K, letter, name, of, type)
#include "Routines.inc"
