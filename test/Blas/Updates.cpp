//===- Updates.cpp - Symmetric products and rank updates ------------------===//

#include "Cases.h"
#include "Groups.h"
#include "NaiveUpdates.h"

using Complex = std::complex<float>;
using DoubleComplex = std::complex<double>;

#define DECLARE_UPDATE(letter, name, T, A, B)                                                      \
  void letter##name##_(const char *, const char *, const int *, const int *, const A *, const T *, \
                       const int *, const T *, const int *, const B *, T *, const int *);
#define DECLARE_RANK_K(letter, name, T, S)                                                         \
  void letter##name##_(const char *, const char *, const int *, const int *, const S *, const T *, \
                       const int *, const S *, T *, const int *);
#define DECLARE_C_UPDATE(letter, name, T, A, B)                                                    \
  void cblas_##letter##name##64_(int, int, int, int64_t, int64_t, A, const T *, int64_t,           \
                                 const T *, int64_t, B, T *, int64_t);
#define DECLARE_C_RANK_K(letter, name, T, S)                                                       \
  void cblas_##letter##name##64_(int, int, int, int64_t, int64_t, S, const T *, int64_t, S, T *,   \
                                 int64_t);
extern "C" {
DECLARE_UPDATE(d, symm, double, double, double)
DECLARE_UPDATE(d, syr2k, double, double, double)
DECLARE_RANK_K(d, syrk, double, double)
DECLARE_UPDATE(c, hemm, Complex, Complex, Complex)
DECLARE_UPDATE(c, her2k, Complex, Complex, float)
DECLARE_RANK_K(c, herk, Complex, float)
DECLARE_C_UPDATE(d, symm, double, double, double)
DECLARE_C_UPDATE(d, syr2k, double, double, double)
DECLARE_C_RANK_K(d, syrk, double, double)
DECLARE_C_UPDATE(c, hemm, Complex, const void *, const void *)
DECLARE_C_UPDATE(c, her2k, Complex, const void *, float)
DECLARE_C_RANK_K(c, herk, Complex, float)
}

/// Names of a type: symmetric ones of real matrices, Hermitian ones of complex matrices.
template <typename T> struct Routines;
template <> struct Routines<double> {
  static constexpr auto symm = dsymm_, rank2k = dsyr2k_;
  static constexpr auto rankK = dsyrk_;
  static constexpr auto cSymm = cblas_dsymm64_, cRank2k = cblas_dsyr2k64_;
  static constexpr auto cRankK = cblas_dsyrk64_;
  static double scalar(const double &value) { return value; }
  static constexpr char other = 'T';
};
template <> struct Routines<Complex> {
  static constexpr auto symm = chemm_;
  static constexpr auto rank2k = cher2k_;
  static constexpr auto rankK = cherk_;
  static constexpr auto cSymm = cblas_chemm64_;
  static constexpr auto cRank2k = cblas_cher2k64_;
  static constexpr auto cRankK = cblas_cherk64_;
  static const void *scalar(const Complex &value) { return &value; }
  static constexpr char other = 'C';
};

/// Makes what must not be read or written something that is not a number.
template <typename T> static void hide(Columns<T> &a, char uplo) {
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i) {
      if (uplo == 'U' ? i > j : i < j)
        a.at(i, j) = nan<T>();
      if (i == j && isComplex<T>) // The imaginary part is not read.
        a.at(i, j) = number<T>(float(i % 3), 5);
    }
}

/// Equal, or NaN at the same indices.
template <typename T> static bool agree(const Columns<T> &found, const Columns<T> &right) {
  for (size_t i = 0; i < found.elements.size(); ++i) {
    bool isNan = std::isnan(std::abs(found.elements[i]));
    if (isNan != std::isnan(std::abs(right.elements[i])))
      return false;
    if (!isNan && found.elements[i] != right.elements[i])
      return false;
  }
  return true;
}

