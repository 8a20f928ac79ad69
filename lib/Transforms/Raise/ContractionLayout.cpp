//===- ContractionLayout.cpp - Products that read through relayouts -------===//
//
// A relayout between a product and the tensors that it multiplies - transpositions, broadcasts,
// reshapes, packed layouts - only changes the position of elements. The product reads the source
// with other indices, and the copy is never made:
//
//   transpose, generic copy    dimensions in another order, or some of them
//   expand_shape               index of one dimension: the mixed-radix sum of those made of it
//   collapse_shape             digits of the index; a loop that crosses a digit is split in two
//   pack, unpack               outer * tile + inner
//
// The only consumer of a result is folded in the same way.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Transforms/Raise/Contraction.h"

using namespace mlir;
using namespace rooftile;

using Terms = SmallVector<IndexTerm, 2>;

static RankedTensorType tensorOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// An access to `source` that is still to be filled.
static LinearAccess accessTo(Value source) {
  LinearAccess access = LinearAccess::to(source);
  for (int64_t dim = 0; dim < tensorOf(source).getRank(); ++dim) {
    access.index.emplace_back();
    access.group.push_back({dim});
    access.whole.push_back(tensorOf(source).getDimSize(dim) == 1);
  }
  return access;
}

static void addScaled(Terms &sum, ArrayRef<IndexTerm> terms, int64_t factor) {
  for (IndexTerm term : terms)
    sum.push_back({term.loop, term.factor * factor});
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

bool rooftile::isCopy(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || !op.hasPureTensorSemantics() ||
      !tensorOf(op.getDpsInputs()[0]))
    return false;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  return yielded == op.getBlock()->getArgument(0);
}

/// For each loop of a copy the dimension of its output; nothing where the output is no permutation.
static std::optional<SmallVector<unsigned>> outputDims(linalg::LinalgOp copy) {
  AffineMap out = copy.getMatchingIndexingMap(copy.getDpsInitOperand(0));
  if (!out.isPermutation())
    return std::nullopt;
  SmallVector<unsigned> dims(out.getNumDims());
  for (auto [dim, index] : llvm::enumerate(out.getResults()))
    dims[cast<AffineDimExpr>(index).getPosition()] = dim;
  return dims;
}

static std::optional<LinearAccess> throughCopy(const LinearAccess &access, linalg::LinalgOp copy) {
  auto dims = outputDims(copy);
  if (!dims)
    return std::nullopt;
  AffineMap in = copy.getMatchingIndexingMap(copy.getDpsInputOperand(0));
  LinearAccess result = accessTo(copy.getDpsInputs()[0]);
  for (auto [dim, index] : llvm::enumerate(in.getResults())) {
    auto factors = blas::factorsOf(index, in.getNumDims());
    if (!factors)
      return std::nullopt;
    for (auto [loop, factor] : llvm::enumerate(*factors))
      if (factor != 0)
        addScaled(result.index[dim], access.index[(*dims)[loop]], factor);
    if (auto loop = dyn_cast<AffineDimExpr>(index))
      result.whole[dim] = access.whole[(*dims)[loop.getPosition()]];
  }
  return result;
}

