//===- Symbols.cpp - The names of BLAS that are taken ---------------------===//
//
// sgemm_, cblas_sgemm and the like. With 64 in the name integers have 64 bits: sgemm_64_ as the
// reference and OpenBLAS have it, cblas_sgemm64_ as OpenBLAS has it, cblas_sgemm_64 as the
// reference. A call is forwarded with the arguments as they came.
//
//===----------------------------------------------------------------------===//

#include "../Calls/Execute.h"
#include "Arguments.h"
#include "Next.h"
#include "Xerbla.h"

#include <initializer_list>

#define ROOFTILE_BLAS_NAME extern "C" __attribute__((visibility("default"))) void

using namespace rooftile::interpose;

template <typename Int> constexpr Width widthOf() {
  return sizeof(Int) == 8 ? Width::Ilp64 : Width::Lp64;
}

static Matrix matrix(const void *address, int64_t leading) {
  return {static_cast<char *>(const_cast<void *>(address)), leading};
}

/// Calls the function of the same name in the next BLAS, or another one for the same.
template <typename... Args> static void forward(const Call &call, Args... args) {
  if (!call.site->function)
    return callNext(call);
  NextScope inside;
  reinterpret_cast<void (*)(Args...)>(call.site->function)(args...);
}

//===----------------------------------------------------------------------===//
// Fortran
//===----------------------------------------------------------------------===//

/// Whether the call is done: computed, or refused.
static bool runFortran(const Call &call) {
  int bad = firstBad(call);
  if (bad && isExtension(call) && hasNext(call))
    return false;
  if (bad)
    return reportFortran(call, bad), true;
  return execute(call);
}

template <typename Int> struct FortranGemm {
  const char *opA, *opB;
  const Int *m, *n, *k;
  const void *alpha, *a;
  const Int *lda;
  const void *b;
  const Int *ldb;
  const void *beta;
  void *c;
  const Int *ldc;

  void run(CallSite &site, Type type) const {
    Call call;
    call.site = &site;
    call.routine = Routine::Gemm, call.type = type, call.width = widthOf<Int>();
    call.opA = letter(opA), call.opB = letter(opB);
    call.m = *m, call.n = *n, call.k = *k;
    call.alpha = alpha, call.beta = beta;
    call.a = matrix(a, *lda), call.b = matrix(b, *ldb), call.c = matrix(c, *ldc);
    if (NextScope::isInside() || !runFortran(call))
      forward(call, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, size_t(1), size_t(1));
  }
};

template <typename Int> struct FortranTriangular {
  const char *side, *uplo, *opA, *diag;
  const Int *m, *n;
  const void *alpha, *a;
  const Int *lda;
  void *b;
  const Int *ldb;

  void run(CallSite &site, Routine routine, Type type) const {
    Call call;
    call.site = &site;
    call.routine = routine, call.type = type, call.width = widthOf<Int>();
    call.side = letter(side), call.uplo = letter(uplo);
    call.opA = letter(opA), call.diag = letter(diag);
    call.m = *m, call.n = *n;
    call.alpha = alpha;
    call.a = matrix(a, *lda), call.c = matrix(b, *ldb);
    if (NextScope::isInside() || !runFortran(call))
      forward(call, side, uplo, opA, diag, m, n, alpha, a, lda, b, ldb, size_t(1), size_t(1),
              size_t(1), size_t(1));
  }
};

//===----------------------------------------------------------------------===//
// C
//===----------------------------------------------------------------------===//

enum { kRowMajor = 101, kColumnMajor = 102 };

namespace {
/// An enumeration as a function of C got it, and the letters of Fortran for its values.
struct Choice {
  int number; ///< Of the argument.
  const char *name;
  int value;
  const char *letters; ///< Of the values from `first` on.
  int first;
  char *letter; ///< Gets that of the value; '?' where there is none.

  bool read() const {
    int place = value - first;
    bool isKnown = place >= 0 && place < int(__builtin_strlen(letters));
    *letter = isKnown ? letters[place] : '?';
    return isKnown;
  }
};
} // namespace

