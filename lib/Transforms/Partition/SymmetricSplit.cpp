//===- SymmetricSplit.cpp - Products of symmetric operations --------------===//
//
// One kernel computes products, of all of C or of one triangle, so the operations with a symmetric
// matrix are products before anything is planned:
//
//   syrk, herk:    C = alpha op(A) op(A)^T + beta C             ^H for the Hermitian ones
//   syr2k, her2k:  C = alpha op(A) op(B)^T + beta C             of the triangle alone
//                  C = alpha' op(B) op(A)^T + C                 alpha' = conj(alpha) for her2k
//   symm, hemm:    W = A, both triangles (blas.pack);  C = alpha W B + beta C
//   trtri:         W = 1;  W = A^-1 W;  C = W in the triangle
//
// W is memory of its own: the other triangles of A and of C are somebody else's.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Partition/SymmetricSplit.h"
#include "TriangularSteps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Kernel/AlignmentTests.h"
#include "rooftile/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "symmetric-split"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

namespace rooftile {
#define GEN_PASS_DEF_SYMMETRICSPLIT
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

/// The type in which products of elements of C are summed.
static Type sumTypeOf(SplitOpInterface op) {
  return getDefaultSumType(memrefType(op.getC()).getElementType());
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// A real scalar as one of the accumulator type; null stays null.
static Value widen(OpBuilder &builder, Value scalar, Type sum) {
  if (!scalar || scalar.getType() == sum)
    return scalar;
  Location loc = scalar.getLoc();
  if (auto known = getConstantValue(scalar, 0))
    return createScalar(builder, loc, sum, *known);
  Value zero = createScalar(builder, loc, scalar.getType(), 0);
  return complex::CreateOp::create(builder, loc, sum, scalar, zero);
}

static Value conjugate(OpBuilder &builder, Value scalar) {
  if (!scalar)
    return scalar;
  if (auto known = getConstantValue(scalar, 0))
    return createScalar(builder, scalar.getLoc(), scalar.getType(), std::conj(*known));
  Location loc = scalar.getLoc();
  Value re = complex::ReOp::create(builder, loc, scalar),
        im = complex::ImOp::create(builder, loc, scalar);
  return complex::CreateOp::create(builder, loc, scalar.getType(), re,
                                   arith::NegFOp::create(builder, loc, im));
}

//===----------------------------------------------------------------------===//
// Updates of one triangle
//===----------------------------------------------------------------------===//

namespace {
/// alpha op(A) op(B)^T + beta C, of a triangle of C.
struct Update {
  Value a, b, c, alpha, beta;
  Transpose transpose;
  Uplo uplo;
  bool hermitian;
  std::array<Role, 3> names = {Role::A, Role::B, Role::C}; ///< of the operation's own operands
};
} // namespace

/// Messages about `part` name operands of the operation that it is a part of.
static void nameOperands(Operation *part, ArrayRef<Role> names) {
  part->setAttr(BlasDialect::kOperandsName, operandNames(part->getContext(), names));
}

static void createUpdate(OpBuilder &builder, Location loc, const Update &update) {
  Transpose none = Transpose::None,
            across = update.hermitian ? Transpose::Adjoint : Transpose::Trans;
  bool stored = update.transpose == none;
  auto gemm = GemmOp::create(builder, loc, TypeRange(), update.a, update.b, update.c, update.alpha,
                             update.beta, stored ? none : across, stored ? across : none,
                             MathMode::Strict, /*anyOrder=*/false, TypeAttr(), PlanAttr());
  gemm.setTriangle(update.uplo);
  gemm.setRealDiagonal(update.hermitian);
  nameOperands(gemm, update.names);
}

/// blas.syrk and blas.herk.
template <typename Op> static void splitRankK(OpBuilder &builder, Op op, bool hermitian) {
  Type sum = sumTypeOf(op);
  createUpdate(builder, op.getLoc(),
               {op.getA(),
                op.getA(),
                op.getC(),
                widen(builder, op.getAlpha(), sum),
                widen(builder, op.getBeta(), sum),
                op.getTranspose(),
                op.getUplo(),
                hermitian,
                {Role::A, Role::A, Role::C}});
}

/// blas.syr2k and blas.her2k. The diagonal of the first product alone is not real, but its real
/// component is half of the sum's.
template <typename Op> static void splitRank2K(OpBuilder &builder, Op op, bool hermitian) {
  Type sum = sumTypeOf(op);
  Value one = createScalar(builder, op.getLoc(), sum, 1), alpha = op.getAlpha();
  Update first{op.getA(),         op.getB(),    op.getC(), alpha, widen(builder, op.getBeta(), sum),
               op.getTranspose(), op.getUplo(), hermitian};
  Update second = first;
  std::swap(second.a, second.b);
  std::swap(second.names[0], second.names[1]);
  second.alpha = hermitian ? conjugate(builder, alpha) : alpha, second.beta = one;
  scf::ExecuteRegionOp parts = beginParts(builder, op);
  createUpdate(builder, op.getLoc(), first);
  createUpdate(builder, op.getLoc(), second);
  endParts(builder, parts);
}

//===----------------------------------------------------------------------===//
// Products with a symmetric matrix
//===----------------------------------------------------------------------===//

/// Memory of the sizes of `like` around what `use` makes.
static void withWorkspace(OpBuilder &builder, Operation *op, Value like,
                          function_ref<void(Value)> use) {
  Location loc = op->getLoc();
  builder.setInsertionPoint(op);
  Value w = memref::AllocOp::create(builder, loc, memref::getMixedSizes(builder, loc, like),
                                    memrefType(like).getElementType());
  scf::ExecuteRegionOp parts = beginParts(builder, op);
  use(w);
  endParts(builder, parts);
  builder.setInsertionPoint(op);
  memref::DeallocOp::create(builder, loc, w);
}

/// The stored triangle, which stands for both.
static Structure structureOf(Uplo uplo, bool hermitian) {
  if (uplo == Uplo::Lower)
    return hermitian ? Structure::HermitianLower : Structure::SymmetricLower;
  return hermitian ? Structure::HermitianUpper : Structure::SymmetricUpper;
}

/// blas.symm and blas.hemm.
template <typename Op> static void splitProduct(OpBuilder &builder, Op op, bool hermitian) {
  withWorkspace(builder, op, op.getA(), [&](Value w) {
    auto pack = PackOp::create(builder, op.getLoc(), TypeRange(), op.getA(), w, Transpose::None,
                               structureOf(op.getUplo(), hermitian), PartsAttr(),
                               /*aligned=*/1, TilingAttr());
    nameOperands(pack, {Role::A, Role::A, Role::W});
    bool left = op.getSide() == Side::Left;
    auto gemm = GemmOp::create(builder, op.getLoc(), TypeRange(), left ? w : op.getB(),
                               left ? op.getB() : w, op.getC(), op.getAlpha(), op.getBeta(),
                               Transpose::None, Transpose::None, MathMode::Strict,
                               /*anyOrder=*/false, TypeAttr(), PlanAttr());
    nameOperands(gemm, {left ? Role::W : Role::B, left ? Role::B : Role::W, Role::C});
  });
}

//===----------------------------------------------------------------------===//
// Inverses
//===----------------------------------------------------------------------===//

/// The rows below the first of all but the last columns (lower), or the other way round: the
/// triangle in it with its diagonal is that of `matrix` without. Null where there is none.
static Value belowDiagonal(OpBuilder &builder, Location loc, Value matrix, Uplo uplo) {
  int64_t rank = memrefType(matrix).getRank();
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)),
      strides(rank, builder.getIndexAttr(1)), sizes = memref::getMixedSizes(builder, loc, matrix);
  offsets[rank - (uplo == Uplo::Lower ? 2 : 1)] = builder.getIndexAttr(1);
  for (OpFoldResult *size : {&sizes[rank - 2], &sizes[rank - 1]}) {
    if (auto known = getConstantIntValue(*size)) {
      *size = builder.getIndexAttr(*known - 1);
      continue;
    }
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value all = cast<Value>(*size);
    Value some = arith::MaxUIOp::create(builder, loc, all, one);
    *size = arith::SubIOp::create(builder, loc, some, one).getResult();
  }
  return memref::SubViewOp::create(builder, loc, matrix, offsets, sizes, strides);
}

