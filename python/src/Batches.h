//===- Batches.h - Dimensions of batches, broadcast -------------*- C++ -*-===//
//
// All dimensions but the last two count matrices. Those of several operands are broadcast as NumPy
// does: from the last one on, sizes are equal, or 1 and then the matrices are repeated. A kernel
// has one such dimension; it is launched once for each index of the others.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PYTHON_BATCHES_H
#define ROOFTILE_PYTHON_BATCHES_H

#include "Layout.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <optional>

namespace rooftile::python {

/// Matrices, and the distance from one to the next in A, B and C: 0 where one is for all.
struct BatchStep {
  int64_t size = 1;
  std::array<int64_t, 3> strides{};
};

/// Batch of a kernel, and of the launches around it.
struct BatchPlan {
  BatchStep inside;                        ///< In elements.
  llvm::SmallVector<BatchStep, 2> outside; ///< In bytes; the first varies slowest.
};

/// The shape of a batch; nothing where sizes are neither equal nor 1.
std::optional<Dimensions> broadcast(llvm::ArrayRef<int64_t> left, llvm::ArrayRef<int64_t> right);

/// The shape of a batch of both; raises ValueError, which names them, where there is none.
Dimensions batchOf(const Array &a, const Stored &storedA, const Array &b, const Stored &storedB);

/// Plans the steps through `operands` (A, B, C; null: there is none), whose batches broadcast to
/// `shape`. Adjacent dimensions in memory are one here, and the kernel has the largest. Sets the
/// strides of the operands' layouts, and makes their alignments those of all launches.
BatchPlan planBatch(llvm::ArrayRef<int64_t> shape, std::array<Stored *, 3> operands);

/// Calls `launch` for each index of the dimensions `outside`, with the bytes by which A, B and C
/// lie after their first matrices, until that returns false.
void forEachPlace(llvm::ArrayRef<BatchStep> outside,
                  llvm::function_ref<bool(const std::array<int64_t, 3> &)> launch);

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_BATCHES_H
