//===- C.cpp - C's names of BLAS ------------------------------------------===//
//
// cblas_sgemm and the like. With 64 in the name integers have 64 bits: cblas_sgemm64_ as OpenBLAS
// has it, cblas_sgemm_64 as the reference.
//
//===----------------------------------------------------------------------===//

#include "../Route/Execute.h"
#include "Forward.h"
#include "Xerbla.h"

using namespace rooftile::interpose;
using rooftile::operation::Element;
using rooftile::operation::Routine;
using rooftile::operation::RoutineInfo;

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

enum { kRowMajor = 101 };

namespace {
/// Enumerations as a function got them. What the routine does not have keeps its default.
struct Choices {
  int order, side = 141, uplo = 121, opA = 111, opB = 111, diag = 131;
};

/// One of them.
struct Choice {
  int number; ///< Number of the argument; 0: the routine does not have it.
  const char *name;
  int value;
  const char *letters; ///< Fortran's, of the values from `first` on.
  int first;
  char &letter; ///< Gets that of the value.

  bool read() const {
    int place = value - first;
    bool isKnown = place >= 0 && place < int(__builtin_strlen(letters));
    if (isKnown)
      letter = letters[place];
    return isKnown || number == 0;
  }
};
} // namespace

/// Reads the letters of the arguments; false, and that is reported, for an invalid value.
static bool readChoices(const Choices &choices, Arguments &arguments) {
  const char *ops = "NTCR"; // R: CblasConjNoTrans, an extension.
  Numbers numbers = numbersOf(arguments.routine);
  bool hasOpB = numbers.opB != 0;
  auto after = [](int number) { return number ? number + 1 : 0; }; // The order comes first.
  char unused;
  const Choice all[] = {
      {1, "layout", choices.order, "RC", kRowMajor, unused},
      {after(numbers.side), "Side", choices.side, "LR", 141, arguments.side},
      {after(numbers.uplo), "Uplo", choices.uplo, "UL", 121, arguments.uplo},
      {after(numbers.opA), hasOpB ? "TransA" : "Trans", choices.opA, ops, 111, arguments.opA},
      {after(numbers.opB), "TransB", choices.opB, ops, 111, arguments.opB},
      {after(numbers.diag), "Diag", choices.diag, "NU", 131, arguments.diag}};
  for (const Choice &choice : all)
    if (!choice.read())
      return reportChoice(arguments, choice.number, choice.name, choice.value), false;
  return true;
}

/// Whether the call is done: computed, or refused.
static bool isDone(const Choices &choices, Arguments &arguments) {
  if (NextScope::isInside())
    return false;
  arguments.isRowMajor = choices.order == kRowMajor;
  if (!readChoices(choices, arguments))
    return true;
  Reading reading = read(arguments);
  if (reading.bad == 0)
    return execute(reading.call);
  if (isExtension(arguments) && hasNext(reading.call))
    return false;
  return reportC(arguments, reading.bad), true;
}

template <typename... Args>
static void run(const Choices &choices, Arguments &arguments, Args... args) {
  if (!isDone(choices, arguments))
    forward(arguments, args...);
}

