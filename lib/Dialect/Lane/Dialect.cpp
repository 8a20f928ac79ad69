//===- Dialect.cpp - Operations of one thread -----------------------------===//

#include "mlir/IR/Builders.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile::lane;

#include "rooftile/Dialect/Lane/LaneDialect.cpp.inc"

#define GET_OP_CLASSES
#include "rooftile/Dialect/Lane/Lane.cpp.inc"

void LaneDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "rooftile/Dialect/Lane/Lane.cpp.inc"
      >();
}

LogicalResult PeerOp::verify() {
  auto type = cast<MemRefType>(getShared().getType());
  if (type.getRank() != 1 || !type.getLayout().isIdentity())
    return emitOpError("shared memory is no flat memref: ") << type;
  return success();
}
