//===- Record.h - Kernels that report their accesses ------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETOCPU_RECORD_H
#define ROOFTILE_LIB_CONVERSION_LANETOCPU_RECORD_H

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace rooftile {

/// Functions of the runtime that a recording kernel calls: before it reads or writes shared memory,
/// before it reads global memory, and after it has written that.
constexpr llvm::StringLiteral kRecordRead = "rooftileCpuRead", kRecordWrite = "rooftileCpuWrite";
constexpr llvm::StringLiteral kRecordGlobal = "rooftileCpuGlobal";

/// The attribute that gives a lane.copy its number among the recorded accesses.
constexpr llvm::StringLiteral kSiteName = "site";

/// Report of a kernel to the runtime: descriptions of its barriers, then of its
/// accesses to shared and global memory, each ended by a null character.
struct Sites {
  std::string text;
  int64_t count = 0;
  int64_t granuleBytes = 16; ///< bytes of the smallest access, a power of two

  /// Adds "vector.load of vector<4xf32> (tile.load 3, gemm.mlir:3:5)"; returns its number, >= 1.
  int64_t add(mlir::Operation *op);
};

/// An error for an operation that touches shared memory in a way that cannot be recorded.
mlir::LogicalResult checkRecordable(mlir::Operation *kernel);

/// Inserts a call of the runtime beside every access of `function` to shared memory, which is
/// still marked as such, and to global memory. `thread`: the record of the running thread.
void recordAccesses(mlir::FunctionOpInterface function, mlir::Value thread, Sites &sites);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETOCPU_RECORD_H
