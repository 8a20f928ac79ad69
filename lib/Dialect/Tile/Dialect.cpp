//===- Dialect.cpp - Registration of the dialect tile ---------------------===//

#include "../VersionedBytecode.h"
#include "rooftile/Dialect/Tile/Tile.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

#include "rooftile/Dialect/Tile/TileDialect.cpp.inc"

namespace {
/// Maps and instructions are long and shared by many: they are printed once, as #tile_map and
/// #tile_instruction.
struct LongAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &stream) const override {
    if (!isa<MapAttr, InstructionAttr>(attribute))
      return AliasResult::NoAlias;
    stream << (isa<MapAttr>(attribute) ? "tile_map" : "tile_instruction");
    return AliasResult::FinalAlias;
  }
};
} // namespace

/// Programs of one workgroup stand between two passes of one build: only their own version is read.
static constexpr uint64_t kVersion = 1;

void TileDialect::initialize() {
  addInterfaces<LongAliases>();
  addInterface<VersionedBytecode>(kVersion, kVersion);
  addOperations<
#define GET_OP_LIST
#include "rooftile/Dialect/Tile/Tile.cpp.inc"
      >();
  registerAttributes();
  registerTypes();
}