/// C where the permutation of the result writes it.
static std::optional<LinearAccess> intoCopy(const LinearAccess &access, linalg::LinalgOp copy) {
  auto dims = outputDims(copy);
  AffineMap in = copy.getMatchingIndexingMap(copy.getDpsInputOperand(0));
  if (!dims || !in.isPermutation())
    return std::nullopt;
  LinearAccess result = accessTo(copy->getResult(0));
  for (auto [dim, index] : llvm::enumerate(in.getResults())) {
    unsigned out = (*dims)[cast<AffineDimExpr>(index).getPosition()];
    result.index[out] = access.index[dim];
    result.whole[out] = access.whole[dim];
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// The access to `source`, dimension d of which is those of `groups[d]` in one.
static std::optional<LinearAccess> joined(const LinearAccess &access, Value source,
                                          ArrayRef<ReassociationIndices> groups) {
  LinearAccess result = accessTo(source);
  for (auto [dim, group] : llvm::enumerate(groups)) {
    int64_t radix = 1;
    result.whole[dim] = true;
    for (int64_t part : llvm::reverse(group)) {
      if (ShapedType::isDynamic(radix) && !access.index[part].empty())
        return std::nullopt;
      addScaled(result.index[dim], access.index[part], radix);
      result.whole[dim] = result.whole[dim] && access.whole[part];
      int64_t size = access.sizeOf(part);
      radix = ShapedType::isDynamic(size) || ShapedType::isDynamic(radix) ? ShapedType::kDynamic
                                                                          : radix * size;
    }
  }
  return result;
}

namespace {
/// Splits the index of one dimension into digits of mixed radix: sizes[0] is that of the
/// leading digit, which may be dynamic.
class Digits {
public:
  Digits(Contraction &contraction, ArrayRef<int64_t> sizes) : contraction(contraction) {
    place.assign(sizes.size(), 1);
    for (int64_t digit = sizes.size() - 2; digit >= 0; --digit) {
      int64_t size = sizes[digit + 1];
      known = known && !ShapedType::isDynamic(size) && size > 0;
      place[digit] = known ? place[digit + 1] * size : 0;
    }
    terms.resize(sizes.size());
  }

  /// False where the index is no sum of digits.
  bool take(Terms index, bool whole) {
    while (known && !index.empty())
      if (!takeTerm(index.pop_back_val(), whole, index))
        return false;
    return known && fits();
  }

  SmallVector<Terms> terms;

private:
  /// The digit that counts multiples of `factor`; what of the loop crosses into the next one goes
  /// back to `rest`.
  bool takeTerm(IndexTerm term, bool whole, Terms &rest) {
    int64_t digit = place.size() - 1;
    while (digit > 0 && term.factor >= place[digit - 1])
      --digit;
    if (term.factor % place[digit] != 0)
      return false;
    if (digit > 0 && !withinDigit(term, digit)) {
      int64_t inner = place[digit - 1] / term.factor;
      if (place[digit - 1] % term.factor != 0 || !split(term.loop, inner, whole, rest))
        return false;
      rest.push_back({static_cast<unsigned>(contraction.loops.size() - 1), place[digit - 1]});
    }
    terms[digit].push_back({term.loop, term.factor / place[digit]});
    return true;
  }

  bool withinDigit(IndexTerm term, int64_t digit) const {
    int64_t size = contraction.loops[term.loop].size;
    return !ShapedType::isDynamic(size) && size * term.factor <= place[digit - 1];
  }

  /// Makes `loop` run over `inner` iterations, and a new loop, the last one, over the rest, in
  /// every operand and in what is still to be split.
  bool split(unsigned loop, int64_t inner, bool whole, Terms &rest) {
    ContractionLoop old = contraction.loops[loop];
    bool isDynamic = ShapedType::isDynamic(old.size);
    if (isDynamic ? !whole : old.size % inner != 0)
      return false;
    MLIRContext *context = old.length.getContext();
    unsigned outer = contraction.loops.size();
    contraction.loops.push_back(
        {isDynamic ? old.size : old.size / inner, old.length.floorDiv(inner)});
    contraction.loops[loop] = {inner, getAffineConstantExpr(inner, context)};
    auto splitIn = [&](Terms &index) {
      for (size_t i = 0, count = index.size(); i < count; ++i)
        if (index[i].loop == loop)
          index.push_back({outer, index[i].factor * inner});
    };
    for (LinearAccess &access : contraction.operands)
      llvm::for_each(access.index, splitIn);
    llvm::for_each(terms, splitIn);
    splitIn(rest);
    return true;
  }

  /// No digit carries.
  bool fits() const {
    for (size_t digit = 1; digit < terms.size(); ++digit) {
      int64_t reach = 0;
      for (IndexTerm term : terms[digit])
        reach += term.factor * (contraction.loops[term.loop].size - 1) * place[digit];
      if (reach >= place[digit - 1])
        return false;
    }
    return true;
  }

  Contraction &contraction;
  SmallVector<int64_t> place; ///< what a digit counts
  bool known = true;
};
} // namespace

/// No loop of dimension `d` is one of another dimension, too.
static bool isSeparate(const LinearAccess &access, unsigned d) {
  return llvm::all_of(access.index[d], [&](IndexTerm term) {
    for (unsigned other = 0; other < access.index.size(); ++other)
      for (IndexTerm its : access.index[other])
        if (other != d && its.loop == term.loop)
          return false;
    return true;
  });
}

/// Moves operand `operand` to `source`, whose dimensions `groups[d]` were one, d. False, with
/// nothing changed, where an index of them is not known.
static bool takeComponents(Contraction &contraction, int operand, Value source,
                           ArrayRef<ReassociationIndices> groups) {
  if (tensorOf(source).getEncoding())
    return false;
  Contraction result = contraction;
  LinearAccess access = accessTo(source);
  for (auto [dim, group] : llvm::enumerate(groups)) {
    LinearAccess &from = result.operands[operand];
    SmallVector<int64_t> sizes, parts;
    for (int64_t part : group)
      if (int64_t size = tensorOf(source).getDimSize(part); size != 1)
        sizes.push_back(size), parts.push_back(part);
    Digits digits(result, sizes);
    Terms index = from.index[dim];
    bool whole = from.whole[dim];
    if (!isSeparate(from, dim) || (sizes.empty() && !index.empty()) || !digits.take(index, whole))
      return false;
    for (auto [part, terms] : llvm::zip_equal(parts, digits.terms)) {
      access.index[part] = terms;
      access.whole[part] = whole;
    }
  }
  result.operands[operand] = access;
  result.noteSizes();
  contraction = result;
  return true;
}

//===----------------------------------------------------------------------===//
// Packed layouts
//===----------------------------------------------------------------------===//

/// The access to `plain`, of the access to its packed form: outer dimensions, then tiles.
template <typename Op>
static std::optional<LinearAccess> unpacked(const LinearAccess &access, Op op, Value plain) {
  ArrayRef<int64_t> outer = op.getOuterDimsPerm(), tiled = op.getInnerDimsPos(),
                    tiles = op.getStaticInnerTiles();
  int64_t rank = tensorOf(plain).getRank();
  LinearAccess result = accessTo(plain);
  for (int64_t position = 0; position < rank; ++position) {
    int64_t dim = outer.empty() ? position : outer[position];
    const int64_t *found = llvm::find(tiled, dim);
    int64_t tile = found == tiled.end() ? 1 : tiles[found - tiled.begin()];
    int64_t size = tensorOf(plain).getDimSize(dim);
    if (ShapedType::isDynamic(tile) || ShapedType::isDynamic(size) || size % tile != 0)
      return std::nullopt;
    addScaled(result.index[dim], access.index[position], tile);
    result.whole[dim] = access.whole[position];
    if (found == tiled.end())
      continue;
    unsigned inner = rank + (found - tiled.begin());
    addScaled(result.index[dim], access.index[inner], 1);
    result.whole[dim] = result.whole[dim] && access.whole[inner];
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Producers and consumers
//===----------------------------------------------------------------------===//

bool Contraction::readThroughProducer(int input) {
  LinearAccess &access = operands[input];
  Operation *producer = access.source.getDefiningOp();
  RankedTensorType type = producer ? tensorOf(access.source) : RankedTensorType();
  if (!type || producer->getNumRegions() > 1)
    return false;
  std::optional<LinearAccess> through;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(producer))
    through = joined(access, expand.getSrc(), expand.getReassociationIndices());
  else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(producer))
    return takeComponents(*this, input, collapse.getSrc(), collapse.getReassociationIndices());
  else if (auto pack = dyn_cast<linalg::PackOp>(producer))
    through = unpacked(access, pack, pack.getSource());
  else if (auto copy = dyn_cast<linalg::LinalgOp>(producer); copy && isCopy(copy))
    through = throughCopy(access, copy);
  if (!through || tensorOf(through->source).getElementType() != type.getElementType() ||
      tensorOf(through->source).getEncoding())
    return false;
  access = *through;
  noteSizes();
  return true;
}

bool Contraction::writeThroughConsumer(linalg::LinalgOp op) {
  Operation *writer = last ? last : op.getOperation();
  Value result = writer->getResult(0);
  if (!result.hasOneUse())
    return false;
  Operation *user = *result.user_begin();
  if (user->getBlock() != op->getBlock() || user->getOperand(0) != result)
    return false;
  LinearAccess &access = operands[2];
  std::optional<LinearAccess> into;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user))
    into = joined(access, collapse.getResult(), collapse.getReassociationIndices());
  else if (auto unpack = dyn_cast<linalg::UnPackOp>(user))
    into = unpacked(access, unpack, unpack.getResult());
  else if (auto copy = dyn_cast<linalg::LinalgOp>(user); copy && isCopy(copy))
    into = intoCopy(access, copy);
  else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user)) {
    if (!takeComponents(*this, 2, expand.getResult(), expand.getReassociationIndices()))
      return false;
    last = user;
    return true;
  }
  if (!into || tensorOf(into->source).getEncoding())
    return false;
  access = *into;
  noteSizes();
  last = user;
  return true;
}
