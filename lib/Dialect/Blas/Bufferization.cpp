//===- Bufferization.cpp - One-shot bufferization of blas operations ------===//
//
// The operations write C in place. A and B are read, and extra operands of an epilogue; C is read
// only where beta is not known to be 0, or where it is the input of a triangular operation, so a
// destination of zeros or garbage costs no copy; where a triangle of it is written, the rest is
// kept, which counts as read. The access is not elementwise: an input that is also the output gets
// a copy.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Product.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace rooftile::blas;

/// The epilogue of `op` with buffers for tensors; fails with an error where one has none.
static FailureOr<Epilogue> bufferizeEpilogue(EpilogueOpInterface op, RewriterBase &rewriter,
                                             const BufferizationOptions &options,
                                             BufferizationState &state) {
  Epilogue epilogue = epilogueOf(op);
  for (auto [index, extra] : llvm::enumerate(epilogue.extras)) {
    if (!isa<TensorType>(extra.getType()))
      continue;
    FailureOr<Value> buffer = getBuffer(rewriter, extra, options, state);
    if (failed(buffer))
      return op->emitOpError("extra operand ") << index << " has no buffer";
    extra = *buffer;
  }
  return epilogue;
}

namespace {

struct GemmBufferization : DstBufferizableOpInterfaceExternalModel<GemmBufferization, GemmOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    auto gemm = cast<GemmOp>(op);
    return !gemm.isDpsInit(&operand) || gemm.readsC() || gemm.getTriangle();
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto gemm = cast<GemmOp>(op);
    if (!gemm.hasTensorSemantics())
      return success();
    rewriter.setInsertionPoint(gemm);
    SmallVector<Value> buffers;
    for (Value tensor : {gemm.getA(), gemm.getB(), gemm.getC()}) {
      FailureOr<Value> buffer = getBuffer(rewriter, tensor, options, state);
      if (failed(buffer))
        return gemm.emitOpError("operand ") << "ABC"[buffers.size()] << " has no buffer";
      buffers.push_back(*buffer);
    }
    FailureOr<Epilogue> epilogue = bufferizeEpilogue(gemm, rewriter, options, state);
    if (failed(epilogue))
      return failure();
    ProductFields fields(gemm);
    fields.a = buffers[0], fields.b = buffers[1], fields.c = buffers[2];
    fields.epilogue = *epilogue;
    gemm.createLike(rewriter, fields);
    replaceOpWithBufferizedValues(rewriter, gemm, buffers[2]);
    return success();
  }
};

struct ReduceBufferization
    : DstBufferizableOpInterfaceExternalModel<ReduceBufferization, ReduceOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    auto reduce = cast<ReduceOp>(op);
    return !reduce.isDpsInit(&operand) || reduce.readsC() || reduce.getTriangle();
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto reduce = cast<ReduceOp>(op);
    if (!reduce.hasTensorSemantics())
      return success();
    rewriter.setInsertionPoint(reduce);
    FailureOr<Value> w = getBuffer(rewriter, reduce.getW(), options, state);
    FailureOr<Value> c = getBuffer(rewriter, reduce.getC(), options, state);
    if (failed(w) || failed(c))
      return reduce.emitOpError("operand ") << (failed(w) ? "W" : "C") << " has no buffer";
    FailureOr<Epilogue> epilogue = bufferizeEpilogue(reduce, rewriter, options, state);
    if (failed(epilogue))
      return failure();
    auto sum = ReduceOp::create(rewriter, reduce.getLoc(), TypeRange(), *w, *c, reduce.getAlpha(),
                                reduce.getBeta(), epilogue->extras, reduce.getCompensated(),
                                reduce.getTriangleAttr(), reduce.getRealDiagonal(),
                                reduce.getPlanAttr(), epilogue->dims, epilogue->function ? 1 : 0);
    cloneFunction(*epilogue, sum);
    sum->setDiscardableAttrs(reduce->getDiscardableAttrDictionary());
    replaceOpWithBufferizedValues(rewriter, reduce, *c);
    return success();
  }
};

