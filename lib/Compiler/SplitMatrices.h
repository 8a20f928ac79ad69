//===- SplitMatrices.h - Complex matrices by their numbers ------*- C++ -*-===//
//
// Kernels read a complex element at once, so it lies at a multiple of its size. BLAS asks for that
// of its real part only. Such a matrix is given as one of real numbers, two an element, and copied
// to memory of its own around the operation.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_COMPILER_SPLITMATRICES_H
#define ROOFTILE_LIB_COMPILER_SPLITMATRICES_H

#include "rooftile/Compiler/Operation.h"

namespace rooftile::compiler {

/// Whether elements of the matrix need not be aligned, only their numbers.
inline bool isSplit(const Matrix &matrix) {
  return isComplex(matrix.element) && matrix.align > 0 && matrix.align < bytesOf(matrix.element);
}

/// A split matrix, or the matrices of a batch.
struct SplitMatrix {
  char name; ///< %a, whose numbers are %a_numbers.
  Element element = Element::C64;
  std::vector<int64_t> sizes, strides; ///< In elements; kAnySize where each call states them.

  /// The type of its numbers.
  std::string typeOfNumbers() const;
  /// The type of its copy.
  std::string type() const;
  /// Allocates the copy, and fills it where its elements are read.
  void copyIn(std::vector<std::string> &body, bool isRead) const;
  void copyOut(std::vector<std::string> &body) const;

private:
  std::string number() const;
  std::string generic(const std::string &operands, bool writesNumbers) const;
};

/// The number of the type's text: "?" for kAnySize.
std::string textOfSize(int64_t size);

} // namespace rooftile::compiler

#endif // ROOFTILE_LIB_COMPILER_SPLITMATRICES_H
