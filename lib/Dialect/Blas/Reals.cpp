//===- Reals.cpp - Complex numbers as real ones ---------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// Real numbers in as many complex ones.
static int64_t twice(int64_t count) { return ShapedType::isDynamic(count) ? count : 2 * count; }

MemRefType RealsOp::getViewOf(MemRefType numbers) {
  auto complex = dyn_cast<ComplexType>(numbers.getElementType());
  SmallVector<int64_t> strides, sizes(numbers.getShape());
  int64_t offset, doubled = -1;
  if (!complex || getPointers(numbers) || failed(numbers.getStridesAndOffset(strides, offset)))
    return {};
  if (numbers.getRank() >= 2)
    doubled = getContiguousDim(numbers);
  if (doubled < 0)
    return {};
  for (int64_t dim = 0; dim < numbers.getRank(); ++dim)
    if (dim == doubled)
      sizes[dim] = twice(sizes[dim]);
    else
      strides[dim] = twice(strides[dim]);
  auto layout = StridedLayoutAttr::get(numbers.getContext(), twice(offset), strides);
  auto view = MemRefType::get(sizes, complex.getElementType(), layout, numbers.getMemorySpace());
  return numbers.getLayout().isIdentity() ? MemRefType::get(sizes, complex.getElementType(),
                                                            AffineMap(), numbers.getMemorySpace())
                                          : view;
}

int64_t RealsOp::getDoubled() { return getContiguousDim(cast<MemRefType>(getNumbers().getType())); }

Value RealsOp::getViewSource() { return getNumbers(); }

LogicalResult RealsOp::verify() {
  auto from = cast<MemRefType>(getNumbers().getType());
  MemRefType view = getViewOf(from);
  if (!view)
    return emitOpError("takes matrices of complex numbers, one stride of which is known to be 1, "
                       "got ")
           << from;
  if (getParts().getType() != view)
    return emitOpError("of ") << from << " makes " << view << ", not " << getParts().getType();
  return success();
}

/// Whether `matrix` lies along its dimension `dim`, in accesses of whole complex numbers.
static bool liesAlong(MemRefType matrix, int64_t dim) {
  MemRefType view = RealsOp::getViewOf(matrix);
  return view && getContiguousDim(matrix) == dim &&
         getLegalVector(view, dim) >= partsOf(matrix.getElementType());
}

std::string rooftile::blas::whyNotReal(GemmOp op) {
  Type acc = op.getAccumulatorType();
  for (auto [name, matrix] : {std::pair("A", op.getA()), {"B", op.getB()}, {"C", op.getC()}}) {
    auto type = dyn_cast<MemRefType>(matrix.getType());
    if (!type || type.getRank() != 2)
      return std::string("operand ") + name + " is no single matrix in memory";
    if (!isa<ComplexType>(acc) || type.getElementType() != acc)
      return std::string("operand ") + name + " is not of the complex type of the sums";
  }
  if (ShapedType::isDynamic(op.getM()) || ShapedType::isDynamic(op.getN()))
    return "M or N is not known";
  if (!liesAlong(cast<MemRefType>(op.getA().getType()), isTransposed(op.getOpA()) ? 1 : 0))
    return "operand A does not lie along M with strides that are known";
  if (!liesAlong(cast<MemRefType>(op.getB().getType()), isTransposed(op.getOpB()) ? 0 : 1))
    return "operand B does not lie along N with strides that are known";
  if (isConjugated(op.getOpB()))
    return "operand B is conjugated";
  return op.getPartial() ? "the operation is a part of a product" : "";
}

namespace {
/// memref.dim of the view.
struct AnswerDim : OpRewritePattern<memref::DimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::DimOp dim, PatternRewriter &rewriter) const override {
    auto reals = dim.getSource().getDefiningOp<RealsOp>();
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!reals || !index || *index < 0 ||
        *index >= cast<MemRefType>(reals.getParts().getType()).getRank())
      return rewriter.notifyMatchFailure(dim, "asks for no dimension of a blas.reals");
    Location loc = dim.getLoc();
    Value size = memref::DimOp::create(rewriter, loc, reals.getNumbers(), *index);
    if (*index == reals.getDoubled())
      size = arith::MulIOp::create(rewriter, loc, size,
                                   arith::ConstantIndexOp::create(rewriter, loc, 2));
    rewriter.replaceOp(dim, size);
    return success();
  }
};
} // namespace

void RealsOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AnswerDim>(context);
}
