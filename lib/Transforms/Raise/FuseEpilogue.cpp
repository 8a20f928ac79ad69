//===- FuseEpilogue.cpp - Elementwise consumers of a product --------------===//
//
// Bias, activation, residual and casts after a product are written with it: what
// linalg computes of one element becomes the function of an epilogue. Rounding stays that of
// the program: where the product was rounded to a narrower type than it is summed in, the
// function begins with that rounding.
//
//   %p = blas.gemm ins(%a, %b) outs(%c)              %q = blas.gemm ins(%a, %b) outs(%d)
//   %q = linalg.generic ins(%p, %bias) outs(%d) {      epilogue(%sum, %x = %bias[1]) {
//     add, maximum                                       add, maximum
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Raise/FuseEpilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "rooftile/Dialect/Blas/Product.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Raise/Contraction.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

namespace {
/// An input of the consumer, as the epilogue reads it: the dimension of C for each of its own,
/// or kOne for one of size 1 that is always read at 0.
struct Input {
  Value value;
  SmallVector<int64_t> dims;
};
constexpr int64_t kOne = -1;
} // namespace

/// The loop of each dimension of `operand`, each loop once, or kOne; nothing for another map.
static std::optional<SmallVector<int64_t>> dimsOf(AffineMap map, Value operand) {
  SmallVector<int64_t> dims;
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    bool isOne = index == getAffineConstantExpr(0, map.getContext()) &&
                 cast<ShapedType>(operand.getType()).getDimSize(dim) == 1;
    int64_t position = loop ? loop.getPosition() : kOne;
    if ((!loop && !isOne) || (loop && llvm::is_contained(dims, position)))
      return std::nullopt;
    dims.push_back(position);
  }
  return dims;
}

/// Replaces the copy `input.value` by its source; false where it is no copy, or where
/// dimensions of C do not determine the element.
static bool readThroughCopy(Input &input) {
  auto copy = input.value.getDefiningOp<linalg::LinalgOp>();
  if (!copy || !isCopy(copy))
    return false;
  AffineMap out = copy.getMatchingIndexingMap(copy.getDpsInitOperand(0));
  auto loops =
      dimsOf(copy.getMatchingIndexingMap(copy.getDpsInputOperand(0)), copy.getDpsInputs()[0]);
  if (!out.isPermutation() || !loops)
    return false;
  for (int64_t &dim : *loops)
    if (dim != kOne)
      dim = input.dims[*out.getResultPosition(getAffineDimExpr(dim, copy.getContext()))];
  input = {copy.getDpsInputs()[0], *loops};
  return true;
}

/// Reads the tensor without its dimensions of size 1 that are always read at 0.
static void dropOnes(OpBuilder &builder, Location loc, Input &input) {
  if (!llvm::is_contained(input.dims, kOne))
    return;
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> kept;
  ReassociationIndices leading;
  for (auto [dim, of] : llvm::enumerate(input.dims)) {
    if (of != kOne) {
      kept.push_back(of);
      groups.push_back(std::exchange(leading, {}));
    }
    (groups.empty() ? leading : groups.back()).push_back(dim);
  }
  input = {tensor::CollapseShapeOp::create(builder, loc, input.value, groups), kept};
}

/// Looks through what only repeats a smaller tensor or one number; nothing where dimensions of C do
/// not determine the element of the operand.
static std::optional<Input> readInput(RewriterBase &rewriter, linalg::LinalgOp consumer,
                                      OpOperand &operand) {
  auto dims = dimsOf(consumer.getMatchingIndexingMap(&operand), operand.get());
  if (!dims)
    return std::nullopt;
  Input input{operand.get(), *dims};
  while (readThroughCopy(input))
    ;
  auto filled = input.value.getDefiningOp<linalg::FillOp>();
  if (filled && filled.value().getType() == getElementTypeOrSelf(input.value.getType()))
    return Input{filled.value(), {}};
  dropOnes(rewriter, consumer.getLoc(), input);
  return input;
}

//===----------------------------------------------------------------------===//
// After a reshape
//===----------------------------------------------------------------------===//

/// The only operation, in the block of `value`, that reads it, once or several times; or null.
static Operation *onlyUser(Value value) {
  if (value.use_empty())
    return nullptr;
  Operation *user = *value.user_begin();
  bool alone = llvm::all_of(value.getUsers(), [&](Operation *other) { return other == user; });
  return alone && user->getBlock() == value.getParentBlock() ? user : nullptr;
}

static bool isReshape(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

/// The reshape that is all that reads the result of `gemm`, or null. One of a reshape is one.
static Operation *reshapeBehind(GemmOp gemm) {
  while (gemm.hasTensorSemantics()) {
    Operation *reshape = onlyUser(gemm.getResults()[0]);
    Operation *next = isReshape(reshape) ? onlyUser(reshape->getResult(0)) : nullptr;
    if (!isReshape(next))
      return isReshape(reshape) ? reshape : nullptr;
    RewritePatternSet patterns(gemm.getContext());
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, gemm.getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, gemm.getContext());
    bool changed = false;
    (void)applyOpPatternsGreedily({reshape, next}, std::move(patterns), {}, &changed);
    if (!changed)
      return nullptr;
  }
  return nullptr;
}

