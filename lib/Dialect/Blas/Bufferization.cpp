//===- Bufferization.cpp - One-shot bufferization of blas operations ------===//

#include "rooftile/Dialect/Blas/Blas.h"

using namespace mlir;

void rooftile::blas::registerBufferizableOpInterfaceExternalModels(DialectRegistry &) {}
