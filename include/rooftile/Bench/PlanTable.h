//===- PlanTable.h - Plans of shapes, as text -------------------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_PLANTABLE_H
#define ROOFTILE_BENCH_PLANTABLE_H

#include "mlir/IR/MLIRContext.h"
#include "rooftile/Bench/Shape.h"
#include "llvm/Support/raw_ostream.h"

namespace rooftile::bench {

/// Writes a line for each shape: it, and the plan that is chosen for it on `chip` (empty: the GPU
/// present). An error names the shape that cannot be planned.
llvm::Error writePicks(llvm::ArrayRef<Shape> shapes, llvm::StringRef chip,
                       mlir::MLIRContext &context, llvm::raw_ostream &out);

/// Writes the `count` fastest plans of `shape` with other tiles: the time that each resource alone
/// would need, what limits, and how much slower than the first it is; then why the first was
/// chosen, in the words of tile-select's remarks.
llvm::Error writeTable(const Shape &shape, size_t count, llvm::StringRef chip,
                       mlir::MLIRContext &context, llvm::raw_ostream &out);

/// Writes of the same plans how many elements a workgroup of each moves for an element of K: from
/// L2, to scalar registers, in and out of vector registers (in all, and of A, B and C), in and out
/// of shared memory; and the energy by the model, that of the first being 1.
llvm::Error writeTraffic(const Shape &shape, size_t count, llvm::StringRef chip,
                         mlir::MLIRContext &context, llvm::raw_ostream &out);

/// These plans for other programs: an object with "shape", "chip", the flops and bytes of the
/// product, the rates of its roofline, and "plans": what each does in seconds, in all and by
/// resource, and the bytes that it moves through DRAM.
llvm::Error writeJson(const Shape &shape, size_t count, llvm::StringRef chip,
                      mlir::MLIRContext &context, llvm::raw_ostream &out);

/// Writes the time of choosing: the median, the 95th percentile and the longest of `shapes`,
/// each the shortest of several runs.
llvm::Error writeChoosingTimes(llvm::ArrayRef<Shape> shapes, llvm::StringRef chip,
                               mlir::MLIRContext &context, llvm::raw_ostream &out);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_PLANTABLE_H
