//===- WarpgroupProducts.cpp - wgmma.mma_async ----------------------------===//
//
// lane.async_mma is one instruction of PTX, as text: LLVM has none for it. Accumulators are results
// that lie in the registers of operands, so that nothing is moved between instructions. What a wait
// finishes passes through it in the same way: nothing that uses it is moved before it.
//
// A factor is named by 64 bits (PTX ISA 9.0, "Matrix-descriptor format"): the address in shared
// memory, the bytes between panels and between groups of eight rows, all in units of 16 bytes, and
// the swizzle.
//
//===----------------------------------------------------------------------===//

#include "../LaneToGpu/KernelPreparation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "rooftile/Conversion/LaneToNvvm/LaneToNvvm.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rooftile;

/// Places of the fields, and their values.
static constexpr int64_t kAddressMask = 0x3FFFF, kUnitBits = 4, kPanelBit = 16, kGroupBit = 32,
                         kSwizzleBit = 62;

/// The descriptor of a factor whose first row begins at `pointer`: rows of 128 bytes, swizzled, in
/// groups of eight. Along K the distance of panels is not read; one is 1.
static Value describe(OpBuilder &builder, Location loc, Value pointer,
                      std::optional<int64_t> panelBytes) {
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto number = [&](Type type, int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, type, value);
  };
  constexpr int64_t kGroup = tile::kSharedRows * tile::kSharedRowBytes >> kUnitBits;
  int64_t panel = std::max<int64_t>(1, panelBytes.value_or(0) >> kUnitBits);
  Value address = LLVM::PtrToIntOp::create(builder, loc, i32, pointer);
  address = LLVM::AndOp::create(builder, loc, address, number(i32, kAddressMask));
  address = LLVM::LShrOp::create(builder, loc, address, number(i32, kUnitBits));
  Value wide = LLVM::ZExtOp::create(builder, loc, i64, address);
  int64_t layout = panel << kPanelBit | kGroup << kGroupBit | int64_t(1) << kSwizzleBit;
  return LLVM::OrOp::create(builder, loc, wide, number(i64, layout));
}

namespace {
struct AsyncMmaPattern : OpRewritePattern<lane::AsyncMmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::AsyncMmaOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    const tile::Instruction &own = *tile::findInstruction(op.getInstruction().getName());
    Value factors[] = {
        describe(rewriter, loc, elementPointer(rewriter, loc, op.getA(), op.getAIndex()),
                 op.getPanelsOfA()),
        describe(rewriter, loc, elementPointer(rewriter, loc, op.getB(), op.getBIndex()),
                 op.getPanelsOfB())};
    if (op.getFirst())
      NVVM::WgmmaFenceAlignedOp::create(rewriter, loc);
    SmallVector<Value> sums =
        createTied(rewriter, loc, factors, "l,l", op.getC(), "f", textOf(op, own));
    if (op.getLast())
      NVVM::WgmmaGroupSyncAlignedOp::create(rewriter, loc);
    rewriter.replaceOp(op, sums);
    return success();
  }

  /// D = A * B + D, nothing negated; 0 for a factor along K, 1 for one in panels, where there may
  /// be panels.
  static std::string textOf(lane::AsyncMmaOp op, const tile::Instruction &own) {
    int64_t count = op.getC().size();
    std::string name = llvm::formatv(own.intrinsic.data(), op.getRepeated() * own.n), registers;
    for (int64_t index = 0; index < count; ++index)
      registers += (index == 0 ? "$" : ", $") + std::to_string(index);
    std::string orders = own.needsRowsOfK ? ""
                                          : std::string(op.getPanelsOfA() ? ", 1" : ", 0") +
                                                (op.getPanelsOfB() ? ", 1" : ", 0");
    return "{\n\t.reg .pred adds;\n\tsetp.ne.b32 adds, 1, 0;\n\t" + name + " {" + registers +
           "}, $" + std::to_string(count) + ", $" + std::to_string(count + 1) + ", adds, 1, 1" +
           orders + ";\n\t}";
  }
};

struct FinishPattern : OpRewritePattern<lane::FinishOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::FinishOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, createTied(rewriter, op.getLoc(), {}, "", op.getSums(), "f",
                                      "wgmma.wait_group.sync.aligned 0;"));
    return success();
  }
};

/// That of the first lane: ptxas computes with it in registers of the subgroup.
struct UniformPattern : OpRewritePattern<lane::UniformOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::UniformOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type(), index = rewriter.getIndexType();
    auto number = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, i32, value);
    };
    Value own = arith::IndexCastOp::create(rewriter, loc, i32, op.getNumber());
    Value first = NVVM::ShflOp::create(rewriter, loc, i32, number(-1), own, number(0), number(31),
                                       NVVM::ShflKind::idx, UnitAttr());
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, index, first);
    return success();
  }
};

struct FencePattern : OpRewritePattern<lane::FenceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::FenceOp op, PatternRewriter &rewriter) const override {
    createText(rewriter, op.getLoc(), {}, "fence.proxy.async.shared::cta;", "~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void rooftile::populateWarpgroupProductToNvvmPatterns(RewritePatternSet &patterns) {
  patterns.add<AsyncMmaPattern, FinishPattern, UniformPattern, FencePattern>(patterns.getContext());
}
