//===- TriangularVector.cpp - Vectors of one thread of a triangular kernel -===//

#include "TriangularVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/Limits.h"

using namespace mlir;
using namespace rooftile;

void rooftile::solveRows(ElementMath &math, const VectorFactors &factors,
                         MutableArrayRef<Components> rows, int64_t vectors) {
  int64_t count = rows.size() / vectors;
  for (int64_t k = 0; k < count; ++k) {
    MutableArrayRef<Components> x = rows.slice(k * vectors, vectors);
    if (!factors.unit) {
      Divisor divisor =
          factors.divisor ? factors.divisor(k) : math.prepareDivisor(factors.triangle(k, k));
      for (Components &element : x)
        element = math.divide(element, divisor);
    }
    if (k + 1 == count)
      break;
    SmallVector<Components> minus;
    for (const Components &element : x)
      minus.push_back(math.negate(element));
    for (int64_t i = k + 1; i < count; ++i) {
      Components factor = factors.triangle(i, k);
      for (int64_t vector = 0; vector < vectors; ++vector)
        rows[i * vectors + vector] =
            math.multiplyAdd(factor, minus[vector], rows[i * vectors + vector]);
    }
  }
}

/// From the last column on: an element is not needed any more when its own column comes.
void rooftile::multiplyRows(ElementMath &math, const VectorFactors &factors,
                            MutableArrayRef<Components> rows, int64_t vectors) {
  int64_t count = rows.size() / vectors;
  for (int64_t k = count - 1; k >= 0; --k) {
    MutableArrayRef<Components> own = rows.slice(k * vectors, vectors);
    for (int64_t i = k + 1; i < count; ++i) {
      Components factor = factors.triangle(i, k);
      for (int64_t vector = 0; vector < vectors; ++vector)
        rows[i * vectors + vector] =
            math.multiplyAdd(factor, own[vector], rows[i * vectors + vector]);
    }
    if (factors.unit)
      continue;
    Components factor = factors.triangle(k, k);
    for (Components &element : own)
      element = math.multiply(factor, element);
  }
}

//===----------------------------------------------------------------------===//
// All of a thread
//===----------------------------------------------------------------------===//

namespace {
/// Emits one part after the other.
class Parts {
public:
  Parts(OpBuilder &builder, Location loc, const ThreadVectors &vectors)
      : builder(builder), loc(loc), math(builder, loc), vectors(vectors) {}

  void emit();

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value a, int64_t b) { return builder.createOrFold<arith::AddIOp>(loc, a, index(b)); }

  Value row(Value first, int64_t i);
  void emitPart(Value first);
  SmallVector<Components> addRowsInFront(Value first, ArrayRef<Components> part);
  void storeRow(Value first, int64_t i, ArrayRef<Components> row);

  OpBuilder &builder;
  Location loc;
  ElementMath math;
  const ThreadVectors &vectors;
};
} // namespace

/// Row `i` of a part; past the end, the last one.
Value Parts::row(Value first, int64_t i) {
  Value row = add(first, i);
  return vectors.ragged ? arith::MinSIOp::create(builder, loc, row, add(vectors.order, -1)) : row;
}

SmallVector<Components> Parts::addRowsInFront(Value first, ArrayRef<Components> part) {
  size_t components = part[0].size();
  auto loop =
      scf::ForOp::create(builder, loc, index(0), first, index(blas::kRowsAhead), realsOf(part));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Components> sums = elementsOf(loop.getRegionIterArgs(), components), others;
  Value column = loop.getInductionVar();
  for (int64_t k = 0; k < blas::kRowsAhead; ++k)
    for (int64_t vector = 0; vector < vectors.vectors; ++vector) {
      Components other = vectors.loadAgain(vector, add(column, k));
      others.push_back(vectors.solves ? math.negate(other) : other);
    }
  for (int64_t k = 0; k < blas::kRowsAhead; ++k)
    for (int64_t i = 0; i < vectors.rows; ++i) {
      Components factor = vectors.triangle(first, i, column, k);
      for (int64_t vector = 0; vector < vectors.vectors; ++vector) {
        Components &sum = sums[i * vectors.vectors + vector];
        sum = math.multiplyAdd(factor, others[k * vectors.vectors + vector], sum);
      }
    }
  scf::YieldOp::create(builder, loc, realsOf(sums));
  return elementsOf(loop.getResults(), components);
}

/// Rows beyond the last one are not written.
void Parts::storeRow(Value first, int64_t i, ArrayRef<Components> elements) {
  OpBuilder::InsertionGuard guard(builder);
  Value row = add(first, i);
  if (vectors.ragged) {
    Value exists =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, row, vectors.order);
    auto branch = scf::IfOp::create(builder, loc, exists, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  for (auto [vector, element] : llvm::enumerate(elements))
    vectors.store(element, vector, row);
}

void Parts::emitPart(Value first) {
  SmallVector<Components> part;
  for (int64_t i = 0; i < vectors.rows; ++i) {
    Value own = row(first, i);
    for (int64_t vector = 0; vector < vectors.vectors; ++vector)
      part.push_back(vectors.load(vector, own));
  }
  auto scale = [&] {
    if (vectors.scale)
      for (Components &element : part)
        element = vectors.scale(element);
  };
  auto triangle = [&](int64_t i, int64_t k) { return vectors.triangle(first, i, first, k); };
  auto divisor = [&](int64_t k) { return vectors.divisor(first, k); };
  VectorFactors factors{triangle, vectors.unit};
  if (vectors.divisor)
    factors.divisor = divisor;
  if (vectors.solves)
    scale();
  else
    multiplyRows(math, factors, part, vectors.vectors);
  if (!vectors.whole)
    part = addRowsInFront(first, part);
  if (vectors.solves)
    solveRows(math, factors, part, vectors.vectors);
  else
    scale();
  for (int64_t i = 0; i < vectors.rows; ++i)
    storeRow(first, i, ArrayRef(part).slice(i * vectors.vectors, vectors.vectors));
}

void Parts::emit() {
  if (vectors.whole)
    return emitPart(index(0));
  Value count = arith::CeilDivUIOp::create(builder, loc, vectors.order, index(vectors.rows));
  auto loop = scf::ForOp::create(builder, loc, index(0), count, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value part = loop.getInductionVar();
  if (!vectors.solves)
    part = arith::SubIOp::create(builder, loc, add(count, -1), part);
  emitPart(arith::MulIOp::create(builder, loc, part, index(vectors.rows)));
}

void rooftile::emitThreadVectors(OpBuilder &builder, Location loc, const ThreadVectors &vectors) {
  if (vectors.rows > 0)
    Parts(builder, loc, vectors).emit();
}
