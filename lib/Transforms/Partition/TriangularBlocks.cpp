//===- TriangularBlocks.cpp - Blocks on the diagonal, and products --------===//
//
// Blocks of order b on the diagonal of T = op(A) are solved or multiplied one by one, all else is
// products. Left side, T lower:
//
//   trsm: for q = 1, 2, ...                       trmm: for q = ..., 2, 1
//           X[q-1] = T[q-1, q-1]^-1 B[q-1]                with j as for trsm
//           j = the largest power of 2                      B[q..q+j] += T[q..q+j, q-j..q]
//           B[q-j..q]
//               that divides q                            B[q-1] = T[q-1, q-1] B[q-1]
//           B[q..q+j] -= T[q..q+j, q-j..q] X[q-j..q]
//
// where [p..r] are blocks p to r - 1, as far as there are blocks. That is the recursion
// X1 = T11^-1 B1, B2 -= T21 X1, X2 = T22^-1 B2 without a stack: half of the work is in one product
// of half the order, and there is one kernel a power of 2. No block is read after it is
// overwritten, so that trmm needs no copy. Where the order is known at run time only, powers of 2
// are not, and j covers the rest:
//
//   trsm: B[i+b:] -= T[i+b:, i] X[i] after each block, trmm: B[i+b:] += T[i+b:, i] B[i] before.
//
// With method = invert the diagonal blocks are inverted first (DiagonalInverses), and solving one
// of them is a product as well, which does not work in place: B is in memory R of its own, that the
// updates change, and the solution in C:
//
//   R = B    C[q-1] = V[q-1] R[q-1],  R[q..q+j] -= T[q..q+j, q-j..q] C[q-j..q]
//
// and C is scaled on the way where the diagonal has no reciprocal (DiagonalScales).
//
// T upper goes the other way; with A on the right columns stand for rows. The last block
// solved, or first multiplied, may be smaller. alpha scales B on first use; where it is 0 at run
// time the products get alpha = 0 as well, so that nothing of A comes through.
//
//===----------------------------------------------------------------------===//

#include "TriangularSteps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Kernel/AlignmentTests.h"

#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

namespace {
/// Emits the blocks of one operation.
class Blocks {
public:
  Blocks(OpBuilder &builder, TriangularOpInterface op)
      : builder(builder), loc(op.getLoc()), op(op), left(op.getSide() == Side::Left),
        solves(isa<TrsmOp>(op)), restBehind(op.isEffectivelyLower() == left),
        width(op.getPlanAttr()->diagonal), solution(op.getC()), unsolved(op.getC()),
        inverses(builder, op, op.getPlanAttr()->base) {}

  void emit();

private:
  /// A range of rows (A on the left) or columns of the output.
  struct Range {
    Value start; ///< Null: all.
    OpFoldResult size;
  };

  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  /// A scalar, of the type that products are summed in.
  Value number(double value) { return createScalar(builder, loc, op.getAccumulatorType(), value); }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
  Value subtract(Value a, Value b) { return arith::SubIOp::create(builder, loc, a, b); }
  Value multiply(Value a, Value b) { return arith::MulIOp::create(builder, loc, a, b); }

  Value view(Value matrix, Range rows, Range columns);
  Value block(Value matrix, Range range);
  Value blockOfA(Range rows, Range columns);
  Range blocksFrom(Value first, int64_t elements);
  Range fullBlock(Value step);
  Range rest(Range block);
  int64_t vectorOf(Value matrix, Value block);
  void testAlignments();
  void copyInput();
  void prepareInverses();
  void prepareScalars();
  void emitDiagonal(Range range, Value scale);
  void emitInverse(Range range, OpFoldResult block, Value scale);
  GemmOp createProduct(ArrayRef<Value> matrices, ArrayRef<Role> names, ArrayRef<int64_t> vectors,
                       Value alpha, Value beta, bool ofInverse);
  void emitUpdate(Range range, Range others, Value scale);
  void emitRagged(Value scale);
  void emitUpdates(Value q);
  void emitLevel(Value q, int64_t level);
  void emitRecursion(int64_t known);
  Value emitLoop();
  OpBuilder &builder;
  Location loc;
  TriangularOpInterface op;
  bool left, solves;
  bool restBehind; ///< Dependents of a block lie at higher indices.
  int64_t width;
  Value order, full;        ///< Order of A; number of blocks of order `width`.
  Value input;              ///< Matrix to multiply, where it is not the output.
  Value solution, unsolved; ///< X and what is left of B: both the output, unless inverting.
  Value memory;             ///< Memory of `unsolved`, when inverting.
  DiagonalInverses inverses;
  Value ofBlocks;                 ///< Inverses of all blocks.
  bool invertsRagged = false;     ///< The last of these ends with the ragged one.
  Value scaleLater, scaleProduct; ///< Scale of the output after its first use; of products.
};
} // namespace

