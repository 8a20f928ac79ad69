//===- Names.h - The functions of BLAS that tests call ----------*- C++ -*-===//
#ifndef ROOFTILE_TEST_BLAS_NAMES_H
#define ROOFTILE_TEST_BLAS_NAMES_H

#include <complex>
#include <cstdint>

/// Every way to the same routine. In row-major order, operands are exchanged, so that the product
/// in memory is the same.
enum class Interface { Fortran, Fortran64, Columns, Rows, Columns64, Rows64, ColumnsOther64 };
constexpr Interface kInterfaces[] = {
    Interface::Fortran,   Interface::Fortran64, Interface::Columns,       Interface::Rows,
    Interface::Columns64, Interface::Rows64,    Interface::ColumnsOther64};

#define DECLARE_FORTRAN(letter, T, Int, suffix)                                                    \
  void letter##gemm_##suffix(const char *, const char *, const Int *, const Int *, const Int *,    \
                             const T *, const T *, const Int *, const T *, const Int *, const T *, \
                             T *, const Int *);                                                    \
  void letter##trmm_##suffix(const char *, const char *, const char *, const char *, const Int *,  \
                             const Int *, const T *, const T *, const Int *, T *, const Int *);    \
  void letter##trsm_##suffix(const char *, const char *, const char *, const char *, const Int *,  \
                             const Int *, const T *, const T *, const Int *, T *, const Int *);
#define DECLARE_C(letter, T, Scalar, Int, suffix)                                                  \
  void cblas_##letter##gemm##suffix(int, int, int, Int, Int, Int, Scalar, const T *, Int,          \
                                    const T *, Int, Scalar, T *, Int);                             \
  void cblas_##letter##trmm##suffix(int, int, int, int, int, Int, Int, Scalar, const T *, Int,     \
                                    T *, Int);                                                     \
  void cblas_##letter##trsm##suffix(int, int, int, int, int, Int, Int, Scalar, const T *, Int,     \
                                    T *, Int);

template <typename T> struct Names;

