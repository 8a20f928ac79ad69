//===- Tiling.cpp - Plans of operations without products ------------------===//

#include "rooftile/Planning/Tiling.h"
#include "rooftile/Planning/Problem.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

/// Threads of a workgroup: a few subgroups on every chip, many workgroups for a small C.
static constexpr int64_t kThreads = 128;

/// Widest access along the columns that the type allows, in elements.
static int64_t widthAlongColumns(Value value) {
  auto type = cast<ShapedType>(value.getType());
  return blas::getLegalVector(type, type.getRank() - 1);
}

blas::TilingAttr planning::chooseTiling(blas::ReduceOp op, blas::TargetAttr target) {
  auto type = cast<ShapedType>(op.getC().getType());
  int64_t vector = std::min(widthAlongColumns(op.getW()), widthAlongColumns(op.getC()));
  int64_t columns = type.getDimSize(type.getRank() - 1), rows = type.getDimSize(type.getRank() - 2);
  auto known = [](int64_t size) { return ShapedType::isDynamic(size) ? kAssumedSize : size; };
  int64_t threads = std::min(kThreads, target.getThreadsPerBlock());
  // Powers of two throughout, so that accesses divide among the threads.
  auto wanted = [&](int64_t size) {
    return static_cast<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(1, size)));
  };
  int64_t across = std::min(threads, wanted(llvm::divideCeil(known(columns), vector)));
  int64_t down = std::min(threads / across, wanted(known(rows)));
  return blas::TilingAttr::get(op.getContext(), {down, across * vector}, across * down, vector);
}
