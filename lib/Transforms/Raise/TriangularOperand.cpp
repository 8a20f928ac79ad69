//===- TriangularOperand.cpp - Products with a masked operand -------------===//
//
// A factor whose elements above (below) the diagonal are zeros is a triangle, whatever the others
// are: blas.trmm reads half of it. Where all others are those of the matrix that was masked, it
// reads this one, and the mask is computed for other readers only; so it does where the
// diagonal is ones, with diag<unit>.
//
// With memrefs the masked buffer is read: its source may have changed since. The mask is the last
// write to this buffer, with nothing in between that may write to it.
//
// Left alone: matrices that are not known to be square, a result that is added to C, a conjugated
// other factor, batches that the other factor lacks, operands narrower than C.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Raise/TriangularOperand.h"
#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "rooftile/Transforms/Raise/MaskedElements.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// Operations between a mask and the product that reads its buffer; the search ends there.
static constexpr int kMaxOperationsBetween = 64;

//===----------------------------------------------------------------------===//
// The mask
//===----------------------------------------------------------------------===//

/// The last operation that wrote the buffer `matrix` before `op`, all of it; null where that is
/// not known.
static linalg::LinalgOp lastWriter(linalg::LinalgOp op, Value matrix) {
  AliasAnalysis aliases(op->getParentOp());
  Value c = op.getDpsInits()[0];
  int64_t left = kMaxOperationsBetween;
  for (Operation *before = op->getPrevNode(); before && left-- > 0;
       before = before->getPrevNode()) {
    auto writer = dyn_cast<linalg::LinalgOp>(before);
    if (writer && writer.getNumDpsInits() == 1 && writer.getDpsInits()[0] == matrix)
      return writer;
    // C does not overlap what the product reads.
    bool writesC = writer && llvm::all_of(writer.getDpsInits(), [&](Value v) { return v == c; });
    if (!writesC && !isMemoryEffectFree(before) && aliases.getModRef(before, matrix).isMod())
      return {};
  }
  return {};
}

static linalg::LinalgOp writerOf(linalg::LinalgOp op, Value matrix) {
  return isa<TensorType>(matrix.getType()) ? matrix.getDefiningOp<linalg::LinalgOp>()
                                           : lastWriter(op, matrix);
}

/// The access with each dimension of the source by itself; nothing where several that count as one
/// have more than one element.
static std::optional<LinearAccess> withoutGroups(const LinearAccess &access) {
  ShapedType type = access.type;
  LinearAccess result{access.source, type, {}, {}, {}};
  result.index.resize(type.getRank());
  result.whole.assign(type.getRank(), true);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    result.group.push_back({dim});
  for (auto [d, group] : llvm::enumerate(access.group)) {
    if (llvm::count_if(group, [&](int64_t dim) { return type.getDimSize(dim) != 1; }) > 1)
      return std::nullopt;
    int64_t dim = access.innermostOf(d);
    result.index[dim] = access.index[d];
    result.whole[dim] = access.whole[d];
  }
  return result;
}

namespace {
/// Elements of a masked matrix on either side of its diagonal, and on it.
struct Mask {
  ElementFact above, on, below;

  const ElementFact &kept() const { return above.kind == ElementFact::Zero ? below : above; }
  bool isTriangle() const {
    return (above.kind == ElementFact::Zero) != (below.kind == ElementFact::Zero);
  }
  /// It would be a triangle but for products with 0.
  bool isUncertain() const {
    return (above.kind == ElementFact::TimesZero) != (below.kind == ElementFact::TimesZero);
  }
};

/// Where op(A) of a product has its rows and columns.
struct Factor {
  int input; ///< of the linalg operation
  std::optional<unsigned> row, column;
  Transpose op;
};
} // namespace

static std::optional<Mask> maskOf(linalg::LinalgOp op, const LinalgProduct &product,
                                  const Factor &factor) {
  const LinearAccess &access = product.loops.operands[factor.input];
  linalg::LinalgOp writer = writerOf(op, access.source);
  auto flat = withoutGroups(access);
  if (!factor.row || !factor.column || !writer || !flat)
    return std::nullopt;
  auto on = [&](DiagonalSide side) {
    return MaskedElements(*factor.row, *factor.column, side).written(writer, *flat);
  };
  return Mask{on(DiagonalSide::Above), on(DiagonalSide::On), on(DiagonalSide::Below)};
}

