//===- Call.h - A call of cuBLAS --------------------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_CALL_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_CALL_H

#include "Next.h"
#include "rooftile/Operation/Operation.h"
#include "rooftile/rooftile.h"

#include <string>

namespace rooftile::cublas {

/// The operation is column-major. Of trmm and trsm C is the matrix that is replaced, and there is
/// no B.
struct Call {
  Function function;
  Handle handle;
  operation::Operation operation = {};
  const void *addresses[3] = {}; ///< A, B and C; the arrays, for batches by pointers.
  const void *alpha = nullptr, *beta = nullptr;
  /// Why it is not an operation that this library executes; null where it is. The text is static.
  const char *whyNot = nullptr;

  operation::Element element() const { return operation.c.element; }
};

/// Puts into the operation what addresses and scalars are like: alignments, and factors of 0 and 1.
/// Scalars that the operation has in memory of the device are not read.
void readValues(Call &call);

/// As rooftile_run expects it.
rooftile_operation argumentsOf(const Call &call);

/// "cublasSgemm_v2 nt 64x32x16 batch 8", for people.
std::string textOf(const Call &call);

/// The key of a decision: everything about a call but its stream, and but addresses and values of
/// factors beyond what the operation specifies.
struct Kind {
  operation::Operation operation;
  int32_t device;

  bool operator==(const Kind &other) const {
    return device == other.device && operation == other.operation;
  }
};

struct KindHash {
  size_t operator()(const Kind &kind) const {
    return size_t(hash(kind.operation) ^ uint64_t(kind.device) << 1);
  }
};

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_CALL_H
