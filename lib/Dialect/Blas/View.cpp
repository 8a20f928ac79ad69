//===- View.cpp - The elements of a tensor under other dimensions ---------===//
//
// A view of a tensor is what strides are of a memref: a linear map from the dimensions of the
// result to those of the source. Bufferization carries it out; here is what it means.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

//===----------------------------------------------------------------------===//
// Linear maps
//===----------------------------------------------------------------------===//

/// Adds `scale` times `index` to `factors`; false where that is no sum of dimensions.
static bool addFactors(AffineExpr index, int64_t scale, MutableArrayRef<int64_t> factors) {
  if (auto dim = dyn_cast<AffineDimExpr>(index))
    return factors[dim.getPosition()] += scale, true;
  if (auto constant = dyn_cast<AffineConstantExpr>(index))
    return constant.getValue() == 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(index);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addFactors(binary.getLHS(), scale, factors) &&
           addFactors(binary.getRHS(), scale, factors);
  auto number = dyn_cast<AffineConstantExpr>(binary.getRHS()); // constants stand on the right
  int64_t product = 0;
  return binary.getKind() == AffineExprKind::Mul && number && number.getValue() >= 0 &&
         !llvm::MulOverflow(scale, number.getValue(), product) &&
         addFactors(binary.getLHS(), product, factors);
}

std::optional<SmallVector<int64_t>> rooftile::blas::factorsOf(AffineExpr index, unsigned dims) {
  SmallVector<int64_t> factors(dims, 0);
  return addFactors(index, 1, factors) ? std::optional(factors) : std::nullopt;
}

/// The strides of a view, of the source's: for each dimension the sum of them times its constants.
/// What is dynamic in a sum that counts makes it dynamic.
static SmallVector<int64_t> stridesOfView(AffineMap map, ArrayRef<int64_t> strides) {
  SmallVector<int64_t> result(map.getNumDims(), 0);
  for (auto [index, stride] : llvm::zip_equal(map.getResults(), strides)) {
    auto factors = *factorsOf(index, map.getNumDims());
    for (auto [sum, factor] : llvm::zip_equal(result, factors))
      if (factor != 0 && !ShapedType::isDynamic(sum))
        sum = ShapedType::isDynamic(stride) ? stride : sum + factor * stride;
  }
  return result;
}

/// A matrix of one row or column follows itself upward: dimensions of size 1 that the map does not
/// have get the stride of what stands after them.
static void strideUnitDims(ArrayRef<int64_t> sizes, MutableArrayRef<int64_t> strides) {
  for (int64_t dim = sizes.size() - 1; dim >= 0; --dim) {
    if (sizes[dim] != 1 || strides[dim] != 0)
      continue;
    bool last = dim + 1 == static_cast<int64_t>(sizes.size());
    int64_t size = last ? 1 : sizes[dim + 1], stride = last ? 1 : strides[dim + 1];
    bool known = !ShapedType::isDynamic(size) && !ShapedType::isDynamic(stride);
    strides[dim] = known && size * stride > 0 ? size * stride : 1;
  }
}

static MemRefType typeOfView(MemRefType source, AffineMap map, ArrayRef<int64_t> sizes,
                             int64_t offset) {
  SmallVector<int64_t> viewStrides = stridesOfView(map, source.getStridesAndOffset().first);
  strideUnitDims(sizes, viewStrides);
  auto layout = StridedLayoutAttr::get(source.getContext(), offset, viewStrides);
  return MemRefType::get(sizes, source.getElementType(), layout, source.getMemorySpace());
}

