//===- Arguments.h - What a call passes to an operation's function -*- C++ -*-===//
#ifndef ROOFTILE_COMPILER_ARGUMENTS_H
#define ROOFTILE_COMPILER_ARGUMENTS_H

#include "rooftile/Operation/Operation.h"

#include <vector>

namespace rooftile::compiler {

/// A matrix of a call.
struct MatrixArgument {
  uint64_t address = 0; ///< Address of the first element, or of the array of addresses.
  int64_t leading = 0;  ///< Elements, where the operation leaves it to calls.
  int64_t stride = 0;   ///< Elements from a matrix of a batch to the next.
};

/// Everything that a call of an operation states.
struct CallArguments {
  int64_t m = 0, n = 0, k = 0, count = 1; ///< Where the operation leaves them to calls.
  MatrixArgument a, b, c;
  double alpha[2] = {1, 0}, beta[2] = {0, 0}; ///< Real and imaginary component.
  uint64_t alphaAddress = 0, betaAddress = 0; ///< Addresses of scalars in memory.
  uint64_t biasAddress = 0;
};

/// The registers of arguments of the function of `operation` (Runtime/Executable/Code.h), in
/// `registers`, which is cleared first.
void argumentsOf(const operation::Operation &operation, const CallArguments &call,
                 std::vector<uint64_t> &registers);

/// Elements of the bias.
int64_t lengthOfBias(const operation::Operation &operation);

/// Whether elements of the matrix need not be aligned, only their components: kernels read a
/// complex element at once, so the matrix is copied around them.
inline bool isSplit(const operation::Matrix &matrix) {
  return isComplex(matrix.element) && matrix.align > 0 && matrix.align < bytesOf(matrix.element);
}

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_ARGUMENTS_H
