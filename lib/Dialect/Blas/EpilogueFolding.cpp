//===- EpilogueFolding.cpp - Canonicalization of epilogues ----------------===//
//
// A function that yields the sum is none. An extra operand that the function does
// not use goes. Where alpha or K is 0 the function is applied to beta * C, by a
// linalg.generic: with beta = 0 to zeros, and C is not read.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "rooftile/Dialect/Blas/Epilogue.h"

using namespace mlir;
using namespace rooftile::blas;

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
    GemmOp plain = cloneGemm(rewriter, gemm, {gemm.getA(), gemm.getB(), gemm.getC()}, Epilogue());
    rewriter.replaceOp(gemm, plain);
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
    Epilogue used = epilogueOf(gemm);
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
    GemmOp fewer = cloneGemm(rewriter, gemm, {gemm.getA(), gemm.getB(), gemm.getC()}, used);
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
