//===- Contraction.cpp - Products as loops over linear accesses -----------===//
//
// An operand of a linalg product is read at linear combinations of loops: matmul at (m, k), a
// convolution at (n, 2 * oh + kh, 2 * ow + kw, c). Such an access is a view with one stride for
// each loop. Loops that all operands walk through together are one loop: the batch and the rows
// of C = A * B with one B for the whole batch make one taller matrix, and a sum over two
// neighbouring dimensions is a sum over one.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Raise/Contraction.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Dialect/Blas/Blas.h"

using namespace mlir;
using namespace rooftile;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The dynamic size that made dimension `dim` of an allocation or an empty tensor; null otherwise.
static Value allocatedSize(Operation *op, int64_t dim) {
  if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(op))
    return empty.getType().isDynamicDim(dim) ? empty.getDynamicSize(dim) : Value();
  auto alloc = dyn_cast_or_null<memref::AllocOp>(op);
  if (!alloc || !alloc.getType().isDynamicDim(dim))
    return {};
  return alloc.getDynamicSizes()[alloc.getType().getDynamicDimIndex(dim)];
}

SizeOrigin SizeOrigin::of(Value value, int64_t dim) {
  while (Operation *op = value.getDefiningOp()) {
    if (dim < 0) {
      auto shaped = dyn_cast<ShapedDimOpInterface>(op);
      std::optional<int64_t> index =
          shaped ? getConstantIntValue(shaped.getDimension()) : std::nullopt;
      if (!index)
        break;
      value = shaped.getShapedValue(), dim = *index;
    } else if (Value size = allocatedSize(op, dim)) {
      value = size, dim = -1;
    } else if (isa<tensor::CastOp, memref::CastOp>(op)) {
      value = op->getOperand(0);
    } else if (auto writer = dyn_cast<DestinationStyleOpInterface>(op);
               writer && isa<TensorType>(value.getType())) {
      value = writer.getTiedOpOperand(cast<OpResult>(value))->get();
    } else {
      break;
    }
  }
  return {value, dim};
}

int64_t SizeOrigin::size() const {
  if (dim < 0) {
    int64_t number = getConstantIntValue(value).value_or(-1);
    return number < 0 ? ShapedType::kDynamic : number;
  }
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasRank() ? type.getDimSize(dim) : ShapedType::kDynamic;
}

/// Size of dimension `dim`: by the type of the operand, else by where the size comes from.
static int64_t knownSize(Value operand, int64_t dim) {
  int64_t size = cast<ShapedType>(operand.getType()).getDimSize(dim);
  return ShapedType::isDynamic(size) ? SizeOrigin::of(operand, dim).size() : size;
}

//===----------------------------------------------------------------------===//
// Facts of an access
//===----------------------------------------------------------------------===//

LinearAccess LinearAccess::to(Value source) {
  return {source, cast<ShapedType>(source.getType()), {}, {}, {}};
}

bool LinearAccess::has(unsigned loop) const {
  return llvm::any_of(index, [&](auto &terms) {
    return llvm::any_of(terms, [&](IndexTerm term) { return term.loop == loop; });
  });
}

static int64_t product(int64_t left, int64_t right) {
  bool dynamic = ShapedType::isDynamic(left) || ShapedType::isDynamic(right);
  return dynamic ? ShapedType::kDynamic : left * right;
}

int64_t LinearAccess::sizeOf(unsigned d) const {
  int64_t size = 1;
  for (int64_t dim : group[d])
    size = product(size, type.getDimSize(dim));
  return size;
}

/// Strides of a memref; a tensor counts as contiguous row-major.
static SmallVector<int64_t> stridesOf(ShapedType type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return memref.getStridesAndOffset().first;
  return MemRefType::get(type.getShape(), type.getElementType()).getStridesAndOffset().first;
}

int64_t LinearAccess::innermostOf(unsigned d) const {
  for (int64_t dim : llvm::reverse(group[d]))
    if (type.getDimSize(dim) != 1)
      return dim;
  return group[d].back();
}

SmallVector<unsigned, 2> LinearAccess::loopsOf(unsigned d) const {
  SmallVector<IndexTerm, 2> terms = index[d];
  llvm::sort(terms, [](IndexTerm x, IndexTerm y) { return x.factor > y.factor; });
  return llvm::map_to_vector<2>(terms, [](IndexTerm term) { return term.loop; });
}

int64_t LinearAccess::strideOf(unsigned loop) const {
  SmallVector<int64_t> strides = stridesOf(type);
  int64_t sum = 0;
  for (auto [d, terms] : llvm::enumerate(index))
    for (IndexTerm term : terms) {
      if (term.loop != loop)
        continue;
      int64_t stride = product(strides[innermostOf(d)], term.factor);
      if (ShapedType::isDynamic(stride))
        return stride;
      sum += stride;
    }
  return sum;
}

//===----------------------------------------------------------------------===//
// From indexing maps
//===----------------------------------------------------------------------===//