/// The two matrix dimensions of `matrix` cut, and all of its batch.
Value Blocks::view(Value matrix, Range rows, Range columns) {
  int64_t rank = memrefType(matrix).getRank();
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)),
      strides(rank, builder.getIndexAttr(1)), sizes = memref::getMixedSizes(builder, loc, matrix);
  for (auto [dim, range] : {std::pair(rank - 2, rows), std::pair(rank - 1, columns)}) {
    if (range.start)
      offsets[dim] = range.start, sizes[dim] = range.size;
  }
  return memref::SubViewOp::create(builder, loc, matrix, offsets, sizes, strides);
}

/// Rows (A on the left) or columns of B or C.
Value Blocks::block(Value matrix, Range range) {
  return left ? view(matrix, range, {}) : view(matrix, {}, range);
}

/// A block of op(A), as stored.
Value Blocks::blockOfA(Range rows, Range columns) {
  if (isTransposed(op.getOpA()))
    std::swap(rows, columns);
  return view(op.getA(), rows, columns);
}

/// The block of step 0, 1, ... of the loop.
Blocks::Range Blocks::fullBlock(Value step) {
  Value size = index(width), position = step;
  if (solves != restBehind)
    position = subtract(subtract(full, index(1)), step);
  Value start = multiply(position, size);
  // The ragged block lies where there is no rest: at the end, or at the beginning.
  if (!restBehind)
    start = add(subtract(order, multiply(full, size)), start);
  return {start, builder.getIndexAttr(width)};
}

/// `elements` from block `first` on, counted as they are solved.
Blocks::Range Blocks::blocksFrom(Value first, int64_t elements) {
  Value start = multiply(first, index(width));
  if (!restBehind)
    start = subtract(subtract(order, start), index(elements));
  return {start, builder.getIndexAttr(elements)};
}

/// All that depends on a full block.
Blocks::Range Blocks::rest(Range block) {
  if (!restBehind)
    return {index(0), block.start};
  Value start = add(block.start, index(width));
  return {start, subtract(order, start)};
}

/// Solving works in place: out of place B goes to C first.
void Blocks::copyInput() {
  if (!op.getB())
    return;
  if (!solves)
    input = op.getB();
  else
    copyMatrix(builder, loc, op.getB(), op.getC(), {Role::B, Role::C});
}

/// B in memory of its own, and the inverses of the blocks on the diagonal.
void Blocks::prepareInverses() {
  MatrixCopy copy = allocateLike(builder, loc, op.getC());
  unsolved = copy.matrix, memory = copy.memory;
  copyMatrix(builder, loc, op.getB() ? op.getB() : op.getC(), unsolved, {Role::B, Role::W});
  int64_t known = op.getK(), ragged = known % width;
  SmallVector<DiagonalInverses::Run> runs{{restBehind ? 0 : ragged, known / width}};
  // A small one is substituted. The inverse of a larger one is a corner of that of a whole block.
  invertsRagged = ragged > op.getPlanAttr()->base;
  if (invertsRagged)
    runs.push_back({restBehind ? known - width : 0, 1});
  ofBlocks = inverses.invert(runs, width);
}

