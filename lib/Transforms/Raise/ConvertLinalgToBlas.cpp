//===- ConvertLinalgToBlas.cpp - Raise linalg products to blas ------------===//
//
// Products as other compilers emit them become one operation each. A chain of concepts:
//
//   Contraction    an operand is read at linear combinations of loops; several loops as one
//   (..Layout)     transpositions, reshapes and packed layouts in between are read through
//   LinalgProduct  which loops are rows, columns, K and a batch, and which stand around
//   (..Operands)   the operands as matrices: reshapes, blas.view, memref.reinterpret_cast
//   LinalgZeros    where nothing is added to the product
//   TriangularOperand  a factor that is masked to a triangle: blas.trmm
//   (MaskedElements)   what a body yields beside the diagonal
//   FuseEpilogue   elementwise consumers
//
// A product added to zeros (linalg.fill, a zero constant) has no beta, so the
// zeros are never written; one added to C has beta = 1. Zeros of either sign
// count: only the sign of a zero result could distinguish them. Narrow types add
// in f32, as blas.gemm does.
//
// Left alone, with a remark: what is no product of matrices of the dialect's types,
// and products that are part of a parallel region.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Raise/ConvertLinalgToBlas.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "rooftile/Transforms/Passes.h"
#include "rooftile/Transforms/Raise/FuseEpilogue.h"
#include "rooftile/Transforms/Raise/LinalgProduct.h"
#include "rooftile/Transforms/Raise/LinalgZeros.h"
#include "rooftile/Transforms/Raise/TriangularOperand.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Erases those of `producers` that nothing reads, and what they were computed from, from the
/// bottom up. Accumulations but `own` stay: they are still to be looked at.
static void eraseUnread(RewriterBase &rewriter, ArrayRef<Operation *> producers, Operation *own) {
  for (Operation *producer : producers) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(producer);
    if (!isOpTriviallyDead(producer) ||
        (linalgOp && producer != own && linalgOp.getNumReductionLoops() > 0))
      continue;
    SetVector<Operation *> sources;
    for (Value operand : producer->getOperands())
      if (Operation *op = operand.getDefiningOp())
        sources.insert(op);
    rewriter.eraseOp(producer);
    eraseUnread(rewriter, sources.getArrayRef(), own);
  }
}

namespace {
/// Puts blas.gemm, or blas.trmm, in place of a linalg operation.
class Raising {
public:
  Raising(RewriterBase &rewriter, linalg::LinalgOp op, const LinalgProduct &product)
      : rewriter(rewriter), loc(op.getLoc()), op(op), product(product),
        operands(rewriter, op.getLoc(), product) {
    triangle = matchTriangularOperand(op, product, whyNoTriangle);
  }

  /// The product; null where loops stand around several, and where it is of a triangle.
  GemmOp replace();
  /// Why a product of a triangle became blas.gemm; empty for all others.
  std::string whyNoTriangle;

private:
  Value destination();
  Value createProduct(Value c, GemmOp &gemm);
  Value createTriangular(Value c);
  GemmOp createGemm(ValueRange indices, function_ref<Value()> c, bool adds);
  Value createLoop(Value c);
  SmallVector<Value> indicesOf(Value iteration, ArrayRef<Value> sizes);

  RewriterBase &rewriter;
  Location loc;
  linalg::LinalgOp op;
  const LinalgProduct &product;
  ProductOperands operands;
  std::optional<TriangularOperand> triangle;
  bool adds = true; ///< to what C holds, not to zeros
};
} // namespace

/// Where the result goes. Products that may not be computed at all, for loops of no iteration, need
/// the zeros.
Value Raising::destination() {
  Operation *last = product.loops.last;
  bool mayBeNone = llvm::any_of(product.outer, [&](unsigned loop) {
    return ShapedType::isDynamic(product.loops.loops[loop].size);
  });
  Value zeros;
  if (!mayBeNone && last && startsFromZeros(op))
    zeros = cast<DestinationStyleOpInterface>(last).getDpsInits()[0];
  else if (!mayBeNone)
    zeros = destinationOfZeros(rewriter, op);
  adds = !zeros;
  return zeros ? zeros : op.getDpsInits()[0];
}

GemmOp Raising::createGemm(ValueRange indices, function_ref<Value()> output, bool adds) {
  Value a = operands.createInput(/*left=*/true, indices);
  Value b = operands.createInput(/*left=*/false, indices), c = output();
  SmallVector<Type, 1> results;
  if (isa<TensorType>(c.getType()))
    results.push_back(c.getType());
  auto gemm = GemmOp::create(rewriter, loc, results, a, b, c, /*alpha=*/Value(), /*beta=*/Value(),
                             product.opA, product.opB, MathMode::Strict, /*anyOrder=*/false,
                             /*acc=*/TypeAttr(), /*plan=*/PlanAttr());
  if (adds) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(gemm);
    Value one = createScalar(rewriter, loc, gemm.getAccumulatorType(), 1);
    gemm.getBetaMutable().assign(one);
  }
  absorbTransposes(rewriter, gemm);
  return gemm;
}