/// Notes the loop of each dimension that is one: its size. False where that has two values.
static bool readSizes(Contraction &product, AffineMap map, Value operand) {
  MLIRContext *context = operand.getContext();
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (!loop)
      continue;
    ContractionLoop &known = product.loops[loop.getPosition()];
    int64_t size = knownSize(operand, dim);
    if (!ShapedType::isDynamic(size)) {
      if (!ShapedType::isDynamic(known.size) && known.size != size)
        return false;
      known = {size, getAffineConstantExpr(size, context)};
    } else if (!known.length) {
      known = {size, getAffineSymbolExpr(product.symbols.size(), context)};
      product.symbols.push_back({operand, static_cast<int64_t>(dim)});
    }
  }
  return true;
}

/// The access of one operand; nothing where its map is not linear.
static std::optional<LinearAccess> readAccess(AffineMap map, Value operand) {
  LinearAccess access = LinearAccess::to(operand);
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    auto factors = blas::factorsOf(index, map.getNumDims());
    if (!factors)
      return std::nullopt;
    auto &terms = access.index.emplace_back();
    for (auto [loop, factor] : llvm::enumerate(*factors))
      if (factor != 0)
        terms.push_back({static_cast<unsigned>(loop), factor});
    access.group.push_back({static_cast<int64_t>(dim)});
    access.whole.push_back(isa<AffineDimExpr>(index) || access.type.getDimSize(dim) == 1);
  }
  return access;
}

std::optional<Contraction> Contraction::of(linalg::LinalgOp op, std::string &why) {
  Contraction result;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  result.loops.assign(op.getNumLoops(), {ShapedType::kDynamic, AffineExpr()});
  for (auto [position, map] : llvm::enumerate(maps)) {
    Value operand = op->getOperand(position);
    std::string name(1, "ABC"[position]);
    auto access = readAccess(map, operand);
    if (!access)
      return why = "operand " + name + " is not read at linear combinations of loops", std::nullopt;
    result.operands[position] = *access;
    if (!readSizes(result, map, operand))
      return why = "a size of operand " + name + " is not that of another operand", std::nullopt;
  }
  for (const ContractionLoop &loop : result.loops)
    if (!loop.length)
      return why = "a loop has a size that no operand has", std::nullopt;
  result.noteSizes();
  return result;
}

//===----------------------------------------------------------------------===//
// Sizes that others have
//===----------------------------------------------------------------------===//

void LinearAccess::noteSizes(ArrayRef<ContractionLoop> loops) {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [d, terms] : llvm::enumerate(index)) {
    if (!whole[d] || group[d].size() != 1 || !ShapedType::isDynamic(shape[group[d][0]]))
      continue;
    int64_t size = 1;
    for (IndexTerm term : terms)
      size = product(size, loops[term.loop].size);
    shape[group[d][0]] = size;
  }
  type = type.clone(shape);
}

/// Notes the size of the only loop of dimension `d` whose size is dynamic; false where there is
/// none.
static bool noteLoop(Contraction &contraction, const LinearAccess &access, unsigned d) {
  int64_t size = access.sizeOf(d), others = 1;
  std::optional<unsigned> dynamic;
  for (IndexTerm term : access.index[d]) {
    int64_t its = contraction.loops[term.loop].size;
    if (ShapedType::isDynamic(its) && dynamic)
      return false;
    if (ShapedType::isDynamic(its))
      dynamic = term.loop;
    else
      others *= its;
  }
  if (!access.whole[d] || !dynamic || ShapedType::isDynamic(size) || others < 1 ||
      size % others != 0)
    return false;
  MLIRContext *context = access.source.getContext();
  contraction.loops[*dynamic] = {size / others, getAffineConstantExpr(size / others, context)};
  return true;
}

void Contraction::noteSizes() {
  for (bool changed = true; std::exchange(changed, false);) {
    for (LinearAccess &access : operands)
      access.noteSizes(loops);
    for (const LinearAccess &access : operands)
      for (unsigned d = 0; d < access.index.size(); ++d)
        changed |= noteLoop(*this, access, d);
  }
}

//===----------------------------------------------------------------------===//
// One loop for several
//===----------------------------------------------------------------------===//

/// Joins dimension `d` of an access with the next one, whose index and group it gets.
static void joinWithNext(LinearAccess &access, unsigned d) {
  llvm::append_range(access.group[d], access.group[d + 1]);
  access.group.erase(access.group.begin() + d + 1);
  llvm::append_range(access.index[d], access.index[d + 1]);
  access.index.erase(access.index.begin() + d + 1);
  access.whole[d] = access.whole[d] && access.whole[d + 1];
  access.whole.erase(access.whole.begin() + d + 1);
}

void LinearAccess::joinUnitDims() {
  auto isUnit = [&](unsigned d) { return index[d].empty() && sizeOf(d) == 1; };
  for (unsigned d = 0; d + 1 < index.size();)
    if (isUnit(d) || isUnit(d + 1))
      joinWithNext(*this, d);
    else
      ++d;
  if (index.size() == 1 && isUnit(0))
    index.clear(), group.clear(), whole.clear();
}