static Factor factorOf(const LinalgProduct &product, bool isLeft) {
  if (isLeft)
    return {product.inputA, product.row, product.k, product.opA};
  return {1 - product.inputA, product.k, product.column, product.opB};
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Where the sizes of the dimensions come from that `loop` walks through as a whole.
static SmallVector<SizeOrigin> originsOf(const LinalgProduct &product, unsigned loop) {
  SmallVector<SizeOrigin> origins;
  for (const LinearAccess &access : product.loops.operands)
    for (auto [d, terms] : llvm::enumerate(access.index))
      if (terms.size() == 1 && terms[0].loop == loop && access.whole[d])
        origins.push_back(SizeOrigin::of(access.source, access.innermostOf(d)));
  return origins;
}

/// Why a factor of these loops is no square; empty where it is one.
static std::string checkSquare(const LinalgProduct &product, unsigned row, unsigned column) {
  int64_t rows = product.loops.loops[row].size, columns = product.loops.loops[column].size;
  bool isDynamic = ShapedType::isDynamic(rows) || ShapedType::isDynamic(columns);
  if (!isDynamic)
    return rows == columns ? "" : llvm::formatv("is {0} x {1}, and no square", rows, columns).str();
  for (const SizeOrigin &origin : originsOf(product, row))
    if (llvm::is_contained(originsOf(product, column), origin))
      return "";
  return "is not known to be square";
}

//===----------------------------------------------------------------------===//
// Limits of blas.trmm
//===----------------------------------------------------------------------===//

/// Why the product of a triangle `factor` and `other` is none of blas.trmm; empty where it is.
static std::string checkProduct(linalg::LinalgOp op, const LinalgProduct &product,
                                const Factor &factor, const Factor &other) {
  std::string name(1, "AB"[factor.input]), nameOfOther(1, "AB"[other.input]);
  if (!product.outer.empty())
    return "the sum is a loop of products";
  if (std::string why = checkSquare(product, *factor.row, *factor.column); !why.empty())
    return "operand " + name + " " + why;
  if (isConjugated(other.op))
    return "operand " + nameOfOther + " is conjugated";
  if (llvm::any_of(product.batch,
                   [&](unsigned loop) { return !product.loops.operands[other.input].has(loop); }))
    return "operand " + nameOfOther + " lacks dimensions of the batch";
  Type c = getElementTypeOrSelf(op.getDpsInits()[0]);
  for (OpOperand *input : op.getDpsInputOperands())
    if (getElementTypeOrSelf(input->get()) != c)
      return "operands are narrower than C";
  return "";
}

/// Whether both access the same elements in the same iterations.
static bool isSame(const LinearAccess &x, const LinearAccess &y) {
  auto sameTerm = [](IndexTerm s, IndexTerm t) { return s.loop == t.loop && s.factor == t.factor; };
  return x.source == y.source && llvm::equal(x.index, y.index, [&](auto &s, auto &t) {
           return llvm::equal(s, t, sameTerm);
         });
}

/// The matrix that was masked is read, and not the masked one: the triangle of it is all that is
/// read, from a tensor with one element for each row and column.
static bool readsBehindMask(const Mask &mask, const Factor &factor) {
  const ElementFact &kept = mask.kept();
  if (kept.kind != ElementFact::Read || !isa<TensorType>(kept.access.source.getType()) ||
      cast<RankedTensorType>(kept.access.source.getType()).getEncoding())
    return false;
  auto countOf = [&](unsigned loop) {
    return llvm::count_if(kept.access.index, [&](auto &terms) {
      return terms.size() == 1 && terms[0].loop == loop && terms[0].factor == 1;
    });
  };
  if (countOf(*factor.row) != 1 || countOf(*factor.column) != 1)
    return false;
  return mask.on.kind == ElementFact::One ||
         (mask.on.kind == ElementFact::Read && isSame(mask.on.access, kept.access));
}

/// op(A) where the rows of A are rows, or columns, in memory.
static Transpose opOf(const LinearAccess &access, const Factor &factor) {
  auto find = [&](unsigned loop) {
    return llvm::find_if(access.index, [&](auto &terms) {
      return llvm::any_of(terms, [&](IndexTerm term) { return term.loop == loop; });
    });
  };
  bool isTransposed = find(*factor.column) < find(*factor.row);
  if (isConjugated(factor.op))
    return isTransposed ? Transpose::Adjoint : Transpose::Conj;
  return isTransposed ? Transpose::Trans : Transpose::None;
}

static TriangularOperand triangleOf(const LinalgProduct &product, const Mask &mask,
                                    const Factor &factor, bool isLeft) {
  TriangularOperand result{isLeft, Uplo::Lower, Diag::NonUnit, product};
  Transpose op = factor.op;
  if (readsBehindMask(mask, factor)) {
    LinearAccess &access = result.product.loops.operands[factor.input];
    access = mask.kept().access;
    access.noteSizes(product.loops.loops);
    access.joinUnitDims();
    op = opOf(access, factor);
    if (mask.on.kind == ElementFact::One)
      result.diag = Diag::Unit;
  }
  result.product.opA = isLeft ? op : Transpose::None;
  result.product.opB = isLeft ? Transpose::None : op;
  bool isLower = mask.above.kind == ElementFact::Zero;
  result.uplo = isLower != isTransposed(op) ? Uplo::Lower : Uplo::Upper;
  return result;
}

std::optional<TriangularOperand> rooftile::matchTriangularOperand(linalg::LinalgOp op,
                                                                  const LinalgProduct &product,
                                                                  std::string &why) {
  for (bool isLeft : {true, false}) {
    Factor factor = factorOf(product, isLeft), other = factorOf(product, !isLeft);
    auto mask = maskOf(op, product, factor);
    if (mask && !mask->isTriangle() && mask->isUncertain())
      why = "operand " + std::string(1, "AB"[factor.input]) +
            " is masked by a product with 0, which keeps NaN; use arith.select, or fastmath "
            "nnan and ninf";
    if (!mask || !mask->isTriangle())
      continue;
    std::string reason = checkProduct(op, product, factor, other);
    if (reason.empty())
      return triangleOf(product, *mask, factor, isLeft);
    why = reason;
  }
  return std::nullopt;
}
