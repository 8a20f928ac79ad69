//===- VersionedBytecode.h - A dialect in bytecode, with a version -*- C++ -*-===//
#ifndef ROOFTILE_LIB_DIALECT_VERSIONEDBYTECODE_H
#define ROOFTILE_LIB_DIALECT_VERSIONEDBYTECODE_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace rooftile {

/// Writes version `newest` of a dialect and reads `oldest` to `newest`; any other is an error that
/// names both sides.
struct VersionedBytecode : mlir::BytecodeDialectInterface {
  struct Version : mlir::DialectVersion {
    explicit Version(uint64_t number) : number(number) {}
    uint64_t number;
  };

  VersionedBytecode(mlir::Dialect *dialect, uint64_t oldest, uint64_t newest)
      : BytecodeDialectInterface(dialect), oldest(oldest), newest(newest) {}

  void writeVersion(mlir::DialectBytecodeWriter &writer) const override {
    writer.writeVarInt(newest);
  }

  std::unique_ptr<mlir::DialectVersion>
  readVersion(mlir::DialectBytecodeReader &reader) const override {
    uint64_t number = 0;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number >= oldest && number <= newest)
      return std::make_unique<Version>(number);
    reader.emitError() << "bytecode of dialect " << getDialect()->getNamespace() << " has version "
                       << number << ", but this build reads versions " << oldest << " to "
                       << newest;
    return nullptr;
  }

private:
  uint64_t oldest, newest;
};

} // namespace rooftile

#endif // ROOFTILE_LIB_DIALECT_VERSIONEDBYTECODE_H
