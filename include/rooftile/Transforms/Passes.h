//===- Passes.h - From blas operations to tile programs ---------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_PASSES_H
#define ROOFTILE_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Tile.h"

namespace rooftile {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PASSES_H
