//===- FuseEpilogue.cpp - Elementwise consumers of a product --------------===//
//
// Bias, activation, residual and casts behind a product are written with it: what
// linalg says of one element becomes the function of an epilogue. Rounding stays that of
// the program: where the product was rounded to a narrower type than it is summed in, the
// function begins with that rounding.
//
//   %p = blas.gemm ins(%a, %b) outs(%c)              %q = blas.gemm ins(%a, %b) outs(%d)
//   %q = linalg.generic ins(%p, %bias) outs(%d) {      epilogue(%sum, %x = %bias[1]) {
//     add, maximum                                       add, maximum
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/FuseEpilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"
#include "rooftile/Dialect/Blas/Epilogue.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

linalg::LinalgOp rooftile::elementwiseConsumer(GemmOp gemm) {
  if (!gemm.hasTensorSemantics() || gemm.getPartial() || gemm.getPlanAttr() ||
      gemm.getPlansAttr() || gemm->hasAttr(BlasDialect::kKernelName))
    return {};
  Value result = gemm.getResults()[0];
  if (result.use_empty())
    return {};
  auto consumer = dyn_cast<linalg::LinalgOp>(*result.user_begin());
  if (!consumer || consumer->getBlock() != gemm->getBlock() ||
      !llvm::all_of(result.getUsers(),
                    [&](Operation *user) { return user == consumer.getOperation(); }))
    return {};
  bool isElementwise = consumer.getNumParallelLoops() == consumer.getNumLoops() &&
                       consumer.hasPureTensorSemantics() && consumer.getNumDpsInits() == 1 &&
                       !llvm::is_contained(consumer.getDpsInits(), result);
  return isElementwise ? consumer : linalg::LinalgOp();
}

namespace {
/// An input of the consumer, as the epilogue reads it.
struct Input {
  Value value;
  SmallVector<int64_t> dims;
};

/// Both operations and what is made of them.
class Fusion {
public:
  Fusion(RewriterBase &rewriter, GemmOp gemm, linalg::LinalgOp consumer)
      : rewriter(rewriter), gemm(gemm), consumer(consumer), sum(gemm.getAccumulatorType()) {}

  std::string check();
  GemmOp fuse();

private:
  std::string checkInputs();
  std::string checkTypes();
  std::string checkBody();
  Input readInput(OpOperand &operand);
  Value product(OpBuilder &builder, Block &function);
  void writeFunction(Block &function, ArrayRef<Value> captured);

  Type resultType() { return getElementTypeOrSelf(consumer.getDpsInits()[0].getType()); }
  Type productType() { return getElementTypeOrSelf(gemm.getC().getType()); }

  RewriterBase &rewriter;
  GemmOp gemm;
  linalg::LinalgOp consumer;
  Type sum;
};
} // namespace

//===----------------------------------------------------------------------===//
// What can be said
//===----------------------------------------------------------------------===//

std::string Fusion::checkInputs() {
  if (!consumer.getMatchingIndexingMap(consumer.getDpsInitOperand(0)).isIdentity())
    return "its result is not in the order of its loops";
  for (OpOperand *input : consumer.getDpsInputOperands()) {
    AffineMap map = consumer.getMatchingIndexingMap(input);
    if (input->get() == gemm.getResults()[0] ? !map.isIdentity() : !map.isProjectedPermutation())
      return "input " + std::to_string(input->getOperandNumber()) +
             " is not read element by element";
    if (!isElementType(getElementTypeOrSelf(input->get().getType())))
      return "input " + std::to_string(input->getOperandNumber()) +
             " has elements that products do not have";
  }
  return "";
}

std::string Fusion::checkTypes() {
  Type result = resultType();
  if (!isElementType(result) || isa<ComplexType>(result) != isa<ComplexType>(sum) ||
      !holdsExactly(sum, result))
    return "its result is not what sums are rounded to";
  if (isa<ComplexType>(sum) && (productType() != sum || result != sum))
    return "it converts complex numbers";
  if (sum.isF64() && partBytes(result) < 4)
    return "sums in f64 would be rounded twice";
  if (gemm.readsC() && result != productType())
    return "the product is added to a C of another type";
  return "";
}

std::string Fusion::checkBody() {
  Block &body = *consumer.getBlock();
  if (!body.getArguments().back().use_empty())
    return "it reads its output";
  for (Operation &op : body.without_terminator()) {
    if (!isEpilogueOp(&op))
      return op.getName().getStringRef().str() + " is not among the operations of epilogues";
    if (isApproximated(&op) && op.getOperand(0).getType().isF64())
      return op.getName().getStringRef().str() + " in f64 is none of kernels";
  }
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(consumer->getRegion(0), captured);
  for (Value value : captured)
    if (!isElementType(value.getType()))
      return "it uses a value from outside that is no number";
  return "";
}

std::string Fusion::check() {
  for (std::string why : {checkInputs(), checkTypes(), checkBody()})
    if (!why.empty())
      return why;
  return "";
}

