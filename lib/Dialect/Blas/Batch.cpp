//===- Batch.cpp - Batches by pointers ------------------------------------===//
//
// blas.batch names matrices anywhere in memory by an array of their addresses. Its result is a
// memref of a layout of its own, whose batch has no stride; sizes and strides within a matrix are
// as everywhere. What asks for them is answered here, so that nothing is left of the operation
// after macro-tile.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Element.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

using Emit = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// The layout
//===----------------------------------------------------------------------===//

LogicalResult PointersAttr::verify(Emit emit, ArrayRef<int64_t> strides, int64_t align) {
  if (strides.size() != 2)
    return emit() << "pointers: strides needs 2 values (of rows and columns), got "
                  << strides.size();
  // Addresses below the first element would wrap around in LLVM's arithmetic on pointers.
  for (int64_t stride : strides)
    if (stride < 0 && !ShapedType::isDynamic(stride))
      return emit() << "pointers: stride " << stride
                    << " is negative; addresses are those of the first elements in memory";
  if (align < 0 || (align > 0 && !llvm::isPowerOf2_64(align)))
    return emit() << "pointers: align = " << align << " is no power of 2, nor 0";
  return success();
}

/// As of a batch with an unknown stride.
AffineMap PointersAttr::getAffineMap() const {
  SmallVector<int64_t> strides{ShapedType::kDynamic};
  llvm::append_range(strides, getStrides());
  return makeStridedLinearLayoutMap(strides, /*offset=*/0, getContext());
}

bool PointersAttr::isIdentity() const { return false; }

LogicalResult PointersAttr::verifyLayout(ArrayRef<int64_t> shape, Emit emit) const {
  if (shape.size() == 3)
    return success();
  return emit() << "#blas.pointers is the layout of a batch of matrices, of rank 3, not of rank "
                << shape.size();
}

LogicalResult PointersAttr::getStridesAndOffset(ArrayRef<int64_t>,
                                                SmallVectorImpl<int64_t> &strides,
                                                int64_t &offset) const {
  strides.assign({ShapedType::kDynamic});
  llvm::append_range(strides, getStrides());
  offset = 0;
  return success();
}

PointersAttr rooftile::blas::getPointers(ShapedType type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? dyn_cast<PointersAttr>(memref.getLayout()) : PointersAttr();
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

Value BatchOp::getViewSource() { return getPointers(); }

/// Number `index` of `values`: its constant, or the operand that stands for it.
static OpFoldResult numberOf(BatchOp op, ArrayRef<int64_t> values, int64_t index,
                             OperandRange operands) {
  if (!ShapedType::isDynamic(values[index]))
    return Builder(op.getContext()).getIndexAttr(values[index]);
  return operands[llvm::count_if(values.take_front(index), ShapedType::isDynamic)];
}

OpFoldResult BatchOp::getSize(int64_t dim) {
  return numberOf(*this, cast<MemRefType>(getMatrices().getType()).getShape().drop_front(), dim - 1,
                  getSizes());
}

OpFoldResult BatchOp::getStride(int64_t dim) {
  return numberOf(*this, getLayout().getStrides(), dim - 1, getStrides());
}

/// One operand for each dynamic number of the type.
static LogicalResult verifyNumbers(BatchOp op, StringRef name, ArrayRef<int64_t> values,
                                   OperandRange operands) {
  int64_t dynamic = llvm::count_if(values, ShapedType::isDynamic);
  if (dynamic == static_cast<int64_t>(operands.size()))
    return success();
  return op.emitOpError() << "has " << operands.size() << ' ' << name << ", expected " << dynamic
                          << ": the dynamic ones of " << op.getMatrices().getType();
}

LogicalResult BatchOp::verify() {
  auto table = dyn_cast<MemRefType>(getPointers().getType());
  auto type = dyn_cast<MemRefType>(getMatrices().getType());
  if (!table || table.getRank() != 1 || !table.getElementType().isInteger(64) ||
      !table.getLayout().isIdentity())
    return emitOpError("pointers are ")
           << getPointers().getType() << ", expected a contiguous memref of rank 1 of i64";
  if (!type || !isa<PointersAttr>(type.getLayout()))
    return emitOpError("matrices are ")
           << getMatrices().getType() << ", expected a memref with a layout #blas.pointers";
  if (!isElementType(type.getElementType()))
    return emitOpError("matrices have elements of ")
           << type.getElementType()
           << ", expected f16, bf16, f32, f64, complex<f32> or complex<f64>";
  if (table.getDimSize(0) != type.getDimSize(0))
    return emitOpError("pointers are ")
           << table << " but the batch of the matrices, " << type << ", has another size";
  int64_t align = getLayout().getAlign(), least = elementBytes(type.getElementType());
  if (align != 0 && align < least)
    return emitOpError("matrices are aligned to ")
           << align << " bytes, but an element has " << least;
  if (failed(verifyNumbers(*this, "sizes", type.getShape().drop_front(), getSizes())))
    return failure();
  return verifyNumbers(*this, "strides", getLayout().getStrides(), getStrides());
}

//===----------------------------------------------------------------------===//
// Users that need its sizes and strides
//===----------------------------------------------------------------------===//

namespace {

/// memref.dim of the batch: the length of the array, or a size.
struct AnswerDim : OpRewritePattern<memref::DimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::DimOp dim, PatternRewriter &rewriter) const override {
    auto batch = dim.getSource().getDefiningOp<BatchOp>();
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!batch || !index || *index < 0 || *index > 2)
      return rewriter.notifyMatchFailure(dim, "asks for no dimension of a blas.batch");
    if (*index == 0) {
      rewriter.replaceOpWithNewOp<memref::DimOp>(dim, batch.getPointers(), 0);
      return success();
    }
    rewriter.replaceOp(
        dim, getValueOrCreateConstantIndexOp(rewriter, dim.getLoc(), batch.getSize(*index)));
    return success();
  }
};

