//===- Scale.cpp - What BLAS does without a product -----------------------===//

#include "Scale.h"

#include <cstring>

using namespace rooftile::interpose;
using namespace rooftile::operation;

bool rooftile::interpose::isNothing(const Call &call) {
  const Operation &operation = call.operation;
  if (operation.m == 0 || operation.n == 0)
    return true;
  return !operation.info().inPlace && isScaling(call) && operation.beta == Scalar::One;
}

bool rooftile::interpose::isScaling(const Call &call) {
  return call.operation.alpha == Scalar::Zero || !call.operation.hasTerms();
}

template <typename Real> static void scaleReal(Real *at, int64_t count, Real beta) {
  for (int64_t i = 0; i < count; ++i)
    at[i] *= beta;
}

/// By Fortran's formula, without the cases of infinite components that C adds.
template <typename Real> static void scaleComplex(Real *at, int64_t count, Real re, Real im) {
  for (int64_t i = 0; i < 2 * count; i += 2) {
    Real real = at[i] * re - at[i + 1] * im;
    at[i + 1] = at[i] * im + at[i + 1] * re;
    at[i] = real;
  }
}

namespace {
/// beta of a call, and what it does to `count` elements.
template <typename Real> struct Factor {
  explicit Factor(const Call &call)
      : components(componentsOf(call.element())), isComplex(componentsOf(call.betaElement()) == 2),
        real(Real(call.beta.real(call.betaElement()))),
        imaginary(Real(call.beta.imaginary(call.betaElement()))) {}

  void scale(char *at, int64_t count) const {
    Real *elements = reinterpret_cast<Real *>(at);
    if (isComplex)
      scaleComplex(elements, count, real, imaginary);
    else
      scaleReal(elements, count * components, real);
  }

  int64_t components;
  bool isComplex;
  Real real, imaginary;
};

/// Elements of a column of C that the routine has.
struct Rows {
  int64_t first, count;
};
} // namespace

static Rows rowsOf(const Operation &operation, int64_t column) {
  if (operation.info().c == Structure::General)
    return {0, operation.m};
  return operation.triangle == Triangle::Lower ? Rows{column, operation.m - column}
                                               : Rows{0, column + 1};
}

template <typename Real> static void scaleColumns(const Call &call) {
  const Operation &operation = call.operation;
  int64_t bytes = bytesOf(call.element());
  bool isCleared = operation.info().inPlace || operation.beta == Scalar::Zero;
  bool isHermitian = operation.info().c == Structure::Hermitian;
  Factor<Real> beta(call);
  for (int64_t j = 0; j < operation.n; ++j) {
    Rows rows = rowsOf(operation, j);
    char *column = call.addresses[2] + j * operation.c.leading * bytes;
    if (isCleared)
      std::memset(column + rows.first * bytes, 0, size_t(rows.count * bytes));
    else
      beta.scale(column + rows.first * bytes, rows.count);
    if (isHermitian) // Diagonals are real.
      reinterpret_cast<Real *>(column + j * bytes)[1] = 0;
  }
}

void rooftile::interpose::scale(const Call &call) {
  if (bytesOfComponent(call.element()) == 4)
    scaleColumns<float>(call);
  else
    scaleColumns<double>(call);
}
