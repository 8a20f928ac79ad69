//===- Folding.cpp - Folders and canonicalization of blas.gemm ------------===//

#include "rooftile/Dialect/Blas/Blas.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace rooftile::blas;

LogicalResult GemmOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) { return failure(); }

void GemmOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