/// Sizes and strides of the batch, where nobody asks for its memory.
struct AnswerNumbers : OpRewritePattern<memref::ExtractStridedMetadataOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::ExtractStridedMetadataOp numbers,
                                PatternRewriter &rewriter) const override {
    auto batch = numbers.getSource().getDefiningOp<BatchOp>();
    if (!batch || !numbers.getBaseBuffer().use_empty() || !numbers.getStrides()[0].use_empty())
      return rewriter.notifyMatchFailure(numbers, "asks for more than sizes and strides");
    Location loc = numbers.getLoc();
    auto value = [&](OpFoldResult number) {
      return getValueOrCreateConstantIndexOp(rewriter, loc, number);
    };
    rewriter.replaceAllUsesWith(numbers.getOffset(), value(rewriter.getIndexAttr(0)));
    rewriter.replaceAllUsesWith(numbers.getSizes()[0],
                                memref::DimOp::create(rewriter, loc, batch.getPointers(), 0));
    for (int64_t dim : {1, 2}) {
      rewriter.replaceAllUsesWith(numbers.getSizes()[dim], value(batch.getSize(dim)));
      rewriter.replaceAllUsesWith(numbers.getStrides()[dim], value(batch.getStride(dim)));
    }
    rewriter.eraseOp(numbers);
    return success();
  }
};

} // namespace

void BatchOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AnswerDim, AnswerNumbers>(context);
}

//===----------------------------------------------------------------------===//
// Batches that are one product
//
// Where all matrices of a batch are multiplied by the same B, and those of A and of C follow each
// other as their own rows do, the batch is one product of batch * M rows:
//
//   A: batch x M x K, C: batch x M x N   ->   A: (batch * M) x K, C: (batch * M) x N
//
// and in the same way of batch * N columns where A is shared. What is shared is read once, and
// tiles may reach across matrices. Only on memrefs, whose types have the strides of a batch.
//===----------------------------------------------------------------------===//

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

/// A plan, a kernel of the user's and facts are for the operands as they stand; so are the parts of
/// another operation.
static bool isFree(GemmOp gemm) {
  return !gemm.hasTensorSemantics() && !gemm.getPlanAttr() && !gemm.getPlansAttr() &&
         !gemm.getGivenAttr() && !gemm.getPartial() &&
         llvm::none_of(gemm->getDiscardableAttrs(), [](NamedAttribute each) {
           return each.getName().strref().starts_with("blas.");
         });
}

//===----------------------------------------------------------------------===//
// One dimension of several
//===----------------------------------------------------------------------===//

namespace {
/// Dimensions of a memref in the order in which some of them become one.
struct Merge {
  SmallVector<unsigned> order;
  SmallVector<ReassociationIndices> groups;

