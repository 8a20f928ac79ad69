//===- TriangularSplit.cpp - Triangular operations as products ------------===//
//
// Carries out the method of #blas.blocks: blocks on the diagonal and products beside it
// (TriangularBlocks.cpp), whose inverses come first (DiagonalInverses.cpp), or one product with a
// copy of the triangle (TriangularProduct.cpp).
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Partition/TriangularSplit.h"
#include "TriangularSteps.h"
#include "rooftile/Transforms/Kernel/AlignmentTests.h"
#include "rooftile/Transforms/Kernel/TriangularKernel.h"
#include "rooftile/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "triangular-split"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

namespace rooftile {
#define GEN_PASS_DEF_TRIANGULARSPLIT
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

static bool isByPointers(Value matrix) {
  return static_cast<bool>(getPointers(cast<ShapedType>(matrix.getType())));
}

/// Whether there is more than one block.
static bool isCut(TriangularOpInterface op) {
  int64_t diagonal = op.getPlanAttr()->diagonal, order = op.getK();
  return diagonal != 0 && (ShapedType::isDynamic(order) || order > diagonal);
}

/// Refuses operations that a method cannot compute.
static LogicalResult checkMethod(TriangularOpInterface op) {
  Method method = op.getPlanAttr()->method;
  bool solves = isa<TrsmOp>(op);
  bool byPointers = llvm::any_of(ValueRange{op.getA(), op.getC()}, isByPointers) ||
                    (op.getB() && isByPointers(op.getB()));
  if (method == Method::Substitute && byPointers && isCut(op))
    return op->emitOpError("plan: diagonal = ")
           << op.getPlanAttr()->diagonal << " cuts matrices that pointers give: 0 does not";
  if (method == Method::Substitute)
    return success();
  auto refuse = [&] {
    return op->emitOpError("plan: method = ") << stringifyMethod(method) << " is ";
  };
  if ((method == Method::Invert) != solves)
    return refuse() << "for " << (solves ? "blas.trmm" : "blas.trsm");
  if (byPointers)
    return refuse() << "not for batches by pointers";
  if (op.getPlanAttr()->diagonal != 0 && ShapedType::isDynamic(op.getK()))
    return refuse() << "for matrices A of known order where there are blocks";
  return success();
}

/// The plan for a matrix that is smaller than its blocks.
static BlocksData fitted(TriangularOpInterface op) {
  const BlocksData &plan = *op.getPlanAttr();
  Method method = plan.method;
  int64_t order = op.getK(), base = plan.base;
  if (ShapedType::isDynamic(order) || order > plan.diagonal)
    return plan;
  if (method == Method::Product || method == Method::Mask)
    return plan.withBlocks(0, method, 0);
  if (method != Method::Invert || order < base)
    return plan.ofBlock();
  return plan.withBlocks(base * int64_t(llvm::bit_floor<uint64_t>(order / base)), Method::Invert,
                         base);
}

LogicalResult rooftile::splitTriangular(RewriterBase &rewriter, TriangularOpInterface op) {
  if (failed(checkTriangular(op, "triangular-split")) || failed(checkMethod(op)))
    return failure();
  op.setPlanAttr(BlocksAttr::get(op->getContext(), fitted(op)));
  Method method = op.getPlanAttr()->method;
  bool isProduct = method == Method::Product || method == Method::Mask;
  if (!isProduct && op.getPlanAttr()->diagonal == 0)
    return success();
  scf::ExecuteRegionOp parts = beginParts(rewriter, op);
  if (isProduct)
    emitTriangularProduct(rewriter, op);
  else
    emitTriangularBlocks(rewriter, op);
  endParts(rewriter, parts);
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct TriangularSplitPass : rooftile::impl::TriangularSplitBase<TriangularSplitPass> {
  void runOnOperation() override {
    SmallVector<TriangularOpInterface> ops;
    getOperation()->walk([&](TriangularOpInterface op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (TriangularOpInterface op : ops) {
      BlocksAttr plan = op.getPlanAttr();
      LDBG() << "blocks " << plan << " at " << op.getLoc();
      numSplit += plan && (plan->diagonal != 0 || plan->method != Method::Substitute);
      if (failed(splitTriangular(rewriter, op)))
        return signalPassFailure();
    }
  }
};
} // namespace
