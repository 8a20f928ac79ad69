//===- ParallelKernel.cpp - Parallel loops of host code as kernels --------===//
//
// Elementwise work between products (bias, activations, fills, copies) reaches this
// pass as scf.parallel. Each outermost loop becomes one gpu.launch over its
// iterations, counted row by row, 256 to a workgroup, so that neighbouring
// threads touch neighbouring elements. Sizes may be dynamic: a memref crosses as
// its pointer and the dynamic sizes and strides of its type, like the operands of
// every other kernel of the project.
//
// Loops inside of such a loop are sequential ones of its thread, what it allocates
// is memory of the thread. A loop that does what no thread can (launches, calls)
// runs on the host, one iteration after the other.
//
// Left alone: loops that reduce, loops inside kernels, everything sequential.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/OtherOps/ParallelKernel.h"
#include "HostFunctions.h"
#include "KernelBody.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Transforms/Thread/ScalarLoads.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "parallel-kernel"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_PARALLELKERNEL
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// Threads of a workgroup: a multiple of every subgroup, and enough of them fit on a unit.
static constexpr int64_t kThreads = 256;

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// Iterations along each dimension: max(0, ceil((upper - lower) / step)).
static SmallVector<Value> tripCounts(OpBuilder &builder, scf::ParallelOp loop) {
  Location loc = loop.getLoc();
  SmallVector<Value> counts;
  for (auto [lower, upper, step] :
       llvm::zip_equal(loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    Value span = builder.createOrFold<arith::SubIOp>(loc, upper, lower);
    Value count = builder.createOrFold<arith::CeilDivSIOp>(loc, span, step);
    counts.push_back(builder.createOrFold<arith::MaxSIOp>(loc, count, constant(builder, loc, 0)));
  }
  return counts;
}

/// A memref as the kernel sees it: rebuilt from a pointer and indices of the host.
static void passByPointer(OpBuilder &host, OpBuilder &kernel, Value memref, Region &body) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getRank() == 0 && type.getLayout().isIdentity())
    return; // is a pointer
  Location loc = memref.getLoc();
  auto metadata = memref::ExtractStridedMetadataOp::create(host, loc, memref);
  auto numbers = [](ArrayRef<int64_t> known, ValueRange dynamic) {
    SmallVector<OpFoldResult> mixed;
    for (auto [number, value] : llvm::zip_equal(known, dynamic))
      mixed.push_back(ShapedType::isDynamic(number)
                          ? OpFoldResult(value)
                          : IntegerAttr::get(IndexType::get(value.getContext()), number));
    return mixed;
  };
  auto [strides, offset] = type.getStridesAndOffset();
  Value view = memref::ReinterpretCastOp::create(
      kernel, loc, type, metadata.getBaseBuffer(), numbers(offset, metadata.getOffset())[0],
      numbers(type.getShape(), metadata.getSizes()), numbers(strides, metadata.getStrides()));
  replaceAllUsesInRegionWith(memref, view, body);
}

/// An index as the kernel gets it: compiled in, or an i64 of the host.
static void passNumber(OpBuilder &host, OpBuilder &kernel, Value index, Region &body) {
  Location loc = index.getLoc();
  Value inside;
  if (std::optional<int64_t> known = getConstantIntValue(index)) {
    inside = constant(kernel, loc, *known);
  } else {
    Value number = arith::IndexCastOp::create(host, loc, host.getI64Type(), index);
    inside = arith::IndexCastOp::create(kernel, loc, kernel.getIndexType(), number);
  }
  replaceAllUsesInRegionWith(index, inside, body);
}

/// Row-major coordinates of iteration `linear`, as values of the induction variables.
static SmallVector<Value> coordinates(OpBuilder &builder, scf::ParallelOp loop, Value linear,
                                      ArrayRef<Value> counts) {
  Location loc = loop.getLoc();
  SmallVector<Value> values(counts.size());
  for (int64_t dim = counts.size() - 1; dim >= 0; --dim) {
    Value index = linear;
    if (dim > 0) {
      index = arith::RemUIOp::create(builder, loc, linear, counts[dim]);
      linear = arith::DivUIOp::create(builder, loc, linear, counts[dim]);
    }
    Value distance = builder.createOrFold<arith::MulIOp>(loc, index, loop.getStep()[dim]);
    values[dim] = builder.createOrFold<arith::AddIOp>(loc, distance, loop.getLowerBound()[dim]);
  }
  return values;
}

