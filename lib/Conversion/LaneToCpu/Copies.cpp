//===- Copies.cpp - Copies that arrive at a wait, on the host -------------===//
//
// The runtime keeps what each thread has on its way (lib/Runtime/Cpu/Copies.cpp):
//
//   rooftileCpuCopy(thread, target, source, bytes, source bytes, site)
//   rooftileCpuCommit(thread)
//   rooftileCpuWait(thread, pending groups)
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "Coroutine.h"
#include "Record.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Conversion/LaneToCpu/LaneToCpu.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;

static constexpr StringLiteral kCopy = "rooftileCpuCopy", kCommit = "rooftileCpuCommit",
                               kWait = "rooftileCpuWait";

static bool isAsyncCopy(Operation *op) {
  return isa<lane::CopyOp, lane::CommitOp, lane::WaitOp>(op);
}

LogicalResult rooftile::declareFunctions(ModuleOp module, function_ref<bool(Operation *)> calls,
                                         ArrayRef<RuntimeFunction> functions) {
  WalkResult called = module.walk(
      [&](Operation *op) { return calls(op) ? WalkResult::interrupt() : WalkResult::advance(); });
  if (!called.wasInterrupted())
    return success();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto nothing = LLVM::LLVMVoidType::get(module.getContext());
  for (auto &[name, arguments] : functions) {
    if (Operation *present = module.lookupSymbol(name))
      return present->emitOpError("has the name '") << name << "', which compiled code calls";
    LLVM::LLVMFuncOp::create(builder, module.getLoc(), name,
                             LLVM::LLVMFunctionType::get(nothing, arguments));
  }
  return success();
}

Value rooftile::runtimeNumber(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), value);
}

void rooftile::callRuntime(OpBuilder &builder, Location loc, StringRef function,
                           ValueRange operands) {
  LLVM::CallOp::create(builder, loc, TypeRange(), function, operands);
}

LogicalResult rooftile::declareAsyncCopies(ModuleOp module) {
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  Type i64 = IntegerType::get(module.getContext(), 64);
  const RuntimeFunction functions[] = {{kCopy, {pointer, pointer, pointer, i64, i64, i64}},
                                       {kCommit, {pointer}},
                                       {kWait, {pointer, i64}}};
  return declareFunctions(module, isAsyncCopy, functions);
}

Value rooftile::elementAddress(OpBuilder &builder, Location loc, Value memref, Value index) {
  Type i64 = builder.getI64Type(), element = cast<MemRefType>(memref.getType()).getElementType();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  Value number = arith::IndexCastOp::create(builder, loc, i64, start);
  Value base = LLVM::IntToPtrOp::create(builder, loc, pointer, number);
  Value place = arith::IndexCastOp::create(builder, loc, i64, index);
  return LLVM::GEPOp::create(builder, loc, pointer, element, base, ArrayRef<LLVM::GEPArg>{place});
}

static void callCopy(OpBuilder &builder, lane::CopyOp op, Value thread) {
  Location loc = op.getLoc();
  Type i64 = builder.getI64Type();
  Value bytes = LLVM::ConstantOp::create(builder, loc, i64, op.getBytes()), read = bytes;
  if (op.getFirst()) {
    Value left = arith::IndexCastOp::create(builder, loc, i64, op.getFirst());
    Value each = LLVM::ConstantOp::create(builder, loc, i64, op.getBytes() / op.getElements());
    read = arith::MinSIOp::create(builder, loc, arith::MulIOp::create(builder, loc, left, each),
                                  bytes);
  }
  if (op.getInside()) {
    Value none = LLVM::ConstantOp::create(builder, loc, i64, 0);
    read = LLVM::SelectOp::create(builder, loc, op.getInside(), read, none);
  }
  auto number = op->getAttrOfType<IntegerAttr>(kSiteName);
  Value site = LLVM::ConstantOp::create(builder, loc, i64, number ? number.getInt() : 0);
  Value target = elementAddress(builder, loc, op.getTarget(), op.getTargetIndex());
  Value source = elementAddress(builder, loc, op.getSource(), op.getSourceIndex());
  LLVM::CallOp::create(builder, loc, TypeRange(), kCopy,
                       ValueRange{thread, target, source, bytes, read, site});
}

