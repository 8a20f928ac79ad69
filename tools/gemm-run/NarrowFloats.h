//===- NarrowFloats.h - Floats of at most 8 bits as calls -------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_NARROWFLOATS_H
#define ROOFTILE_TOOLS_GEMM_RUN_NARROWFLOATS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <utility>
#include <vector>

namespace rooftile::run {

/// Replaces every scalar arith.extf from, and arith.truncf to, a float of at most 8 bits, for which
/// LLVM has no type, by a call of this tool, which converts by LLVM's APFloat:
///
///   %w = arith.extf %x : f8E4M3FN to f32
/// becomes
///   %b = arith.bitcast %x : f8E4M3FN to i8
///   %i = arith.extui %b : i8 to i32
///   %w = func.call @loopsWiden(%format, %i) : (i32, i32) -> f32
mlir::LogicalResult callNarrowFloats(mlir::ModuleOp module);

/// Addresses of these functions, by name.
std::vector<std::pair<std::string, void *>> narrowFloatSymbols();

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_NARROWFLOATS_H
