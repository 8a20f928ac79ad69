//===- ThreadMap.h - A map as seen by one thread ----------------*- C++ -*-===//
//
// Arithmetic shared by the patterns of micro-tile: where this thread stands in
// a map, and how its registers fall into runs that one access can move.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_CONVERSION_TILETOLANE_THREADMAP_H
#define ROOFTILE_LIB_CONVERSION_TILETOLANE_THREADMAP_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"
#include "rooftile/Dialect/Tile/Tile.h"
#include "rooftile/Transforms/Thread/FlatAddress.h"

namespace rooftile {

/// The attribute by which micro-tile gives a tile.alloc its offset in shared memory, in bytes.
inline constexpr llvm::StringLiteral kByteOffsetName = "byte_offset";

/// The attributes by which micro-tile states what divides the row and the column of a tile.view,
/// and how large they get.
inline constexpr llvm::StringLiteral kMultiplesName = "multiples", kLargestName = "largest";

/// Emits index arithmetic; constants fold on the way.
class IndexMath {
public:
  IndexMath(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value left, mlir::Value right);
  mlir::Value mul(mlir::Value left, mlir::Value right);
  mlir::Value add(mlir::Value left, int64_t right) { return add(left, constant(right)); }
  mlir::Value mul(mlir::Value left, int64_t right) { return mul(left, constant(right)); }
  mlir::Value sub(int64_t left, mlir::Value right);
  mlir::Value div(mlir::Value left, int64_t right);
  mlir::Value rem(mlir::Value left, int64_t right);
  mlir::Value min(mlir::Value left, mlir::Value right);
  mlir::Value max(mlir::Value left, mlir::Value right);
  /// The value of an OpFoldResult as an index.
  mlir::Value value(mlir::OpFoldResult number);

  /// Sum over the thread modes of digit * (row * rowStride + column * columnStride).
  mlir::Value threadOffset(tile::MapAttr map, int64_t rowStride, int64_t columnStride);
  /// True for the first of the threads that hold the same elements; null where no two do.
  mlir::Value isFirstHolder(tile::MapAttr map);

private:
  /// The digit of `size` of this thread's index, of which faster ones make up `below`, all `total`.
  mlir::Value threadDigit(int64_t below, int64_t size, int64_t total);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Rows (`dim` 0) or columns from the first thread of a map to the last one.
int64_t threadReach(tile::MapAttr map, int dim);

/// Length of the runs of `vector` registers that are neighbours in memory with
/// the given strides, every run starting at a multiple of `vector`. Strides of
/// 0 mark a dimension that is not addressed. At most `widest`.
int64_t runLength(tile::MapAttr map, llvm::ArrayRef<int64_t> strides, int64_t widest);

/// Widest access in elements (16 bytes at most) at which every view between a ring and
/// the buffer `view` starts.
int64_t widestAccess(mlir::Value view);

/// Patterns of micro-tile, one file each.
void populateBufferPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void populateAsyncCopyPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void populateBulkCopyPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void populateGlobalPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void populateUpdatePatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void populateComputePatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void populatePartPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void populateMatrixUnitPatterns(const mlir::TypeConverter &types,
                                mlir::RewritePatternSet &patterns);
void populateViewProductPatterns(const mlir::TypeConverter &types,
                                 mlir::RewritePatternSet &patterns);
void populateChoosePatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
void populateCoordPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);

/// Gives the rings that bulk copies fill their counters of arrivals, after the first `bytes` bytes
/// of shared memory, and sets these up at the start of `kernel`.
llvm::LogicalResult placeArrivals(mlir::gpu::GPUFuncOp kernel, int64_t bytes);

/// Marks all views of `kernel` with what is known of their offsets (kMultiplesName, kLargestName).
void markOffsets(mlir::gpu::GPUFuncOp kernel);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_TILETOLANE_THREADMAP_H
