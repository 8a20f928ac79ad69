//===- Returned.h - What a compiled function gives back ---------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_RETURNED_H
#define ROOFTILE_TOOLS_GEMM_RUN_RETURNED_H

#include "mlir/IR/BuiltinTypes.h"

#include <vector>

namespace rooftile::run {

/// Bytes that results of these types take, laid out as LLVM lays out a structure of them: a memref
/// is its descriptor, a scalar itself, each aligned to its own.
int64_t returnedBytes(llvm::ArrayRef<mlir::Type> results);

/// Where each result is in what a function has `returned`.
std::vector<const char *> returnedPlaces(const void *returned, llvm::ArrayRef<mlir::Type> results);

/// Whether results of these types can be read: ranked memrefs and scalars.
bool canBeReturned(mlir::Type type);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_RETURNED_H
