//===- OrderProducts.cpp - Parallel loops around products -----------------===//

#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Conversion/OtherOps/Passes.h"
#include "rooftile/Dialect/Blas/Blas.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_ORDERPRODUCTS
#include "rooftile/Conversion/OtherOps/Passes.h.inc"
} // namespace rooftile

static bool holdsProduct(Operation *loop) {
  return loop
      ->walk([](Operation *op) {
        return WalkResult(failure(isa_and_nonnull<rooftile::blas::BlasDialect>(op->getDialect())));
      })
      .wasInterrupted();
}

namespace {
struct OrderProductsPass : rooftile::impl::OrderProductsBase<OrderProductsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> loops; // inner ones first
    getOperation()->walk([&](Operation *op) {
      if (isa<scf::ForallOp, scf::ParallelOp>(op) && op->getNumResults() == 0 && holdsProduct(op))
        loops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : loops) {
      rewriter.setInsertionPoint(op);
      bool ordered =
          isa<scf::ForallOp>(op)
              ? succeeded(scf::forallToForLoop(rewriter, cast<scf::ForallOp>(op)))
              : succeeded(scf::parallelForToNestedFors(rewriter, cast<scf::ParallelOp>(op)));
      if (!ordered) {
        op->emitOpError("with a product inside cannot be run in order");
        return signalPassFailure();
      }
    }
  }
};
} // namespace