void Blocks::prepareScalars() {
  Value alpha = op.getAlpha();
  if (!solves || !alpha) {
    scaleLater = number(1);
    scaleProduct = solves ? number(-1) : alpha;
    return;
  }
  Value zero = number(0), counts = createNonZeroTest(builder, loc, alpha);
  scaleLater = arith::SelectOp::create(builder, loc, counts, number(1), zero);
  scaleProduct = arith::SelectOp::create(builder, loc, counts, number(-1), zero);
}

/// The operation itself on one block of the diagonal. A ragged one that is too small to be inverted
/// is an edge, planned for what it is: other kernels than those that invert are fast for it.
void Blocks::emitDiagonal(Range range, Value scale) {
  Value a = blockOfA(range, range), c = block(solution, range);
  Value b = input ? block(input, range) : solution != unsolved ? block(unsolved, range) : Value();
  const BlocksData &whole = *op.getPlanAttr();
  bool isEdge = whole.method == Method::Invert;
  BlocksAttr plan = isEdge ? BlocksAttr() : BlocksAttr::get(op->getContext(), whole.ofBlock());
  auto create = [&](auto type) {
    auto block = decltype(type)::create(builder, loc, TypeRange(), a, b, c, scale, op.getSide(),
                                        op.getUplo(), op.getOpA(), op.getDiag(), plan);
    if (isEdge)
      block->setAttr(BlasDialect::kEdgeOfName, TypeAttr::get(op.getC().getType()));
  };
  solves ? create(TrsmOp()) : create(TrmmOp());
}

/// Elements that accesses to `block`, of `matrix`, may move at once: blocks begin at multiples of
/// their order, and where the ragged one comes first, of its order too. Of any block, where it is
/// null.
int64_t Blocks::vectorOf(Value matrix, Value block) {
  MemRefType type = memrefType(matrix);
  SmallVector<int64_t> strides;
  int64_t offset, order = op.getK(), align = getAlign(matrix);
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(ArrayRef<int64_t>{offset, order, align}, ShapedType::isDynamic))
    return 1;
  int64_t rank = type.getRank(), last = strides[rank - 1] == 1 ? rank - 1 : rank - 2;
  int64_t length = block ? memrefType(block).getDimSize(last) : 0;
  if (strides[last] != 1 || ShapedType::isDynamic(length))
    return 1;
  int64_t vector = std::max<int64_t>(1, align / elementBytes(type.getElementType()));
  for (int64_t number : {offset, width, restBehind ? 0 : order % width, length})
    vector = std::gcd(vector, number);
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (int64_t(dim) != last)
      vector = ShapedType::isDynamic(stride) ? 1 : std::gcd(vector, stride);
  return vector;
}

/// Products have what blocks are multiples of as `given`, so the bases are tested here.
void Blocks::testAlignments() {
  auto module = op->getParentOfType<ModuleOp>();
  Role output = op.getB() ? Role::C : Role::B;
  for (auto [matrix, role] :
       {std::pair(op.getA(), Role::A), std::pair(input, Role::B), std::pair(op.getC(), output)}) {
    if (!matrix)
      continue;
    int64_t bytes =
        vectorOf(matrix, /*block=*/{}) * elementBytes(memrefType(matrix).getElementType());
    if (needsAlignmentTest(matrix, bytes))
      createAlignmentTest(builder, module, matrix, bytes, int64_t(role));
  }
}

/// C = alpha A B + beta C of the `matrices` A, B, C, of which op(A), or with A on the right op(B),
/// is the triangular one: accesses move so many elements of each at once.
GemmOp Blocks::createProduct(ArrayRef<Value> matrices, ArrayRef<Role> names,
                             ArrayRef<int64_t> vectors, Value alpha, Value beta, bool ofInverse) {
  Transpose none = Transpose::None, enters = op.getOpA();
  auto product = GemmOp::create(builder, loc, TypeRange(), matrices[0], matrices[1], matrices[2],
                                alpha, beta, left ? enters : none, left ? none : enters,
                                MathMode::Strict, /*anyOrder=*/false, TypeAttr(), PlanAttr());
  product->setAttr(BlasDialect::kOperandsName, operandNames(op->getContext(), names));
  if (ofInverse)
    (left ? product.setStructureA(structureOfEntering(op))
          : product.setStructureB(structureOfEntering(op)));
  Order any[] = {Order::Any, Order::Any, Order::Any};
  if (llvm::any_of(vectors, [](int64_t vector) { return vector > 1; }))
    product.setGivenAttr(GivenAttr::get(op->getContext(), {}, {}, {}, vectors, any));
  return product;
}