/// The indices of the outer loops, the last of which runs fastest.
SmallVector<Value> Raising::indicesOf(Value iteration, ArrayRef<Value> sizes) {
  SmallVector<Value> indices(sizes.size());
  for (size_t loop = sizes.size(); loop-- > 0;) {
    bool first = loop == 0;
    indices[loop] =
        first ? iteration : rewriter.createOrFold<arith::RemUIOp>(loc, iteration, sizes[loop]);
    if (!first)
      iteration = rewriter.createOrFold<arith::DivUIOp>(loc, iteration, sizes[loop]);
  }
  return indices;
}

/// One product for each iteration of the outer loops; a first one that is not added to anything
/// stands before the loop.
Value Raising::createLoop(Value c) {
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0),
        one = arith::ConstantIndexOp::create(rewriter, loc, 1), total = one;
  SmallVector<Value> sizes;
  for (unsigned loop : product.outer) {
    sizes.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, operands.sizeOf(loop)));
    total = rewriter.createOrFold<arith::MulIOp>(loc, total, sizes.back());
  }
  Value start = zero;
  bool isTensor = isa<TensorType>(c.getType());
  if (!adds) {
    GemmOp first = createGemm(SmallVector<Value>(sizes.size(), zero), [&] { return c; }, false);
    c = isTensor ? first.getResults()[0] : c;
    start = one;
  }
  auto loop =
      scf::ForOp::create(rewriter, loc, start, total, one, isTensor ? ValueRange(c) : ValueRange());
  OpBuilder::InsertionGuard guard(rewriter);
  if (!isTensor)
    rewriter.setInsertionPoint(loop.getBody()->getTerminator());
  else
    rewriter.setInsertionPointToStart(loop.getBody());
  Value into = isTensor ? loop.getRegionIterArg(0) : c;
  GemmOp gemm = createGemm(indicesOf(loop.getInductionVar(), sizes), [&] { return into; }, true);
  if (!isTensor)
    return c;
  scf::YieldOp::create(rewriter, loc, gemm.getResults());
  return loop.getResult(0);
}

/// blas.trmm has no beta: nothing is added to its product.
Value Raising::createTriangular(Value c) {
  ProductOperands factors(rewriter, loc, triangle->product);
  Value a = factors.createInput(triangle->isLeft, {}),
        b = factors.createInput(!triangle->isLeft, {}), into = operands.createOutput(c);
  SmallVector<Type, 1> results;
  if (isa<TensorType>(into.getType()))
    results.push_back(into.getType());
  bool isLeft = triangle->isLeft;
  auto trmm = TrmmOp::create(rewriter, loc, results, a, b, into, /*alpha=*/Value(),
                             isLeft ? Side::Left : Side::Right, triangle->uplo,
                             isLeft ? triangle->product.opA : triangle->product.opB, triangle->diag,
                             /*plan=*/BlocksAttr());
  absorbTransposes(rewriter, trmm);
  return results.empty() ? Value() : trmm.getResults()[0];
}

/// One product, as what it is; of tensors its result. `gemm` remains null for blas.trmm.
Value Raising::createProduct(Value c, GemmOp &gemm) {
  if (triangle && !adds)
    return createTriangular(c);
  if (triangle)
    whyNoTriangle = "blas.trmm adds nothing to its product";
  gemm = createGemm({}, [&] { return operands.createOutput(c); }, adds);
  return gemm.hasTensorSemantics() ? gemm.getResults()[0] : Value();
}

GemmOp Raising::replace() {
  Operation *replaced = product.loops.last ? product.loops.last : op.getOperation();
  rewriter.setInsertionPoint(replaced);
  SetVector<Operation *> producers;
  for (Value operand : replaced->getOperands())
    if (Operation *producer = operand.getDefiningOp())
      producers.insert(producer);
  Value c = destination();
  rewriter.setInsertionPoint(replaced);
  Value result;
  GemmOp gemm;
  if (product.outer.empty()) {
    result = createProduct(c, gemm);
  } else {
    result = createLoop(operands.createOutput(c));
  }
  if (!op.hasPureTensorSemantics()) {
    rewriter.eraseOp(op);
  } else {
    rewriter.setInsertionPoint(replaced);
    result = operands.restoreOutput(result, c);
    Type type = replaced->getResult(0).getType();
    if (result.getType() != type)
      result = tensor::CastOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(replaced, result);
  }
  eraseUnread(rewriter, producers.getArrayRef(), product.loops.last ? op.getOperation() : nullptr);
  return gemm;
}

