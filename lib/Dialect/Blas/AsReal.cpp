//===- AsReal.cpp - Complex elements as real ones -------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// The dimension along which a number's components follow each other: the last one where both
/// could be, so that a single column is one of pairs.
static int64_t doubledDim(MemRefType matrix) {
  int64_t last = matrix.getRank() - 1;
  return hasUnitStride(matrix, last) ? last : getContiguousDim(matrix);
}

MemRefType AsRealOp::getViewOf(MemRefType matrix) {
  auto complex = dyn_cast<ComplexType>(matrix.getElementType());
  SmallVector<int64_t> strides, sizes(matrix.getShape());
  int64_t offset = 0;
  if (!complex || getPointers(matrix) || matrix.getRank() < 2 ||
      failed(matrix.getStridesAndOffset(strides, offset)))
    return {};
  int64_t doubled = doubledDim(matrix);
  bool known = !ShapedType::isDynamic(offset) && llvm::none_of(strides, ShapedType::isDynamic);
  if (doubled < 0 || !known || matrix.isDynamicDim(doubled))
    return {};
  sizes[doubled] *= 2;
  for (int64_t dim = 0; dim < matrix.getRank(); ++dim)
    strides[dim] *= dim == doubled ? 1 : 2;
  MemRefLayoutAttrInterface layout =
      StridedLayoutAttr::get(matrix.getContext(), 2 * offset, strides);
  if (matrix.getLayout().isIdentity())
    layout = AffineMapAttr::get(
        AffineMap::getMultiDimIdentityMap(matrix.getRank(), matrix.getContext()));
  return MemRefType::get(sizes, complex.getElementType(), layout, matrix.getMemorySpace());
}

int64_t AsRealOp::getDoubled() { return doubledDim(cast<MemRefType>(getSource().getType())); }

Value AsRealOp::getViewSource() { return getSource(); }

LogicalResult AsRealOp::verify() {
  auto from = cast<MemRefType>(getSource().getType());
  MemRefType view = getViewOf(from);
  if (!view)
    return emitOpError("needs complex matrices with static strides, one of which is 1, "
                       "and a known size there, got ")
           << from;
  if (getResult().getType() != view)
    return emitOpError("of ") << from << " makes " << view << ", not " << getResult().getType();
  return success();
}

/// Whether `matrix` lies along its dimension `dim`, in accesses of whole complex elements.
static bool liesAlong(Value matrix, int64_t dim) {
  auto type = cast<MemRefType>(matrix.getType());
  MemRefType view = AsRealOp::getViewOf(type);
  return view && doubledDim(type) == dim &&
         getLegalVector({view, getAlign(matrix)}, dim) >= componentsOf(type.getElementType());
}

bool rooftile::blas::liesAsReals(ProductOpInterface op, bool ofA) {
  if (ofA)
    return liesAlong(op.getMatrixA(), isTransposed(op.getTransposeA()) ? 1 : 0);
  return liesAlong(op.getMatrixB(), isTransposed(op.getTransposeB()) ? 0 : 1);
}

/// Why operands, however they lie, cannot be multiplied as real elements.
static std::string whyNoReals(ProductOpInterface op) {
  Type acc = op.getAccumulatorType();
  for (auto [name, matrix] :
       {std::pair("A", op.getMatrixA()), {"B", op.getMatrixB()}, {"C", op.getMatrixC()}}) {
    auto type = dyn_cast<MemRefType>(matrix.getType());
    if (!type || type.getRank() != 2)
      return std::string("operand ") + name + " is no single matrix in memory";
    if (!isa<ComplexType>(acc) || type.getElementType() != acc)
      return std::string("operand ") + name + " is not of the complex accumulator type";
  }
  if (ShapedType::isDynamic(op.getM()) || ShapedType::isDynamic(op.getN()))
    return "M or N is not known";
  if (isConjugated(op.getTransposeB()))
    return "operand B is conjugated";
  if (op.getTriangleAttr())
    return "one triangle of C is computed";
  if (op.getMasked())
    return "an operand is masked";
  bool isPart = op.getPartial() || op->hasAttr(BlasDialect::kEdgeOfName);
  return isPart ? "the operation is a part of a product" : "";
}

std::string rooftile::blas::whyNotInduced(ProductOpInterface op) {
  if (std::string why = whyNoReals(op); !why.empty())
    return why;
  if (!liesAsReals(op, /*ofA=*/true))
    return "operand A does not lie along M with strides, offset and alignment that are known";
  if (!liesAsReals(op, /*ofA=*/false))
    return "operand B does not lie along N with strides, offset and alignment that are known";
  return "";
}

std::string rooftile::blas::whyNotInducedInParts(ProductOpInterface op) {
  if (std::string why = whyNoReals(op); !why.empty())
    return why;
  if (op.getMath() != MathMode::Emulated || !realTypeOf(op.getAccumulatorType()).isF32())
    return "products = 6 are those of c64 with math<emulated>";
  if (ShapedType::isDynamic(op.getK()))
    return "K is not known";
  bool structured =
      op.getStructureA() != Structure::General || op.getStructureB() != Structure::General;
  if (structured || op.getCompensated())
    return "products = 6 have no structure and plain sums";
  return op.getWorkspace() ? "products = 6 of complex elements are copied to memory of their own"
                           : "";
}

namespace {
/// memref.dim of the view, of a size that is not doubled.
struct AnswerDim : OpRewritePattern<memref::DimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::DimOp dim, PatternRewriter &rewriter) const override {
    auto reals = dim.getSource().getDefiningOp<AsRealOp>();
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!reals || !index || *index < 0 || *index == reals.getDoubled() ||
        *index >= cast<MemRefType>(reals.getResult().getType()).getRank())
      return rewriter.notifyMatchFailure(dim, "asks for no dimension of a blas.as_real");
    rewriter.replaceOpWithNewOp<memref::DimOp>(dim, reals.getSource(), *index);
    return success();
  }
};
} // namespace

void AsRealOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AnswerDim>(context);
}