namespace {
struct CopyPattern : ThreadPattern<lane::CopyOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult matchAndRewrite(lane::CopyOp op, PatternRewriter &rewriter) const override {
    callCopy(rewriter, op, thread);
    rewriter.eraseOp(op);
    return success();
  }
};

struct CommitPattern : ThreadPattern<lane::CommitOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult matchAndRewrite(lane::CommitOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, TypeRange(), kCommit, ValueRange{thread});
    return success();
  }
};

struct WaitPattern : ThreadPattern<lane::WaitOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult matchAndRewrite(lane::WaitOp op, PatternRewriter &rewriter) const override {
    if (op.getProducts())
      return failure();
    Value pending =
        LLVM::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI64Type(), op.getPending());
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, TypeRange(), kWait, ValueRange{thread, pending});
    return success();
  }
};
} // namespace

void rooftile::populateAsyncCopyToCpuPatterns(RewritePatternSet &patterns, Value thread) {
  patterns.add<CopyPattern, CommitPattern, WaitPattern>(patterns.getContext(), thread);
}

//===----------------------------------------------------------------------===//
// Bulk copies and their arrival, on the host
//
// The runtime keeps the counters of each workgroup (lib/Runtime/Cpu/Copies.h):
//
//   rooftileCpuArrivals(thread, counters, stages, copiers)
//   rooftileCpuExpect(thread, counter, bytes)
//   rooftileCpuBulkCopy(thread, target, source, bytes, counter, site)
//   rooftileCpuTensorCopy(thread, target, descriptor, element, vector, counter, site)
//
// Descriptors are the runtime's own here, made by rooftileCpuTensorMap. At a wait the thread is
// suspended, and resumed when the phase is complete.
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kArrivals = "rooftileCpuArrivals", kExpect = "rooftileCpuExpect",
                               kBulkCopy = "rooftileCpuBulkCopy",
                               kTensorCopy = "rooftileCpuTensorCopy";
/// The function that makes descriptors, of the hardware and here.
static constexpr StringLiteral kTensorMap = "rooftileTensorMap",
                               kCpuTensorMap = "rooftileCpuTensorMap";

static bool isCalled(Operation *op) {
  return isa<lane::ElectOp, lane::ArrivalsOp, lane::ExpectOp, lane::BulkCopyOp, lane::TensorCopyOp>(
      op);
}

LogicalResult rooftile::declareBulkCopies(ModuleOp module) {
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  Type i64 = IntegerType::get(module.getContext(), 64);
  const RuntimeFunction functions[] = {
      {kArrivals, {pointer, pointer, i64, i64}},
      {kExpect, {pointer, pointer, i64}},
      {kBulkCopy, {pointer, pointer, pointer, i64, pointer, i64}},
      {kTensorCopy, {pointer, pointer, pointer, i64, i64, pointer, i64}}};
  if (failed(declareFunctions(module, isCalled, functions)))
    return failure();
  auto describe = module.lookupSymbol<func::FuncOp>(kTensorMap);
  if (!describe)
    return success();
  if (Operation *present = module.lookupSymbol(kCpuTensorMap))
    return present->emitOpError("has the name '")
           << kCpuTensorMap << "', which compiled code calls";
  auto name = StringAttr::get(module.getContext(), kCpuTensorMap);
  if (failed(SymbolTable::replaceAllSymbolUses(describe, name, module)))
    return describe.emitOpError("has uses that cannot be renamed");
  describe.setSymNameAttr(name);
  return success();
}