  /// All dimensions of `rank` but `kept`, one of the last two; -1: all.
  Merge(int64_t rank, int64_t kept);
  bool isPossible(MemRefType type) const;
  Value create(OpBuilder &builder, Location loc, Value matrix) const;

private:
  bool keepsOrder() const { return llvm::is_sorted(order); }
};
} // namespace

Merge::Merge(int64_t rank, int64_t kept) {
  ReassociationIndices merged;
  if (kept == rank - 2)
    order.push_back(kept);
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != kept) {
      merged.push_back(order.size());
      order.push_back(dim);
    }
  if (kept == rank - 2)
    groups.push_back({0});
  groups.push_back(merged);
  if (kept == rank - 1) {
    groups.push_back({kept});
    order.push_back(kept);
  }
}

bool Merge::isPossible(MemRefType type) const {
  SmallVector<int64_t> strides, shape, steps;
  int64_t offset;
  if (type.getRank() != static_cast<int64_t>(order.size()) || getPointers(type) ||
      failed(type.getStridesAndOffset(strides, offset)))
    return false;
  if (keepsOrder())
    return memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups);
  for (unsigned dim : order) {
    shape.push_back(type.getDimSize(dim));
    steps.push_back(strides[dim]);
  }
  auto layout = StridedLayoutAttr::get(type.getContext(), offset, steps);
  auto ordered = MemRefType::get(shape, type.getElementType(), layout, type.getMemorySpace());
  return memref::CollapseShapeOp::isGuaranteedCollapsible(ordered, groups);
}

Value Merge::create(OpBuilder &builder, Location loc, Value matrix) const {
  if (!keepsOrder()) {
    auto map = AffineMap::getPermutationMap(order, builder.getContext());
    matrix = memref::TransposeOp::create(builder, loc, matrix, AffineMapAttr::get(map));
  }
  return memref::CollapseShapeOp::create(builder, loc, matrix, groups);
}

//===----------------------------------------------------------------------===//
// One product of several
//===----------------------------------------------------------------------===//

namespace {
/// The batch joins M (`byRows`) or N of the product.
class OneProduct {
public:
  OneProduct(GemmOp gemm, bool byRows)
      : gemm(gemm), rank(memrefType(gemm.getC()).getRank()), keptOfC(byRows ? rank - 1 : rank - 2),
        own(byRows ? gemm.getAMutable() : gemm.getBMutable()),
        shared(byRows ? gemm.getBMutable() : gemm.getAMutable()) {
    bool transposed = isTransposed(byRows ? gemm.getOpA() : gemm.getOpB());
    keptOfOwn = transposed == byRows ? rank - 2 : rank - 1; // along K
  }

  bool isPossible();
  void create(OpBuilder &builder);

private:
  /// The dimensions of the new C that an extra operand has; nothing where they are not whole.
  std::optional<SmallVector<int64_t>> dimsOfExtra(size_t index);
  /// Merges the dimensions of an extra operand.
  Merge mergeOfExtra(size_t index) {
    int64_t count = gemm.getDimsOf(index).size();
    return Merge(count, count == rank ? keptOfC : -1);
  }
  bool hasMerged(size_t index) { return gemm.getDimsOf(index).size() > 1; }

  GemmOp gemm;
  int64_t rank, keptOfC, keptOfOwn;
  OpOperand &own, &shared;
};
} // namespace

std::optional<SmallVector<int64_t>> OneProduct::dimsOfExtra(size_t index) {
  ArrayRef<int64_t> dims = gemm.getDimsOf(index);
  int64_t kept = keptOfC == rank - 1, merged = 1 - kept;
  if (dims.empty())
    return SmallVector<int64_t>{};
  if (dims.size() == 1)
    return dims[0] == keptOfC ? std::optional(SmallVector<int64_t>{kept}) : std::nullopt;
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, rank)), others;
  llvm::copy_if(all, std::back_inserter(others), [&](int64_t dim) { return dim != keptOfC; });
  if (dims != ArrayRef(all) && dims != ArrayRef(others))
    return std::nullopt;
  if (!mergeOfExtra(index).isPossible(memrefType(gemm.getExtras()[index])))
    return std::nullopt;
  return dims.size() == all.size() ? SmallVector<int64_t>{0, 1} : SmallVector<int64_t>{merged};
}