/// others = scaleProduct * T[others, block] * block + scale * others, or with A on the right
/// scaleProduct * block * T[block, others] + scale * others.
void Blocks::emitUpdate(Range range, Range others, Value scale) {
  Value source = input ? input : solution;
  Value a = left ? blockOfA(others, range) : blockOfA(range, others);
  Value b = block(source, range), c = block(unsolved, others);
  Role output = op.getB() ? Role::C : Role::B, ofB = input ? Role::B : output;
  Role ofC = unsolved == solution ? output : Role::W;
  int64_t ofA = vectorOf(op.getA(), a), ofSource = vectorOf(source, b);
  createProduct({left ? a : b, left ? b : a, c}, {left ? Role::A : ofB, left ? ofB : Role::A, ofC},
                {left ? ofA : ofSource, left ? ofSource : ofA, vectorOf(unsolved, c)}, scaleProduct,
                scale, /*ofInverse=*/false);
}

/// solution = scale * V unsolved, or with A on the right unsolved V, where V is the inverse of
/// number `number` of all blocks in memory; of the ragged one, where that is null.
void Blocks::emitInverse(Range range, OpFoldResult number, Value scale) {
  Value of = ofBlocks;
  int64_t order = number ? width : op.getK() % width, corner = restBehind ? width - order : 0;
  int64_t rank = memrefType(of).getRank();
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)),
      sizes = memref::getMixedSizes(builder, loc, of), ones(rank, builder.getIndexAttr(1));
  offsets[rank - 3] = number ? number : builder.getIndexAttr(op.getK() / width);
  offsets[rank - 2] = offsets[rank - 1] = builder.getIndexAttr(corner);
  sizes[rank - 3] = builder.getIndexAttr(1);
  sizes[rank - 2] = sizes[rank - 1] = builder.getIndexAttr(order);
  SmallVector<int64_t> shape(memrefType(of).getShape().drop_back(3));
  shape.append(2, order);
  MemRefType type =
      memref::SubViewOp::inferRankReducedResultType(shape, memrefType(of), offsets, sizes, ones);
  Value v = memref::SubViewOp::create(builder, loc, type, of, offsets, sizes, ones);
  Value b = block(unsolved, range), c = block(solution, range);
  int64_t ofV = kMaxAccessBytes / elementBytes(type.getElementType());
  for (int64_t length : {width, corner, order})
    ofV = std::gcd(ofV, length);
  int64_t ofB = vectorOf(unsolved, b);
  GemmOp product = createProduct({left ? v : b, left ? b : v, c},
                                 {Role::W, Role::W, op.getB() ? Role::C : Role::B},
                                 {left ? ofV : ofB, left ? ofB : ofV, vectorOf(solution, c)}, scale,
                                 /*beta=*/Value(), /*ofInverse=*/true);
  if (op.getDiag() == Diag::NonUnit)
    scaleResult(builder, product, blockOfA(range, range), left);
}

/// The smaller block.
void Blocks::emitRagged(Value scale) {
  int64_t known = op.getK();
  if (!ShapedType::isDynamic(known) && known % width == 0)
    return;
  Value covered = multiply(full, index(width));
  bool dynamic = ShapedType::isDynamic(known);
  OpFoldResult size =
      dynamic ? subtract(order, covered) : OpFoldResult(builder.getIndexAttr(known % width));
  Range range{restBehind ? covered : index(0), size};
  invertsRagged ? emitInverse(range, /*number=*/{}, scale) : emitDiagonal(range, scale);
}