static Value fieldOf(OpBuilder &builder, Location loc, Value thread, int64_t offset) {
  return LLVM::GEPOp::create(builder, loc, thread.getType(), builder.getI8Type(), thread,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

namespace {
/// The first of so many neighbours.
struct ElectPattern : ThreadPattern<lane::ElectOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult matchAndRewrite(lane::ElectOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value id = LLVM::LoadOp::create(rewriter, loc, rewriter.getI64Type(),
                                    fieldOf(rewriter, loc, thread, ThreadLayout::threadId));
    Value digit =
        LLVM::URemOp::create(rewriter, loc, id, runtimeNumber(rewriter, loc, op.getThreads()));
    Value zero = runtimeNumber(rewriter, loc, 0);
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::eq, digit, zero);
    return success();
  }
};

struct BulkCopyPattern : ThreadPattern<lane::BulkCopyOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult matchAndRewrite(lane::BulkCopyOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto site = op->getAttrOfType<IntegerAttr>(kSiteName);
    Value operands[] = {thread,
                        elementAddress(rewriter, loc, op.getTarget(), op.getTargetIndex()),
                        elementAddress(rewriter, loc, op.getSource(), op.getSourceIndex()),
                        runtimeNumber(rewriter, loc, op.getBytes()),
                        elementAddress(rewriter, loc, op.getCounters(), op.getStage()),
                        runtimeNumber(rewriter, loc, site ? site.getInt() : 0)};
    callRuntime(rewriter, loc, kBulkCopy, operands);
    rewriter.eraseOp(op);
    return success();
  }
};

struct TensorCopyPattern : ThreadPattern<lane::TensorCopyOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult matchAndRewrite(lane::TensorCopyOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    auto wide = [&](Value index) -> Value {
      return arith::IndexCastOp::create(rewriter, loc, rewriter.getI64Type(), index);
    };
    Value descriptor =
        UnrealizedConversionCastOp::create(rewriter, loc, pointer, op.getDescriptor()).getResult(0);
    auto site = op->getAttrOfType<IntegerAttr>(kSiteName);
    Value operands[] = {thread,
                        elementAddress(rewriter, loc, op.getTarget(), op.getTargetIndex()),
                        descriptor,
                        wide(op.getElement()),
                        wide(op.getVector()),
                        elementAddress(rewriter, loc, op.getCounters(), op.getStage()),
                        runtimeNumber(rewriter, loc, site ? site.getInt() : 0)};
    callRuntime(rewriter, loc, kTensorCopy, operands);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ExpectPattern : ThreadPattern<lane::ExpectOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult matchAndRewrite(lane::ExpectOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value counter = elementAddress(rewriter, loc, op.getCounters(), op.getStage());
    callRuntime(rewriter, loc, kExpect,
                {thread, counter, runtimeNumber(rewriter, loc, op.getBytes())});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ArrivalsPattern : ThreadPattern<lane::ArrivalsOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult matchAndRewrite(lane::ArrivalsOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    callRuntime(rewriter, loc, kArrivals,
                {thread, elementAddress(rewriter, loc, op.getCounters(), zero),
                 runtimeNumber(rewriter, loc, op.getStages()),
                 runtimeNumber(rewriter, loc, op.getCopiers())});
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void rooftile::populateBulkCopyToCpuPatterns(RewritePatternSet &patterns, Value thread) {
  patterns.add<ElectPattern, BulkCopyPattern, TensorCopyPattern, ExpectPattern, ArrivalsPattern>(
      patterns.getContext(), thread);
}

void rooftile::stateArrival(OpBuilder &builder, lane::ArrivedOp op, Value thread, int64_t place) {
  Location loc = op.getLoc();
  auto state = [&](Value value, int64_t offset) {
    LLVM::StoreOp::create(builder, loc, value, fieldOf(builder, loc, thread, offset));
  };
  state(runtimeNumber(builder, loc, place), ThreadLayout::arrival);
  state(elementAddress(builder, loc, op.getCounters(), op.getStage()), ThreadLayout::counter);
  state(arith::IndexCastOp::create(builder, loc, builder.getI64Type(), op.getParity()),
        ThreadLayout::parity);
}
