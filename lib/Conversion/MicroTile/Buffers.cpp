//===- Buffers.cpp - Shared memory: alloc, view, load, store --------------===//
//
// A buffer becomes a flat memref of shared memory and an element offset; its
// tiles become runs of a thread's registers read or written in one access.
//
//===----------------------------------------------------------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
struct AllocPattern : OpConversionPattern<AllocOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AllocOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    BufferType type = op.getBuffer().getType();
    auto offset = op->getAttrOfType<IntegerAttr>(kByteOffsetName);
    if (!offset)
      return rewriter.notifyMatchFailure(op, "no byte offset was assigned");
    Location loc = op.getLoc();
    IndexMath math(rewriter, loc);
    auto space = gpu::AddressSpaceAttr::get(getContext(), gpu::AddressSpace::Workgroup);
    auto bytes = MemRefType::get({ShapedType::kDynamic}, rewriter.getI8Type(), AffineMap(), space);
    Value base = gpu::DynamicSharedMemoryOp::create(rewriter, loc, bytes);
    auto flat = MemRefType::get({ShapedType::kDynamic}, type.getElementType(), AffineMap(), space);
    Value elements = math.constant(type.getStages() * type.getStageElements());
    Value view =
        memref::ViewOp::create(rewriter, loc, flat, base, math.constant(offset.getInt()), elements);
    rewriter.replaceOpWithMultiple(op, {{view, math.constant(0)}});
    return success();
  }
};

struct ViewPattern : OpConversionPattern<ViewOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ViewOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    BufferType type = op.getBuffer().getType();
    IndexMath math(rewriter, op.getLoc());
    Value slot = math.rem(adaptor.getCounter()[0], type.getStages());
    Value offset = math.add(adaptor.getBuffer()[1], math.mul(slot, type.getStageElements()));
    offset = math.add(offset, math.mul(adaptor.getRow()[0], type.getStrides()[0]));
    offset = math.add(offset, math.mul(adaptor.getColumn()[0], type.getStrides()[1]));
    rewriter.replaceOpWithMultiple(op, {{adaptor.getBuffer()[0], offset}});
    return success();
  }
};
} // namespace

int64_t rooftile::widestAccess(Value view) {
  BufferType type = cast<BufferType>(view.getType());
  int64_t widest = std::max<int64_t>(1, 128 / type.getElementType().getIntOrFloatBitWidth());
  while (auto op = view.getDefiningOp<ViewOp>()) {
    for (auto [offset, stride] : {std::pair(op.getRow(), type.getStrides()[0]),
                                  std::pair(op.getColumn(), type.getStrides()[1])}) {
      auto known = getConstantIntValue(offset);
      while (widest > 1 && (known ? *known * stride : stride) % widest != 0)
        widest /= 2;
    }
    view = op.getBuffer();
  }
  return widest;
}

/// Calls `access(index in the flat memref, first register, length)` for each run of the matrix.
static void forEachRun(OpBuilder &builder, Location loc, MatrixType matrix, BufferType type,
                       Value view, ValueRange flatAndOffset,
                       function_ref<void(Value, int64_t, int64_t)> access) {
  MapAttr map = matrix.getMap();
  IndexMath math(builder, loc);
  int64_t rowStride = type.getStrides()[0], columnStride = type.getStrides()[1];
  int64_t run = runLength(map, type.getStrides(), widestAccess(view));
  Value base = math.add(flatAndOffset[1], math.threadOffset(map, rowStride, columnStride));
  for (int64_t first = 0; first < map.getNumValues(); first += run) {
    auto [row, column] = map.getValueOffset(first);
    access(math.add(base, row * rowStride + column * columnStride), first, run);
  }
}

namespace {
struct BufferLoadPattern : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.isGlobal())
      return failure();
    SmallVector<Value> registers;
    auto type = cast<BufferType>(op.getSource().getType());
    forEachRun(rewriter, op.getLoc(), op.getMatrix().getType(), type, op.getSource(),
               adaptor.getSource(), [&](Value index, int64_t, int64_t run) {
                 llvm::append_range(
                     registers, loadRun(rewriter, op.getLoc(), adaptor.getSource()[0], index, run));
               });
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct BufferStorePattern : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<BufferType>(op.getView().getType());
    forEachRun(rewriter, op.getLoc(), op.getMatrix().getType(), type, op.getView(),
               adaptor.getView(), [&](Value index, int64_t first, int64_t run) {
                 storeRun(rewriter, op.getLoc(), adaptor.getMatrix().slice(first, run),
                          adaptor.getView()[0], index, run);
               });
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void rooftile::populateBufferPatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<AllocPattern, ViewPattern, BufferLoadPattern, BufferStorePattern>(
      types, patterns.getContext());
}
