//===- KernelBody.cpp - What a parallel loop may do as a kernel -----------===//

#include "KernelBody.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace rooftile;

/// Bytes of all that one thread allocates: local memory of a GPU is slow, so that large buffers are
/// better off with the host.
static constexpr int64_t kStackBytes = 16384;

/// Bytes of a buffer that can be on the stack of a thread; none where that is not known.
static std::optional<int64_t> stackBytes(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() || type.getMemorySpace() ||
      isa<BaseMemRefType>(type.getElementType()))
    return std::nullopt;
  return type.getNumElements() *
         DataLayout::closest(alloc).getTypeSize(type.getElementType()).getFixedValue();
}

static bool canCross(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return memref.isStrided();
  return type.isIntOrIndexOrFloat() || isa<ComplexType>(type);
}

static bool runsOnThread(Operation *op) {
  if (isa<vector::PrintOp, memref::ReallocOp, memref::DmaStartOp, memref::DmaWaitOp>(op) ||
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<UnrankedMemRefType, TensorType>))
    return false;
  return isa_and_nonnull<affine::AffineDialect, arith::ArithDialect, complex::ComplexDialect,
                         index::IndexDialect, math::MathDialect, memref::MemRefDialect,
                         scf::SCFDialect, ub::UBDialect, vector::VectorDialect>(op->getDialect());
}

bool rooftile::fitsKernel(scf::ParallelOp loop) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(loop.getRegion(), captured);
  if (!llvm::all_of(captured, [](Value value) {
        return matchPattern(value, m_Constant()) || canCross(value.getType());
      }))
    return false;
  int64_t bytes = 0;
  WalkResult walk = loop.getBody()->walk([&](Operation *op) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      std::optional<int64_t> own = stackBytes(alloc);
      bytes += own.value_or(kStackBytes + 1);
    }
    return WalkResult(success(bytes <= kStackBytes && runsOnThread(op)));
  });
  return !walk.wasInterrupted();
}

void rooftile::copyToLoop(memref::CopyOp copy) {
  OpBuilder builder(copy);
  Location loc = copy.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto type = cast<MemRefType>(copy.getSource().getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(builder.createOrFold<memref::DimOp>(loc, copy.getSource(), int64_t(dim)));
  if (sizes.empty()) {
    Value element = memref::LoadOp::create(builder, loc, copy.getSource());
    memref::StoreOp::create(builder, loc, element, copy.getTarget());
    return copy.erase();
  }
  SmallVector<Value> lower(sizes.size(), constant(0)), step(sizes.size(), constant(1));
  scf::ParallelOp::create(
      builder, loc, lower, sizes, step, [&](OpBuilder &inside, Location at, ValueRange index) {
        Value element = memref::LoadOp::create(inside, at, copy.getSource(), index);
        memref::StoreOp::create(inside, at, element, copy.getTarget(), index);
      });
  copy.erase();
}

void rooftile::prepareBody(scf::ParallelOp loop) {
  SmallVector<memref::CopyOp> copies;
  SmallVector<memref::GetGlobalOp> globals;
  loop.getBody()->walk([&](Operation *op) {
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      copies.push_back(copy);
    else if (auto global = dyn_cast<memref::GetGlobalOp>(op))
      globals.push_back(global);
  });
  for (memref::CopyOp copy : copies)
    copyToLoop(copy);
  for (memref::GetGlobalOp global : globals)
    global->moveBefore(loop);
}

/// Memory of the thread in place of `buffer`, known as such: AMD GPUs have addresses of their own
/// for it.
static void replaceByPrivate(Block *body, Operation *buffer, IntegerAttr alignment) {
  Location loc = buffer->getLoc();
  auto type = cast<MemRefType>(buffer->getResult(0).getType());
  if (type.getMemorySpace())
    return buffer->moveBefore(body, body->begin());
  OpBuilder builder = OpBuilder::atBlockBegin(body);
  auto space = gpu::AddressSpaceAttr::get(type.getContext(), gpu::AddressSpace::Private);
  auto own = MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(), space);
  Value memory = memref::AllocaOp::create(builder, loc, own, alignment);
  Value generic = memref::MemorySpaceCastOp::create(builder, loc, type, memory);
  buffer->getResult(0).replaceAllUsesWith(generic);
  buffer->erase();
}

void rooftile::allocateOnStack(gpu::LaunchOp launch) {
  Block *body = &launch.getBody().front();
  SmallVector<memref::AllocOp> allocs;
  SmallVector<memref::AllocaOp> allocas;
  SmallVector<memref::DeallocOp> deallocs;
  launch.walk([&](Operation *op) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      allocs.push_back(alloc);
    else if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      deallocs.push_back(dealloc);
    else if (auto alloca = dyn_cast<memref::AllocaOp>(op); alloca && alloca->getNumOperands() == 0)
      allocas.push_back(alloca);
  });
  for (memref::DeallocOp dealloc : deallocs)
    dealloc.erase();
  for (memref::AllocOp alloc : allocs)
    replaceByPrivate(body, alloc, alloc.getAlignmentAttr());
  for (memref::AllocaOp alloca : allocas)
    replaceByPrivate(body, alloca, alloca.getAlignmentAttr());
}