static const void *addressOf(const float &scalar) { return &scalar; }
static const void *addressOf(const double &scalar) { return &scalar; }
static const void *addressOf(const void *const &scalar) { return scalar; }

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The begin of a function, with arguments of every routine.
#define ROOFTILE_BEGIN(name, of, type, Int)                                                        \
  static NextSymbol symbol{#name};                                                                 \
  Arguments arguments = {ROOFTILE_CALL_SITE(symbol), Routine::of, Element::type, widthOf<Int>()};  \
  arguments.n = n, arguments.alpha = addressOf(alpha), arguments.a = {a, lda}

#define ROOFTILE_C_PRODUCT(name, of, type, Int, Alpha, Beta)                                       \
  ROOFTILE_BLAS_NAME name(int order, int opA, int opB, Int m, Int n, Int k, Alpha alpha,           \
                          const void *a, Int lda, const void *b, Int ldb, Beta beta, void *c,      \
                          Int ldc) {                                                               \
    ROOFTILE_BEGIN(name, of, type, Int);                                                           \
    arguments.m = m, arguments.k = k;                                                              \
    arguments.b = {b, ldb}, arguments.beta = addressOf(beta), arguments.c = {c, ldc};              \
    run({.order = order, .opA = opA, .opB = opB}, arguments, order, opA, opB, m, n, k, alpha, a,   \
        lda, b, ldb, beta, c, ldc);                                                                \
  }

#define ROOFTILE_C_TRIANGULAR(name, of, type, Int, Alpha, Beta)                                    \
  ROOFTILE_BLAS_NAME name(int order, int side, int uplo, int op, int diag, Int m, Int n,           \
                          Alpha alpha, const void *a, Int lda, void *b, Int ldb) {                 \
    ROOFTILE_BEGIN(name, of, type, Int);                                                           \
    arguments.m = m, arguments.c = {b, ldb};                                                       \
    run({.order = order, .side = side, .uplo = uplo, .opA = op, .diag = diag}, arguments, order,   \
        side, uplo, op, diag, m, n, alpha, a, lda, b, ldb);                                        \
  }

#define ROOFTILE_C_SYMMETRIC(name, of, type, Int, Alpha, Beta)                                     \
  ROOFTILE_BLAS_NAME name(int order, int side, int uplo, Int m, Int n, Alpha alpha, const void *a, \
                          Int lda, const void *b, Int ldb, Beta beta, void *c, Int ldc) {          \
    ROOFTILE_BEGIN(name, of, type, Int);                                                           \
    arguments.m = m;                                                                               \
    arguments.b = {b, ldb}, arguments.beta = addressOf(beta), arguments.c = {c, ldc};              \
    run({.order = order, .side = side, .uplo = uplo}, arguments, order, side, uplo, m, n, alpha,   \
        a, lda, b, ldb, beta, c, ldc);                                                             \
  }

#define ROOFTILE_C_RANK_K(name, of, type, Int, Alpha, Beta)                                        \
  ROOFTILE_BLAS_NAME name(int order, int uplo, int op, Int n, Int k, Alpha alpha, const void *a,   \
                          Int lda, Beta beta, void *c, Int ldc) {                                  \
    ROOFTILE_BEGIN(name, of, type, Int);                                                           \
    arguments.k = k;                                                                               \
    arguments.beta = addressOf(beta), arguments.c = {c, ldc};                                      \
    run({.order = order, .uplo = uplo, .opA = op}, arguments, order, uplo, op, n, k, alpha, a,     \
        lda, beta, c, ldc);                                                                        \
  }

#define ROOFTILE_C_RANK_2K(name, of, type, Int, Alpha, Beta)                                       \
  ROOFTILE_BLAS_NAME name(int order, int uplo, int op, Int n, Int k, Alpha alpha, const void *a,   \
                          Int lda, const void *b, Int ldb, Beta beta, void *c, Int ldc) {          \
    ROOFTILE_BEGIN(name, of, type, Int);                                                           \
    arguments.k = k;                                                                               \
    arguments.b = {b, ldb}, arguments.beta = addressOf(beta), arguments.c = {c, ldc};              \
    run({.order = order, .uplo = uplo, .opA = op}, arguments, order, uplo, op, n, k, alpha, a,     \
        lda, b, ldb, beta, c, ldc);                                                                \
  }

#define ROOFTILE_NAMES(FAMILY, letter, name, of, type, Alpha, Beta)                                \
  ROOFTILE_C_##FAMILY(cblas_##letter##name, of, type, int32_t, Alpha, Beta)                        \
      ROOFTILE_C_##FAMILY(cblas_##letter##name##64_, of, type, int64_t, Alpha, Beta)               \
          ROOFTILE_C_##FAMILY(cblas_##letter##name##_64, of, type, int64_t, Alpha, Beta)
#define ROOFTILE_PRODUCT(...) ROOFTILE_NAMES(PRODUCT, __VA_ARGS__)
#define ROOFTILE_TRIANGULAR(...) ROOFTILE_NAMES(TRIANGULAR, __VA_ARGS__)
#define ROOFTILE_SYMMETRIC(...) ROOFTILE_NAMES(SYMMETRIC, __VA_ARGS__)
#define ROOFTILE_RANK_K(...) ROOFTILE_NAMES(RANK_K, __VA_ARGS__)
#define ROOFTILE_RANK_2K(...) ROOFTILE_NAMES(RANK_2K, __VA_ARGS__)
#include "Routines.inc"
