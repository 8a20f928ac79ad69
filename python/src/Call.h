//===- Call.h - Arrays as a call of a routine -------------------*- C++ -*-===//
#ifndef ROOFTILE_PYTHON_CALL_H
#define ROOFTILE_PYTHON_CALL_H

#include "Batches.h"
#include "Request.h"
#include "rooftile/Compiler/Arguments.h"

namespace rooftile::python {

/// Arrays of a call; null where the routine has none. In place, C is the input and the result.
struct Operands {
  const Array *a = nullptr, *b = nullptr, *c = nullptr;
  const Array *bias = nullptr; ///< Has shape (n) or (1, n) per column, (m, 1) per row.

  const Array *operator[](size_t index) const { return index == 0 ? a : index == 1 ? b : c; }
};

/// The shape of the result: that of one matrix, after that of the batch, to which inputs are
/// broadcast; a vector (in a product one row of A, one column of B) has no second dimension. C
/// counts in place only. Raises ValueError or TypeError where inputs do not fit.
Dimensions shapeOf(const Operands &operands, const Request &request);

/// A call: an operation, and what it is called with.
struct Call {
  operation::Operation operation;
  compiler::CallArguments arguments;        ///< Arguments of the first launch.
  llvm::SmallVector<BatchStep, 2> launches; ///< One for each index of these.
  bool isEmpty = false;                     ///< The result has no elements: there is nothing to do.
};

/// Raises ValueError or TypeError where there is no such call.
Call callOf(const Operands &operands, const Request &request);

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_CALL_H