bool OneProduct::isPossible() {
  if (memrefType(shared.get()).getRank() != 2 || memrefType(own.get()).getRank() != rank ||
      !Merge(rank, keptOfOwn).isPossible(memrefType(own.get())) ||
      !Merge(rank, keptOfC).isPossible(memrefType(gemm.getC())))
    return false;
  return llvm::all_of(llvm::seq(gemm.getExtras().size()),
                      [&](size_t index) { return dimsOfExtra(index).has_value(); });
}

void OneProduct::create(OpBuilder &builder) {
  Location loc = gemm.getLoc();
  SmallVector<Attribute> dims;
  for (size_t index = 0; index < gemm.getExtras().size(); ++index) {
    dims.push_back(builder.getDenseI64ArrayAttr(*dimsOfExtra(index)));
    OpOperand &extra = gemm.getExtrasMutable()[index];
    if (hasMerged(index))
      extra.set(mergeOfExtra(index).create(builder, loc, extra.get()));
  }
  own.set(Merge(rank, keptOfOwn).create(builder, loc, own.get()));
  gemm.getCMutable().set(Merge(rank, keptOfC).create(builder, loc, gemm.getC()));
  if (gemm.hasEpilogue())
    gemm.setExtraDimsAttr(builder.getArrayAttr(dims));
}

namespace {

/// A batch that shares A or B becomes one product.
struct MergeBatch : OpRewritePattern<GemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GemmOp gemm, PatternRewriter &rewriter) const override {
    if (!isFree(gemm) || memrefType(gemm.getC()).getRank() == 2)
      return rewriter.notifyMatchFailure(gemm, "is no batch, or its operands are settled");
    if (gemm.getTriangle())
      return rewriter.notifyMatchFailure(gemm, "triangles do not follow each other as rows do");
    for (bool byRows : {true, false}) {
      OneProduct product(gemm, byRows);
      Structure own = byRows ? gemm.getStructureA() : gemm.getStructureB();
      if (own != Structure::General || !product.isPossible())
        continue;
      rewriter.modifyOpInPlace(gemm, [&] { product.create(rewriter); });
      return success();
    }
    return rewriter.notifyMatchFailure(gemm, "matrices do not follow each other as rows do");
  }
};

/// A batch of A or B whose matrices are one becomes that matrix.
struct ShareMatrix : OpRewritePattern<GemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GemmOp gemm, PatternRewriter &rewriter) const override {
    if (!isFree(gemm))
      return rewriter.notifyMatchFailure(gemm, "its operands are settled");
    bool two = memrefType(gemm.getA()).getRank() > 2 && memrefType(gemm.getB()).getRank() > 2;
    // One operand of a batch of one stays: it merges with C.
    if (gemm.getBatch() == 1 && !two)
      return rewriter.notifyMatchFailure(gemm, "the operand merges with C");
    for (OpOperand *operand : {&gemm.getBMutable(), &gemm.getAMutable()}) {
      MemRefType type = memrefType(operand->get());
      if (type.getRank() == 2 || !isShared(type))
        continue;
      Value matrix = matrixOf(rewriter, gemm.getLoc(), operand->get());
      rewriter.modifyOpInPlace(gemm, [&] { operand->set(matrix); });
      return success();
    }
    return rewriter.notifyMatchFailure(gemm, "no operand is shared by a batch");
  }

private:
  /// The first matrix of a batch.
  static Value matrixOf(OpBuilder &builder, Location loc, Value batch) {
    MemRefType type = memrefType(batch);
    int64_t rank = type.getRank();
    SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)),
        steps(rank, builder.getIndexAttr(1)), sizes(rank, builder.getIndexAttr(1));
    for (int64_t dim : {rank - 2, rank - 1})
      sizes[dim] = memref::getMixedSize(builder, loc, batch, dim);
    auto result = memref::SubViewOp::inferRankReducedResultType(type.getShape().take_back(2), type,
                                                                offsets, sizes, steps);
    return memref::SubViewOp::create(builder, loc, cast<MemRefType>(result), batch, offsets, sizes,
                                     steps);
  }
};

} // namespace

void rooftile::blas::populateBatchPatterns(RewritePatternSet &patterns) {
  patterns.add<MergeBatch, ShareMatrix>(patterns.getContext());
}
