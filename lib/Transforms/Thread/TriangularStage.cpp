//===- TriangularStage.cpp - What a block keeps in shared memory ----------===//

#include "rooftile/Transforms/Thread/TriangularStage.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

static bool isLeft(TriangularOpInterface op) { return op.getSide() == Side::Left; }

static Type elementOf(Value matrix) { return cast<MemRefType>(matrix.getType()).getElementType(); }

ThreadRows rooftile::rowsOfThread(TriangularOpInterface op) {
  BlocksAttr plan = op.getPlanAttr();
  Type element = elementOf(op.getC());
  ThreadRows result;
  result.vectors = plan->threadVectors, result.rows = plan->rows;
  if (!ShapedType::isDynamic(op.getK()))
    result.order = op.getK();
  if (result.rows == 0)
    result.rows = rowsInRegisters(result.order, elementBytes(element), componentsOf(element));
  result.whole = result.order && *result.order <= result.rows;
  if (result.whole)
    result.rows = *result.order;
  result.ragged = !result.whole && (!result.order || *result.order % result.rows != 0);
  return result;
}

int64_t rooftile::vectorsOfWorkgroup(TriangularOpInterface op) {
  BlocksAttr plan = op.getPlanAttr();
  return plan->workgroupVectors > 0 ? plan->workgroupVectors
                                    : plan->workgroup * plan->threadVectors;
}

int64_t rooftile::vectorsOfShare(TriangularOpInterface op) {
  int64_t vectors = isLeft(op) ? op.getN() : op.getM();
  int64_t most = op.getPlanAttr()->workgroup * op.getPlanAttr()->threadVectors;
  return ShapedType::isDynamic(vectors) ? most : std::clamp<int64_t>(vectors, 1, most);
}

bool rooftile::isAlongVector(TriangularOpInterface op, Value matrix) {
  auto type = cast<MemRefType>(matrix.getType());
  int64_t rows = type.getRank() - 2, along = isLeft(op) ? rows : rows + 1;
  return hasUnitStride(type, along) && !hasUnitStride(type, 2 * rows + 1 - along);
}

int64_t Staging::bytesOfTriangles() const {
  return triangles ? llvm::alignTo(triangles->bytes(), kMaxAccessBytes) : 0;
}

std::optional<SweptBlock> rooftile::sweptBlockOf(TriangularOpInterface op) {
  BlocksAttr plan = op.getPlanAttr();
  int64_t order = op.getK();
  if (plan->workgroupVectors == 0 || ShapedType::isDynamic(order))
    return std::nullopt;
  Type ofA = elementOf(op.getA());
  return SweptBlock(order, plan->workgroup, plan->workgroupVectors, elementBytes(ofA),
                    elementBytes(elementOf(op.getC())), componentBytes(ofA));
}

Staging rooftile::stagingOf(TriangularOpInterface op) {
  Staging staging;
  ThreadRows rows = rowsOfThread(op);
  if (rows.order.value_or(0) == 0)
    return staging;
  BlocksAttr plan = op.getPlanAttr();
  bool own = cast<MemRefType>(op.getA().getType()).getRank() > 2;
  if (plan->a == Via::Shared)
    staging.triangles.emplace(llvm::alignTo(*rows.order, rows.rows), own ? plan->matrices : 1,
                              elementBytes(elementOf(op.getA())));
  bool divides = isa<TrsmOp>(op) && op.getDiag() == Diag::NonUnit;
  if (staging.triangles && divides) {
    Type element = elementOf(op.getA());
    staging.divisors.emplace(llvm::alignTo(*rows.order, rows.rows), staging.triangles->count,
                             elementBytes(element), componentsOf(element));
  }
  if (plan->b == Via::Shared)
    staging.vectors.emplace(*rows.order, vectorsOfShare(op), plan->matrices,
                            isAlongVector(op, op.getC()), elementBytes(elementOf(op.getC())));
  return staging;
}

int64_t rooftile::sharedBytesOf(TriangularOpInterface op) {
  std::optional<SweptBlock> swept = sweptBlockOf(op);
  return swept ? swept->bytes() : stagingOf(op).bytes();
}

