//===- HostArrays.h - Constants of a module as bytes ------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_COMPILER_HOSTARRAYS_H
#define ROOFTILE_LIB_COMPILER_HOSTARRAYS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <string>

namespace rooftile::compiler {

/// The bytes of a global as they lie in memory, zeros where it has no value. An error where the
/// value is none that bytes are known of.
mlir::FailureOr<std::string> bytesOf(mlir::memref::GlobalOp global);

} // namespace rooftile::compiler

#endif // ROOFTILE_LIB_COMPILER_HOSTARRAYS_H
