//===- ArgumentSizes.cpp - Sizes of arguments that fit together -----------===//
//
// Arguments of a function must fit: K of A is that of B, the image of a convolution is as
// large as its windows reach. Sizes are unknowns; operations make some of them equal, others sums
// (1 + factor * (size - 1) + ..) or products (of reshapes) of each other.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Verify/Functions/ArgumentSizes.h"
#include "rooftile/Dialect/Blas/Blas.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

static constexpr int64_t kDefaultSize = 256;

static ShapedType shapeOf(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasRank() ? type : ShapedType();
}

//===----------------------------------------------------------------------===//
// Unknowns
//===----------------------------------------------------------------------===//

namespace {
struct Term {
  unsigned size;
  int64_t factor;
};

/// A size that is made of others: 1 + sum of factor * (size - 1), or the product of the sizes.
struct Relation {
  unsigned whole;
  SmallVector<Term> parts;
  bool isProduct;
};

/// The unknown sizes of a function, and what is known of them.
class Sizes {
public:
  /// Dimension `dim` of a matrix or tensor; `value` as a size where `dim` is -1.
  unsigned of(Value value, int64_t dim);
  unsigned create();
  void same(unsigned x, unsigned y);
  void sameShape(Value x, Value y);
  void set(unsigned size, int64_t number);
  void relate(Relation relation) { relations.push_back(std::move(relation)); }
  /// Fills in what follows from what is known.
  void settle();

  int64_t get(unsigned size) { return numbers[root(size)]; }

  bool contradict = false;
  std::pair<int64_t, int64_t> contradiction;

private:
  unsigned root(unsigned size);
  bool settle(const Relation &relation);
  bool settleProduct(const Relation &relation, std::optional<Term> open);
  bool settleSum(const Relation &relation, std::optional<Term> open);

  llvm::DenseMap<std::pair<Value, int64_t>, unsigned> indices;
  std::vector<unsigned> parents;
  std::vector<int64_t> numbers;
  std::vector<Relation> relations;
};
} // namespace

unsigned Sizes::create() {
  parents.push_back(parents.size());
  numbers.push_back(ShapedType::kDynamic);
  return parents.size() - 1;
}

unsigned Sizes::of(Value value, int64_t dim) {
  auto [found, isNew] = indices.try_emplace({value, dim}, 0);
  if (!isNew)
    return found->second;
  unsigned size = found->second = create();
  ShapedType type = shapeOf(value);
  std::optional<int64_t> number = dim < 0 ? getConstantIntValue(value) : std::nullopt;
  if (dim >= 0 && !type.isDynamicDim(dim))
    number = type.getDimSize(dim);
  if (number)
    set(size, *number);
  return size;
}

unsigned Sizes::root(unsigned size) {
  while (parents[size] != size)
    size = parents[size] = parents[parents[size]];
  return size;
}

void Sizes::set(unsigned size, int64_t number) {
  int64_t &known = numbers[root(size)];
  if (!ShapedType::isDynamic(known) && known != number && !contradict) {
    contradict = true;
    contradiction = {known, number};
  }
  if (ShapedType::isDynamic(known))
    known = number;
}

void Sizes::same(unsigned x, unsigned y) {
  unsigned from = root(x), to = root(y);
  if (from == to)
    return;
  int64_t number = numbers[from];
  parents[from] = to;
  if (!ShapedType::isDynamic(number))
    set(to, number);
}

void Sizes::sameShape(Value x, Value y) {
  ShapedType first = shapeOf(x), second = shapeOf(y);
  if (!first || !second || first.getRank() != second.getRank())
    return;
  for (int64_t dim = 0; dim < first.getRank(); ++dim)
    same(of(x, dim), of(y, dim));
}

bool Sizes::settleProduct(const Relation &relation, std::optional<Term> open) {
  int64_t known = 1, whole = get(relation.whole);
  for (Term part : relation.parts)
    if (!open || part.size != open->size)
      known *= get(part.size);
  if (!open)
    return set(relation.whole, known), true;
  if (known == 0 || whole % known != 0)
    return false;
  return set(open->size, whole / known), true;
}

