//===- Batch.cpp - Batches by pointers ------------------------------------===//
//
// blas.batch names matrices anywhere in memory by an array of their addresses. Its result is a
// memref of a layout of its own, whose batch has no stride; sizes and strides within a matrix are
// as everywhere. What asks for them is answered here, so that nothing is left of the operation
// behind macro-tile.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

using Emit = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// The layout
//===----------------------------------------------------------------------===//

LogicalResult PointersAttr::verify(Emit emit, ArrayRef<int64_t> strides, int64_t align) {
  if (strides.size() != 2)
    return emit() << "pointers: strides takes 2 numbers (of rows and columns), got "
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

/// As of a batch with a stride that nobody knows.
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

/// As many operands as the type leaves numbers open.
static LogicalResult verifyNumbers(BatchOp op, StringRef name, ArrayRef<int64_t> values,
                                   OperandRange operands) {
  int64_t open = llvm::count_if(values, ShapedType::isDynamic);
  if (open == static_cast<int64_t>(operands.size()))
    return success();
  return op.emitOpError() << "has " << operands.size() << ' ' << name << " but "
                          << op.getMatrices().getType() << " leaves " << open << " open";
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
// What asks for its numbers
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