/// Where an access has `loop`: the dimension and the term; nothing where it has it twice.
static std::optional<std::pair<unsigned, IndexTerm>> find(const LinearAccess &access,
                                                          unsigned loop) {
  std::optional<std::pair<unsigned, IndexTerm>> found;
  for (auto [d, terms] : llvm::enumerate(access.index))
    for (IndexTerm term : terms)
      if (term.loop == loop) {
        if (found)
          return std::nullopt;
        found = {static_cast<unsigned>(d), term};
      }
  return found;
}

/// Elements of dimension `d` + 1 follow those of `d` without a gap.
static bool isContiguous(const LinearAccess &access, unsigned d) {
  auto memref = dyn_cast<MemRefType>(access.type);
  if (!memref || memref.getLayout().isIdentity())
    return true;
  SmallVector<int64_t> strides = stridesOf(access.type);
  int64_t outer = strides[access.innermostOf(d)];
  int64_t inner = product(strides[access.innermostOf(d + 1)], access.sizeOf(d + 1));
  return !ShapedType::isDynamic(outer) && outer == inner;
}

/// The access walks through `outer` and `inner` as through one loop.
static bool canMerge(const LinearAccess &access, unsigned outer, unsigned inner,
                     int64_t innerSize) {
  auto first = find(access, outer), second = find(access, inner);
  if (!first || !second)
    return false;
  auto [p, outerTerm] = *first;
  auto [q, innerTerm] = *second;
  if (p == q)
    return outerTerm.factor == product(innerTerm.factor, innerSize);
  bool alone = access.index[q].size() == 1 && access.whole[q] && innerTerm.factor == 1;
  bool scales = access.index[p].size() == 1 || !ShapedType::isDynamic(access.sizeOf(q));
  return q == p + 1 && alone && scales && outerTerm.factor == 1 && isContiguous(access, p);
}

/// The access with `inner` standing for both.
static void merge(LinearAccess &access, unsigned outer, unsigned inner) {
  unsigned p = find(access, outer)->first, q = find(access, inner)->first;
  llvm::erase_if(access.index[p], [&](IndexTerm term) { return term.loop == outer; });
  if (p == q)
    return;
  for (IndexTerm &term : access.index[p])
    term.factor *= access.sizeOf(q);
  joinWithNext(access, p);
}

static bool mergePair(Contraction &contraction, unsigned outer, unsigned inner) {
  for (int operand : {0, 1, 2})
    if (contraction.has(operand, outer) != contraction.has(operand, inner))
      return false;
  ContractionLoop &kept = contraction.loops[inner];
  const ContractionLoop &gone = contraction.loops[outer];
  for (LinearAccess &access : contraction.operands)
    if (access.has(inner) && !canMerge(access, outer, inner, kept.size))
      return false;
  for (LinearAccess &access : contraction.operands)
    if (access.has(inner))
      merge(access, outer, inner);
  kept = {product(gone.size, kept.size), gone.length * kept.length};
  return true;
}

static bool mergeAny(Contraction &contraction) {
  for (unsigned outer = 0; outer < contraction.loops.size(); ++outer)
    for (unsigned inner = 0; inner < contraction.loops.size(); ++inner)
      if (outer != inner && contraction.isLive(outer) && contraction.isLive(inner) &&
          mergePair(contraction, outer, inner))
        return true;
  return false;
}

/// The length of a loop that is not static, by the sizes of what is read now: the outermost of
/// those that walk through a whole dimension together. Null where no operand has it.
static AffineExpr lengthOf(Contraction &contraction, unsigned loop) {
  // The result of an operation after the product does not exist yet.
  SmallVector<int> tellers = {2, 0, 1};
  if (contraction.last)
    tellers.erase(tellers.begin());
  for (int operand : tellers) {
    LinearAccess &access = contraction.operands[operand];
    for (auto [dim, terms] : llvm::enumerate(access.index)) {
      int64_t others = 1;
      bool found = false;
      for (IndexTerm term : terms)
        (term.loop == loop ? found = true
                           : (others = product(others, contraction.loops[term.loop].size), true));
      if (!found || !access.whole[dim] || ShapedType::isDynamic(others))
        continue;
      MLIRContext *context = access.source.getContext();
      AffineExpr size = getAffineSymbolExpr(contraction.symbols.size(), context);
      contraction.symbols.push_back({access.source, static_cast<int64_t>(dim)});
      return others == 1 ? size : size.floorDiv(others);
    }
  }
  return {};
}

void Contraction::simplify() {
  for (unsigned loop = 0; loop < loops.size(); ++loop)
    if (ShapedType::isDynamic(loops[loop].size))
      if (AffineExpr length = lengthOf(*this, loop))
        loops[loop].length = length;
  for (LinearAccess &access : operands) {
    for (auto [d, terms] : llvm::enumerate(access.index)) {
      llvm::erase_if(terms, [&](IndexTerm term) { return loops[term.loop].size == 1; });
      // A window of one element is no window.
      if (terms.size() == 1 && terms[0].factor == 1 && !ShapedType::isDynamic(access.sizeOf(d)))
        access.whole[d] = access.whole[d] || access.sizeOf(d) == loops[terms[0].loop].size;
    }
    access.joinUnitDims();
  }
  while (mergeAny(*this))
    ;
}
