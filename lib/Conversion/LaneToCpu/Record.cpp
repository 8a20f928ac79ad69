//===- Record.cpp - Kernels that report their accesses --------------------===//
//
//   %x = vector.load %shared[%i] : memref<?xf32, workgroup>, vector<4xf32>
// becomes
//   llvm.call @rooftileCpuRead(%thread, %address, 16, 16, %site)
//   %x = vector.load ...
//
//   vector.store %sum, %global[%i] : memref<?xf32>, vector<4xf32>
// becomes
//   vector.store ...
//   llvm.call @rooftileCpuGlobal(%thread, %address, 16, %store, %site)
//
// The runtime keeps shadow memory of these accesses (lib/Runtime/Cpu/Shadow.h, GlobalShadow.h).
// Private memory of a thread is not recorded.
//
//===----------------------------------------------------------------------===//

#include "Record.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include <numeric>

using namespace mlir;
using namespace rooftile;

namespace {
enum class Effect : int64_t { Read, Store, Add };

/// An access of an operation.
struct RecordedAccess {
  Value memref;
  OperandRange indices;
  Type type;
  int64_t alignment;
  Effect effect;
};
} // namespace

static int64_t bytesOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * bytesOf(vector.getElementType());
  return type.isIndex() ? 8 : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

static bool isShared(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

/// The memory that views of it name.
static Value rootOf(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

static bool isGlobal(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type || gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return false;
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  bool isPrivate = space && space.getValue() == gpu::AddressSpace::Private;
  return !isPrivate && !rootOf(value).getDefiningOp<memref::AllocaOp>();
}

static std::optional<RecordedAccess> accessOf(Operation *op) {
  auto access = [](auto op, Value memref, Type type,
                   Effect effect) -> std::optional<RecordedAccess> {
    if (!isShared(memref) && !isGlobal(memref))
      return std::nullopt;
    int64_t element = bytesOf(cast<MemRefType>(memref.getType()).getElementType());
    int64_t alignment = op.getAlignment().value_or(element);
    return RecordedAccess{memref, op.getIndices(), type, alignment, effect};
  };
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return access(load, load.getMemRef(), load.getType(), Effect::Read);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return access(store, store.getMemRef(), store.getValue().getType(), Effect::Store);
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return access(load, load.getBase(), load.getVectorType(), Effect::Read);
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return access(store, store.getBase(), store.getVectorType(), Effect::Store);
  if (auto add = dyn_cast<memref::AtomicRMWOp>(op); add && isGlobal(add.getMemref()))
    return RecordedAccess{add.getMemref(), add.getIndices(), add.getType(), bytesOf(add.getType()),
                          Effect::Add};
  if (auto copy = dyn_cast<lane::CopyOp>(op); copy && isShared(copy.getTarget())) {
    auto element = cast<MemRefType>(copy.getTarget().getType()).getElementType();
    auto type = VectorType::get({static_cast<int64_t>(copy.getElements())}, element);
    return RecordedAccess{copy.getTarget(), copy.getODSOperands(3), type, copy.getBytes(),
                          Effect::Store};
  }
  if (auto copy = dyn_cast<lane::BulkCopyOp>(op); copy && isShared(copy.getTarget())) {
    auto element = cast<MemRefType>(copy.getTarget().getType()).getElementType();
    auto type = VectorType::get({static_cast<int64_t>(copy.getElements())}, element);
    return RecordedAccess{copy.getTarget(), copy.getODSOperands(3), type, tile::kBulkBytes,
                          Effect::Store};
  }
  if (auto copy = dyn_cast<lane::TensorCopyOp>(op); copy && isShared(copy.getTarget())) {
    auto element = cast<MemRefType>(copy.getTarget().getType()).getElementType();
    auto type = VectorType::get({static_cast<int64_t>(copy.getElements())}, element);
    return RecordedAccess{copy.getTarget(), copy.getODSOperands(4), type, tile::kBoxBytes,
                          Effect::Store};
  }
  return std::nullopt;
}

LogicalResult rooftile::checkRecordable(Operation *kernel) {
  WalkResult walk = kernel->walk([](Operation *op) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || accessOf(op) ||
        isa<lane::AsyncMmaOp>(op))
      return WalkResult::advance();
    for (Value operand : op->getOperands())
      if (isShared(operand) && (effects.getEffectOnValue<MemoryEffects::Read>(operand) ||
                                effects.getEffectOnValue<MemoryEffects::Write>(operand))) {
        op->emitOpError("cannot be recorded: it accesses shared memory other than by memref.load, "
                        "memref.store, vector.load or vector.store");
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// "tile.load 3, gemm.mlir:3:5": names around a location in a file, as far as known.
static std::string placeText(Location location) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  while (auto name = dyn_cast<NameLoc>(location)) {
    stream << (text.empty() ? "" : ", ") << name.getName().getValue();
    location = name.getChildLoc();
  }
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    stream << (text.empty() ? "" : ", ") << file.getFilename().getValue() << ':' << file.getLine()
           << ':' << file.getColumn();
  return text;
}

int64_t Sites::add(Operation *op) {
  llvm::raw_string_ostream stream(text);
  stream << op->getName();
  if (auto access = accessOf(op)) {
    stream << " of " << access->type;
    granuleBytes = std::gcd(granuleBytes, std::gcd(bytesOf(access->type), access->alignment));
  }
  if (std::string place = placeText(op->getLoc()); !place.empty())
    stream << " (" << place << ')';
  stream << '\0';
  return ++count;
}

/// The address of the first element that is accessed.
static Value addressOf(OpBuilder &builder, Location loc, const RecordedAccess &access) {
  Type index = builder.getIndexType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIndexAttr(value));
  };
  auto view = memref::ExtractStridedMetadataOp::create(builder, loc, access.memref);
  Value place = view.getOffset();
  for (auto [position, stride] : llvm::zip_equal(access.indices, view.getStrides())) {
    Value step = arith::MulIOp::create(builder, loc, index, position, stride);
    place = arith::AddIOp::create(builder, loc, index, place, step);
  }
  int64_t element = bytesOf(cast<MemRefType>(access.memref.getType()).getElementType());
  Value bytes = arith::MulIOp::create(builder, loc, index, place, constant(element));
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, access.memref);
  Value address = arith::AddIOp::create(builder, loc, index, base, bytes);
  address = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
                                  address);
}

