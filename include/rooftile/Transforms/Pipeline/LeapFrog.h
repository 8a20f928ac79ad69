//===- LeapFrog.h - Software pipelining of a tile program -------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PIPELINE_LEAPFROG_H
#define ROOFTILE_TRANSFORMS_PIPELINE_LEAPFROG_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace rooftile {

/// Pipelines a slice loop (tile.slices): the fragments of slice s + 1
/// are read before slice s is multiplied. Fails, changing nothing, on other loops.
llvm::FailureOr<mlir::scf::ForOp> leapFrogSlices(mlir::RewriterBase &rewriter,
                                                 mlir::scf::ForOp loop);

/// Pipelines a K loop (tile.steps): the tiles of step i + 1
/// are loaded before step i is multiplied and stored after. Fails, changing
/// nothing, when a ring has one stage. At least one iteration is assumed.
llvm::FailureOr<mlir::scf::ForOp> leapFrogSteps(mlir::RewriterBase &rewriter,
                                                mlir::scf::ForOp loop);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PIPELINE_LEAPFROG_H
