//===- LinalgOperands.cpp - The operands of a linalg product as matrices --===//
//
// Each operand becomes [batch,] rows, columns. Dimensions that count as one are collapsed, sides of
// 1 are inserted, and what is left of another order is a matter of strides: blas.view of tensors,
// memref.reinterpret_cast of memrefs. In loops around the product it is the part of an iteration.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "rooftile/Transforms/Raise/LinalgProduct.h"

using namespace mlir;
using namespace rooftile;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// A value of the same sizes that is not computed only to be asked for them.
static Value sizeSource(Value value) {
  while (auto result = dyn_cast<OpResult>(value)) {
    auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
    if (!op || !isa<TensorType>(value.getType()))
      break;
    value = op.getTiedOpOperand(result)->get();
  }
  return value;
}

/// Sizes that are not static in a loop remain values: types that are made of sizes are those of the
/// operands, whatever a size folds to.
OpFoldResult ProductOperands::sizeOf(unsigned loop) {
  const ContractionLoop &of = product.loops.loops[loop];
  if (!ShapedType::isDynamic(of.size))
    return rewriter.getIndexAttr(of.size);
  SmallVector<OpFoldResult> symbols;
  for (auto [value, dim] : product.loops.symbols) {
    bool counts = of.length.isFunctionOfSymbol(symbols.size());
    symbols.push_back(counts ? linalg::createFoldedDimOp(rewriter, loc, sizeSource(value), dim)
                             : OpFoldResult(rewriter.getIndexAttr(0)));
  }
  auto map = AffineMap::get(0, symbols.size(), of.length);
  OpFoldResult size = affine::makeComposedFoldedAffineApply(rewriter, loc, map, symbols);
  return getValueOrCreateConstantIndexOp(rewriter, loc, size);
}

SmallVector<OpFoldResult> ProductOperands::sizesOf(ArrayRef<std::optional<unsigned>> dims) {
  return llvm::map_to_vector(dims, [&](std::optional<unsigned> loop) {
    return loop ? sizeOf(*loop) : OpFoldResult(rewriter.getIndexAttr(1));
  });
}

//===----------------------------------------------------------------------===//
// Which dimensions an operand has
//===----------------------------------------------------------------------===//

/// The batch, unless the operand has nothing of it, and the matrix as it is stored.
ProductOperands::Dims ProductOperands::dimsOf(bool left) const {
  const LinearAccess &access = left ? product.left() : product.right();
  Dims dims;
  if (llvm::any_of(product.batch, [&](unsigned loop) { return access.has(loop); }))
    dims.assign(product.batch.begin(), product.batch.end());
  std::optional<unsigned> first = left ? product.row : product.k,
                          second = left ? product.k : product.column;
  if (blas::isTransposed(left ? product.opA : product.opB))
    std::swap(first, second);
  dims.append({first, second});
  return dims;
}

ProductOperands::Dims ProductOperands::outputDims() const {
  Dims dims(product.batch.begin(), product.batch.end());
  dims.append({product.row, product.column});
  return dims;
}

/// The loops among `dims`, without the sides of 1.
static SmallVector<unsigned> loopsOf(ArrayRef<std::optional<unsigned>> dims) {
  SmallVector<unsigned> loops;
  for (std::optional<unsigned> loop : dims)
    if (loop)
      loops.push_back(*loop);
  return loops;
}

/// The dimensions of the access, once collapsed, are those loops, each whole.
static bool isReshape(const LinearAccess &access, ArrayRef<std::optional<unsigned>> dims) {
  SmallVector<unsigned> loops = loopsOf(dims);
  if (access.index.size() != loops.size())
    return false;
  for (auto [d, loop] : llvm::enumerate(loops))
    if (access.index[d].size() != 1 || access.index[d][0].loop != loop || !access.whole[d])
      return false;
  return true;
}

/// Groups of `dims` with one loop each; sides of 1 belong to the loop before them, or to the
/// first. No groups where there is no loop.
static SmallVector<ReassociationIndices> groupsOf(ArrayRef<std::optional<unsigned>> dims) {
  SmallVector<ReassociationIndices> groups;
  bool filled = true;
  for (auto [dim, loop] : llvm::enumerate(dims)) {
    if (groups.empty() || (loop && filled))
      groups.emplace_back(), filled = false;
    groups.back().push_back(dim);
    filled |= loop.has_value();
  }
  return loopsOf(dims).empty() ? SmallVector<ReassociationIndices>() : groups;
}

