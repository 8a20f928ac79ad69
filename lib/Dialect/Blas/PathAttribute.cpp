//===- PathAttribute.cpp - What a #blas.path can be -----------------------===//

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

using Emit = function_ref<InFlightDiagnostic()>;

LogicalResult PathAttr::verify(Emit emit, Via via, Copy copy, int64_t vector, int64_t pad,
                               int64_t swizzle, int64_t lanes, int64_t pack, Major major,
                               Parts parts, int64_t flat) {
  if (flat < 0 || flat > (1 << 20))
    return emit() << "path: flat = " << flat << " is not in 0 .. 2^20";
  if (flat && (via == Via::Register || arrivesInBulk(copy) || pack || pad || swizzle || lanes))
    return emit() << "path: flat copies lines as they follow each other: it belongs to via = "
                  << "shared and copy = register or async, without pack, pad, swizzle or lanes";
  if (pack < 0 || pack > 1)
    return emit() << "path: pack = " << pack << " is not 0 or 1";
  if (vector < 1 || vector > 16 || !llvm::isPowerOf2_64(vector))
    return emit() << "path: vector = " << vector << " is not 1, 2, 4, 8 or 16";
  if (pad < 0 || pad > 1024)
    return emit() << "path: pad = " << pad << " is not in 0 .. 1024";
  if (lanes < 0 || lanes > 1024)
    return emit() << "path: lanes = " << lanes << " is not in 0 .. 1024";
  if (swizzle < 0 || swizzle > 64 || (swizzle != 0 && !llvm::isPowerOf2_64(swizzle)))
    return emit() << "path: swizzle = " << swizzle << " is not 0 or a power of 2 up to 64";
  if (via == Via::Register && major != Major::MN)
    return emit() << "path: major belongs to via = shared";
  if (parts == Parts::Apart && (via == Via::Register || arrivesInBulk(copy)))
    return emit() << "path: parts = apart is a way of complex numbers to shared memory, one by "
                  << "one: it belongs to via = shared and copy = register or async";
  if (pack && major != Major::MN)
    return emit() << "path: pack makes rows that run along M or N: major = k has none to keep";
  if (via == Via::Register && (pad != 0 || swizzle != 0 || lanes != 0 || copy != Copy::Register))
    return emit() << "path: pad, swizzle, lanes and copy belong to via = shared";
  if (arrivesInBulk(copy) && (swizzle != 0 || major != Major::MN))
    return emit() << "path: copy = " << stringifyCopy(copy)
                  << " moves whole rows along M or N: it takes no "
                  << (swizzle ? "swizzle" : "major = k");
  if (copy == Copy::Tensor && (pad != 0 || lanes != 0))
    return emit()
           << "path: copy = tensor moves whole tiles, at the request of one thread: it takes "
           << "no " << (pad ? "pad" : "lanes");
  return success();
}