/// The body of the loop for one thread: iteration workgroup * 256 + thread, if there is one.
static void fillKernel(gpu::LaunchOp launch, scf::ParallelOp loop, Value total,
                       ArrayRef<Value> counts) {
  Location loc = loop.getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(&launch.getBody().front());
  Value first =
      arith::MulIOp::create(builder, loc, launch.getBlockIds().x, constant(builder, loc, kThreads));
  Value linear = arith::AddIOp::create(builder, loc, first, launch.getThreadIds().x);
  Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, linear, total);
  auto guard = scf::IfOp::create(builder, loc, exists, /*withElse=*/false);
  gpu::TerminatorOp::create(builder, loc);
  OpBuilder inside = guard.getThenBodyBuilder();
  IRMapping mapping;
  mapping.map(loop.getInductionVars(), coordinates(inside, loop, linear, counts));
  for (Operation &op : loop.getBody()->without_terminator())
    inside.clone(op, mapping);
}

/// A scalar that host code loads from memory is loaded by the kernel.
static void loadInside(Value scalar, Region &body) {
  SmallVector<Operation *> loads = scalarLoads(scalar);
  if (loads.empty())
    return;
  OpBuilder kernel = OpBuilder::atBlockBegin(&body.front());
  IRMapping same;
  replaceAllUsesInRegionWith(scalar, repeatLoads(kernel, scalar, loads, same), body);
}

/// Kernels have pointers and i64 values as arguments: first memrefs, then what their views are made
/// of.
static void passCaptured(gpu::LaunchOp launch) {
  Region &body = launch.getBody();
  OpBuilder host(launch);
  llvm::SetVector<Value> scalars;
  getUsedValuesDefinedAbove(body, scalars);
  for (Value value : scalars)
    if (isa<FloatType, ComplexType>(value.getType()))
      loadInside(value, body);
  for (bool memrefs : {true, false}) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(body, captured);
    OpBuilder kernel = OpBuilder::atBlockBegin(&body.front());
    for (Value value : captured)
      if (memrefs && isa<MemRefType>(value.getType()))
        passByPointer(host, kernel, value, body);
      else if (!memrefs && value.getType().isIndex())
        passNumber(host, kernel, value, body);
  }
}

void rooftile::parallelToKernel(scf::ParallelOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> counts = tripCounts(builder, loop);
  Value total = counts.front(), one = constant(builder, loc, 1), zero = constant(builder, loc, 0);
  for (Value count : llvm::drop_begin(counts))
    total = builder.createOrFold<arith::MulIOp>(loc, total, count);
  Value threads = constant(builder, loc, kThreads);
  Value groups = builder.createOrFold<arith::CeilDivUIOp>(loc, total, threads);
  // A grid of 0 is an error of the driver.
  Value any = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, total, zero);
  if (!matchPattern(any, m_One()))
    builder = scf::IfOp::create(builder, loc, any, /*withElse=*/false).getThenBodyBuilder();
  auto launch = gpu::LaunchOp::create(builder, loc, groups, one, one, threads, one, one);
  fillKernel(launch, loop, total, counts);
  allocateOnStack(launch);
  passCaptured(launch);
  loop.erase();
}

static bool isStrided(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  return type && type.getRank() > 0 && !type.getLayout().isIdentity();
}

/// Outermost loops of host code that are kernels. What cannot be one is a sequential loop of the
/// host, whose inner loops may be.
static SmallVector<scf::ParallelOp> findKernels(func::FuncOp function) {
  SmallVector<scf::ParallelOp> kernels, sequential{nullptr};
  while (!sequential.empty()) {
    kernels.clear();
    sequential.clear();
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::LaunchOp>(op))
        return WalkResult::skip();
      auto loop = dyn_cast<scf::ParallelOp>(op);
      if (!loop || !loop.getInitVals().empty())
        return WalkResult::advance();
      (fitsKernel(loop) ? kernels : sequential).push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ParallelOp loop : sequential) {
      IRRewriter rewriter(loop);
      if (failed(scf::parallelForToNestedFors(rewriter, loop)))
        return kernels;
    }
  }
  return kernels;
}

/// Returns how many there are.
static int64_t loopsToKernels(ModuleOp module) {
  int64_t kernels = 0;
  for (auto function : module.getOps<func::FuncOp>())
    for (scf::ParallelOp loop : findKernels(function)) {
      LDBG() << "kernel of " << loop.getLoc();
      prepareBody(loop);
      parallelToKernel(loop);
      ++kernels;
    }
  return kernels;
}

namespace {
struct ParallelKernelPass : rooftile::impl::ParallelKernelBase<ParallelKernelPass> {
  void runOnOperation() override {
    numKernels += loopsToKernels(getOperation());
    // Only where there are kernels are copies the GPU's.
    SmallVector<memref::CopyOp> copies;
    for (func::FuncOp function : functionsOfDevice(getOperation()))
      function.walk([&](memref::CopyOp copy) {
        if (isStrided(copy.getSource()) || isStrided(copy.getTarget()))
          copies.push_back(copy);
      });
    for (memref::CopyOp copy : copies)
      copyToLoop(copy);
    if (!copies.empty())
      numKernels += loopsToKernels(getOperation());
  }
};
} // namespace