/// The map from `dims` to the (collapsed) dimensions of an access. Outer loops are left out.
static AffineMap mapOf(const LinearAccess &access, ArrayRef<std::optional<unsigned>> dims,
                       MLIRContext *context) {
  SmallVector<AffineExpr> results;
  for (const auto &terms : access.index) {
    AffineExpr sum = getAffineConstantExpr(0, context);
    for (auto [dim, loop] : llvm::enumerate(dims))
      for (IndexTerm term : terms)
        if (loop == term.loop)
          sum = sum + getAffineDimExpr(dim, context) * term.factor;
    results.push_back(sum);
  }
  return AffineMap::get(dims.size(), 0, results, context);
}

SmallVector<OpFoldResult> ProductOperands::offsets(const LinearAccess &access, ValueRange indices) {
  SmallVector<OpFoldResult> result;
  for (const auto &terms : access.index) {
    OpFoldResult offset = rewriter.getIndexAttr(0);
    for (IndexTerm term : terms) {
      const unsigned *found = llvm::find(product.outer, term.loop);
      if (found == product.outer.end())
        continue;
      AffineExpr s0, s1;
      bindSymbols(rewriter.getContext(), s0, s1);
      Value index = indices[found - product.outer.begin()];
      offset = affine::makeComposedFoldedAffineApply(rewriter, loc, s0 + s1 * term.factor,
                                                     {offset, index});
    }
    result.push_back(offset);
  }
  return result;
}

static bool isCollapsed(const LinearAccess &access) {
  return static_cast<int64_t>(access.group.size()) != access.type.getRank();
}

/// The source is the operand as it is.
static bool isOperand(const LinearAccess &access, ArrayRef<std::optional<unsigned>> dims) {
  return !isCollapsed(access) && access.index.size() == dims.size() && isReshape(access, dims);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The source with all sizes that are known in its type.
static Value sized(OpBuilder &builder, Location loc, Value source, ShapedType type) {
  if (source.getType() == type)
    return source;
  if (isa<TensorType>(type))
    return tensor::CastOp::create(builder, loc, type, source);
  return memref::CastOp::create(builder, loc, type, source);
}

/// The part of one iteration: along dimensions that outer loops walk through, what is left of them.
Value ProductOperands::slice(Value tensor, const LinearAccess &access, ValueRange indices) {
  auto isOuter = [&](IndexTerm term) { return llvm::is_contained(product.outer, term.loop); };
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, tensor);
  for (auto [size, terms] : llvm::zip_equal(sizes, access.index)) {
    if (llvm::none_of(terms, isOuter))
      continue;
    size = rewriter.getIndexAttr(1);
    AffineExpr s0, s1;
    bindSymbols(rewriter.getContext(), s0, s1);
    for (IndexTerm term : terms)
      if (!isOuter(term))
        size = affine::makeComposedFoldedAffineApply(rewriter, loc, s0 + (s1 - 1) * term.factor,
                                                     {size, sizeOf(term.loop)});
  }
  SmallVector<OpFoldResult> steps(sizes.size(), rewriter.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(rewriter, loc, tensor, offsets(access, indices), sizes,
                                        steps);
}

Value ProductOperands::view(Value tensor, AffineMap map, const Dims &dims) {
  auto [sizes, dynamic] = decomposeMixedValues(sizesOf(dims));
  Type element = cast<ShapedType>(tensor.getType()).getElementType();
  return blas::ViewOp::create(rewriter, loc, RankedTensorType::get(sizes, element), tensor, dynamic,
                              map);
}

Value ProductOperands::expand(Value tensor, ArrayRef<ReassociationIndices> groups,
                              const Dims &dims) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getRank() == static_cast<int64_t>(dims.size()))
    return tensor;
  SmallVector<OpFoldResult> sizes = sizesOf(dims);
  auto whole = RankedTensorType::get(decomposeMixedValues(sizes).first, type.getElementType());
  return tensor::ExpandShapeOp::create(rewriter, loc, whole, tensor, groups, sizes);
}