bool Sizes::settleSum(const Relation &relation, std::optional<Term> open) {
  int64_t known = 1, whole = get(relation.whole);
  for (Term part : relation.parts)
    if (!open || part.size != open->size)
      known += part.factor * (get(part.size) - 1);
  if (!open)
    return set(relation.whole, known), true;
  if (open->factor == 0 || whole < known)
    return false;
  return set(open->size, (whole - known) / open->factor + 1), true;
}

bool Sizes::settle(const Relation &relation) {
  std::optional<Term> open;
  for (Term part : relation.parts) {
    if (!ShapedType::isDynamic(get(part.size)))
      continue;
    if (open)
      return false;
    open = part;
  }
  if (open.has_value() == ShapedType::isDynamic(get(relation.whole)))
    return false; // nothing to find, or nothing to find it by
  return relation.isProduct ? settleProduct(relation, open) : settleSum(relation, open);
}

void Sizes::settle() {
  for (bool changed = true; std::exchange(changed, false);)
    for (const Relation &relation : relations)
      changed |= settle(relation);
}

//===----------------------------------------------------------------------===//
// Sizes that operations need
//===----------------------------------------------------------------------===//

static void readLinalg(Sizes &sizes, linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    loops.push_back(sizes.create());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!shapeOf(operand.get()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, index] : llvm::enumerate(map.getResults())) {
      unsigned size = sizes.of(operand.get(), dim);
      auto factors = rooftile::blas::factorsOf(index, map.getNumDims());
      if (auto loop = dyn_cast<AffineDimExpr>(index)) {
        sizes.same(size, loops[loop.getPosition()]);
      } else if (factors) {
        Relation windows{size, {}, false};
        for (auto [loop, factor] : llvm::enumerate(*factors))
          if (factor != 0)
            windows.parts.push_back({loops[loop], factor});
        sizes.relate(windows);
      }
    }
  }
}

/// Rows and columns of C, and K, in op(A) * op(B) = C; batches of one shape.
static void readProduct(Sizes &sizes, rooftile::blas::GemmOp op) {
  auto of = [&](Value matrix, bool transposed, int64_t dim) {
    return sizes.of(matrix, shapeOf(matrix).getRank() - 2 + (transposed ? 1 - dim : dim));
  };
  Value a = op.getMatrixA(), b = op.getMatrixB(), c = op.getMatrixC();
  bool transposedA = isTransposed(op.getTransposeA()),
       transposedB = isTransposed(op.getTransposeB());
  sizes.same(of(a, transposedA, 0), of(c, false, 0));
  sizes.same(of(a, transposedA, 1), of(b, transposedB, 0));
  sizes.same(of(b, transposedB, 1), of(c, false, 1));
  for (Value input : {a, b})
    for (int64_t dim = 0; dim < shapeOf(c).getRank() - 2; ++dim)
      if (shapeOf(input).getRank() == shapeOf(c).getRank())
        sizes.same(sizes.of(input, dim), sizes.of(c, dim));
}

template <typename Op> static void readReshape(Sizes &sizes, Op op, Value whole, Value parts) {
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    Relation relation{sizes.of(whole, dim), {}, true};
    for (int64_t part : group)
      relation.parts.push_back({sizes.of(parts, part), 1});
    sizes.relate(relation);
  }
}

/// Dynamic sizes of `value`, as operands.
static void readDynamic(Sizes &sizes, Value value, ValueRange numbers) {
  ShapedType type = shapeOf(value);
  for (int64_t dim = 0, next = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim) && next < int64_t(numbers.size()))
      sizes.same(sizes.of(value, dim), sizes.of(numbers[next++], -1));
}

static void readCall(Sizes &sizes, func::CallOp call) {
  auto module = call->getParentOfType<ModuleOp>();
  auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
  if (!callee || callee.isExternal())
    return;
  for (auto [operand, argument] : llvm::zip_equal(call.getOperands(), callee.getArguments()))
    sizes.sameShape(operand, argument);
}

