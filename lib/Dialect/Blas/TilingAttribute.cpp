//===- TilingAttribute.cpp - What #blas.tiling and #blas.blocks can be ----===//

#include "rooftile/Dialect/Blas/Blas.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

using Emit = function_ref<InFlightDiagnostic()>;

LogicalResult BlocksAttr::verify(Emit emit, int64_t diagonal, int64_t workgroup) {
  if (diagonal < 0 || diagonal > (1 << 20))
    return emit() << "blocks: diagonal = " << diagonal << " is not in 0 .. 2^20";
  if (workgroup < 1 || workgroup > 1024)
    return emit() << "blocks: workgroup = " << workgroup << " is not in 1 .. 1024";
  return success();
}

LogicalResult TilingAttr::verify(Emit emit, ArrayRef<int64_t> tile, int64_t threads, int64_t vector,
                                 int64_t groups, PathAttr path) {
  auto positive = [](int64_t size) { return size > 0 && size <= (1 << 20); };
  if (tile.size() != 2 || !llvm::all_of(tile, positive))
    return emit() << "tiling: tile takes 2 sizes (M, N) in 1 .. 2^20";
  if (threads < 1 || threads > 1024)
    return emit() << "tiling: threads = " << threads << " is not in 1 .. 1024";
  if (vector < 1 || vector > 8 || !llvm::isPowerOf2_64(vector))
    return emit() << "tiling: vector = " << vector << " is not 1, 2, 4 or 8";
  if (groups < 1 || threads % groups != 0)
    return emit() << "tiling: " << threads << " threads do not divide among " << groups
                  << " groups";
  if (groups > 1 && tile[0] != 1)
    return emit() << "tiling: groups share out the slices of a tile of one row, not of " << tile[0];
  int64_t ofGroup = threads / groups;
  if (tile[1] % vector != 0 || tile[0] * tile[1] / vector % ofGroup != 0)
    return emit() << "tiling: a tile of " << tile[0] << "x" << tile[1] << " in accesses of "
                  << vector << " does not divide evenly among " << ofGroup << " threads";
  if (path && (path.getCopy() != Copy::Register || path.getPack() || path.getMajor() != Major::MN ||
               path.getParts() != Parts::Together))
    return emit() << "tiling: a path with copy = async, pack, major or parts belongs to a product";
  return success();
}