Value ProductOperands::createTensor(const LinearAccess &access, const Dims &dims,
                                    ValueRange indices) {
  if (isOperand(access, dims))
    return access.source;
  Value tensor = sized(rewriter, loc, access.source, access.type);
  if (isCollapsed(access))
    tensor = tensor::CollapseShapeOp::create(rewriter, loc, tensor, access.group);
  if (isReshape(access, dims))
    return expand(tensor, groupsOf(dims), dims);
  bool moves = llvm::any_of(product.outer, [&](unsigned loop) { return access.has(loop); });
  if (moves)
    tensor = slice(tensor, access, indices);
  AffineMap map = mapOf(access, dims, rewriter.getContext());
  return view(tensor, map, dims);
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

/// An access without collapsed dimensions: an index counts in steps of the innermost one.
static LinearAccess uncollapsed(const LinearAccess &access) {
  LinearAccess result = LinearAccess::to(access.source);
  result.index.resize(access.type.getRank());
  for (auto [d, terms] : llvm::enumerate(access.index))
    result.index[access.innermostOf(d)] = terms;
  return result;
}

Value ProductOperands::createMemRef(const LinearAccess &access, const Dims &dims,
                                    ValueRange indices) {
  if (isOperand(access, dims))
    return access.source;
  Value memref = sized(rewriter, loc, access.source, access.type);
  auto type = cast<MemRefType>(access.type);
  if (isReshape(access, dims) && (!isCollapsed(access) || type.getLayout().isIdentity())) {
    if (isCollapsed(access))
      memref = memref::CollapseShapeOp::create(rewriter, loc, memref, access.group);
    if (access.index.size() == dims.size())
      return memref;
    if (type.getLayout().isIdentity()) {
      SmallVector<OpFoldResult> sizes = sizesOf(dims);
      auto known = decomposeMixedValues(sizes).first;
      auto whole = MemRefType::get(known, type.getElementType(), MemRefLayoutAttrInterface(),
                                   type.getMemorySpace());
      return memref::ExpandShapeOp::create(rewriter, loc, whole, memref, groupsOf(dims), sizes);
    }
  }
  LinearAccess flat = uncollapsed(access);
  AffineMap map = mapOf(flat, dims, rewriter.getContext());
  return blas::createStridedView(rewriter, loc, memref, map, sizesOf(dims), offsets(flat, indices));
}

//===----------------------------------------------------------------------===//
// A, B and C
//===----------------------------------------------------------------------===//

Value ProductOperands::createInput(bool left, ValueRange indices) {
  const LinearAccess &access = left ? product.left() : product.right();
  bool isTensor = isa<TensorType>(access.source.getType());
  return isTensor ? createTensor(access, dimsOf(left), indices)
                  : createMemRef(access, dimsOf(left), indices);
}

namespace {
/// C as a tensor: the loops of its dimensions in order, and which of them one dimension has.
struct OutputOrder {
  SmallVector<std::optional<unsigned>> loops;
  SmallVector<ReassociationIndices> groups;
};
} // namespace

static OutputOrder orderOf(const LinearAccess &access) {
  OutputOrder order;
  for (unsigned d = 0; d < access.index.size(); ++d) {
    order.groups.emplace_back();
    for (unsigned loop : access.loopsOf(d)) {
      order.groups.back().push_back(order.loops.size());
      order.loops.push_back(loop);
    }
  }
  return order;
}

/// Where dimensions `from` are among `to`; the others of `to` are sides of 1.
static AffineMap permutation(ArrayRef<std::optional<unsigned>> from,
                             ArrayRef<std::optional<unsigned>> to, MLIRContext *context) {
  SmallVector<AffineExpr> results;
  for (std::optional<unsigned> loop : from)
    results.push_back(loop ? getAffineDimExpr(llvm::find(to, loop) - to.begin(), context)
                           : getAffineConstantExpr(0, context));
  return AffineMap::get(to.size(), 0, results, context);
}

Value ProductOperands::createOutput(Value c) {
  LinearAccess access = product.output();
  access.source = c;
  Dims dims = outputDims();
  if (!isa<TensorType>(c.getType()))
    return createMemRef(access, dims, {});
  if (isOperand(access, dims))
    return c;
  c = sized(rewriter, loc, c, access.type);
  if (isCollapsed(access))
    c = tensor::CollapseShapeOp::create(rewriter, loc, c, access.group);
  OutputOrder order = orderOf(access);
  c = expand(c, order.groups, order.loops);
  if (llvm::equal(loopsOf(order.loops), loopsOf(dims)))
    return expand(c, groupsOf(dims), dims);
  return view(c, permutation(order.loops, dims, rewriter.getContext()), dims);
}

Value ProductOperands::restoreOutput(Value result, Value c) {
  if (!isa<TensorType>(c.getType()))
    return {};
  const LinearAccess &access = product.output();
  Dims dims = outputDims();
  if (isOperand(access, dims))
    return result;
  OutputOrder order = orderOf(access);
  if (!llvm::equal(loopsOf(order.loops), loopsOf(dims)))
    result = view(result, permutation(dims, order.loops, rewriter.getContext()), order.loops);
  else if (order.loops.size() != dims.size())
    result = tensor::CollapseShapeOp::create(rewriter, loc, result, groupsOf(dims));
  if (order.groups.size() != order.loops.size())
    result = tensor::CollapseShapeOp::create(rewriter, loc, result, order.groups);
  if (!isCollapsed(access))
    return result;
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(access.type.getShape()))
    sizes.push_back(ShapedType::isDynamic(size)
                        ? OpFoldResult(rewriter.createOrFold<tensor::DimOp>(loc, c, dim))
                        : OpFoldResult(rewriter.getIndexAttr(size)));
  return tensor::ExpandShapeOp::create(rewriter, loc, access.type, result, access.group, sizes);
}