/// The loop over full blocks. Returns the scale of the output after it, if solving with alpha.
Value Blocks::emitLoop() {
  Value alpha = op.getAlpha();
  bool carries = solves && alpha;
  ValueRange carried = carries ? ValueRange(alpha) : ValueRange();
  auto loop = scf::ForOp::create(builder, loc, index(0), full, index(1), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Range range = fullBlock(loop.getInductionVar());
  Value scale = carries ? loop.getRegionIterArg(0) : Value();
  if (solves) {
    emitDiagonal(range, scale);
    emitUpdate(range, rest(range), carries ? scale : scaleLater);
  } else {
    emitUpdate(range, rest(range), scaleLater);
    emitDiagonal(range, alpha);
  }
  if (!carries)
    return {};
  scf::YieldOp::create(builder, loc, scaleLater);
  return loop.getResult(0);
}

/// The product of `level` after, or before, block q - 1: the last one may be cut off by the end of
/// the matrix.
void Blocks::emitLevel(Value q, int64_t level) {
  int64_t known = op.getK(), step = int64_t(1) << level, size = step * width;
  int64_t most = (known - 1) / width; // largest q with blocks after it
  int64_t last = (most / step) % 2 ? most / step * step : (most / step - 1) * step;
  int64_t ofLast = std::min(size, known - last * width);
  auto update = [&](int64_t elements) {
    Value scale = scaleLater, alpha = solves ? op.getAlpha() : Value();
    if (alpha) { // what has met no product before
      Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, q, index(step));
      scale = arith::SelectOp::create(builder, loc, isFirst, alpha, scaleLater);
    }
    emitUpdate(blocksFrom(subtract(q, index(step)), size), blocksFrom(q, elements), scale);
  };
  if (ofLast == size)
    return update(size);
  if (last == step)
    return update(ofLast);
  Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, q, index(last));
  auto branch = scf::IfOp::create(builder, loc, isLast, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  update(ofLast);
  builder.setInsertionPointToStart(branch.elseBlock());
  update(size);
}

/// The product whose power of 2 is the largest that divides q, unless block q is the last.
void Blocks::emitUpdates(Value q) {
  int64_t most = (op.getK() - 1) / width;
  for (int64_t level = 0; int64_t(1) << level <= most; ++level) {
    int64_t step = int64_t(1) << level;
    Value rest = arith::RemUIOp::create(builder, loc, q, index(2 * step));
    Value divides =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest, index(step));
    Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, q, index(most));
    Value both = arith::AndIOp::create(builder, loc, divides, exists);
    auto branch = scf::IfOp::create(builder, loc, both, /*withElse=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    emitLevel(q, level);
  }
}

void Blocks::emitRecursion(int64_t known) {
  testAlignments();
  auto loop = scf::ForOp::create(builder, loc, index(0), full, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar(), one = index(1);
  Value q = solves ? add(step, one) : subtract(full, step);
  Range range = blocksFrom(subtract(q, one), width);
  if (!solves) {
    emitUpdates(q);
    return emitDiagonal(range, op.getAlpha());
  }
  Value scale = op.getAlpha();
  if (scale) {
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, q, one);
    scale = arith::SelectOp::create(builder, loc, isFirst, scale, scaleLater);
  }
  if (ofBlocks)
    emitInverse(range, restBehind ? step : subtract(full, q), scale);
  else
    emitDiagonal(range, scale);
  emitUpdates(q);
}

void Blocks::emit() {
  if (op.getPlanAttr()->method == Method::Invert)
    prepareInverses();
  else
    copyInput();
  int64_t known = op.getK(), rank = memrefType(op.getA()).getRank();
  bool isDynamic = ShapedType::isDynamic(known);
  order = isDynamic ? memref::DimOp::create(builder, loc, op.getA(), rank - 2).getResult()
                    : index(known);
  full = arith::DivUIOp::create(builder, loc, order, index(width));
  prepareScalars();
  if (!solves)
    emitRagged(op.getAlpha());
  Value scale = op.getAlpha() ? scaleLater : Value(); // of a ragged block, that products have met
  if (isDynamic)
    scale = emitLoop();
  else
    emitRecursion(known);
  if (solves)
    emitRagged(scale);
  inverses.free();
  if (unsolved != solution)
    memref::DeallocOp::create(builder, loc, memory);
}

void rooftile::emitTriangularBlocks(OpBuilder &builder, TriangularOpInterface op) {
  Blocks(builder, op).emit();
}
