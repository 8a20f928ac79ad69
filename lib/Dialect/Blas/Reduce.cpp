//===- Reduce.cpp - blas.reduce: verifier, folders, effects ---------------===//
//
// The sum of partial results, slice by slice. As for blas.gemm, messages name
// the operand and both sizes or types; alpha = 1, beta = 0 and casts that only
// hide sizes fold away, and an output without elements leaves nothing.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "Verifiers.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/Overlap.h"
#include "rooftile/Dialect/Element.h"

#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static ShapedType shaped(Value value) { return cast<ShapedType>(value.getType()); }

/// True for a scalar that is known to be the real number `value`.
static bool isConstant(Value scalar, double value) {
  Attribute attribute;
  if (!matchPattern(scalar, m_Constant(&attribute)))
    return false;
  auto is = [](Attribute part, double value) {
    return cast<FloatAttr>(part).getValueAsDouble() == value;
  };
  if (auto parts = dyn_cast<ArrayAttr>(attribute))
    return is(parts[0], value) && is(parts[1], 0);
  return isa<FloatAttr>(attribute) && is(attribute, value);
}

bool ReduceOp::readsC() { return getBeta() && !isConstant(getBeta(), 0); }
int64_t ReduceOp::getSlices() { return shaped(getW()).getDimSize(0); }

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

static LogicalResult verifyOperands(ReduceOp op) {
  bool tensor = isa<TensorType>(op.getC().getType());
  for (auto [name, value] : {std::pair("W", op.getW()), std::pair("C", op.getC())}) {
    auto memref = dyn_cast<MemRefType>(value.getType());
    if (memref && !memref.isStrided())
      return op.emitOpError("operand ") << name << " has no strides: " << memref;
    if (!isElementType(shaped(value).getElementType()))
      return op.emitOpError("operand ")
             << name << " has elements of " << shaped(value).getElementType()
             << ", expected f16, bf16, f32, f64, complex<f32> or complex<f64>";
  }
  if (isa<TensorType>(op.getW().getType()) != tensor)
    return op.emitOpError("mixes tensors and memrefs: operand W is ")
           << op.getW().getType() << ", C is " << op.getC().getType();
  if (op.getResults().size() != (tensor ? 1 : 0))
    return op.emitOpError(tensor ? "on tensors has one result" : "on memrefs has no result");
  if (tensor && op.getResults()[0].getType() != op.getC().getType())
    return op.emitOpError("result is ")
           << op.getResults()[0].getType() << " but C is " << op.getC().getType();
  return success();
}

static LogicalResult verifyShapes(ReduceOp op) {
  ShapedType w = shaped(op.getW()), c = shaped(op.getC());
  if (c.getRank() < 2)
    return op.emitOpError("operand C has rank ") << c.getRank() << ", expected at least 2";
  for (auto [name, type] : {std::pair("W", w), {"C", c}})
    if (getPointers(type))
      return op.emitOpError("operand ")
             << name << " is a batch by pointers, " << type << ": blas.gemm alone accepts these";
  if (w.getRank() != c.getRank() + 1)
    return op.emitOpError("operand W has rank ")
           << w.getRank() << ", expected one more than C, " << c.getRank() + 1;
  for (int64_t dim = 0; dim < c.getRank(); ++dim) {
    int64_t ofW = w.getDimSize(dim + 1), ofC = c.getDimSize(dim);
    if (!ShapedType::isDynamic(ofW) && !ShapedType::isDynamic(ofC) && ofW != ofC)
      return op.emitOpError("slices of W have size ")
             << ofW << " along dimension " << dim << " but C has " << ofC;
  }
  return success();
}

static LogicalResult verifyTypes(ReduceOp op) {
  Type w = shaped(op.getW()).getElementType(), c = shaped(op.getC()).getElementType();
  if (isa<ComplexType>(w) != isa<ComplexType>(c) || !holdsExactly(w, c))
    return op.emitOpError("accumulators of ") << w << " do not hold elements of C of " << c;
  for (auto [name, value] : {std::pair("alpha", op.getAlpha()), std::pair("beta", op.getBeta())})
    if (value && value.getType() != w)
      return op.emitOpError("operand ")
             << name << " is " << value.getType() << " but slices are summed in " << w;
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyOperands(*this)) || failed(verifyShapes(*this)) || failed(verifyTypes(*this)))
    return failure();
  ArrayRef<int64_t> sizes = shaped(getC()).getShape().take_back(2);
  if (failed(verifyTriangle(*this, sizes[0], sizes[1])))
    return failure();
  auto c = dyn_cast<MemRefType>(getC().getType());
  return c ? verifyDistinct(*this, "C", c) : success();
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  bool changed = false;
  SmallVector<OpOperand *> matrices{&getWMutable(), &getCMutable()};
  for (OpOperand &extra : getExtrasMutable())
    matrices.push_back(&extra);
  changed |= foldCasts(matrices);
  if (getAlpha() && isConstant(getAlpha(), 1)) {
    getAlphaMutable().clear();
    changed = true;
  }
  if (getBeta() && isConstant(getBeta(), 0)) {
    getBetaMutable().clear();
    changed = true;
  }
  return success(changed);
}

namespace {
/// A size of C is 0: nothing to compute.
struct DropEmptySum : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    if (!llvm::is_contained(shaped(op.getC()).getShape(), 0))
      return rewriter.notifyMatchFailure(op, "the output has elements");
    rewriter.replaceOp(op, op.hasTensorSemantics() ? ValueRange(op.getC()) : ValueRange());
    return success();
  }
};
} // namespace

void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropEmptySum>(context);
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

ExchangeShare rooftile::blas::exchangeShare(int64_t rows, int64_t columns, int64_t threads,
                                            int64_t vector) {
  for (;; threads /= 2) {
    for (int64_t width = vector; width >= 1; width /= 2) {
      // Threads lie along the columns first, the rest of them across.
      int64_t along = columns % width == 0 ? std::gcd(columns / width, threads) : 0;
      if (along > 0 && rows % (threads / along) == 0)
        return {width, threads};
    }
    if (threads % 2 != 0)
      return {};
  }
}

//===----------------------------------------------------------------------===//
// Memory effects
//===----------------------------------------------------------------------===//

void ReduceOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (hasTensorSemantics())
    return;
  auto add = [&](MemoryEffects::Effect *effect, OpOperand &operand) {
    effects.emplace_back(effect, &operand, SideEffects::DefaultResource::get());
  };
  add(MemoryEffects::Read::get(), getWMutable());
  for (OpOperand &extra : getExtrasMutable())
    if (isa<MemRefType>(extra.get().getType()))
      add(MemoryEffects::Read::get(), extra);
  if (readsC())
    add(MemoryEffects::Read::get(), getCMutable());
  add(MemoryEffects::Write::get(), getCMutable());
}
