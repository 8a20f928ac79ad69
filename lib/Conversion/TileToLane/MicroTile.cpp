//===- MicroTile.cpp - A tile program as the code of one thread -----------===//
//
// Register matrices become the scalars that one thread holds, buffers become
// flat shared memory, collectives become what this thread does of them: its
// loads, its stores, its micro tile of FMAs.
//
// Afterwards no operation of `tile` is left; a program that cannot be converted
// is an error on the operation that is to blame.
//
//===----------------------------------------------------------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "micro-tile"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace rooftile {
#define GEN_PASS_DEF_MICROTILE
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// False for kernels of others, which are left alone.
static bool isTileProgram(gpu::GPUFuncOp kernel) {
  auto isTile = [](Operation *op) { return isa_and_nonnull<TileDialect>(op->getDialect()); };
  return kernel
      .walk([&](Operation *op) {
        return isTile(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Drops marks of loops that passes over tile programs left for each other, except the mark of the
/// K loop, which carry-counters reads.
static void dropMarks(Operation *root) {
  root->walk([](scf::ForOp loop) {
    for (StringRef mark :
         {TileDialect::kLeastStepsName, TileDialect::kPrefetchName, TileDialect::kRemainderLastName,
          TileDialect::kUnrollName, TileDialect::kSlicesName, TileDialect::kPipelinedName})
      loop->removeDiscardableAttr(mark);
  });
}

/// A map is over all threads of the workgroup, or is the same for each.
static LogicalResult checkThreads(gpu::GPUFuncOp kernel) {
  auto block = kernel.getKnownBlockSize();
  if (!block && !isTileProgram(kernel))
    return success();
  if (!block)
    return kernel.emitOpError("has no known_block_size: maps need the number of threads");
  int64_t threads = block->front();
  WalkResult result = kernel.walk([&](Operation *op) {
    SmallVector<MapAttr> maps;
    for (Type type : op->getResultTypes())
      if (auto matrix = dyn_cast<MatrixType>(type))
        maps.push_back(matrix.getMap());
    if (auto copy = dyn_cast<CopyOp>(op))
      maps.push_back(copy.getMap());
    for (MapAttr map : maps) {
      int64_t mapped = map.getNumThreads();
      if (mapped == 1 || mapped == threads)
        continue;
      op->emitOpError("has a map over ") << mapped << " threads in a workgroup of " << threads;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Buffers lie one after the other in dynamic shared memory, or over all others. Returns the bytes
/// that all of them need.
static int64_t placeBuffers(gpu::GPUFuncOp kernel) {
  int64_t bytes = 0, over = 0;
  kernel.walk([&](AllocOp alloc) {
    int64_t first = alloc.getOver() ? 0 : llvm::alignTo(bytes, kStageAlignment);
    alloc->setAttr(kByteOffsetName, IntegerAttr::get(IndexType::get(kernel.getContext()), first));
    int64_t own = alloc.getBuffer().getType().getBytes();
    over = std::max(over, alloc.getOver() ? own : 0);
    bytes = alloc.getOver() ? bytes : first + own;
  });
  return std::max(bytes, over);
}

/// Matrix -> its registers, each component of a complex element in its own; buffer -> flat memref
/// and element offset.
static void addConversions(TypeConverter &types) {
  types.addConversion([](Type type) { return type; });
  types.addConversion([](MatrixType type, SmallVectorImpl<Type> &results) {
    Type element = type.getElementType();
    results.append(type.getMap().getNumValues() * componentsOf(element), realTypeOf(element));
    return success();
  });
  types.addConversion([](BufferType type, SmallVectorImpl<Type> &results) {
    auto space = gpu::AddressSpaceAttr::get(type.getContext(), gpu::AddressSpace::Workgroup);
    results.push_back(MemRefType::get({ShapedType::kDynamic}, realTypeOf(type.getElementType()),
                                      AffineMap(), space));
    // Offset; with a swizzle the offset of the stage, row and column.
    results.append(type.getSwizzle() == 0 ? 1 : 3, IndexType::get(type.getContext()));
    return success();
  });
}

static bool holdsTiles(Operation *op) {
  auto isTile = [](Type type) { return isa<MatrixType, BufferType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTile) || llvm::any_of(op->getResultTypes(), isTile);
}

/// Erases reads that Update.cpp does later instead, before CSE merges the later ones with them.
static void eraseUnusedReads(Operation *root) {
  SmallVector<Operation *> reads;
  root->walk([&](Operation *op) {
    if (isa<memref::LoadOp, vector::LoadOp, vector::ToElementsOp>(op))
      reads.push_back(op);
  });
  for (Operation *read : llvm::reverse(reads))
    if (isOpTriviallyDead(read))
      read->erase();
}

namespace {
struct MicroTilePass : rooftile::impl::MicroTileBase<MicroTilePass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      if (failed(checkThreads(kernel)))
        return signalPassFailure();
      markOffsets(kernel);
      int64_t bytes = placeBuffers(kernel);
      if (failed(placeArrivals(kernel, bytes)))
        return signalPassFailure();
      numKernels += isTileProgram(kernel);
      LDBG() << "kernel " << kernel.getName() << ": " << bytes << " bytes of buffers";
    }
    TypeConverter types;
    addConversions(types);
    RewritePatternSet patterns(&getContext());
    populateBufferPatterns(types, patterns);
    populateAsyncCopyPatterns(types, patterns);
    populateBulkCopyPatterns(types, patterns);
    populateGlobalPatterns(types, patterns);
    populateUpdatePatterns(types, patterns);
    populateComputePatterns(types, patterns);
    populatePartPatterns(types, patterns);
    populateMatrixUnitPatterns(types, patterns);
    populateViewProductPatterns(types, patterns);
    populateChoosePatterns(types, patterns);
    populateCoordPatterns(types, patterns);
    ConversionTarget target(getContext());
    scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
    target.addIllegalDialect<TileDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *op) { return !holdsTiles(op); });
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    dropMarks(getOperation());
    eraseUnusedReads(getOperation());
  }
};
} // namespace
