//===- Attributions.cpp - Static memory of kernels on the host ------------===//
//
// Kernels of others have buffers in their signature:
//
//   gpu.func @k(..) workgroup(%s : memref<64xf32, 3>) private(%p : memref<4xf32, 5>)
//
// Shared memory of the host is one piece: these come first, the dynamic memory behind.
//
//===----------------------------------------------------------------------===//

#include "Coroutine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace rooftile;

/// What each of them begins at a multiple of, in bytes.
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
