//===- InitAll.h - Everything a Rooftile tool registers ---------*- C++ -*-===//
#ifndef ROOFTILE_INITALL_H
#define ROOFTILE_INITALL_H

#include "mlir/IR/DialectRegistry.h"

namespace rooftile {

/// Rooftile's dialects, the upstream ones that its pipelines use, and the
/// interface models (bufferization, conversion to LLVM) of both.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Rooftile's own passes and pipelines: for a tool that has MLIR's already.
void registerPipelinePasses();

/// Rooftile's passes and pipelines, and the upstream passes its examples use.
void registerAllPasses();

} // namespace rooftile

#endif // ROOFTILE_INITALL_H