static void read(Sizes &sizes, Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    readLinalg(sizes, linalgOp);
  if (auto writer = dyn_cast<DestinationStyleOpInterface>(op))
    for (OpResult result : op->getResults())
      sizes.sameShape(result, writer.getTiedOpOperand(result)->get());
  if (op->hasTrait<OpTrait::Elementwise>())
    for (Value operand : op->getOperands())
      sizes.sameShape(operand, op->getResult(0));
  if (auto product = dyn_cast<rooftile::blas::GemmOp>(op))
    return readProduct(sizes, product);
  if (isa<tensor::CastOp, memref::CastOp>(op))
    return sizes.sameShape(op->getOperand(0), op->getResult(0));
  if (auto dim = dyn_cast<ShapedDimOpInterface>(op))
    if (auto index = getConstantIntValue(dim.getDimension());
        index && shapeOf(dim.getShapedValue()))
      return sizes.same(sizes.of(op->getResult(0), -1), sizes.of(dim.getShapedValue(), *index));
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return readDynamic(sizes, empty, empty.getDynamicSizes());
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return readDynamic(sizes, alloc, alloc.getDynamicSizes());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return readReshape(sizes, expand, expand.getSrc(), expand),
           readDynamic(sizes, expand, expand.getOutputShape());
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    return readReshape(sizes, expand, expand.getSrc(), expand),
           readDynamic(sizes, expand, expand.getOutputShape());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return readReshape(sizes, collapse, collapse, collapse.getSrc());
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op))
    return readReshape(sizes, collapse, collapse, collapse.getSrc());
  if (auto call = dyn_cast<func::CallOp>(op))
    readCall(sizes, call);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static constexpr const char *kSizes = "rooftile.sizes";

/// The sizes that are given of an argument, or noted on it.
static void readGiven(Sizes &sizes, Value argument, ArrayRef<int64_t> given) {
  if (int64_t(given.size()) == shapeOf(argument).getRank())
    for (auto [dim, size] : llvm::enumerate(given))
      sizes.set(sizes.of(argument, dim), size);
}

/// Gives every size of `argument` a number.
static void note(Sizes &sizes, func::FuncOp function, BlockArgument argument) {
  SmallVector<int64_t> noted;
  for (int64_t dim = 0; dim < shapeOf(argument).getRank(); ++dim) {
    unsigned size = sizes.of(argument, dim);
    if (ShapedType::isDynamic(sizes.get(size)))
      sizes.set(size, kDefaultSize);
    sizes.settle();
    noted.push_back(sizes.get(size));
  }
  function.setArgAttr(argument.getArgNumber(), kSizes,
                      DenseI64ArrayAttr::get(function.getContext(), noted));
}

static LogicalResult noteSizesOf(func::FuncOp function, ArrayRef<std::vector<int64_t>> given) {
  Sizes sizes;
  SmallVector<BlockArgument> open;
  size_t next = 0;
  bool anyGiven = false;
  for (BlockArgument argument : function.getArguments()) {
    if (!shapeOf(argument))
      continue;
    unsigned number = argument.getArgNumber();
    auto noted = function.getArgAttrOfType<DenseI64ArrayAttr>(number, kSizes);
    ArrayRef<int64_t> known;
    if (next < given.size())
      known = given[next];
    else if (noted)
      known = noted;
    ++next;
    anyGiven |= !known.empty();
    readGiven(sizes, argument, known);
    bool isNoted = function.getArgAttr(number, kSizes) != nullptr; // wrong ones are reported later
    if (known.empty() && !isNoted && !shapeOf(argument).hasStaticShape())
      open.push_back(argument);
  }
  if (open.empty())
    return success();
  function->getParentOfType<ModuleOp>().walk([&](Operation *op) { read(sizes, op); });
  sizes.settle();
  for (BlockArgument argument : open)
    note(sizes, function, argument);
  if (sizes.contradict && !anyGiven)
    return function.emitOpError("sizes of arguments contradict each other: one would be ")
           << sizes.contradiction.first << " and " << sizes.contradiction.second
           << "; give --sizes, or rooftile.sizes of the arguments";
  return success();
}

LogicalResult rooftile::verify::noteArgumentSizes(ModuleOp module,
                                                  ArrayRef<std::vector<int64_t>> given) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal() && failed(noteSizesOf(function, given)))
      return failure();
  return success();
}
