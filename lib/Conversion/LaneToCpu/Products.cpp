//===- Products.cpp - Products that arrive at a wait, on the host ---------===//
//
// The runtime multiplies at the wait for a product (lib/Runtime/Cpu/Products.h):
//
//   rooftileCpuMultiply(thread, instruction, a, b, registers, repetitions, format, panels of
//                       a, panels of b, last, site)
//   rooftileCpuWaitForProducts(thread, pending groups)
//   rooftileCpuFinish(thread, registers, count)
//   rooftileCpuFence(thread)
//
//===----------------------------------------------------------------------===//

#include "Products.h"
#include "Copies.h"
#include "Coroutine.h"
#include "MatrixUnits.h"
#include "rooftile/Conversion/LaneToCpu/LaneToCpu.h"

using namespace mlir;
using namespace rooftile;

static constexpr StringLiteral kMultiply = "rooftileCpuMultiply",
                               kWait = "rooftileCpuWaitForProducts", kFinish = "rooftileCpuFinish",
                               kFence = "rooftileCpuFence";

static bool isProduct(Operation *op) {
  auto wait = dyn_cast<lane::WaitOp>(op);
  return isa<lane::AsyncMmaOp, lane::FinishOp, lane::FenceOp>(op) || (wait && wait.getProducts());
}

LogicalResult rooftile::declareProducts(ModuleOp module) {
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  Type i64 = IntegerType::get(module.getContext(), 64);
  const RuntimeFunction functions[] = {
      {kMultiply, {pointer, pointer, pointer, pointer, pointer, i64, i64, i64, i64, i64, i64}},
      {kWait, {pointer, i64}},
      {kFinish, {pointer, pointer, i64}},
      {kFence, {pointer}}};
  return declareFunctions(module, isProduct, functions);
}

namespace {
/// Memory of a thread for registers that a function of the runtime changes.
class Registers {
public:
  Registers(OpBuilder &builder, Location loc, ValueRange values)
      : builder(builder), loc(loc), type(values.front().getType()), count(values.size()) {
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Operation *function = builder.getInsertionBlock()->getParentOp();
    while (!isa<LLVM::LLVMFuncOp>(function))
      function = function->getParentOp();
    OpBuilder entry = OpBuilder::atBlockBegin(&cast<LLVM::LLVMFuncOp>(function).getBody().front());
    memory = LLVM::AllocaOp::create(entry, loc, pointer, type, runtimeNumber(entry, loc, count));
    for (auto [index, value] : llvm::enumerate(values))
      LLVM::StoreOp::create(builder, loc, value, at(index));
  }
  Value get() const { return memory; }
  SmallVector<Value> load() const {
    SmallVector<Value> values;
    for (int64_t index = 0; index < count; ++index)
      values.push_back(LLVM::LoadOp::create(builder, loc, type, at(index)));
    return values;
  }

private:
  Value at(int64_t index) const {
    return LLVM::GEPOp::create(builder, loc, memory.getType(), type, memory,
                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
  }

  OpBuilder &builder;
  Location loc;
  Type type;
  int64_t count;
  Value memory;
};

struct AsyncMmaPattern : ThreadPattern<lane::AsyncMmaOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult matchAndRewrite(lane::AsyncMmaOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto site = op->getAttrOfType<IntegerAttr>(kSiteName);
    Type factors = op.getInstruction().getTypes()[0];
    int64_t format = factors.isF32() ? 2 : factors.isBF16() ? 1 : 0; // FactorFormat
    Registers registers(rewriter, loc, op.getC());
    Value operands[] = {thread,
                        descriptionOf(rewriter, loc, op.getInstruction()),
                        elementAddress(rewriter, loc, op.getA(), op.getAIndex()),
                        elementAddress(rewriter, loc, op.getB(), op.getBIndex()),
                        registers.get(),
                        runtimeNumber(rewriter, loc, op.getRepeated()),
                        runtimeNumber(rewriter, loc, format),
                        runtimeNumber(rewriter, loc, op.getPanelsOfA().value_or(-1)),
                        runtimeNumber(rewriter, loc, op.getPanelsOfB().value_or(-1)),
                        runtimeNumber(rewriter, loc, op.getLast()),
                        runtimeNumber(rewriter, loc, site ? site.getInt() : 0)};
    callRuntime(rewriter, loc, kMultiply, operands);
    rewriter.replaceOp(op, registers.load());
    return success();
  }
};

struct FinishPattern : ThreadPattern<lane::FinishOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult matchAndRewrite(lane::FinishOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Registers registers(rewriter, loc, op.getSums());
    callRuntime(rewriter, loc, kFinish,
                {thread, registers.get(), runtimeNumber(rewriter, loc, op.getSums().size())});
    rewriter.replaceOp(op, registers.load());
    return success();
  }
};

struct WaitPattern : ThreadPattern<lane::WaitOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult matchAndRewrite(lane::WaitOp op, PatternRewriter &rewriter) const override {
    if (!op.getProducts())
      return failure();
    callRuntime(rewriter, op.getLoc(), kWait,
                {thread, runtimeNumber(rewriter, op.getLoc(), op.getPending())});
    rewriter.eraseOp(op);
    return success();
  }
};

struct FencePattern : ThreadPattern<lane::FenceOp> {
  using ThreadPattern::ThreadPattern;

  LogicalResult matchAndRewrite(lane::FenceOp op, PatternRewriter &rewriter) const override {
    callRuntime(rewriter, op.getLoc(), kFence, thread);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void rooftile::populateProductToCpuPatterns(RewritePatternSet &patterns, Value thread) {
  patterns.add<AsyncMmaPattern, FinishPattern, WaitPattern, FencePattern>(patterns.getContext(),
                                                                          thread);
}