/// Reads the inputs of `consumer` but the result of `reshape` through what only repeats them.
static void readInputs(RewriterBase &rewriter, linalg::GenericOp consumer, Operation *reshape) {
  rewriter.setInsertionPoint(consumer);
  SmallVector<AffineMap> maps = consumer.getIndexingMapsArray();
  for (OpOperand *operand : consumer.getDpsInputOperands()) {
    if (operand->get().getDefiningOp() == reshape)
      continue;
    auto input = readInput(rewriter, consumer, *operand);
    if (!input || input->value == operand->get())
      continue;
    SmallVector<AffineExpr> indices;
    for (int64_t dim : input->dims)
      indices.push_back(rewriter.getAffineDimExpr(dim));
    rewriter.modifyOpInPlace(consumer, [&] { operand->set(input->value); });
    maps[operand->getOperandNumber()] =
        AffineMap::get(consumer.getNumLoops(), 0, indices, rewriter.getContext());
  }
  rewriter.modifyOpInPlace(
      consumer, [&] { consumer.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps)); });
}

bool rooftile::bringConsumerNearer(RewriterBase &rewriter, GemmOp gemm) {
  Operation *reshape = reshapeBehind(gemm);
  if (!reshape)
    return false;
  auto consumer = dyn_cast_or_null<linalg::LinalgOp>(onlyUser(reshape->getResult(0)));
  if (!consumer || !consumer.hasPureTensorSemantics() ||
      consumer.getNumParallelLoops() != consumer.getNumLoops() || isCopy(consumer))
    return false;
  if (!isa<linalg::GenericOp>(*consumer)) {
    rewriter.setInsertionPoint(consumer);
    auto general = linalg::generalizeNamedOp(rewriter, consumer);
    if (failed(general))
      return false;
    consumer = cast<linalg::LinalgOp>(general->getOperation());
  }
  readInputs(rewriter, cast<linalg::GenericOp>(consumer.getOperation()), reshape);
  RewritePatternSet patterns(gemm.getContext());
  auto isTheReshape = [&](OpOperand *operand) {
    return operand->getOwner() == consumer && operand->get().getDefiningOp() == reshape;
  };
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, isTheReshape);
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, isTheReshape);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  // A reshape of the reshape is nothing.
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, gemm.getContext());
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, gemm.getContext());
  bool changed = false;
  (void)applyOpPatternsGreedily({consumer.getOperation()}, std::move(patterns), config, &changed);
  if (isOpTriviallyDead(reshape))
    rewriter.eraseOp(reshape);
  return changed;
}

//===----------------------------------------------------------------------===//
// Consumers
//===----------------------------------------------------------------------===//

linalg::LinalgOp rooftile::elementwiseConsumer(GemmOp gemm) {
  if (!gemm.hasTensorSemantics() || gemm.getPartial() || gemm.getTriangle() || gemm.getPlanAttr() ||
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
// Limits of an epilogue
//===----------------------------------------------------------------------===//

std::string Fusion::checkInputs() {
  if (!consumer.getMatchingIndexingMap(consumer.getDpsInitOperand(0)).isIdentity())
    return "its result is not in the order of its loops";
  for (OpOperand *input : consumer.getDpsInputOperands()) {
    AffineMap map = consumer.getMatchingIndexingMap(input);
    if (input->get() == gemm.getResults()[0] ? !map.isIdentity() : !dimsOf(map, input->get()))
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
    return "its result is not the type that accumulators are rounded to";
  if (isa<ComplexType>(sum) && (productType() != sum || result != sum))
    return "it converts complex elements";
  if (sum.isF64() && componentBytes(result) < 4)
    return "accumulators in f64 would be rounded twice";
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

/// The result of the product for the consumer, whose own epilogue may have been written already.
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
  ProductFields fields(gemm);
  Epilogue &epilogue = fields.epilogue;
  SmallVector<Attribute> dims;
  if (epilogue.dims)
    llvm::append_range(dims, epilogue.dims);
  auto add = [&](Value value, ArrayRef<int64_t> dimsOfC) {
    epilogue.extras.push_back(value);
    dims.push_back(rewriter.getDenseI64ArrayAttr(dimsOfC));
  };
  for (OpOperand *operand : consumer.getDpsInputOperands())
    if (operand->get() != gemm.getResults()[0]) {
      Input input = *readInput(rewriter, consumer, *operand);
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
  if (!gemm.readsC())
    fields.c = consumer.getDpsInits()[0];
  auto fused = cast<GemmOp>(gemm.createLike(rewriter, fields).getOperation());
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
