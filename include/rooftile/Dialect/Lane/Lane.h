//===- Lane.h - What one GPU thread does beyond upstream --------*- C++ -*-===//
//
// The dialect `lane`: the few operations of one thread that GPUs have in common and
// upstream names per vendor only.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_LANE_LANE_H
#define ROOFTILE_DIALECT_LANE_LANE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "rooftile/Dialect/Tile/Tile.h"

#include "rooftile/Dialect/Lane/LaneDialect.h.inc"

namespace rooftile::lane {

/// Type of a descriptor: 128 bytes, in the format of the hardware, or of the CPU runtime.
mlir::Type descriptorType(mlir::MLIRContext *context);

} // namespace rooftile::lane

#define GET_OP_CLASSES
#include "rooftile/Dialect/Lane/Lane.h.inc"

#endif // ROOFTILE_DIALECT_LANE_LANE_H
