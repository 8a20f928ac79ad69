//===- Results.cpp - Results, whoever computes them -----------------------===//

#include "Cases.h"
#include "Groups.h"

#include <thread>

using Complex = std::complex<float>;
using DoubleComplex = std::complex<double>;

//===----------------------------------------------------------------------===//
// Without a product
//===----------------------------------------------------------------------===//

template <typename T> static void testZerosOf() {
  T zero = 0, one = 1, beta = number<T>(2, -1);
  for (Interface way : kInterfaces) {
    for (T alpha : {zero, one}) {
      EXPECT(isProductRight<T>(way, 'N', 'T', 0, 5, 3, alpha, zero));
      EXPECT(isProductRight<T>(way, 'T', 'N', 5, 0, 3, alpha, beta));
      for (T factor : {zero, one, beta})
        EXPECT(isProductRight<T>(way, 'N', 'N', 5, 4, 0, alpha, factor));
    }
    for (T factor : {zero, one, beta})
      EXPECT(isProductRight<T>(way, 'T', 'T', 5, 4, 3, zero, factor));
    for (bool isSolve : {false, true}) {
      EXPECT(isTriangularRight<T>(way, isSolve, "LUNN", 4, 3, zero));
      EXPECT(isTriangularRight<T>(way, isSolve, "RLTU", 0, 3, one));
      EXPECT(isTriangularRight<T>(way, isSolve, "LLTU", 3, 0, one));
    }
  }
  // A and B are not looked at; C that is not a number is overwritten, and else it stays so.
  T c[4] = {nan<T>(), nan<T>(), nan<T>(), nan<T>()};
  names::gemm<T>(Interface::Fortran, 'N', 'N', 2, 1, 7, zero, nullptr, 2, nullptr, 7, beta, c, 2);
  EXPECT(std::isnan(std::abs(c[0])) && std::isnan(std::abs(c[1])));
  names::gemm<T>(Interface::Fortran, 'N', 'N', 2, 1, 7, zero, nullptr, 2, nullptr, 7, zero, c, 2);
  EXPECT(c[0] == zero && c[1] == zero && std::isnan(std::abs(c[2])));
  names::triangular<T>(Interface::Fortran, true, "LUNN", 2, 1, zero, nullptr, 2, c + 2, 2);
  EXPECT(c[2] == zero && c[3] == zero);
}

void testZeros() {
  testZerosOf<float>();
  testZerosOf<double>();
  testZerosOf<Complex>();
  testZerosOf<DoubleComplex>();
}

//===----------------------------------------------------------------------===//
// Products and triangles
//===----------------------------------------------------------------------===//

template <typename T> static void testProductsOf() {
  T alpha = number<T>(2, 1), beta = number<T>(-1, 3);
  for (Interface way : kInterfaces)
    for (const char *ops : {"NN", "TC", "CN"})
      EXPECT(isProductRight<T>(way, ops[0], ops[1], 9, 5, 7, alpha, beta));
  EXPECT(isProductRight<T>(Interface::Fortran, 'T', 'C', 70, 150, 40, alpha, beta));
  EXPECT(isProductRight<T>(Interface::Rows, 'N', 'N', 1, 130, 3, alpha, T(0)));
  // NaN in A and B is NaN in C.
  T a[1] = {nan<T>()}, b[1] = {0}, c[1] = {1};
  names::gemm<T>(Interface::Fortran, 'N', 'N', 1, 1, 1, T(1), a, 1, b, 1, T(1), c, 1);
  EXPECT(std::isnan(std::abs(c[0])));
}

void testProducts() {
  testProductsOf<float>();
  testProductsOf<double>();
  testProductsOf<Complex>();
  testProductsOf<DoubleComplex>();
}

template <typename T> static void testTriangularOf(bool isSolve) {
  for (char side : {'L', 'R'})
    for (char uplo : {'U', 'L'})
      for (char op : {'N', 'T', 'C'})
        for (char diag : {'N', 'U'}) {
          char letters[] = {side, uplo, op, diag};
          for (Interface way : kInterfaces)
            EXPECT(isTriangularRight<T>(way, isSolve, letters, 6, 9, number<T>(3, -1)));
          EXPECT(isTriangularRight<T>(Interface::Fortran, isSolve, letters, 70, 45, T(1)));
        }
}

void testTriangular() {
  for (bool isSolve : {false, true}) {
    testTriangularOf<float>(isSolve);
    testTriangularOf<double>(isSolve);
    testTriangularOf<Complex>(isSolve);
    testTriangularOf<DoubleComplex>(isSolve);
  }
}

/// Complex elements at multiples of their real parts, as Fortran's COMMON and NumPy have them.
template <typename Real> static void testUnalignedOf() {
  constexpr int kSize = 5, kElements = kSize * kSize;
  using T = std::complex<Real>;
  std::vector<Real> memory(6 * kElements + 1);
  for (size_t i = 0; i < memory.size(); ++i)
    memory[i] = Real(int(i) % 5 - 2);
  bool isAligned = reinterpret_cast<uintptr_t>(memory.data()) % sizeof(T) == 0;
  T *a = reinterpret_cast<T *>(memory.data() + isAligned), *b = a + kElements, *c = b + kElements;
  std::vector<T> right(c, c + kElements);
  T alpha(1, 2), beta(-1, 1);
  naive::gemm<T>('C', 'N', kSize, kSize, kSize, alpha, a, kSize, b, kSize, beta, right.data(),
                 kSize);
  names::gemm<T>(Interface::Fortran, 'C', 'N', kSize, kSize, kSize, alpha, a, kSize, b, kSize, beta,
                 c, kSize);
  EXPECT(isNear(std::vector<T>(c, c + kElements), right, 0));
}

void testUnaligned() {
  testUnalignedOf<float>();
  testUnalignedOf<double>();
}

/// NaN in a row of B is NaN in the rows that depend on it, and in no other.
void testSpread() {
  constexpr int kOrder = 70, kRow = 30, kColumns = 3;
  Columns<double> a(kOrder, kOrder, 4);
  a.fill(1.0 / kOrder);
  for (int i = 0; i < kOrder; ++i)
    a.at(i, i) = 2;
  for (bool isSolve : {false, true}) {
    Columns<double> b(kOrder, kColumns, 5);
    b.at(kRow, 1) = nan<double>();
    names::triangular<double>(Interface::Fortran, isSolve, "LLNN", kOrder, kColumns, 1, a.data(),
                              a.leading, b.data(), b.leading);
    int wrong = 0;
    for (int j = 0; j < kColumns; ++j)
      for (int i = 0; i < kOrder; ++i)
        wrong += std::isnan(b.at(i, j)) != (j == 1 && i >= kRow);
    EXPECT(wrong == 0);
  }
}

void testOne() { EXPECT(isProductRight<double>(Interface::Fortran, 'N', 'N', 8, 8, 8, 1, 0)); }

void testComplexSolve() {
  EXPECT(isTriangularRight<DoubleComplex>(Interface::Fortran, true, "LUNN", 3, 3, 1));
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

void testThreads() {
  auto multiply = [](char op, int size) {
    for (int i = 0; i < 10; ++i) {
      EXPECT(isProductRight<double>(Interface::Fortran, op, 'N', size, size + i, 9, 2, 1));
      EXPECT(isProductRight<float>(Interface::Rows, 'N', op, size + i, size, 9, 1, 0));
      EXPECT(isTriangularRight<double>(Interface::Columns, true, "LUNN", 5 + i, 4, 1));
    }
  };
  std::thread other(multiply, 'N', 20);
  multiply('T', 30);
  other.join();
}
