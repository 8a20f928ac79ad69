//===- Tiling.cpp - Plans of operations without products ------------------===//

#include "rooftile/Planning/Space/Tiling.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/Tile.h"
#include "rooftile/Planning/Problem/Problem.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

/// Threads of a workgroup: a few subgroups on every chip, many workgroups for a small C.
static constexpr int64_t kThreads = 128;
/// Slices from which on groups share them out, and which each then has; threads of such workgroups,
/// and in one row of C.
static constexpr int64_t kManySlices = 32, kSlicesOfGroup = 8, kGroupedThreads = 512,
                         kRowThreads = 32;
/// Threads with which the chip is full with groups; and without, so that none are evaluated.
static constexpr int64_t kEnoughThreads = 1 << 17, kBusyThreads = 1 << 14;

/// Widest access along the columns, in elements.
static int64_t widthAlongColumns(Value value) {
  return blas::getLegalVector(value, cast<ShapedType>(value.getType()).getRank() - 1);
}

/// Groups that share out the slices of W, for `across` threads in a row of C.
static int64_t chooseGroups(blas::ReduceOp op, int64_t across, int64_t vector,
                            blas::TargetAttr target) {
  auto type = cast<ShapedType>(op.getC().getType());
  int64_t slices = op.getSlices();
  if (ShapedType::isDynamic(slices) || !type.hasStaticShape() || slices < kManySlices ||
      type.getNumElements() / vector >= kBusyThreads)
    return 1;
  int64_t most = std::min(kGroupedThreads, target->threadsPerBlock) / across;
  if (op.getCompensated())
    most = std::min(most, blas::PlanData::kMostPlainTerms);
  int64_t needed =
      llvm::divideCeil(kEnoughThreads * vector, std::max<int64_t>(1, type.getNumElements()));
  return llvm::bit_floor<uint64_t>(
      std::max<int64_t>(1, std::min({most, needed, slices / kSlicesOfGroup})));
}

blas::TilingAttr planning::chooseTiling(blas::ReduceOp op, blas::TargetAttr target) {
  auto type = cast<ShapedType>(op.getC().getType());
  int64_t vector = std::min(widthAlongColumns(op.getW()), widthAlongColumns(op.getC()));
  int64_t columns = type.getDimSize(type.getRank() - 1), rows = type.getDimSize(type.getRank() - 2);
  auto known = [](int64_t size) { return ShapedType::isDynamic(size) ? kAssumedSize : size; };
  int64_t threads = std::min(kThreads, target->threadsPerBlock);
  // Powers of two throughout, so that accesses divide among the threads.
  auto wanted = [&](int64_t size) {
    return static_cast<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(1, size)));
  };
  int64_t across = std::min(threads, wanted(llvm::divideCeil(known(columns), vector)));
  int64_t along = std::min(across, kRowThreads), groups = chooseGroups(op, along, vector, target);
  if (groups > 1)
    return blas::TilingAttr::get(op.getContext(), {1, along * vector}, along * groups, vector,
                                 groups, blas::PathAttr());
  int64_t down = std::min(threads / across, wanted(known(rows)));
  return blas::TilingAttr::get(op.getContext(), {down, across * vector}, across * down, vector,
                               /*groups=*/1, blas::PathAttr());
}

/// Threads of a workgroup that copies, and bytes of a row of its tile: 32 lanes in accesses of 16.
static constexpr int64_t kCopyThreads = 256, kRowBytes = 512;
/// Rows of such a tile at least: several accesses of a thread are on their way at once.
static constexpr int64_t kCopyRows = 32;

/// Rows of the tile begin in other banks, `vector` elements each, so that eight threads side by
/// side, and eight rows of W, fill the banks: no store and no load meets another.
static blas::PathAttr transposingPath(MLIRContext *context, int64_t vector, int64_t multiple) {
  static constexpr int64_t lanes = tile::BufferType::kSwizzleVectors;
  // Accesses of several elements reach beyond the eighth row: their elements are permuted.
  int64_t swizzle = vector > 1 ? multiple : 0;
  blas::PathData path;
  path.vector = vector, path.pad = multiple, path.swizzle = swizzle, path.lanes = lanes;
  return blas::PathAttr::get(context, path);
}

blas::TilingAttr planning::chooseTiling(blas::PackOp op, blas::TargetAttr target) {
  auto a = cast<ShapedType>(op.getA().getType()), w = cast<ShapedType>(op.getW().getType());
  int64_t bytes = elementBytes(a.getElementType()), last = w.getRank() - 1;
  int64_t multiple = blas::packedMultiple(a.getElementType());
  int64_t vector =
      std::min<int64_t>(multiple, blas::getLegalVector(op.getW(), last, op.getAligned()));
  int64_t threads = std::min(kCopyThreads, target->threadsPerBlock);
  // The stored dimension of A along which rows of op(A) are neighbours in memory.
  int64_t alongRows = blas::isTransposed(op.getTranspose()) ? last : last - 1;
  blas::PathAttr path;
  int64_t rows = kCopyRows;
  if (blas::getContiguousDim(a) == alongRows) {
    int64_t read = blas::getLegalVector(op.getA(), alongRows);
    rows = std::max(rows, read * tile::BufferType::kSwizzleVectors);
    path = transposingPath(op.getContext(), read, multiple);
  } else {
    // Lanes side by side read elements side by side, of rows that begin anywhere, too.
    vector = std::min(vector, blas::getLegalVector(op.getA(), last + last - 1 - alongRows));
  }
  return blas::TilingAttr::get(op.getContext(), {rows, kRowBytes / bytes}, threads, vector,
                               /*groups=*/1, path);
}