Value rooftile::blas::createStridedView(OpBuilder &builder, Location loc, Value source,
                                        AffineMap map, ArrayRef<OpFoldResult> sizes,
                                        ArrayRef<OpFoldResult> offsets) {
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, source);
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  OpFoldResult offset = metadata.getConstifiedMixedOffset();
  auto sumOf = [&](OpFoldResult sum, OpFoldResult factor, OpFoldResult value) {
    AffineExpr s0, s1, s2;
    bindSymbols(builder.getContext(), s0, s1, s2);
    return affine::makeComposedFoldedAffineApply(builder, loc, s0 + s1 * s2, {sum, factor, value});
  };
  for (auto [start, stride] : llvm::zip(offsets, strides))
    offset = sumOf(offset, start, stride);
  auto [staticSizes, dynamicSizes] = decomposeMixedValues(llvm::to_vector(sizes));
  MemRefType type = typeOfView(cast<MemRefType>(source.getType()), map, staticSizes,
                               getConstantIntValue(offset).value_or(ShapedType::kDynamic));
  SmallVector<OpFoldResult> viewStrides;
  for (auto [dim, known] : llvm::enumerate(type.getStridesAndOffset().first)) {
    OpFoldResult stride = builder.getIndexAttr(ShapedType::isDynamic(known) ? 0 : known);
    if (ShapedType::isDynamic(known))
      for (auto [index, of] : llvm::zip_equal(map.getResults(), strides))
        if (int64_t factor = (*factorsOf(index, map.getNumDims()))[dim])
          stride = sumOf(stride, builder.getIndexAttr(factor), of);
    viewStrides.push_back(stride);
  }
  return memref::ReinterpretCastOp::create(builder, loc, type, metadata.getBaseBuffer(), offset,
                                           sizes, viewStrides);
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> ViewOp::getMixedSizes() {
  Builder builder(getContext());
  return mlir::getMixedValues(cast<ShapedType>(getResult().getType()).getShape(), getSizes(),
                              builder);
}

MemRefType ViewOp::getViewOf(MemRefType source) {
  return typeOfView(source, getMap(), cast<ShapedType>(getResult().getType()).getShape(),
                    source.getStridesAndOffset().second);
}

ShapedType rooftile::blas::getLayoutType(Value matrix) {
  auto type = cast<ShapedType>(matrix.getType());
  auto view = matrix.getDefiningOp<ViewOp>();
  if (!view)
    return type;
  ShapedType source = getLayoutType(view.getSource());
  auto memref = dyn_cast<MemRefType>(source);
  if (!memref)
    memref = MemRefType::get(source.getShape(), source.getElementType());
  return view.getViewOf(memref);
}

Value rooftile::blas::getViewSource(Value memref) {
  if (auto transpose = memref.getDefiningOp<memref::TransposeOp>()) // no ViewLikeOpInterface
    return transpose.getIn();
  auto view = memref.getDefiningOp<ViewLikeOpInterface>();
  return view ? view.getViewSource() : Value();
}

int64_t rooftile::blas::getAlign(Value matrix) {
  while (Value source = getViewSource(matrix))
    matrix = source;
  auto argument = dyn_cast<BlockArgument>(matrix);
  auto function = argument ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
                           : FunctionOpInterface();
  if (!function || !argument.getOwner()->isEntryBlock())
    return kMaxAccessBytes;
  auto given =
      function.getArgAttrOfType<AddressAttr>(argument.getArgNumber(), BlasDialect::kGivenName);
  if (!given || ShapedType::isDynamic(given.getAlign()))
    return given ? ShapedType::kDynamic : kMaxAccessBytes;
  return std::min(given.getAlign(), kMaxAccessBytes);
}

/// One past the largest value of `index`; dynamic where a size that counts is.
static int64_t reachOf(ArrayRef<int64_t> factors, ArrayRef<int64_t> sizes) {
  int64_t reach = 1;
  for (auto [factor, size] : llvm::zip_equal(factors, sizes)) {
    if (factor == 0)
      continue;
    if (ShapedType::isDynamic(size))
      return size;
    if (size == 0)
      return 0;
    reach += factor * (size - 1);
  }
  return reach;
}