/// One triangle of the only slice of W to C.
static void copyTriangle(OpBuilder &builder, Location loc, Value w, Value c, Uplo uplo) {
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, w);
  SmallVector<OpFoldResult> sizes{builder.getIndexAttr(1)}, strides{builder.getIndexAttr(0)};
  llvm::append_range(sizes, metadata.getConstifiedMixedSizes());
  llvm::append_range(strides, metadata.getConstifiedMixedStrides());
  Value slice = memref::ReinterpretCastOp::create(
      builder, loc, w, metadata.getConstifiedMixedOffset(), sizes, strides);
  ReduceOp::create(builder, loc, TypeRange(), slice, c, /*alpha=*/Value(), /*beta=*/Value(),
                   /*extras=*/ValueRange(), /*compensated=*/false,
                   UploAttr::get(builder.getContext(), uplo), /*realDiagonal=*/false, TilingAttr(),
                   /*extraDims=*/ArrayAttr(), /*epilogueCount=*/0);
}

static void invert(OpBuilder &builder, TrtriOp op, Value w) {
  Location loc = op.getLoc();
  Value a = op.getA() ? op.getA() : op.getC(), c = op.getC();
  fillWithIdentity(builder, loc, w);
  TrsmOp::create(builder, loc, TypeRange(), a, /*b=*/Value(), w, /*alpha=*/Value(), Side::Left,
                 op.getUplo(), Transpose::None, op.getDiag(), BlocksAttr());
  if (op.getDiag() == Diag::Unit) {
    if (memrefType(c).getShape().back() == 1)
      return;
    w = belowDiagonal(builder, loc, w, op.getUplo());
    c = belowDiagonal(builder, loc, c, op.getUplo());
  }
  copyTriangle(builder, loc, w, c, op.getUplo());
}

