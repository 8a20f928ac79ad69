//===- LaneToGpu.h - Lowerings that GPUs of both vendors share --*- C++ -*-===//
#ifndef ROOFTILE_CONVERSION_LANETOGPU_LANETOGPU_H
#define ROOFTILE_CONVERSION_LANETOGPU_LANETOGPU_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace rooftile {

/// The constraint of inline assembly for a register that holds a value of this type; empty: there
/// is none.
using RegisterConstraint = llvm::StringRef (*)(mlir::Type);

/// lane.compiler_fence becomes empty inline assembly: of memory without operands, else of each
/// value on its own. A value without a register constraint is not fenced.
void populateCompilerFencePatterns(mlir::RewritePatternSet &patterns,
                                   RegisterConstraint constraintOf);

/// lane.as_real and lane.pointer. A pointer is one of address space `globalSpace`, so that LLVM
/// sees which accesses go to global memory.
void populateLanePointerPatterns(mlir::RewritePatternSet &patterns, unsigned globalSpace);

/// math.fma becomes the instruction: upstream's conversions call a library of the vendor, which is
/// not there without a toolkit.
void populateMultiplyAddPatterns(mlir::RewritePatternSet &patterns);

/// The pass finish-accumulators; returns the number of accumulators that got a fence.
int64_t finishAccumulators(mlir::gpu::GPUFuncOp kernel);

} // namespace rooftile

#endif // ROOFTILE_CONVERSION_LANETOGPU_LANETOGPU_H
