//===- Products.h - Products of arrays --------------------------*- C++ -*-===//
#ifndef ROOFTILE_PYTHON_PRODUCTS_H
#define ROOFTILE_PYTHON_PRODUCTS_H

#include "Session.h"

#include <complex>

namespace rooftile::python {

/// What a call says beside its arrays.
struct Request {
  std::complex<double> alpha{1, 0}, beta{0, 0};
  compiler::Routine routine = compiler::Routine::Gemm;
  compiler::Op opA = compiler::Op::N, opB = compiler::Op::N;
  compiler::Side side = compiler::Side::Left;
  compiler::Triangle triangle = compiler::Triangle::Lower;
  compiler::Diagonal diagonal = compiler::Diagonal::NonUnit;
  std::string chip;
  bool isPrepared = false; ///< Compile, but do not run.
};

/// The shape of op(A) op(B), batches broadcast; raises ValueError or TypeError where there is no
/// such product.
llvm::SmallVector<int64_t, 3> shapeOf(const Array &a, const Array &b, const Request &request);

/// C = alpha op(A) op(B) + beta C.
void multiply(const Array &a, const Array &b, const Array &c, const Request &request,
              const Place &place);

/// C = alpha op(A) C, C = alpha C op(A), or the solution X of op(A) X = alpha C, X op(A) = alpha C.
void solveOrMultiply(const Array &a, const Array &c, const Request &request, const Place &place);

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_PRODUCTS_H