void rooftile::recordAccesses(FunctionOpInterface function, Value thread, Sites &sites) {
  SmallVector<std::pair<Operation *, RecordedAccess>> accesses;
  function->walk([&](Operation *op) {
    if (auto access = accessOf(op))
      accesses.push_back({op, *access});
    else if (isa<lane::AsyncMmaOp>(op)) // reads when it starts and when a wait finishes it
      op->setAttr(kSiteName, Builder(op).getI64IntegerAttr(sites.add(op)));
  });
  auto module = function->getParentOfType<ModuleOp>();
  auto read = module.lookupSymbol<LLVM::LLVMFuncOp>(kRecordRead);
  auto write = module.lookupSymbol<LLVM::LLVMFuncOp>(kRecordWrite);
  auto global = module.lookupSymbol<LLVM::LLVMFuncOp>(kRecordGlobal);
  for (auto &[op, access] : accesses) {
    OpBuilder builder(op);
    if (isa<lane::CopyOp, lane::BulkCopyOp, lane::TensorCopyOp>(op)) {
      // Writes when it starts and when it arrives: the runtime records both.
      op->setAttr(kSiteName, builder.getI64IntegerAttr(sites.add(op)));
      continue;
    }
    Location loc = op->getLoc();
    auto number = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), value);
    };
    bool writes = access.effect != Effect::Read, ofGlobal = isGlobal(access.memref);
    if (ofGlobal && writes)
      builder.setInsertionPointAfter(op); // the runtime compares what was stored
    int64_t detail = ofGlobal ? int64_t(access.effect) : access.alignment;
    LLVM::CallOp::create(builder, loc,
                         ofGlobal ? global
                         : writes ? write
                                  : read,
                         ValueRange{thread, addressOf(builder, loc, access),
                                    number(bytesOf(access.type)), number(detail),
                                    number(sites.add(op))});
  }
}
