//===- UpdateEpilogue.cpp - The epilogue of a tile.update -----------------===//

#include "../EpilogueText.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "rooftile/Dialect/Tile/Tile.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// Extra operand `index` of an epilogue: a scalar, or as a matrix of C's sizes is read.
static LogicalResult verifyExtra(UpdateOp op, size_t index) {
  Type type = op.getExtras()[index].getType();
  auto memref = dyn_cast<MemRefType>(type);
  auto error = [&] { return op.emitOpError("extra operand ") << index << ' '; };
  ArrayRef<int64_t> width = cast<DenseI64ArrayAttr>((*op.getExtraVectors())[index]).asArrayRef();
  if (!memref)
    return isa<ShapedType>(type) || !width.empty()
               ? error() << "is " << type << ", expected a scalar, or a memref and its width"
               : success();
  if (memref.getRank() != 2 || width.size() != 1)
    return error() << "is " << memref << " with " << width.size()
                   << " widths, expected a memref of rank 2 with one";
  if (width[0] < 1 || static_cast<int64_t>(op.getVector()) % width[0] != 0)
    return error() << "is read in accesses of " << width[0] << " along runs of " << op.getVector();
  return success();
}

LogicalResult UpdateOp::verifyRegions() {
  size_t count = getExtras().size(), lists = getExtraVectors() ? getExtraVectors()->size() : 0;
  if (lists != count || (getEpilogue().empty() && getExtraVectors()))
    return emitOpError("has ") << count << " extra operands and widths of " << lists
                               << (getEpilogue().empty() ? ", but no epilogue" : "");
  if (getEpilogue().empty())
    return success();
  if (getAtomic())
    return emitOpError("atomic additions accept no epilogue");
  SmallVector<Type> arguments{getMatrix().getType().getElementType()};
  for (size_t index = 0; index < count; ++index) {
    if (failed(verifyExtra(*this, index)))
      return failure();
    arguments.push_back(getElementTypeOrSelf(getExtras()[index].getType()));
  }
  return verifyEpilogueRegion(*this, arguments, YieldOp::getOperationName());
}

void UpdateOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameEpilogueArguments(region, setName);
}
