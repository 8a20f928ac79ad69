//===- Dialect.cpp - Registration of the dialect tile ---------------------===//

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "rooftile/Dialect/Tile/Tile.h"

using namespace mlir;
using namespace rooftile::tile;

#include "rooftile/Dialect/Tile/TileDialect.cpp.inc"

namespace {
/// Maps are long and shared by many types: they are printed once, as #tile_map.
struct MapAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &stream) const override {
    if (!isa<MapAttr>(attribute))
      return AliasResult::NoAlias;
    stream << "tile_map";
    return AliasResult::FinalAlias;
  }
};
} // namespace

namespace {
struct Version : DialectVersion {};

/// Programs of one workgroup stand between two passes of one build: only their own version is read.
struct TileBytecode : BytecodeDialectInterface {
  static constexpr uint64_t kVersion = 1;
  explicit TileBytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override { writer.writeVarInt(kVersion); }

  std::unique_ptr<DialectVersion> readVersion(DialectBytecodeReader &reader) const override {
    uint64_t number = 0;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number == kVersion)
      return std::make_unique<Version>();
    reader.emitError() << "bytecode of dialect tile has version " << number
                       << ", but this build reads version " << kVersion;
    return nullptr;
  }
};
} // namespace

void TileDialect::initialize() {
  addInterfaces<MapAliases, TileBytecode>();
  addOperations<
#define GET_OP_LIST
#include "rooftile/Dialect/Tile/Tile.cpp.inc"
      >();
  registerAttributes();
  registerTypes();
}