LogicalResult ViewOp::verify() {
  auto from = cast<RankedTensorType>(getSource().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  AffineMap map = getMap();
  if (from.getEncoding() || to.getEncoding())
    return emitOpError("needs dense tensors without an encoding, got ") << from << " and " << to;
  if (from.getElementType() != to.getElementType())
    return emitOpError("elements of the source are ")
           << from.getElementType() << " but those of the result are " << to.getElementType();
  if (map.getNumSymbols() || map.getNumDims() != to.getRank() ||
      map.getNumResults() != from.getRank())
    return emitOpError("map needs ")
           << map.getNumDims() << " dimensions and " << map.getNumSymbols() << " symbols to "
           << map.getNumResults() << "; the result has rank " << to.getRank()
           << " and the source rank " << from.getRank();
  if (int64_t dynamic = to.getNumDynamicDims(); dynamic != static_cast<int64_t>(getSizes().size()))
    return emitOpError("has ") << getSizes().size() << " sizes, expected " << dynamic
                               << ": the dynamic ones of " << to;
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    auto factors = factorsOf(index, map.getNumDims());
    if (!factors)
      return emitOpError("dimension ")
             << dim << " of the source is read at " << llvm::formatv("{0}", index).str()
             << ", which is no sum of dimensions times constants of 0 or more";
    int64_t reach = reachOf(*factors, to.getShape()), size = from.getDimSize(dim);
    if (!ShapedType::isDynamic(reach) && !ShapedType::isDynamic(size) && reach > size)
      return emitOpError("dimension ") << dim << " of the source has size " << size
                                       << ", but the result reaches index " << reach - 1;
  }
  return success();
}

OpFoldResult ViewOp::fold(FoldAdaptor) {
  return getMap().isIdentity() && getSource().getType() == getResult().getType() ? getSource()
                                                                                 : Value();
}

namespace {
/// A view of a view is one of its source.
struct ComposeViews : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ViewOp view, PatternRewriter &rewriter) const override {
    auto source = view.getSource().getDefiningOp<ViewOp>();
    if (!source)
      return rewriter.notifyMatchFailure(view, "is no view of a view");
    rewriter.replaceOpWithNewOp<ViewOp>(view, view.getResult().getType(), source.getSource(),
                                        view.getSizes(), source.getMap().compose(view.getMap()));
    return success();
  }
};

/// tensor.dim of a view is one of its sizes.
struct AnswerDim : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::DimOp dim, PatternRewriter &rewriter) const override {
    auto view = dim.getSource().getDefiningOp<ViewOp>();
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!view || !index || *index < 0 ||
        *index >= cast<ShapedType>(view.getResult().getType()).getRank())
      return rewriter.notifyMatchFailure(dim, "asks for no dimension of a blas.view");
    OpFoldResult size = view.getMixedSizes()[*index];
    rewriter.replaceOp(dim, getValueOrCreateConstantIndexOp(rewriter, dim.getLoc(), size));
    return success();
  }
};
} // namespace

void ViewOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ComposeViews, AnswerDim>(context);
}

//===----------------------------------------------------------------------===//
// Bufferization
//===----------------------------------------------------------------------===//

namespace {
/// The result is memory of the source: no copy, unless others write to what it reads.
struct ViewBufferization
    : bufferization::BufferizableOpInterface::ExternalModel<ViewBufferization, ViewOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const bufferization::AnalysisState &) const {
    return false;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const bufferization::AnalysisState &) const {
    return false;
  }
  bufferization::AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                                     const bufferization::AnalysisState &) const {
    if (!isa<TensorType>(operand.get().getType()))
      return {};
    return {{op->getResult(0), bufferization::BufferRelation::Unknown}};
  }

  FailureOr<bufferization::BufferLikeType>
  getBufferType(Operation *op, Value, const bufferization::BufferizationOptions &options,
                const bufferization::BufferizationState &state,
                SmallVector<Value> &invocationStack) const {
    auto view = cast<ViewOp>(op);
    auto source = bufferization::getBufferType(view.getSource(), options, state, invocationStack);
    if (failed(source))
      return failure();
    return cast<bufferization::BufferLikeType>(view.getViewOf(cast<MemRefType>(*source)));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    auto view = cast<ViewOp>(op);
    FailureOr<Value> source = getBuffer(rewriter, view.getSource(), options, state);
    if (failed(source))
      return view.emitOpError("source has no buffer");
    Value memory =
        createStridedView(rewriter, view.getLoc(), *source, view.getMap(), view.getMixedSizes());
    bufferization::replaceOpWithBufferizedValues(rewriter, op, memory);
    return success();
  }
};
} // namespace

void rooftile::blas::registerViewBufferization(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, BlasDialect *) {
    context->loadDialect<affine::AffineDialect, memref::MemRefDialect, tensor::TensorDialect>();
    ViewOp::attachInterface<ViewBufferization>(*context);
  });
}