/// The operation around `op` whose iterations run in parallel, each of which would launch a kernel
/// of its own, or that is a kernel already; null where there is none.
static Operation *parallelRegion(Operation *op) {
  for (Operation *around = op->getParentOp(); around; around = around->getParentOp()) {
    StringRef name = around->getName().getStringRef(),
              dialect = around->getName().getDialectNamespace();
    if (isa<scf::ForallOp, scf::ParallelOp, gpu::LaunchOp, gpu::GPUFuncOp>(around) ||
        name == "affine.parallel" || name == "async.execute" || dialect == "omp" ||
        dialect == "acc")
      return around;
  }
  return nullptr;
}

/// Reports the reason: through the remark engine where it wants this (--remarks-filter and
/// the like), else as one ordinary remark, which every tool shows.
static void remarkOn(Location loc, StringRef text) {
  auto options = remark::RemarkOpts::name("left-alone").category("convert-linalg-to-blas");
  if (auto remark = remark::missed(loc, options))
    remark << text;
  else
    emitRemark(loc) << text;
}

static void remarkOnWhatStays(Operation *op, StringRef why) {
  remarkOn(op->getLoc(), (op->getName().getStringRef() + " stays: " + why).str());
}

/// Raises one operation; null where it stays, with the reason, and where it becomes something that
/// has no epilogue: a loop of products, a product of a triangle.
static GemmOp raise(RewriterBase &rewriter, linalg::LinalgOp op, bool remarks, std::string &why) {
  if (Operation *around = parallelRegion(op))
    return why = "it is inside of " + around->getName().getStringRef().str() +
                 ", where a product is part of a kernel or task and does not become one of its own",
           GemmOp();
  auto product = matchLinalgProduct(op, op.hasPureTensorSemantics() && startsFromZeros(op), why);
  if (!product)
    return {};
  why.clear();
  Location loc = op.getLoc();
  StringRef name = op->getName().getStringRef();
  Raising raising(rewriter, op, *product);
  GemmOp gemm = raising.replace();
  if (remarks && !raising.whyNoTriangle.empty())
    remarkOn(loc, (name + " of a triangle becomes blas.gemm: " + raising.whyNoTriangle).str());
  return gemm;
}

/// Why an operation that multiplies, and that nothing here reads, stays; empty for all others.
static std::string whyUnread(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return reducesProducts(linalgOp) && !sumsProducts(linalgOp)
               ? "it multiplies and reduces, but its body does not add products to C (c + a * b)"
               : "";
  StringRef name = op->getName().getStringRef();
  if (name == "vector.contract")
    return "it multiplies vectors, inside of a kernel; products are raised before vectorization";
  struct FrontEnd {
    StringRef dialect, lowering;
    ArrayRef<StringRef> products;
  };
  static const StringRef tosa[] = {"matmul", "conv2d", "conv3d", "depthwise_conv2d",
                                   "transpose_conv2d"},
                         stablehlo[] = {"dot", "dot_general", "convolution"},
                         torch[] = {"aten.mm",    "aten.bmm",    "aten.matmul", "aten.linear",
                                    "aten.addmm", "aten.conv2d", "aten.einsum", "aten.convolution"};
  static const FrontEnd frontEnds[] = {{"tosa.", "tosa-to-linalg-named", tosa},
                                       {"stablehlo.", "stablehlo-legalize-to-linalg", stablehlo},
                                       {"torch.", "convert-torch-to-linalg", torch}};
  for (const FrontEnd &frontEnd : frontEnds)
    if (name.starts_with(frontEnd.dialect) &&
        llvm::is_contained(frontEnd.products, name.drop_front(frontEnd.dialect.size())))
      return ("products are read from linalg: run " + frontEnd.lowering + " first").str();
  return "";
}

/// Makes the elementwise operations after a product, one after the other, its epilogue. What only
/// they have read is left to canonicalization.
static void fuseConsumers(RewriterBase &rewriter, GemmOp gemm, bool remarks) {
  while (true) {
    bringConsumerNearer(rewriter, gemm);
    linalg::LinalgOp consumer = elementwiseConsumer(gemm);
    if (!consumer)
      return;
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
    if (sumsProducts(op))
      contractions.push_back(op);
  });
  if (remarks)
    root->walk([](Operation *op) {
      if (std::string why = whyUnread(op); !why.empty())
        remarkOnWhatStays(op, why);
    });
  IRRewriter rewriter(root->getContext());
  for (linalg::LinalgOp op : contractions) {
    std::string why;
    if (GemmOp gemm = raise(rewriter, op, remarks, why))
      fuseConsumers(rewriter, gemm, remarks);
    else if (remarks && !why.empty())
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