/// `isRows`: by C, of the transposed matrices; what Fortran calls them is exchanged.
template <typename T>
static bool isSymmetricRight(bool isRows, char side, char uplo, int m, int n, T beta) {
  Columns<T> a(side == 'L' ? m : n, side == 'L' ? m : n, 4), b(m, n, 5), c(m, n, 6);
  hide(a, uplo);
  if (beta == T(0))
    c.fill(nan<T>());
  Columns<T> right = c;
  T alpha = number<T>(2, -1);
  naive::symm<T>(isComplex<T>, side, uplo, m, n, alpha, a.data(), a.leading, b.data(), b.leading,
                 beta, right.data(), right.leading);
  using R = Routines<T>;
  if (isRows && isComplex<T>) // The transpose of a Hermitian matrix is its conjugate, column-major.
    R::cSymm(102, names::side(side), names::uplo(uplo), m, n, R::scalar(alpha), a.data(), a.leading,
             b.data(), b.leading, R::scalar(beta), c.data(), c.leading);
  else if (isRows)
    R::cSymm(101, names::side(side == 'L' ? 'R' : 'L'), names::uplo(uplo == 'U' ? 'L' : 'U'), n, m,
             R::scalar(alpha), a.data(), a.leading, b.data(), b.leading, R::scalar(beta), c.data(),
             c.leading);
  else
    R::symm(&side, &uplo, &m, &n, &alpha, a.data(), &a.leading, b.data(), &b.leading, &beta,
            c.data(), &c.leading);
  return agree(c, right);
}

template <typename T>
static bool isRankRight(bool isC, bool hasB, char uplo, char op, int n, int k, float factor) {
  Columns<T> a(op == 'N' ? n : k, op == 'N' ? k : n, 4), b(a.rows, a.columns, 5), c(n, n, 6);
  hide(c, uplo);
  T beta = factor, alpha = number<T>(2, hasB ? -1 : 0);
  Columns<T> right = c;
  naive::rank<T>(isComplex<T>, uplo, op, n, k, alpha, a.data(), a.leading,
                 hasB ? b.data() : nullptr, b.leading, beta, right.data(), right.leading);
  using R = Routines<T>;
  decltype(std::abs(T())) real = factor, realAlpha = 2;
  int way = names::op(op), triangle = names::uplo(uplo);
  if (hasB && isC)
    R::cRank2k(102, triangle, way, n, k, R::scalar(alpha), a.data(), a.leading, b.data(), b.leading,
               real, c.data(), c.leading);
  else if (hasB)
    R::rank2k(&uplo, &op, &n, &k, &alpha, a.data(), &a.leading, b.data(), &b.leading, &real,
              c.data(), &c.leading);
  else if (isC)
    R::cRankK(102, triangle, way, n, k, realAlpha, a.data(), a.leading, real, c.data(), c.leading);
  else
    R::rankK(&uplo, &op, &n, &k, &realAlpha, a.data(), &a.leading, &real, c.data(), &c.leading);
  return agree(c, right);
}

template <typename T> static void testUpdatesOf(int n, int k) {
  for (char uplo : {'U', 'L'})
    for (bool isC : {false, true}) {
      for (char side : {'L', 'R'}) {
        EXPECT(isSymmetricRight<T>(isC, side, uplo, n, k, number<T>(1, 2)));
        EXPECT(isSymmetricRight<T>(isC, side, uplo, k, n, T(0)));
      }
      for (char op : {'N', Routines<T>::other})
        for (bool hasB : {false, true})
          EXPECT(isRankRight<T>(isC, hasB, uplo, op, n, k, op == 'N' ? -1.0f : 0.0f));
    }
}

void testUpdates() {
  testUpdatesOf<double>(9, 5);
  testUpdatesOf<Complex>(9, 5);
}

/// C in several tiles; what is not a number in the other triangle stays there.
void testUpdatePanels() {
  testUpdatesOf<double>(1500, 3);
  testUpdatesOf<Complex>(1300, 2);
  EXPECT(isRankRight<double>(false, false, 'L', 'T', 1, 3, 0));
  EXPECT(nextCalls() == 0);
}

/// The third part fails: rectangles of a rank update reach the next BLAS as products.
void testUpdateStatus() {
  EXPECT(isRankRight<Complex>(false, true, 'L', 'N', 1300, 2, -1));
  EXPECT(nextCalls() > 2);
  EXPECT(isRankRight<double>(false, false, 'U', 'T', 1300, 2, -1));
  EXPECT(nextCalls() == 0);
}

/// C = beta C of one triangle, whose diagonal is real.
void testUpdateZeros() {
  for (char uplo : {'U', 'L'})
    for (bool hasB : {false, true})
      for (float beta : {0.0f, 3.0f}) {
        EXPECT(isRankRight<Complex>(false, hasB, uplo, 'N', 6, 0, beta));
        EXPECT(isRankRight<double>(true, hasB, uplo, 'T', 6, 0, beta));
      }
}
