//===- Layout.h - Arrays as matrices, and what they must not be -*- C++ -*-===//
#ifndef ROOFTILE_PYTHON_LAYOUT_H
#define ROOFTILE_PYTHON_LAYOUT_H

#include "Array.h"
#include "rooftile/Compiler/Operation.h"

namespace rooftile::python {

/// An array of two or three dimensions, as a matrix or a batch of them.
struct Stored {
  compiler::Matrix layout;
  int64_t rows = 0, columns = 0;
  int64_t count = 1; ///< Matrices.
};

/// Raises TypeError for element types, and ValueError for strides and addresses, that no kernel
/// takes.
Stored matrixOf(const Array &array);

/// Raises ValueError where elements of `array` may share memory with others of it.
void checkSpread(const Array &array, const Stored &stored);

/// "a is 3 x 4", or "a is 7 of 3 x 4".
std::string describe(const Array &array, const Stored &stored);

/// Whether `left` and `right` are the same elements in the same places.
bool areSame(const Array &left, const Array &right);
/// Raises ValueError where `out` and `input` share elements, or where it takes long to know. An
/// array without memory, of a traced program, shares none.
void checkDisjoint(const Array &out, const Array &input);

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_LAYOUT_H
