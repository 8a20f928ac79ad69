//===- Bytes.h - How much a process keeps -----------------------*- C++ -*-===//
#ifndef ROOFTILE_COMPILER_BYTES_H
#define ROOFTILE_COMPILER_BYTES_H

#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace rooftile::compiler {

/// Bytes as in "1000", "64K", "512M", "2G".
std::optional<uint64_t> parseBytes(llvm::StringRef text);

/// Bytes of the executables that a compiler keeps, and of those that a table above it does:
/// $ROOFTILE_KEPT_SIZE, 512M where that is no size. A program that needs more compiles some again.
size_t mostKeptBytes();

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_BYTES_H
