//===- LaneToGpu.cpp - Lowerings that GPUs of both vendors share ----------===//

#include "rooftile/Conversion/LaneToGpu/LaneToGpu.h"
#include "KernelPreparation.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;

//===----------------------------------------------------------------------===//
// Fences of the compiler
//===----------------------------------------------------------------------===//

namespace {
struct CompilerFencePattern : OpRewritePattern<lane::CompilerFenceOp> {
  CompilerFencePattern(MLIRContext *context, RegisterConstraint constraintOf)
      : OpRewritePattern(context), constraintOf(constraintOf) {}

  LogicalResult matchAndRewrite(lane::CompilerFenceOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getValues().empty())
      createText(rewriter, op.getLoc(), {}, /*text=*/"", "~{memory}");
    if (op.getScalar()) {
      // One for all: LLVM would order loads of constant memory by several of them.
      rewriter.replaceOp(op, createTied(rewriter, op.getLoc(), {}, "", op.getValues(), "s", ""));
      return success();
    }
    SmallVector<Value> fenced;
    for (Value value : op.getValues())
      fenced.push_back(fence(rewriter, op.getLoc(), value));
    rewriter.replaceOp(op, fenced);
    return success();
  }

private:
  /// A result that is the same register as the operand, of which LLVM assumes nothing else.
  Value fence(OpBuilder &builder, Location loc, Value value) const {
    StringRef constraint = constraintOf(value.getType());
    if (constraint.empty())
      return value;
    return createTied(builder, loc, {}, "", value, constraint, "").front();
  }

  RegisterConstraint constraintOf;
};
} // namespace

void rooftile::populateCompilerFencePatterns(RewritePatternSet &patterns,
                                             RegisterConstraint constraintOf) {
  patterns.add<CompilerFencePattern>(patterns.getContext(), constraintOf);
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

namespace {
/// Both are the same pointer.
struct AsRealPattern : OpRewritePattern<lane::AsRealOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(lane::AsRealOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<UnrealizedConversionCastOp>(op, op.getResult().getType(),
                                                            op.getSource());
    return success();
  }
};

struct PointerPattern : OpRewritePattern<lane::PointerOp> {
  PointerPattern(MLIRContext *context, unsigned space) : OpRewritePattern(context), space(space) {}

  LogicalResult matchAndRewrite(lane::PointerOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    auto own = LLVM::LLVMPointerType::get(rewriter.getContext(), space);
    Value base = LLVM::IntToPtrOp::create(rewriter, loc, own, op.getAddress());
    if (space != 0)
      base = LLVM::AddrSpaceCastOp::create(rewriter, loc, pointer, base);
    auto descriptor = LLVM::LLVMStructType::getLiteral(rewriter.getContext(),
                                                       {pointer, pointer, rewriter.getI64Type()});
    Value zero = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64Type(), 0);
    Value value = LLVM::UndefOp::create(rewriter, loc, descriptor);
    const std::pair<Value, int64_t> parts[] = {{base, 0}, {base, 1}, {zero, 2}};
    for (auto [part, index] : parts)
      value = LLVM::InsertValueOp::create(rewriter, loc, value, part, ArrayRef<int64_t>{index});
    rewriter.replaceOpWithNewOp<UnrealizedConversionCastOp>(op, op.getPointer().getType(), value);
    return success();
  }

private:
  unsigned space;
};
} // namespace

void rooftile::populateLanePointerPatterns(RewritePatternSet &patterns, unsigned globalSpace) {
  patterns.add<AsRealPattern>(patterns.getContext());
  patterns.add<PointerPattern>(patterns.getContext(), globalSpace);
}

//===----------------------------------------------------------------------===//
// Multiply-adds
//===----------------------------------------------------------------------===//

namespace {
struct MultiplyAddPattern : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FmaOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::FMAOp>(op, op.getA(), op.getB(), op.getC());
    return success();
  }
};
} // namespace

void rooftile::populateMultiplyAddPatterns(RewritePatternSet &patterns) {
  patterns.add<MultiplyAddPattern>(patterns.getContext());
}