static Choice op(int number, const char *name, int value, char *letter) {
  return {number, name, value, "NTCR", 111, letter}; // R: CblasConjNoTrans, an extension.
}

/// As runFortran; the call is still in the order of the caller.
static bool runC(Call &call, int order, std::initializer_list<Choice> choices) {
  bool isRowMajor = order == kRowMajor;
  for (const Choice &choice : choices)
    if (!choice.read())
      return reportChoice(call, isRowMajor, choice.number, choice.name, choice.value), true;
  if (isRowMajor)
    exchangeOrder(call);
  int bad = firstBad(call);
  if (bad && isExtension(call) && hasNext(call))
    return false;
  if (bad)
    return reportC(call, isRowMajor, bad), true;
  return execute(call);
}

static Choice layout(int order, char &unused) {
  return {1, "layout", order, "RC", kRowMajor, &unused};
}

static const void *addressOf(const float &scalar) { return &scalar; }
static const void *addressOf(const double &scalar) { return &scalar; }
static const void *addressOf(const void *const &scalar) { return scalar; }

template <typename Int, typename Scalar> struct CGemm {
  int order, opA, opB;
  Int m, n, k;
  Scalar alpha;
  const void *a;
  Int lda;
  const void *b;
  Int ldb;
  Scalar beta;
  void *c;
  Int ldc;

  void run(CallSite &site, Type type) const {
    Call call;
    call.site = &site;
    char unused;
    call.routine = Routine::Gemm, call.type = type, call.width = widthOf<Int>();
    call.m = m, call.n = n, call.k = k;
    call.alpha = addressOf(alpha), call.beta = addressOf(beta);
    call.a = matrix(a, lda), call.b = matrix(b, ldb), call.c = matrix(c, ldc);
    if (NextScope::isInside() || !runC(call, order,
                                       {layout(order, unused), op(2, "TransA", opA, &call.opA),
                                        op(3, "TransB", opB, &call.opB)}))
      forward(call, order, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  }
};

template <typename Int, typename Scalar> struct CTriangular {
  int order, side, uplo, opA, diag;
  Int m, n;
  Scalar alpha;
  const void *a;
  Int lda;
  void *b;
  Int ldb;

  void run(CallSite &site, Routine routine, Type type) const {
    Call call;
    call.site = &site;
    char unused;
    call.routine = routine, call.type = type, call.width = widthOf<Int>();
    call.m = m, call.n = n;
    call.alpha = addressOf(alpha);
    call.a = matrix(a, lda), call.c = matrix(b, ldb);
    if (NextScope::isInside() || !runC(call, order,
                                       {layout(order, unused),
                                        {2, "Side", side, "LR", 141, &call.side},
                                        {3, "Uplo", uplo, "UL", 121, &call.uplo},
                                        op(4, "Trans", opA, &call.opA),
                                        {5, "Diag", diag, "NU", 131, &call.diag}}))
      forward(call, order, side, uplo, opA, diag, m, n, alpha, a, lda, b, ldb);
  }
};

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// In the exported function itself, whose caller it is.
#define ROOFTILE_CALL_SITE symbol.at(__builtin_return_address(0))
#define ROOFTILE_FORTRAN_GEMM(name, type, Int)                                                     \
  ROOFTILE_BLAS_NAME name(const char *opA, const char *opB, const Int *m, const Int *n,            \
                          const Int *k, const void *alpha, const void *a, const Int *lda,          \
                          const void *b, const Int *ldb, const void *beta, void *c,                \
                          const Int *ldc) {                                                        \
    static NextSymbol symbol{#name};                                                               \
    FortranGemm<Int>{opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc}.run(                  \
        ROOFTILE_CALL_SITE, type);                                                                 \
  }
#define ROOFTILE_FORTRAN_TRIANGULAR(name, routine, type, Int)                                      \
  ROOFTILE_BLAS_NAME name(const char *side, const char *uplo, const char *opA, const char *diag,   \
                          const Int *m, const Int *n, const void *alpha, const void *a,            \
                          const Int *lda, void *b, const Int *ldb) {                               \
    static NextSymbol symbol{#name};                                                               \
    FortranTriangular<Int>{side, uplo, opA, diag, m, n, alpha, a, lda, b, ldb}.run(                \
        ROOFTILE_CALL_SITE, routine, type);                                                        \
  }
#define ROOFTILE_C_GEMM(name, type, Int, Scalar)                                                   \
  ROOFTILE_BLAS_NAME name(int order, int opA, int opB, Int m, Int n, Int k, Scalar alpha,          \
                          const void *a, Int lda, const void *b, Int ldb, Scalar beta, void *c,    \
                          Int ldc) {                                                               \
    static NextSymbol symbol{#name};                                                               \
    CGemm<Int, Scalar>{order, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc}.run(         \
        ROOFTILE_CALL_SITE, type);                                                                 \
  }
#define ROOFTILE_C_TRIANGULAR(name, routine, type, Int, Scalar)                                    \
  ROOFTILE_BLAS_NAME name(int order, int side, int uplo, int opA, int diag, Int m, Int n,          \
                          Scalar alpha, const void *a, Int lda, void *b, Int ldb) {                \
    static NextSymbol symbol{#name};                                                               \
    CTriangular<Int, Scalar>{order, side, uplo, opA, diag, m, n, alpha, a, lda, b, ldb}.run(       \
        ROOFTILE_CALL_SITE, routine, type);                                                        \
  }

#define ROOFTILE_ROUTINES(letter, type, Scalar)                                                    \
  ROOFTILE_FORTRAN_GEMM(letter##gemm_, type, int32_t)                                              \
  ROOFTILE_FORTRAN_GEMM(letter##gemm_64_, type, int64_t)                                           \
  ROOFTILE_FORTRAN_TRIANGULAR(letter##trmm_, Routine::Trmm, type, int32_t)                         \
  ROOFTILE_FORTRAN_TRIANGULAR(letter##trmm_64_, Routine::Trmm, type, int64_t)                      \
  ROOFTILE_FORTRAN_TRIANGULAR(letter##trsm_, Routine::Trsm, type, int32_t)                         \
  ROOFTILE_FORTRAN_TRIANGULAR(letter##trsm_64_, Routine::Trsm, type, int64_t)                      \
  ROOFTILE_C_GEMM(cblas_##letter##gemm, type, int32_t, Scalar)                                     \
  ROOFTILE_C_GEMM(cblas_##letter##gemm64_, type, int64_t, Scalar)                                  \
  ROOFTILE_C_GEMM(cblas_##letter##gemm_64, type, int64_t, Scalar)                                  \
  ROOFTILE_C_TRIANGULAR(cblas_##letter##trmm, Routine::Trmm, type, int32_t, Scalar)                \
  ROOFTILE_C_TRIANGULAR(cblas_##letter##trmm64_, Routine::Trmm, type, int64_t, Scalar)             \
  ROOFTILE_C_TRIANGULAR(cblas_##letter##trmm_64, Routine::Trmm, type, int64_t, Scalar)             \
  ROOFTILE_C_TRIANGULAR(cblas_##letter##trsm, Routine::Trsm, type, int32_t, Scalar)                \
  ROOFTILE_C_TRIANGULAR(cblas_##letter##trsm64_, Routine::Trsm, type, int64_t, Scalar)             \
  ROOFTILE_C_TRIANGULAR(cblas_##letter##trsm_64, Routine::Trsm, type, int64_t, Scalar)

ROOFTILE_ROUTINES(s, Type::F32, float)
ROOFTILE_ROUTINES(d, Type::F64, double)
ROOFTILE_ROUTINES(c, Type::C64, const void *)
ROOFTILE_ROUTINES(z, Type::C128, const void *)
