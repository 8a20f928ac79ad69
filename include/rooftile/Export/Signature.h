//===- Signature.h - Operations as functions of C ---------------*- C++ -*-===//
#ifndef ROOFTILE_EXPORT_SIGNATURE_H
#define ROOFTILE_EXPORT_SIGNATURE_H

#include "rooftile/Compiler/Arguments.h"
#include "rooftile/Export/Exported.h"

#include <functional>

namespace rooftile::exporter {

/// A parameter of a function.
struct Parameter {
  std::string name, type; ///< "lda", "int64_t"
  exported::ArgumentKind kind;
  exported::Number line = {0, -1}; ///< Least value of a leading dimension.
  /// Gives it in a call; a scalar's value is its real component. Of operations only.
  std::function<void(compiler::CallArguments &, int64_t)> give = {};
  std::vector<int64_t> numbers = {}; ///< Offset, sizes and strides of a memref, or kDynamic.
};

/// An operation as a function: parameters, all but the stream, and where they go.
struct Signature {
  std::vector<Parameter> parameters;
  std::vector<exported::Register> registers;
};

/// m, n, k, alpha, a, lda, stride_a, b, .., beta, c, .., bias, count: those that calls of the
/// operation state. Integers have `integerBits` bits, 64 or 32.
Signature signatureOf(const operation::Operation &operation, int64_t integerBits = 64);

} // namespace rooftile::exporter

#endif // ROOFTILE_EXPORT_SIGNATURE_H