namespace {
/// Index arithmetic, folded where it can be.
struct Indices {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b); }
  Value scaled(Value a, int64_t by) {
    return builder.createOrFold<arith::MulIOp>(loc, a, constant(by));
  }
  Value least(Value a, Value b) { return builder.createOrFold<arith::MinSIOp>(loc, a, b); }
  /// Indices of a workgroup count in 32 bits: one instruction, not three.
  Value leastInside(Value a, Value b) {
    return widened(builder.createOrFold<arith::MinUIOp>(loc, narrowed(a), narrowed(b)));
  }
  Value largestInside(Value a, Value b) {
    return widened(builder.createOrFold<arith::MaxUIOp>(loc, narrowed(a), narrowed(b)));
  }
  Value less(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, b);
  }
  Value narrowed(Value a) {
    return builder.createOrFold<arith::IndexCastUIOp>(loc, builder.getI32Type(), a);
  }
  Value widened(Value a) {
    return builder.createOrFold<arith::IndexCastUIOp>(loc, builder.getIndexType(), a);
  }
  Value last(Value count) { return builder.createOrFold<arith::SubIOp>(loc, count, constant(1)); }
  Value both(Value a, Value b) {
    if (!a || !b)
      return a ? a : b;
    return arith::AndIOp::create(builder, loc, a, b);
  }
};
} // namespace

Value rooftile::viewShared(OpBuilder &builder, Location loc, Type element, int64_t bytes,
                           int64_t size) {
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  auto type = [&](Type of) {
    return MemRefType::get({ShapedType::kDynamic}, of, AffineMap(), space);
  };
  Value base = gpu::DynamicSharedMemoryOp::create(builder, loc, type(builder.getI8Type()));
  Type real = realTypeOf(element);
  Value start = arith::ConstantIndexOp::create(builder, loc, bytes);
  Value count = arith::ConstantIndexOp::create(builder, loc, size / componentBytes(element));
  return memref::ViewOp::create(builder, loc, type(real), base, start, count);
}

/// Loads, where the item exists: else zeros.
static SmallVector<Value> loadItem(OpBuilder &builder, Location loc, const FlatAddress &from,
                                   Value exists) {
  if (!exists)
    return loadRun(builder, loc, from, 1);
  Type real = cast<MemRefType>(from.flat.getType()).getElementType();
  SmallVector<Type> types(from.components, real);
  auto branch = scf::IfOp::create(builder, loc, types, exists, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, loadRun(builder, loc, from, 1));
  builder.setInsertionPointToStart(branch.elseBlock());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(real));
  scf::YieldOp::create(builder, loc, SmallVector<Value>(from.components, zero));
  return SmallVector<Value>(branch.getResults());
}

