//===- ConvertLinalgToBlas.cpp - Raise linalg products to blas.gemm -------===//
//
// What other compilers emit becomes one operation per product: linalg.matmul,
// linalg.batch_matmul, linalg.contract and the same written as linalg.generic
// (which products blas.gemm can say: LinalgProduct.cpp).
//
// A product added to zeros (linalg.fill, a zero constant) has no beta, so the
// zeros are never written; one added to C has beta = 1. Zeros of either sign
// count: only the sign of a zero result could tell them apart. Narrow types sum
// in f32, as blas.gemm does. Transposing producers of A and B are absorbed; on tensors
// elementwise consumers of the result become its epilogue (FuseEpilogue.cpp).
//
// Left alone, with a remark: integers, narrowing casts, several reduction
// loops, broadcast rows or columns, and batch loops that do not lead.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/ConvertLinalgToBlas.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "rooftile/Transforms/FuseEpilogue.h"
#include "rooftile/Transforms/LinalgProduct.h"
#include "rooftile/Transforms/LinalgZeros.h"
#include "rooftile/Transforms/Passes.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Erases what `op` was computed from and nothing else reads, from the bottom up.
static void eraseUnread(RewriterBase &rewriter, ArrayRef<Operation *> producers) {
  for (Operation *producer : producers) {
    if (!isOpTriviallyDead(producer))
      continue;
    SetVector<Operation *> behind;
    for (Value operand : producer->getOperands())
      if (Operation *op = operand.getDefiningOp())
        behind.insert(op);
    rewriter.eraseOp(producer);
    eraseUnread(rewriter, behind.getArrayRef());
  }
}

static GemmOp replaceWithGemm(RewriterBase &rewriter, linalg::LinalgOp op,
                              const LinalgProduct &product) {
  rewriter.setInsertionPoint(op);
  SetVector<Operation *> producers;
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp())
      producers.insert(producer);
  Value zeros = destinationOfZeros(rewriter, op), c = zeros ? zeros : op.getDpsInits()[0];
  auto size = [&](unsigned loop) {
    int64_t dim = llvm::find(product.c.stored, loop) - product.c.stored.begin();
    return memref::getMixedSize(rewriter, op.getLoc(), c, dim);
  };
  auto view = [&](Value operand, const OperandView &view) {
    return view.isAsStored() ? operand : viewOperand(rewriter, operand, view, size);
  };
  Value a = view(op.getDpsInputs()[product.inputA], product.a);
  Value b = view(op.getDpsInputs()[1 - product.inputA], product.b);
  auto gemm = GemmOp::create(rewriter, op.getLoc(), op->getResultTypes(), a, b, view(c, product.c),
                             /*alpha=*/Value(), /*beta=*/Value(), product.a.op, product.b.op,
                             MathMode::Strict, /*anyOrder=*/false, /*acc=*/TypeAttr(),
                             /*plan=*/PlanAttr());
  if (!zeros) {
    rewriter.setInsertionPoint(gemm);
    Value one = createScalar(rewriter, op.getLoc(), gemm.getAccumulatorType(), 1);
    gemm.getBetaMutable().assign(one);
  }
  absorbTransposes(rewriter, gemm);
  rewriter.replaceOp(op, gemm);
  eraseUnread(rewriter, producers.getArrayRef());
  return gemm;
}

/// A memref is looked at through strides; a tensor has none.
static std::optional<LinalgProduct> matchExpressible(linalg::LinalgOp op, ArrayRef<unsigned> folded,
                                                     std::string &why) {
  auto product = matchLinalgProduct(op, folded, why);
  if (!product || !op.hasPureTensorSemantics())
    return product;
  for (auto [name, view] :
       {std::pair(product->inputA == 0 ? "A" : "B", &product->a),
        std::pair(product->inputA == 0 ? "B" : "A", &product->b), std::pair("C", &product->c)})
    if (!view->isAsStored())
      return why = std::string("operand ") + name +
                   " is not the whole batch (or none of it) followed by the two dimensions of a "
                   "matrix, which a tensor must be (a memref need not)",
             std::nullopt;
  return product;
}

/// Raises one contraction, with neighbouring loops as one where that is possible; null where it
/// stays.
static GemmOp raise(RewriterBase &rewriter, linalg::LinalgOp op, std::string &why) {
  auto runs = foldableLoops(op);
  SmallVector<unsigned> folded;
  for (const ReassociationIndices &run : runs)
    folded.append(run.begin() + 1, run.end());
  std::string ignored;
  if (!runs.empty() && matchExpressible(op, folded, ignored))
    if (auto product = foldLoops(rewriter, op, runs); succeeded(product))
      op = *product;
  auto product = matchExpressible(op, {}, why);
  return product ? replaceWithGemm(rewriter, op, *product) : GemmOp();
}

/// Says why: through the remark engine where it wants this (--remarks-filter and
/// the like), else as one ordinary remark, which every tool shows.
static void remarkOnWhatStays(linalg::LinalgOp op, StringRef why) {
  std::string text = (op->getName().getStringRef() + " stays: " + why).str();
  auto options = remark::RemarkOpts::name("left-alone").category("convert-linalg-to-blas");
  if (auto remark = remark::missed(op.getLoc(), options))
    remark << text;
  else
    emitRemark(op.getLoc()) << text;
}

/// Makes the elementwise operations behind a product, one after the other, its epilogue. What only
/// they have read is left to canonicalization.
static void fuseConsumers(RewriterBase &rewriter, GemmOp gemm, bool remarks) {
  while (linalg::LinalgOp consumer = elementwiseConsumer(gemm)) {
    std::string why;
    FailureOr<GemmOp> fused = fuseEpilogue(rewriter, gemm, consumer, why);
    if (failed(fused)) {
      if (remarks)
        remarkOnWhatStays(consumer, "is no part of the epilogue of the product: " + why);
      return;
    }
    gemm = *fused;
  }
}

LogicalResult rooftile::raiseLinalgToBlas(Operation *root, bool remarks) {
  SmallVector<linalg::LinalgOp> contractions;
  root->walk([&](linalg::LinalgOp op) {
    if (isContraction(op))
      contractions.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::LinalgOp op : contractions) {
    std::string why;
    if (GemmOp gemm = raise(rewriter, op, why))
      fuseConsumers(rewriter, gemm, remarks);
    else if (remarks)
      remarkOnWhatStays(op, why);
  }
  return success();
}

namespace rooftile {
#define GEN_PASS_DEF_CONVERTLINALGTOBLAS
#include "rooftile/Transforms/Passes.h.inc"

namespace {
struct ConvertLinalgToBlasPass : impl::ConvertLinalgToBlasBase<ConvertLinalgToBlasPass> {
  using ConvertLinalgToBlasBase::ConvertLinalgToBlasBase;

  void runOnOperation() override {
    if (failed(raiseLinalgToBlas(getOperation(), remarks)))
      signalPassFailure();
  }
};
} // namespace
} // namespace rooftile
