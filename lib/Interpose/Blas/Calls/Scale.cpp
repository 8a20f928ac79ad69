//===- Scale.cpp - What BLAS does without a product -----------------------===//

#include "Scale.h"

#include <cstring>

using namespace rooftile::interpose;

bool rooftile::interpose::isNothing(const Call &call) {
  if (call.m == 0 || call.n == 0)
    return true;
  return !isTriangular(call) && isScaling(call) && isOne(call.type, call.beta);
}

bool rooftile::interpose::isScaling(const Call &call) {
  return isZero(call.type, call.alpha) || (!isTriangular(call) && call.k == 0);
}

template <typename Real> static void scaleReal(Real *at, int64_t count, Real beta) {
  for (int64_t i = 0; i < count; ++i)
    at[i] *= beta;
}

/// By Fortran's formula, without the cases of infinite parts that C adds.
template <typename Real> static void scaleComplex(Real *at, int64_t count, const Real *beta) {
  for (int64_t i = 0; i < 2 * count; i += 2) {
    Real real = at[i] * beta[0] - at[i + 1] * beta[1];
    at[i + 1] = at[i] * beta[1] + at[i + 1] * beta[0];
    at[i] = real;
  }
}

static void scaleColumn(Type type, void *column, int64_t count, const void *beta) {
  switch (type) {
  case Type::F32:
    return scaleReal(static_cast<float *>(column), count, *static_cast<const float *>(beta));
  case Type::F64:
    return scaleReal(static_cast<double *>(column), count, *static_cast<const double *>(beta));
  case Type::C64:
    return scaleComplex(static_cast<float *>(column), count, static_cast<const float *>(beta));
  case Type::C128:
    return scaleComplex(static_cast<double *>(column), count, static_cast<const double *>(beta));
  }
}

void rooftile::interpose::scale(const Call &call) {
  int64_t bytes = bytesOf(call.type);
  bool isCleared = isTriangular(call) || isZero(call.type, call.beta);
  for (int64_t j = 0; j < call.n; ++j) {
    char *column = call.c.address + j * call.c.leading * bytes;
    if (isCleared)
      std::memset(column, 0, size_t(call.m * bytes));
    else
      scaleColumn(call.type, column, call.m, call.beta);
  }
}
