//===- DecomposeAggregates.cpp - Operations that stand for several --------===//
//
// linalg.softmax, the Winograd transforms, linalg.pack and linalg.unpack have no
// loops of their own, so no pass after bufferization handles them. Upstream can
// define each by operations that have loops; here this is done before
// bufferization, on tensors, where all of its rewrites work.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "rooftile/Conversion/OtherOps/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_DECOMPOSEAGGREGATES
#include "rooftile/Conversion/OtherOps/Passes.h.inc"
} // namespace rooftile

static bool onMemrefs(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
}

/// The operation on tensors of its memrefs, with results copied back to these.
static linalg::AggregatedOpInterface asTensors(RewriterBase &rewriter,
                                               linalg::AggregatedOpInterface op) {
  Location loc = op.getLoc();
  auto destinations = cast<DestinationStyleOpInterface>(op.getOperation());
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands(op->getOperands());
  for (Value &operand : operands)
    if (isa<MemRefType>(operand.getType()))
      operand = bufferization::ToTensorOp::create(
          rewriter, loc, memref::getTensorTypeFromMemRefType(operand.getType()), operand,
          /*restrict=*/true, /*writable=*/true);
  SmallVector<Type> results;
  SmallVector<Value> memories;
  for (OpOperand &init : destinations.getDpsInitsMutable()) {
    results.push_back(operands[init.getOperandNumber()].getType());
    memories.push_back(init.get());
  }
  OperationState state(loc, op->getName(), operands, results, op->getAttrs());
  Operation *tensors = rewriter.create(state);
  for (auto [result, memory] : llvm::zip_equal(tensors->getResults(), memories)) {
    auto put = bufferization::MaterializeInDestinationOp::create(rewriter, loc, TypeRange(), result,
                                                                 memory);
    put.setRestrict(true);
    put.setWritable(true);
  }
  rewriter.eraseOp(op);
  return cast<linalg::AggregatedOpInterface>(tensors);
}

static LogicalResult decompose(RewriterBase &rewriter, linalg::AggregatedOpInterface op) {
  if (onMemrefs(op))
    op = asTensors(rewriter, op);
  rewriter.setInsertionPoint(op);
  FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
  if (failed(parts))
    return op->emitOpError("cannot be decomposed into operations with loops");
  rewriter.replaceOp(op, *parts);
  return success();
}

static LogicalResult decompose(RewriterBase &rewriter, linalg::PackOp op) {
  rewriter.setInsertionPoint(op);
  if (succeeded(linalg::lowerPack(rewriter, op)))
    return success();
  return op.emitOpError("cannot be lowered to a transposition: inner tiles of ")
         << op.getDestType() << " must be known";
}

static LogicalResult decompose(RewriterBase &rewriter, linalg::UnPackOp op) {
  rewriter.setInsertionPoint(op);
  if (succeeded(linalg::lowerUnPack(rewriter, op)))
    return success();
  return op.emitOpError("cannot be lowered to a transposition: inner tiles of ")
         << op.getSourceType() << " must be known";
}

namespace {
struct DecomposeAggregatesPass : rooftile::impl::DecomposeAggregatesBase<DecomposeAggregatesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (isa<linalg::AggregatedOpInterface, linalg::PackOp, linalg::UnPackOp>(op))
        found.push_back(op);
    });
    bool failedAny = false;
    for (Operation *each : found)
      llvm::TypeSwitch<Operation *>(each)
          .Case<linalg::AggregatedOpInterface, linalg::PackOp, linalg::UnPackOp>(
              [&](auto op) { failedAny |= failed(decompose(rewriter, op)); });
    RewritePatternSet patterns(&getContext());
    linalg::populateDecomposeWinogradOpsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    if (failedAny)
      signalPassFailure();
  }
};
} // namespace
