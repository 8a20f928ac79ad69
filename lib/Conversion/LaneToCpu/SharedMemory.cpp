//===- SharedMemory.cpp - Static memory of kernels on the host ------------===//
//
// Kernels of others have buffers in their signature:
//
//   gpu.func @k(..) workgroup(%s : memref<64xf32, 3>) private(%p : memref<4xf32, 5>)
//
// Shared memory of the host is one piece: these come first, the dynamic memory after.
//
//===----------------------------------------------------------------------===//

#include "Coroutine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "rooftile/Conversion/LaneToCpu/LaneToCpu.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;

/// Alignment of each of them, in bytes.
static constexpr int64_t kAlignment = 64;

static MemRefType typeOf(Value buffer) { return cast<MemRefType>(buffer.getType()); }

static LogicalResult checkLayouts(gpu::GPUFuncOp kernel) {
  for (auto buffers : {kernel.getWorkgroupAttributions(), kernel.getPrivateAttributions()})
    for (Value buffer : buffers)
      if (!typeOf(buffer).getLayout().isIdentity() || !typeOf(buffer).hasStaticShape())
        return kernel.emitOpError("cannot run on the CPU: its buffer ")
               << buffer.getType() << " is not contiguous";
  return success();
}

/// Shared memory from byte `offset` on as a buffer of `type`.
static Value viewShared(OpBuilder &builder, Location loc, MemRefType type, int64_t offset) {
  auto bytes = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(),
                               MemRefLayoutAttrInterface(), type.getMemorySpace());
  Value memory = gpu::DynamicSharedMemoryOp::create(builder, loc, bytes);
  Value first = arith::ConstantIndexOp::create(builder, loc, offset);
  SmallVector<Value> sizes; // nobody asks for that of dynamic memory
  if (!type.hasStaticShape())
    sizes.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  return memref::ViewOp::create(builder, loc, type, memory, first, sizes);
}

FailureOr<int64_t> rooftile::placeAttributions(gpu::GPUFuncOp kernel) {
  if (failed(checkLayouts(kernel)))
    return failure();
  Block &entry = kernel.getBody().front();
  SmallVector<gpu::DynamicSharedMemoryOp> dynamic;
  kernel.walk([&](gpu::DynamicSharedMemoryOp op) { dynamic.push_back(op); });
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  Location loc = kernel.getLoc();
  DataLayout layout = DataLayout::closest(kernel);
  int64_t bytes = 0;
  for (Value buffer : kernel.getWorkgroupAttributions()) {
    MemRefType type = typeOf(buffer);
    buffer.replaceAllUsesWith(viewShared(builder, loc, type, bytes));
    int64_t element = layout.getTypeSize(type.getElementType()).getFixedValue();
    bytes = llvm::alignTo(bytes + type.getNumElements() * element, kAlignment);
  }
  for (Value buffer : kernel.getPrivateAttributions())
    buffer.replaceAllUsesWith(memref::AllocaOp::create(builder, loc, typeOf(buffer)));
  unsigned arguments = kernel.getNumArguments();
  entry.eraseArguments(arguments, entry.getNumArguments() - arguments);
  kernel->removeAttr(gpu::GPUFuncOp::getNumWorkgroupAttributionsAttrName());
  for (gpu::DynamicSharedMemoryOp op : dynamic) {
    if (bytes == 0)
      break;
    builder.setInsertionPoint(op);
    op.replaceAllUsesWith(viewShared(builder, op.getLoc(), op.getType(), bytes));
    op.erase();
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Shared memory of a cluster, on the host
//
// Blocks of a cluster lie side by side in the host's memory; the runtime lists where each
// one's shared memory begins. An offset in it is that from the beginning for all.
//===----------------------------------------------------------------------===//

/// The pointer at `offset` bytes of the thread's record.
static Value loadPointer(OpBuilder &builder, Location loc, Value record, int64_t offset) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value place = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), record,
                                    ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  return LLVM::LoadOp::create(builder, loc, pointer, place);
}

/// own - beginning of own shared memory + beginning of the peer's.
static Value peerOf(OpBuilder &builder, Location loc, Value own, Value rank, Value thread) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  auto number = [&](Value address) -> Value {
    return LLVM::PtrToIntOp::create(builder, loc, i64, address);
  };
  Value shared = loadPointer(builder, loc, thread, ThreadLayout::shared);
  Value peers = loadPointer(builder, loc, thread, ThreadLayout::peers);
  Value index = arith::IndexCastOp::create(builder, loc, i64, rank);
  Value place =
      LLVM::GEPOp::create(builder, loc, pointer, pointer, peers, ArrayRef<LLVM::GEPArg>{index});
  Value peer = LLVM::LoadOp::create(builder, loc, pointer, place);
  Value distance = LLVM::SubOp::create(builder, loc, number(own), number(shared));
  return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), peer,
                             ArrayRef<LLVM::GEPArg>{distance});
}

namespace {
struct PeerPattern : OpRewritePattern<lane::PeerOp> {
  PeerPattern(MLIRContext *context, Value thread) : OpRewritePattern(context), thread(thread) {}

  LogicalResult matchAndRewrite(lane::PeerOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    Type i64 = rewriter.getI64Type(), one = LLVM::LLVMArrayType::get(i64, 1);
    auto descriptor =
        LLVM::LLVMStructType::getLiteral(rewriter.getContext(), {pointer, pointer, i64, one, one});
    Value value =
        UnrealizedConversionCastOp::create(rewriter, loc, descriptor, op.getShared()).getResult(0);
    Value own = LLVM::ExtractValueOp::create(rewriter, loc, value, ArrayRef<int64_t>{1});
    Value peer = peerOf(rewriter, loc, own, op.getRank(), thread);
    for (int64_t field : {0, 1})
      value = LLVM::InsertValueOp::create(rewriter, loc, value, peer, ArrayRef<int64_t>{field});
    rewriter.replaceOpWithNewOp<UnrealizedConversionCastOp>(op, op.getType(), value);
    return success();
  }

  Value thread;
};
} // namespace

void rooftile::populateClusterToCpuPatterns(RewritePatternSet &patterns, Value thread) {
  patterns.add<PeerPattern>(patterns.getContext(), thread);
}