static void splitInverse(OpBuilder &builder, TrtriOp op) {
  withWorkspace(builder, op, op.getC(), [&](Value w) { invert(builder, op, w); });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

LogicalResult rooftile::splitSymmetric(RewriterBase &rewriter, SplitOpInterface op) {
  if (op.isOnTensors())
    return success();
  rewriter.setInsertionPoint(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](SyrkOp syrk) { splitRankK(rewriter, syrk, /*hermitian=*/false); })
      .Case([&](HerkOp herk) { splitRankK(rewriter, herk, /*hermitian=*/true); })
      .Case([&](Syr2kOp syr2k) { splitRank2K(rewriter, syr2k, /*hermitian=*/false); })
      .Case([&](Her2kOp her2k) { splitRank2K(rewriter, her2k, /*hermitian=*/true); })
      .Case([&](SymmOp symm) { splitProduct(rewriter, symm, /*hermitian=*/false); })
      .Case([&](HemmOp hemm) { splitProduct(rewriter, hemm, /*hermitian=*/true); })
      .Case([&](TrtriOp trtri) { splitInverse(rewriter, trtri); });
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct SymmetricSplitPass : rooftile::impl::SymmetricSplitBase<SymmetricSplitPass> {
  void runOnOperation() override {
    SmallVector<SplitOpInterface> ops;
    getOperation()->walk([&](SplitOpInterface op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (SplitOpInterface op : ops) {
      LDBG() << op->getName() << " at " << op.getLoc();
      numSplit += !op.isOnTensors();
      if (failed(splitSymmetric(rewriter, op)))
        return signalPassFailure();
    }
  }
};
} // namespace