static void storeItem(OpBuilder &builder, Location loc, ValueRange values, const FlatAddress &to,
                      Value exists) {
  OpBuilder::InsertionGuard guard(builder);
  if (exists) {
    auto branch = scf::IfOp::create(builder, loc, exists, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  storeRun(builder, loc, values, to);
}

namespace {
/// The path of one item: `read` and `written`: whether its source exists, and whether
/// it is written. Null: it is.
struct Way {
  FlatAddress from, to;
  Value read, written;
};
} // namespace

/// Copies `total` items, each `wayOf` one; a thread loads all that it has before it stores.
static void copyItems(OpBuilder &builder, Location loc, int64_t total, int64_t threads, bool rolled,
                      function_ref<Way(const Item &)> wayOf) {
  spreadItems(builder, loc, total, threads, rolled, [&](ArrayRef<Item> items) {
    SmallVector<Way> ways;
    SmallVector<SmallVector<Value>> elements;
    for (const Item &item : items) {
      ways.push_back(wayOf(item));
      elements.push_back(loadItem(builder, loc, ways.back().from, ways.back().read));
    }
    for (auto [way, element] : llvm::zip_equal(ways, elements))
      storeItem(builder, loc, element, way.to, way.written);
  });
}

/// Number `own` of the matrices of a workgroup in the batch, or its last one where there is none or
/// no such item: a table of pointers has no entry beyond.
static Value existingMatrix(Indices &indices, const BlockShare &share, const Item &item,
                            Value own) {
  if (!share.fullMatrices || item.exists) {
    Value behind = indices.builder.createOrFold<arith::SubIOp>(
        indices.loc, indices.last(share.allMatrices), share.firstMatrix);
    own = indices.leastInside(own, indices.least(behind, indices.constant(share.matrices - 1)));
  }
  return indices.add(share.firstMatrix, own);
}

//===----------------------------------------------------------------------===//
// Triangles
//===----------------------------------------------------------------------===//

StagedTriangle::StagedTriangle(OpBuilder &builder, Location loc, const BlockShare &share,
                               const StagedTriangles &layout, Type element, int64_t bytes)
    : builder(builder), loc(loc), share(share), layout(layout),
      flat(viewShared(builder, loc, element, bytes, layout.bytes())),
      components(componentsOf(element)) {}

/// The element of the triangle at (i, k), which may be above the diagonal or after
/// the last row: the one where the digit that runs fastest meets the diagonal. So neighbouring
/// threads that are beyond read the same element, not as many cache lines as the diagonal has.
std::pair<Value, Value> StagedTriangle::nearestElement(Value i, Value k, bool rowsFast) {
  Indices indices{builder, loc};
  // The last column, and the first row, of a unit triangle have no element.
  int64_t order = share.order, unit = share.unit ? 1 : 0;
  auto within = [&](Value each, int64_t last) {
    return last + 1 < share.stagedOrder ? indices.leastInside(each, indices.constant(last)) : each;
  };
  if (!rowsFast) {
    Value row = within(i, order - 1);
    if (unit == 0)
      return {row, indices.leastInside(k, row)};
    row = indices.largestInside(row, indices.constant(1));
    return {row, indices.leastInside(k, indices.last(row))};
  }
  Value column = within(k, order - 1 - unit);
  Value first = unit == 0 ? column : indices.add(column, indices.constant(1));
  return {within(indices.largestInside(i, first), order - 1), column};
}

StagedTriangle::Place StagedTriangle::place(Item item, MatrixOfBatch from, bool rowsFast) {
  Indices indices{builder, loc};
  int64_t order = share.order;
  ItemNumber rest = item.number;
  Value fast = rest.takeDigit(builder, loc, share.stagedOrder).value(builder, loc);
  Value slow = rest.takeDigit(builder, loc, share.stagedOrder).value(builder, loc);
  Value i = rowsFast ? fast : slow, k = rowsFast ? slow : fast, triangle = rest.value(builder, loc);
  Value at = indices.add(indices.scaled(triangle, layout.triangle),
                         indices.add(indices.scaled(k, layout.column), i));
  auto [row, column] = nearestElement(i, k, rowsFast);
  auto inMemory = [&](Value each) -> Value {
    if (share.lower)
      return each;
    return arith::SubIOp::create(builder, loc, indices.constant(order - 1), each);
  };
  Value matrix = existingMatrix(indices, share, item, triangle);
  return {from(matrix).at(builder, loc, inMemory(row), inMemory(column)), {flat, at, components}};
}

void StagedTriangle::copy(MatrixOfBatch from, bool rowsFast) {
  int64_t total = layout.count * share.stagedOrder * share.stagedOrder;
  if (share.unit && share.order == 1)
    return;
  // One triangle for all workgroups comes from the cache, and vectors need the registers.
  bool rolled = layout.count == 1 && share.matrices == 1;
  copyItems(builder, loc, total, share.threads, rolled, [&](const Item &item) -> Way {
    Place at = place(item, from, rowsFast);
    return {at.from, at.to, item.exists, item.exists};
  });
}

Components StagedTriangle::load(Value triangle, Value row, int64_t i, Value column, int64_t k) {
  // After the last row of one part nothing was written: its elements come one by one.
  int64_t width = layout.vector, first = i / width * width;
  if (getConstantIntValue(row) == 0 && first + width > share.order)
    width = 1, first = i;
  std::tuple place(row, first, column, k);
  if (known != place) {
    Indices indices{builder, loc};
    Value inColumn = indices.add(row, indices.constant(first));
    Value columns = indices.add(column, indices.constant(k));
    Value at = indices.add(indices.scaled(triangle, layout.triangle),
                           indices.add(indices.scaled(columns, layout.column), inColumn));
    run = loadRun(builder, loc, {flat, at, components}, width);
    known = place;
  }
  return Components(ArrayRef(run).slice((i - first) * components, components));
}

//===----------------------------------------------------------------------===//
// Divisors
//===----------------------------------------------------------------------===//

FlatAddress StagedDivisors::place(Value triangle, Value at, int64_t number) {
  Indices indices{builder, loc};
  Value first = indices.scaled(at, layout.reals);
  if (triangle)
    first = indices.add(indices.scaled(triangle, layout.triangle), first);
  return {flat, indices.add(first, indices.constant(number)), 1};
}

void StagedDivisors::copy(const BlockShare &share, MatrixOfBatch from,
                          function_ref<Components(const FlatAddress &)> load) {
  Indices indices{builder, loc};
  auto divide = [&](const Item &item) {
    ItemNumber rest = item.number;
    Value at = rest.takeDigit(builder, loc, share.stagedOrder).value(builder, loc);
    Value triangle = layout.count > 1 ? rest.value(builder, loc) : Value();
    Value row = indices.leastInside(at, indices.constant(share.order - 1));
    if (!share.lower)
      row = arith::SubIOp::create(builder, loc, indices.constant(share.order - 1), row);
    Value matrix = triangle ? existingMatrix(indices, share, item, triangle) : Value();
    Components element = load(from(matrix).at(builder, loc, row, row));
    OpBuilder::InsertionGuard guard(builder);
    if (item.exists)
      builder.setInsertionPointToStart(
          scf::IfOp::create(builder, loc, item.exists, /*withElse=*/false).thenBlock());
    store(triangle, at, element);
  };
  spreadItems(builder, loc, layout.count * share.stagedOrder, share.threads, /*rolled=*/false,
              [&](ArrayRef<Item> items) { llvm::for_each(items, divide); });
}

void StagedDivisors::store(Value triangle, Value at, const Components &element) {
  ElementMath math(builder, loc);
  Divisor divisor = math.prepareInverse(element);
  divisor.factor.push_back(divisor.scale);
  for (auto [number, value] : llvm::enumerate(divisor.factor))
    storeRun(builder, loc, math.convert(value, real), place(triangle, at, number));
}

Divisor StagedDivisors::load(Value triangle, Value at, Type sum) {
  ElementMath math(builder, loc);
  Components loaded;
  for (int64_t number = 0; number < layout.reals; ++number)
    loaded.push_back(math.convert(loadRun(builder, loc, place(triangle, at, number), 1)[0], sum));
  Value scale = loaded.pop_back_val();
  return {loaded, scale};
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

StagedVector::StagedVector(OpBuilder &builder, Location loc, const BlockShare &share,
                           const StagedVectors &layout, Type element, int64_t bytes)
    : builder(builder), loc(loc), share(share), layout(layout),
      flat(viewShared(builder, loc, element, bytes, layout.bytes())),
      components(componentsOf(element)) {}

FlatAddress StagedVector::at(Value matrix, Value vector, Value i) {
  Indices indices{builder, loc};
  Value place =
      indices.add(indices.scaled(matrix, layout.matrix), indices.scaled(vector, layout.vector));
  return {flat, indices.add(place, indices.scaled(i, layout.element)), components};
}

/// `clamped`: what does not exist is the nearest that does.
StagedVector::Place StagedVector::place(Item item, MatrixOfBatch matrices, bool alongVector,
                                        bool clamped) {
  Indices indices{builder, loc};
  ItemNumber rest = item.number;
  Value fast =
      rest.takeDigit(builder, loc, alongVector ? share.order : share.vectors).value(builder, loc);
  Value slow =
      rest.takeDigit(builder, loc, alongVector ? share.vectors : share.order).value(builder, loc);
  Value i = alongVector ? fast : slow, vector = alongVector ? slow : fast;
  Value matrix = rest.value(builder, loc);
  Place result;
  result.shared = at(matrix, vector, i);
  auto require = [&](Value number, Value all, bool full) {
    if (!full && !clamped)
      result.exists = indices.both(result.exists, indices.less(number, all));
  };
  vector = indices.add(share.firstVector, vector);
  require(vector, share.allVectors, share.fullVectors);
  if (!share.fullVectors && clamped)
    vector = indices.least(vector, indices.last(share.allVectors));
  require(indices.add(share.firstMatrix, matrix), share.allMatrices, share.fullMatrices);
  result.exists = indices.both(result.exists, item.exists);
  matrix = existingMatrix(indices, share, item, matrix);
  result.memory = matrices(matrix).at(builder, loc, i, vector);
  return result;
}

void StagedVector::copyIn(MatrixOfBatch from, bool alongVector) {
  int64_t total = share.matrices * share.vectors * share.order;
  copyItems(builder, loc, total, share.threads, /*rolled=*/false, [&](const Item &item) -> Way {
    Place at = place(item, from, alongVector, /*clamped=*/true);
    return {at.memory, at.shared, item.exists, item.exists};
  });
}

void StagedVector::copyOut(MatrixOfBatch to, bool alongVector) {
  int64_t total = share.matrices * share.vectors * share.order;
  copyItems(builder, loc, total, share.threads, /*rolled=*/false, [&](const Item &item) -> Way {
    Place at = place(item, to, alongVector, /*clamped=*/false);
    return {at.shared, at.memory, item.exists, at.exists};
  });
}
