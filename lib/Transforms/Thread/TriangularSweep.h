//===- TriangularSweep.h - Vectors of all threads, solved together -*- C++ -*-===//
//
// A workgroup has some vectors of the output, each thread rows of them in registers, one of each
// stripe of as many rows as there are threads. It sweeps over the triangle, 16 columns at a time:
//
//   for R = 0, 16, ...
//     rows R .. R+16 of the vectors, and T[R.., R .. R+16] -> shared memory         barrier
//     one thread a vector: solves these rows, writes them; all: load the next columns of T
//                                                                                 barrier
//     rows after them: x[i] -= T[i, R .. R+16] x[R .. R+16]                      barrier
//
// A vector is read and written once, each column of T as well, and nobody waits for another
// workgroup.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_TRANSFORMS_THREAD_TRIANGULARSWEEP_H
#define ROOFTILE_LIB_TRANSFORMS_THREAD_TRIANGULARSWEEP_H

#include "rooftile/Dialect/Blas/BlockStage.h"
#include "rooftile/Transforms/Thread/ElementMath.h"
#include "rooftile/Transforms/Thread/FlatAddress.h"

namespace rooftile {

/// Share of a workgroup: op(A) seen as T, and its vectors as columns of the output.
struct SweptVectors {
  FlatMatrix t, in, out;
  int64_t order;
  bool lower; ///< Else rows and columns of T, and rows of the vectors, count from the end.
  bool unit;
  bool alongRows = false;          ///< Elements of a row of T are neighbours in memory.
  mlir::Type triangle{}, vector{}; ///< Types of the elements.
  mlir::Type sum{};                ///< Accumulator type of real elements.
  mlir::Value first{}, all{};      ///< The first vector of the workgroup; how many there are.
  bool full = false;               ///< It has all that it may have.
  /// An element of T as it enters, and one of a vector multiplied by alpha; null for 1.
  llvm::function_ref<Components(Components)> enter{}, scale{};
};

void emitSweep(mlir::OpBuilder &builder, mlir::Location loc, const SweptVectors &vectors,
               const blas::SweptBlock &block);

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_THREAD_TRIANGULARSWEEP_H