//===----------------------------------------------------------------------===//
// The fused operation
//===----------------------------------------------------------------------===//

/// Looks through what only repeats a smaller tensor or one number.
Input Fusion::readInput(OpOperand &operand) {
  Input input{operand.get(), {}};
  for (AffineExpr expr : consumer.getMatchingIndexingMap(&operand).getResults())
    input.dims.push_back(cast<AffineDimExpr>(expr).getPosition());
  if (auto repeated = input.value.getDefiningOp<linalg::BroadcastOp>()) {
    SmallVector<int64_t> kept;
    for (auto [dim, of] : llvm::enumerate(input.dims))
      if (!llvm::is_contained(repeated.getDimensions(), static_cast<int64_t>(dim)))
        kept.push_back(of);
    return {repeated.getInput(), kept};
  }
  auto filled = input.value.getDefiningOp<linalg::FillOp>();
  if (filled && filled.value().getType() == getElementTypeOrSelf(input.value.getType()))
    return {filled.value(), {}};
  return input;
}

/// What the consumer reads of the product, where its own epilogue has been written already.
Value Fusion::product(OpBuilder &builder, Block &function) {
  Value value = function.getArgument(0);
  if (gemm.hasEpilogue()) {
    size_t own = gemm.getEpilogueBlock().getNumArguments();
    value =
        inlineEpilogue(builder, gemm.getEpilogueBlock(), function.getArguments().take_front(own));
  }
  if (productType() != sum)
    value = arith::TruncFOp::create(builder, consumer.getLoc(), productType(), value);
  return value;
}

/// Arguments of `function`: the sum, those of the product's own epilogue, one for each other input
/// of the consumer, one for each captured number that is no constant.
void Fusion::writeFunction(Block &function, ArrayRef<Value> captured) {
  OpBuilder builder(gemm.getContext()); // the function is in no operation yet
  builder.setInsertionPointToEnd(&function);
  Value produced = product(builder, function);
  size_t next = gemm.hasEpilogue() ? gemm.getEpilogueBlock().getNumArguments() : 1;
  SmallVector<Value> arguments;
  for (OpOperand *input : consumer.getDpsInputOperands())
    arguments.push_back(input->get() == gemm.getResults()[0] ? produced
                                                             : function.getArgument(next++));
  IRMapping mapping;
  Block &body = *consumer.getBlock();
  mapping.map(body.getArguments().drop_back(), arguments);
  for (Value value : captured) {
    Value constant = cloneConstant(builder, value);
    mapping.map(value, constant ? constant : function.getArgument(next++));
  }
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  Value result = mapping.lookupOrDefault(body.back().getOperand(0));
  if (result.getType() != sum)
    result = arith::ExtFOp::create(builder, consumer.getLoc(), sum, result);
  YieldOp::create(builder, consumer.getLoc(), result);
}

GemmOp Fusion::fuse() {
  rewriter.setInsertionPoint(consumer);
  Epilogue epilogue = epilogueOf(gemm);
  SmallVector<Attribute> dims;
  if (epilogue.dims)
    llvm::append_range(dims, epilogue.dims);
  auto add = [&](Value value, ArrayRef<int64_t> dimsOfC) {
    epilogue.extras.push_back(value);
    dims.push_back(rewriter.getDenseI64ArrayAttr(dimsOfC));
  };
  for (OpOperand *operand : consumer.getDpsInputOperands())
    if (operand->get() != gemm.getResults()[0]) {
      Input input = readInput(*operand);
      add(input.value, input.dims);
    }
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(consumer->getRegion(0), captured);
  for (Value value : captured)
    if (!matchPattern(value, m_Constant()))
      add(value, {});
  epilogue.dims = rewriter.getArrayAttr(dims);
  Region function;
  function.emplaceBlock().addArgument(sum, gemm.getLoc());
  for (Value extra : epilogue.extras)
    function.front().addArgument(getElementTypeOrSelf(extra.getType()), extra.getLoc());
  writeFunction(function.front(), captured.getArrayRef());
  epilogue.function = &function;
  Value c = gemm.readsC() ? gemm.getC() : consumer.getDpsInits()[0];
  GemmOp fused = cloneGemm(rewriter, gemm, {gemm.getA(), gemm.getB(), c}, epilogue);
  if (fused.getAccumulatorType() != sum)
    fused.setAcc(sum);
  return fused;
}

FailureOr<GemmOp> rooftile::fuseEpilogue(RewriterBase &rewriter, GemmOp gemm,
                                         linalg::LinalgOp consumer, std::string &why) {
  Fusion fusion(rewriter, gemm, consumer);
  if (why = fusion.check(); !why.empty())
    return failure();
  GemmOp fused = fusion.fuse();
  rewriter.replaceOp(consumer, fused);
  rewriter.eraseOp(gemm);
  return fused;
}
