//===- Epilogue.cpp - The function that is applied before the store -------===//
//
// Shared by blas.gemm and blas.reduce: verification of an epilogue, and how an
// operation is made with or without one. The list of operations is closed, so
// that every kernel can carry them out and every result can be verified.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Dialect/Blas/Epilogue.h"
#include "../EpilogueText.h"
#include "Folding.h"
#include "Verifiers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "rooftile/Dialect/Blas/Product.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static ShapedType shaped(Value value) { return cast<ShapedType>(value.getType()); }

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Real types of any width, complex ones, and truth values.
static bool isScalar(Type type) { return isElementType(type) || type.isInteger(1); }

bool rooftile::blas::isApproximated(Operation *op) {
  return isa<math::ExpOp, math::TanhOp, math::ErfOp>(op);
}

bool rooftile::blas::isEpilogueOp(Operation *op) {
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
           arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::CmpFOp,
           arith::SelectOp, arith::ExtFOp, arith::TruncFOp, arith::ConstantOp, math::AbsFOp,
           math::ExpOp, math::TanhOp, math::ErfOp, complex::ConstantOp, complex::CreateOp,
           complex::ReOp, complex::ImOp, complex::AddOp, complex::SubOp, complex::NegOp,
           complex::ConjOp>(op))
    return false;
  return llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// An extra operand has the sizes of the dimensions of C that it is indexed by.
static LogicalResult verifyDims(EpilogueOpInterface op, size_t index, ShapedType type) {
  ShapedType c = shaped(op.getOutput());
  ArrayRef<int64_t> dims = op.getDimsOf(index);
  auto error = [&] { return op->emitOpError("extra operand ") << index << ' '; };
  if (getPointers(type))
    return error() << "is a batch by pointers, " << type << ": only A, B and C may be";
  if (static_cast<int64_t>(dims.size()) != type.getRank())
    return error() << "is " << type << " but is indexed by " << dims.size() << " dimensions of C";
  for (auto [own, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= c.getRank())
      return error() << "is indexed by dimension " << dim << " of C, which has rank "
                     << c.getRank();
    if (llvm::is_contained(dims.drop_front(own + 1), dim))
      return error() << "is indexed by dimension " << dim << " of C twice";
    if (differ(type.getDimSize(own), c.getDimSize(dim)))
      return error() << "has size " << type.getDimSize(own) << " along dimension " << own
                     << " but C has " << c.getDimSize(dim) << " along dimension " << dim;
  }
  return success();
}

static LogicalResult verifyExtra(EpilogueOpInterface op, size_t index) {
  Value extra = op.getExtras()[index], c = op.getOutput();
  Type type = extra.getType(), element = getElementTypeOrSelf(type);
  auto error = [&] { return op->emitOpError("extra operand ") << index << ' '; };
  if (!isElementType(element))
    return error() << "has elements of " << element
                   << ", expected f16, bf16, f32, f64, complex<f32> or complex<f64>";
  auto matrix = dyn_cast<ShapedType>(type);
  if (!matrix) {
    if (!op.getDimsOf(index).empty())
      return error() << "is a scalar but is indexed by dimensions of C";
    return success();
  }
  if (isa<TensorType>(type) != isa<TensorType>(c.getType()))
    return error() << "is " << type << " but C is " << c.getType()
                   << ": tensors and memrefs do not mix";
  auto memref = dyn_cast<MemRefType>(type);
  if (memref && !memref.isStrided())
    return error() << "has no strides: " << memref;
  if (memref && extra == c)
    return op->emitOpError("output C is also extra operand ")
           << index << ": the output must not overlap an input (beta adds C)";
  return verifyDims(op, index, matrix);
}

LogicalResult rooftile::blas::verifyEpilogue(EpilogueOpInterface op) {
  size_t count = op.getExtras().size();
  ArrayAttr dims = op.getExtraDimsAttr();
  if (!op.hasEpilogue())
    return count == 0 && !dims ? success() : op->emitOpError("has extra operands but no epilogue");
  if (!dims || dims.size() != count)
    return op->emitOpError("has ")
           << count << " extra operands but dimensions of " << (dims ? dims.size() : 0);
  for (size_t index = 0; index < count; ++index)
    if (failed(verifyExtra(op, index)))
      return failure();
  SmallVector<Type> arguments{op.getSumType()};
  for (Value extra : op.getExtras())
    arguments.push_back(getElementTypeOrSelf(extra.getType()));
  if (failed(verifyEpilogueRegion(op, arguments, YieldOp::getOperationName())))
    return failure();
  for (Operation &inner : op.getEpilogueBlock().without_terminator())
    if (!isEpilogueOp(&inner))
      return inner.emitOpError("is not among the operations that epilogues are made of");
  return success();
}

LogicalResult GemmOp::verifyRegions() {
  if (getPartial() && hasEpilogue())
    return emitOpError("partial sums accept no epilogue");
  return verifyEpilogue(cast<EpilogueOpInterface>(getOperation()));
}

LogicalResult ReduceOp::verifyRegions() {
  return verifyEpilogue(cast<EpilogueOpInterface>(getOperation()));
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

Value GemmOp::getOutput() { return getC(); }
Value ReduceOp::getOutput() { return getC(); }
Type GemmOp::getSumType() { return getAccumulatorType(); }
Type ReduceOp::getSumType() { return shaped(getW()).getElementType(); }

void GemmOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameEpilogueArguments(region, setName);
}
void ReduceOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameEpilogueArguments(region, setName);
}

