//===- Layout.h - Arrays as matrices, and what they must not be -*- C++ -*-===//
#ifndef ROOFTILE_PYTHON_LAYOUT_H
#define ROOFTILE_PYTHON_LAYOUT_H

#include "Array.h"
#include "rooftile/Operation/Extent.h"

namespace rooftile::python {

/// Dimensions that an array lacks beside a matrix: each has the size 1.
enum Missing : uint8_t { kNothing = 0, kRows = 1, kColumns = 2 };
inline Missing operator|(Missing left, Missing right) {
  return Missing(uint8_t(left) | uint8_t(right));
}

/// An array of two or more dimensions, as a matrix or a batch of them.
struct Stored {
  operation::Matrix layout;  ///< But for the stride.
  Dimensions shape, strides; ///< With what is missing. The last two are those of a matrix.
  int64_t rows = 0, columns = 0;

  llvm::ArrayRef<int64_t> batchShape() const { return llvm::ArrayRef(shape).drop_back(2); }
  llvm::ArrayRef<int64_t> batchStrides() const { return llvm::ArrayRef(strides).drop_back(2); }
};

/// Raises TypeError for element types, and ValueError for dimensions, strides and addresses, that
/// no kernel accepts.
Stored matrixOf(const Array &array, Missing missing = kNothing);

/// A vector (1 dimension) that stands for a matrix of one row or one column, by `missing`.
inline Missing missingOf(const Array &array, Missing missing) {
  return array.rank() == 1 ? missing : kNothing;
}

/// Raises likewise for an array that is no contiguous vector of aligned elements.
void checkVector(const Array &array);

/// Raises ValueError where elements of `array` may share memory with others of it.
void checkSpread(const Array &array);

/// "a is 3 x 4", "a is 7 of 3 x 4", "a is (7, 2) of 3 x 4", "a is a vector of 4".
std::string describe(const Array &array);

/// Whether `left` and `right` are the same elements at the same addresses.
bool areSame(const Array &left, const Array &right);
/// Raises ValueError where `out` and `input` share elements, or where that is slow to find out. An
/// array without memory, of a traced program, shares none.
void checkDisjoint(const Array &out, const Array &input);

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_LAYOUT_H
