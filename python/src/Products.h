//===- Products.h - Products of arrays --------------------------*- C++ -*-===//
#ifndef ROOFTILE_PYTHON_PRODUCTS_H
#define ROOFTILE_PYTHON_PRODUCTS_H

#include "Batches.h"
#include "Session.h"
#include "rooftile/Compiler/Arguments.h"

#include <complex>

namespace rooftile::python {

/// What a call says beside its arrays.
struct Request {
  std::complex<double> alpha{1, 0}, beta{0, 0};
  operation::Routine routine = operation::Routine::Gemm;
  operation::Op opA = operation::Op::N, opB = operation::Op::N;
  operation::Side side = operation::Side::Left;
  operation::Triangle triangle = operation::Triangle::Lower;
  operation::Diagonal diagonal = operation::Diagonal::NonUnit;
  bool exact = false; ///< Of triangular operations.
  operation::Activation activation = operation::Activation::None;
  bool hasVector = false; ///< Of triangular operations: B has no dimension of right-hand sides.
  std::string chip;
  bool isPrepared = false; ///< Compile and load, but do not run.
};

/// The op of "n", "t", "c" or "j", small or capital; raises ValueError, which names the parameter,
/// for another text.
operation::Op opOf(const std::string &text, const char *name);

/// That of "relu", "gelu", "gelu_tanh", "sigmoid", "silu" or "tanh", or none of an empty text;
/// raises ValueError for another one.
operation::Activation activationOf(const std::string &text);

/// Sets what a triangular operation is ("trmm" or "trsm", or "exact trmm" or "exact trsm", "left"
/// or "right", "lower" or "upper", "nonunit" or "unit"); raises ValueError for other texts.
void setTriangular(Request &request, const std::string &routine, const std::string &side,
                   const std::string &triangle, const std::string &diagonal);

/// The shape of op(A) op(B), batches broadcast; of a vector (one row of A, one column of B) the
/// result has no dimension. Raises ValueError or TypeError where there is no such product.
Dimensions shapeOf(const Array &a, const Array &b, const Request &request);

/// The shape of a triangular operation on B, which may be a vector; raises likewise.
Dimensions triangularShapeOf(const Array &a, const Array &b, const Request &request);

/// A call: an operation, and what it is called with.
struct Call {
  operation::Operation operation;
  compiler::CallArguments arguments;        ///< Of the first launch.
  llvm::SmallVector<BatchStep, 2> launches; ///< One for each place of these.
  bool isEmpty = false;                     ///< The result has no elements: there is nothing to do.
};

/// C = activation(alpha op(A) op(B) + beta C + bias); raises ValueError or TypeError where there is
/// no such product. A bias (null: none) of shape (n) or (1, n) is per column, of (m, 1) per row.
Call productOf(const Array &a, const Array &b, const Array &c, const Array *bias,
               const Request &request);

/// C = alpha op(A) C, C = alpha C op(A), or the solution X of op(A) X = alpha C, X op(A) = alpha C;
/// raises as productOf.
Call triangularOf(const Array &a, const Array &c, const Request &request);

/// Compiles what has not been compiled, and runs it where the request is not only to prepare: then
/// kernels are loaded.
void perform(const Call &call, const Request &request, const Place &place);

/// The plans of a call as JSON, as rooftile_plan_gemm gives them; nothing is compiled.
std::string reportOf(const Call &call, const Request &request, int device);

/// The same as perform for a thread that need not hold the GIL, which is taken where something is
/// compiled. Why it failed, or an empty string.
std::string performWithoutLock(const Call &call, const Request &request, const Place &place);

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_PRODUCTS_H