#define DECLARE(letter, T, Scalar, addressOf)                                                      \
  extern "C" {                                                                                     \
  DECLARE_FORTRAN(letter, T, int32_t, )                                                            \
  DECLARE_FORTRAN(letter, T, int64_t, 64_)                                                         \
  DECLARE_C(letter, T, Scalar, int32_t, )                                                          \
  DECLARE_C(letter, T, Scalar, int64_t, 64_)                                                       \
  DECLARE_C(letter, T, Scalar, int64_t, _64)                                                       \
  }                                                                                                \
  template <> struct Names<T> {                                                                    \
    static constexpr auto gemm = letter##gemm_;                                                    \
    static constexpr auto gemm64 = letter##gemm_64_;                                               \
    static constexpr auto cGemm = cblas_##letter##gemm;                                            \
    static constexpr auto cGemm64 = cblas_##letter##gemm64_;                                       \
    static constexpr auto cGemmOther64 = cblas_##letter##gemm_64;                                  \
    static constexpr decltype(&letter##trmm_) triangular[] = {letter##trmm_, letter##trsm_};       \
    static constexpr decltype(&letter##trmm_64_) triangular64[] = {letter##trmm_64_,               \
                                                                   letter##trsm_64_};              \
    static constexpr decltype(&cblas_##letter##trmm) cTriangular[] = {cblas_##letter##trmm,        \
                                                                      cblas_##letter##trsm};       \
    static constexpr decltype(&cblas_##letter##trmm64_) cTriangular64[] = {                        \
        cblas_##letter##trmm64_, cblas_##letter##trsm64_};                                         \
    static constexpr decltype(&cblas_##letter##trmm_64) cTriangularOther64[] = {                   \
        cblas_##letter##trmm_64, cblas_##letter##trsm_64};                                         \
    static Scalar scalar(const T &value) { return addressOf value; }                               \
  };
DECLARE(s, float, float, )
DECLARE(d, double, double, )
DECLARE(c, std::complex<float>, const void *, &)
DECLARE(z, std::complex<double>, const void *, &)

namespace names {
constexpr int kRows = 101, kColumns = 102;

/// The enumerations of C for Fortran's letters.
inline int op(char letter) { return letter == 'N' ? 111 : letter == 'T' ? 112 : 113; }
inline int uplo(char letter) { return letter == 'U' ? 121 : 122; }
inline int diag(char letter) { return letter == 'N' ? 131 : 132; }
inline int side(char letter) { return letter == 'L' ? 141 : 142; }

template <typename Int, typename Function, typename T>
void fortranGemm(Function *f, char opA, char opB, Int m, Int n, Int k, T alpha, const T *a, Int lda,
                 const T *b, Int ldb, T beta, T *c, Int ldc) {
  f(&opA, &opB, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);
}

template <typename T>
void gemm(Interface way, char opA, char opB, int m, int n, int k, T alpha, const T *a, int lda,
          const T *b, int ldb, T beta, T *c, int ldc) {
  using N = Names<T>;
  auto x = N::scalar(alpha), y = N::scalar(beta);
  switch (way) {
  case Interface::Fortran:
    return fortranGemm<int32_t>(N::gemm, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  case Interface::Fortran64:
    return fortranGemm<int64_t>(N::gemm64, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  case Interface::Columns:
    return N::cGemm(kColumns, op(opA), op(opB), m, n, k, x, a, lda, b, ldb, y, c, ldc);
  case Interface::Rows:
    return N::cGemm(kRows, op(opB), op(opA), n, m, k, x, b, ldb, a, lda, y, c, ldc);
  case Interface::Columns64:
    return N::cGemm64(kColumns, op(opA), op(opB), m, n, k, x, a, lda, b, ldb, y, c, ldc);
  case Interface::Rows64:
    return N::cGemm64(kRows, op(opB), op(opA), n, m, k, x, b, ldb, a, lda, y, c, ldc);
  case Interface::ColumnsOther64:
    return N::cGemmOther64(kColumns, op(opA), op(opB), m, n, k, x, a, lda, b, ldb, y, c, ldc);
  }
}

template <typename Int, typename Function, typename T>
void fortranTriangular(Function *f, const char *letters, Int m, Int n, T alpha, const T *a, Int lda,
                       T *b, Int ldb) {
  f(letters, letters + 1, letters + 2, letters + 3, &m, &n, &alpha, a, &lda, b, &ldb);
}

template <typename Int, typename Function, typename T>
void cTriangular(Function *f, bool isRows, const char *letters, Int m, Int n, T alpha, const T *a,
                 Int lda, T *b, Int ldb) {
  auto x = Names<T>::scalar(alpha);
  int way = op(letters[2]), unit = diag(letters[3]);
  if (isRows)
    f(kRows, side(letters[0] == 'L' ? 'R' : 'L'), uplo(letters[1] == 'U' ? 'L' : 'U'), way, unit, n,
      m, x, a, lda, b, ldb);
  else
    f(kColumns, side(letters[0]), uplo(letters[1]), way, unit, m, n, x, a, lda, b, ldb);
}

/// `letters`: side, uplo, op, diag.
template <typename T>
void triangular(Interface way, bool isSolve, const char *letters, int m, int n, T alpha, const T *a,
                int lda, T *b, int ldb) {
  using N = Names<T>;
  bool isRows = way == Interface::Rows || way == Interface::Rows64;
  switch (way) {
  case Interface::Fortran:
    return fortranTriangular<int32_t>(N::triangular[isSolve], letters, m, n, alpha, a, lda, b, ldb);
  case Interface::Fortran64:
    return fortranTriangular<int64_t>(N::triangular64[isSolve], letters, m, n, alpha, a, lda, b,
                                      ldb);
  case Interface::Columns:
  case Interface::Rows:
    return cTriangular<int32_t>(N::cTriangular[isSolve], isRows, letters, m, n, alpha, a, lda, b,
                                ldb);
  case Interface::Columns64:
  case Interface::Rows64:
    return cTriangular<int64_t>(N::cTriangular64[isSolve], isRows, letters, m, n, alpha, a, lda, b,
                                ldb);
  case Interface::ColumnsOther64:
    return cTriangular<int64_t>(N::cTriangularOther64[isSolve], false, letters, m, n, alpha, a, lda,
                                b, ldb);
  }
}

} // namespace names

#endif // ROOFTILE_TEST_BLAS_NAMES_H