//===----------------------------------------------------------------------===//
// With another epilogue
//===----------------------------------------------------------------------===//

void rooftile::blas::cloneFunction(const Epilogue &epilogue, EpilogueOpInterface op) {
  IRMapping mapping;
  if (epilogue.function)
    epilogue.function->cloneInto(&op.getEpilogue().front(), mapping);
}

Value rooftile::blas::inlineEpilogue(OpBuilder &builder, Block &function, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(function.getArguments(), arguments);
  for (Operation &op : function.without_terminator())
    builder.clone(op, mapping);
  return mapping.lookupOrDefault(function.back().getOperand(0));
}

Epilogue rooftile::blas::epilogueOf(EpilogueOpInterface op) {
  Epilogue epilogue;
  epilogue.extras = llvm::to_vector(op.getExtras());
  epilogue.dims = op.getExtraDimsAttr();
  epilogue.function = op.hasEpilogue() ? &op.getEpilogue().front() : nullptr;
  return epilogue;
}

//===----------------------------------------------------------------------===//
// Canonicalization of epilogues
//
// A function that yields the sum is none. An extra operand that the function does
// not use goes. Where alpha or K is 0 the function is applied to beta * C, by a
// linalg.generic: with beta = 0 to zeros, and C is not read.
//===----------------------------------------------------------------------===//

namespace {

/// f(x) = x.
struct DropIdentity : OpRewritePattern<GemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GemmOp gemm, PatternRewriter &rewriter) const override {
    if (!gemm.hasEpilogue())
      return failure();
    Block &function = gemm.getEpilogueBlock();
    if (function.back().getOperand(0) != function.getArgument(0))
      return rewriter.notifyMatchFailure(gemm, "the epilogue changes the sum");
    ProductFields fields(gemm);
    fields.epilogue = {};
    rewriter.replaceOp(gemm, gemm.createLike(rewriter, fields));
    return success();
  }
};

/// f(x, e) = f(x).
struct DropUnusedExtras : OpRewritePattern<GemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GemmOp gemm, PatternRewriter &rewriter) const override {
    if (!gemm.hasEpilogue())
      return failure();
    Block &function = gemm.getEpilogueBlock();
    ProductFields fields(gemm);
    Epilogue &used = fields.epilogue;
    SmallVector<Attribute> dims;
    used.extras.clear();
    llvm::BitVector unused(function.getNumArguments());
    for (auto [index, extra] : llvm::enumerate(gemm.getExtras())) {
      if (function.getArgument(index + 1).use_empty()) {
        unused.set(index + 1);
        continue;
      }
      used.extras.push_back(extra);
      dims.push_back(gemm.getExtraDimsAttr()[index]);
    }
    if (unused.none())
      return rewriter.notifyMatchFailure(gemm, "all extra operands are used");
    used.dims = rewriter.getArrayAttr(dims);
    EpilogueOpInterface fewer = gemm.createLike(rewriter, fields);
    fewer.getEpilogueBlock().eraseArguments(unused);
    rewriter.replaceOp(gemm, fewer);
    return success();
  }
};

/// alpha = 0 or K = 0: C = f(beta * C).
struct ApplyToNothing : OpRewritePattern<GemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GemmOp gemm, PatternRewriter &rewriter) const override {
    if (!gemm.hasEpilogue())
      return failure();
    if (gemm.getK() != 0 && gemm.getConstantAlpha() != std::complex<double>(0))
      return rewriter.notifyMatchFailure(gemm, "neither alpha nor K is 0");
    if (getPointers(cast<ShapedType>(gemm.getC().getType())))
      return rewriter.notifyMatchFailure(gemm, "C lies anywhere: the kernel writes it");
    if (gemm.getTriangle())
      return rewriter.notifyMatchFailure(gemm, "a triangle of C: the kernel writes it");
    int64_t rank = cast<ShapedType>(gemm.getC().getType()).getRank();
    SmallVector<AffineMap> maps;
    for (size_t index = 0; index < gemm.getExtras().size(); ++index) {
      SmallVector<AffineExpr> dims;
      for (int64_t dim : gemm.getDimsOf(index))
        dims.push_back(rewriter.getAffineDimExpr(dim));
      maps.push_back(AffineMap::get(rank, 0, dims, rewriter.getContext()));
    }
    maps.push_back(rewriter.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
      SmallVector<Value> arguments{sumOfNothing(builder, loc, gemm, args.back())};
      llvm::append_range(arguments, args.drop_back());
      Value result = inlineEpilogue(builder, gemm.getEpilogueBlock(), arguments);
      linalg::YieldOp::create(builder, loc,
                              convertNumber(builder, loc, result, args.back().getType()));
    };
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(gemm, gemm->getResultTypes(), gemm.getExtras(),
                                                   gemm.getC(), maps, loops, body);
    return success();
  }

private:
  static Value sumOfNothing(OpBuilder &builder, Location loc, GemmOp gemm, Value c) {
    Type acc = gemm.getAccumulatorType();
    auto beta = gemm.getConstantBeta();
    if (beta == std::complex<double>(0))
      return createScalar(builder, loc, acc, 0);
    if (beta == std::complex<double>(1))
      return convertNumber(builder, loc, c, acc);
    return createScaled(builder, loc, gemm.getBeta(), c);
  }
};

} // namespace

void rooftile::blas::populateEpiloguePatterns(RewritePatternSet &patterns) {
  patterns.add<DropIdentity, DropUnusedExtras, ApplyToNothing>(patterns.getContext());
}
