//===- Dialect.cpp - Registration of the dialect tile ---------------------===//

#include "rooftile/Dialect/Tile/Tile.h"

using namespace mlir;
using namespace rooftile::tile;

#include "rooftile/Dialect/Tile/TileDialect.cpp.inc"

void TileDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "rooftile/Dialect/Tile/Tile.cpp.inc"
      >();
  registerAttributes();
  registerTypes();
}
