//===- Tile.h - The tile level ----------------------------------*- C++ -*-===//
//
// The dialect `tile`: the program of one workgroup on register matrices and
// shared buffers, with shape:stride maps from threads and registers to elements.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_TILE_TILE_H
#define ROOFTILE_DIALECT_TILE_TILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace rooftile::tile {

/// One digit of a thread or register index: `size` values, each step of which
/// moves by `row` rows and `column` columns. Written size:(row, column).
struct Mode {
  int64_t size, row, column;
  bool operator==(const Mode &other) const {
    return size == other.size && row == other.row && column == other.column;
  }
};
inline llvm::hash_code hash_value(const Mode &mode) {
  return llvm::hash_combine(mode.size, mode.row, mode.column);
}

} // namespace rooftile::tile

#include "rooftile/Dialect/Tile/TileDialect.h.inc"
#include "rooftile/Dialect/Tile/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "rooftile/Dialect/Tile/TileAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "rooftile/Dialect/Tile/TileTypes.h.inc"

#define GET_OP_CLASSES
#include "rooftile/Dialect/Tile/Tile.h.inc"

#endif // ROOFTILE_DIALECT_TILE_TILE_H
