//===- Mutate.cpp - Defects on purpose ------------------------------------===//

#include "Mutate.h"

using namespace mlir;
using namespace rooftile::run;

LogicalResult rooftile::run::mutate(ModuleOp module, Mutation mutation) {
  return success();
}