struct PackBufferization : DstBufferizableOpInterfaceExternalModel<PackBufferization, PackOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return !cast<PackOp>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto pack = cast<PackOp>(op);
    if (!pack.hasTensorSemantics())
      return success();
    rewriter.setInsertionPoint(pack);
    FailureOr<Value> a = getBuffer(rewriter, pack.getA(), options, state);
    FailureOr<Value> w = getBuffer(rewriter, pack.getW(), options, state);
    if (failed(a) || failed(w))
      return pack.emitOpError("operand ") << (failed(a) ? "A" : "W") << " has no buffer";
    PackOp::create(rewriter, pack.getLoc(), TypeRange(), *a, *w, pack.getTranspose(),
                   pack.getStructure(), pack.getPartsAttr(), pack.getAligned(), pack.getPlanAttr())
        ->setDiscardableAttrs(pack->getDiscardableAttrDictionary());
    replaceOpWithBufferizedValues(rewriter, pack, *w);
    return success();
  }
};

template <typename Op>
struct TriangularBufferization
    : DstBufferizableOpInterfaceExternalModel<TriangularBufferization<Op>, Op> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    auto triangular = cast<Op>(op);
    return !triangular.isDpsInit(&operand) || triangular.readsC();
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto triangular = cast<Op>(op);
    if (!triangular.hasTensorSemantics())
      return success();
    rewriter.setInsertionPoint(op);
    Value buffers[3]; // A, B (null in place), C
    Value tensors[] = {triangular.getA(), triangular.getC()};
    for (auto [index, tensor] : llvm::enumerate(tensors)) {
      FailureOr<Value> buffer = getBuffer(rewriter, tensor, options, state);
      if (failed(buffer))
        return op->emitOpError("operand ") << (index ? "C" : "A") << " has no buffer";
      buffers[2 * index] = *buffer;
    }
    if (triangular.getB()) {
      FailureOr<Value> buffer = getBuffer(rewriter, triangular.getB(), options, state);
      if (failed(buffer))
        return op->emitOpError("operand B has no buffer");
      buffers[1] = *buffer;
    }
    Op::create(rewriter, op->getLoc(), TypeRange(), buffers[0], buffers[1], buffers[2],
               triangular.getAlpha(), triangular.getSide(), triangular.getUplo(),
               triangular.getOpA(), triangular.getDiag(), triangular.getPlanAttr())
        ->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    replaceOpWithBufferizedValues(rewriter, op, buffers[2]);
    return success();
  }
};

/// Bufferizes to the operation on buffers, which are all that differs.
template <typename Op>
struct SplitBufferization : DstBufferizableOpInterfaceExternalModel<SplitBufferization<Op>, Op> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    auto split = cast<Op>(op);
    return !split.isDpsInit(&operand) || split.readsC() || split.keepsC();
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    if (!cast<Op>(op).hasTensorSemantics())
      return success();
    rewriter.setInsertionPoint(op);
    SmallVector<Value> operands;
    Value output;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (isa<TensorType>(value.getType())) {
        FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
        if (failed(buffer))
          return op->emitOpError("operand ") << operand.getOperandNumber() << " has no buffer";
        value = *buffer;
      }
      if (cast<Op>(op).isDpsInit(&operand))
        output = value;
      operands.push_back(value);
    }
    OperationState copy(op->getLoc(), op->getName(), operands, TypeRange(), op->getAttrs());
    rewriter.create(copy);
    replaceOpWithBufferizedValues(rewriter, op, output);
    return success();
  }
};

} // namespace

/// Attaches it to all of these.
template <typename... Ops> static void attachSplitBufferization(MLIRContext &context) {
  (Ops::template attachInterface<SplitBufferization<Ops>>(context), ...);
}

void rooftile::blas::registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry) {
  registerViewBufferization(registry);
  registry.addExtension(+[](MLIRContext *context, BlasDialect *) {
    GemmOp::attachInterface<GemmBufferization>(*context);
    TrmmOp::attachInterface<TriangularBufferization<TrmmOp>>(*context);
    TrsmOp::attachInterface<TriangularBufferization<TrsmOp>>(*context);
    ReduceOp::attachInterface<ReduceBufferization>(*context);
    PackOp::attachInterface<PackBufferization>(*context);
    attachSplitBufferization<SyrkOp, HerkOp, Syr2kOp, Her2kOp, SymmOp, HemmOp, TrtriOp>(*context);
  });
}
