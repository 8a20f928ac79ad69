//===- TriangularSweep.cpp - Vectors of all threads, solved together ------===//

#include "TriangularSweep.h"
#include "TriangularVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Transforms/Thread/TriangularStage.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

namespace {
constexpr int64_t kRows = kSweepRows;

/// Emits the work of one thread. Rows count as a lower T has them.
class Sweep {
public:
  Sweep(OpBuilder &builder, Location loc, const SweptVectors &vectors, const SweptBlock &block)
      : builder(builder), loc(loc), math(builder, loc), vectors(vectors), block(block),
        thread(gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x)),
        columns(viewShared(builder, loc, vectors.triangle, 0, block.bytesOfColumns())),
        solved(
            viewShared(builder, loc, vectors.vector, block.bytesOfColumns(), block.bytesOfRows())),
        divisors(builder, loc, vectors.triangle, block.divisors,
                 block.bytesOfColumns() + block.bytesOfRows()) {}

  void emit();

private:
  /// Elements of a thread: of its rows of the vectors, or of columns of T.
  using Elements = SmallVector<Components>;

  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b); }
  Value scaled(Value a, int64_t by) {
    return builder.createOrFold<arith::MulIOp>(loc, a, index(by));
  }
  /// Rows and columns of T count in 32 bits, which addresses of 64 accept without more
  /// instructions.
  Value number(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), value);
  }
  Value narrow(Value a) {
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), a);
  }
  Value atMost(Value a, Value most) { return arith::MinSIOp::create(builder, loc, a, most); }
  Value atLeast(Value a, Value least) { return arith::MaxSIOp::create(builder, loc, a, least); }
  Value less(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, b);
  }
  Value inMemory(Value row) {
    if (vectors.lower)
      return row;
    return arith::SubIOp::create(builder, loc, index(vectors.order - 1), row);
  }
  Value inTriangle(Value row) {
    if (!vectors.lower)
      row = arith::SubIOp::create(builder, loc, number(vectors.order - 1), row);
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), row);
  }
  Components load(const FlatAddress &place) {
    return math.convert(Components(loadRun(builder, loc, place, 1)), vectors.sum);
  }

  int64_t rowsOf(int64_t stripe) const {
    return std::min(block.threads, vectors.order - stripe * block.threads);
  }
  bool isRagged(int64_t stripe) const { return rowsOf(stripe) < block.threads; }
  Value vector(int64_t number);
  Value ownRow(int64_t stripe);
  Elements loadLines();
  void storeDivisors();
  Elements loadColumns(Value first, int64_t stripes);
  void storeColumns(const Elements &elements);
  void storeRows(Value first, int64_t stripe, ArrayRef<Components> own);
  void solve(Value first);
  SmallVector<Value> update(Value row, Value isBehind, ArrayRef<Components> own);
  void emitStripe(int64_t stripe, Elements &own);

  FlatAddress inColumns(Value row, Value column) {
    return {columns, add(scaled(row, block.record), column), componentsOf(vectors.triangle)};
  }
  FlatAddress inSolved(Value row, Value number) {
    return {solved, add(scaled(row, block.vectors), number), componentsOf(vectors.vector)};
  }

  OpBuilder &builder;
  Location loc;
  ElementMath math;
  const SweptVectors &vectors;
  const SweptBlock &block;
  Value thread, columns, solved;
  StagedDivisors divisors;
};
} // namespace

/// Vector `number` of the workgroup; where there is none, the last one.
Value Sweep::vector(int64_t number) {
  Value vector = add(vectors.first, index(number));
  if (vectors.full)
    return vector;
  Value last = arith::SubIOp::create(builder, loc, vectors.all, index(1));
  return arith::MinSIOp::create(builder, loc, vector, last);
}

/// The row of this thread in a stripe; where there is none, the last one.
Value Sweep::ownRow(int64_t stripe) {
  Value row = add(thread, index(stripe * block.threads));
  return isRagged(stripe) ? atMost(row, index(vectors.order - 1)) : row;
}

/// All rows of this thread, stripe by stripe, multiplied by alpha.
Sweep::Elements Sweep::loadLines() {
  Elements own;
  for (int64_t stripe = 0; stripe < block.stripes; ++stripe) {
    Value row = inMemory(ownRow(stripe));
    for (int64_t number = 0; number < block.vectors; ++number)
      own.push_back(load(vectors.in.at(builder, loc, row, vector(number))));
  }
  if (vectors.scale)
    for (Components &each : own)
      each = vectors.scale(each);
  return own;
}

/// Each thread those of its rows.
void Sweep::storeDivisors() {
  if (vectors.unit)
    return;
  for (int64_t stripe = 0; stripe < block.stripes; ++stripe) {
    Value row = inMemory(ownRow(stripe));
    divisors.store(/*triangle=*/{}, add(thread, index(stripe * block.threads)),
                   vectors.enter(load(vectors.t.at(builder, loc, row, row))));
  }
}

/// Elements T[i, first .. first + 16] of all rows i from `first` on, so many times as many as there
/// are threads, as memory has them: neighbouring threads load neighbours. In place of those
/// that are not to be read, above the diagonal or after the last row, are others, which nothing
/// depends on.
Sweep::Elements Sweep::loadColumns(Value first, int64_t stripes) {
  Elements elements;
  int64_t unit = vectors.unit ? 1 : 0, lastRow = vectors.order - 1;
  int64_t lastStart = (block.stripes - stripes + 1) * block.threads - kRows;
  Value start = narrow(first), place = narrow(thread), group = place;
  if (vectors.alongRows) {
    group = arith::DivUIOp::create(builder, loc, place, number(kRows));
    place = arith::RemUIOp::create(builder, loc, place, number(kRows));
  }
  for (int64_t each = 0; each < stripes; ++each)
    for (int64_t item = 0; item < kRows; ++item) {
      int64_t shift = each * block.threads + (vectors.alongRows ? item * block.threads / kRows : 0);
      Value column = vectors.alongRows ? place : number(item);
      Value row = add(group, number(shift));
      if (shift < kRows)
        row = atLeast(row, add(column, number(unit)));
      row = add(row, start), column = add(column, start);
      // Below a unit diagonal the first rows reach one further than 16 threads do.
      int64_t end = std::max((each + 1) * block.threads, kRows + unit);
      if (lastStart + end > vectors.order)
        row = atMost(row, number(lastRow));
      if (stripes == 1 && (unit || vectors.order % kRows != 0))
        column = atMost(column, number(std::max<int64_t>(0, lastRow - unit)));
      elements.push_back(Components(loadRun(
          builder, loc, vectors.t.at(builder, loc, inTriangle(row), inTriangle(column)), 1)));
    }
  return elements;
}

void Sweep::storeColumns(const Elements &elements) {
  Value place = arith::RemUIOp::create(builder, loc, thread, index(kRows));
  Value group = arith::DivUIOp::create(builder, loc, thread, index(kRows));
  for (auto [number, element] : llvm::enumerate(elements)) {
    int64_t each = number / kRows, item = number % kRows;
    Value row = vectors.alongRows ? add(group, index(item * block.threads / kRows)) : thread;
    Value column = vectors.alongRows ? place : index(item);
    storeRun(builder, loc, element, inColumns(add(row, index(each * block.threads)), column));
  }
}

/// Rows `first` to first + 16 of the vectors, by the threads that have them.
void Sweep::storeRows(Value first, int64_t stripe, ArrayRef<Components> own) {
  Value start = arith::SubIOp::create(builder, loc, first, index(stripe * block.threads));
  Value row = arith::SubIOp::create(builder, loc, thread, start);
  Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, row, index(kRows));
  auto branch = scf::IfOp::create(builder, loc, isOne, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  for (int64_t number = 0; number < block.vectors; ++number)
    storeRun(builder, loc, math.convert(own[number], realTypeOf(vectors.vector)),
             inSolved(row, index(number)));
}

/// The first threads have a vector each.
void Sweep::solve(Value first) {
  Value has = less(thread, index(block.vectors));
  auto branch = scf::IfOp::create(builder, loc, has, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Elements rows;
  for (int64_t i = 0; i < kRows; ++i)
    rows.push_back(load(inSolved(index(i), thread)));
  // Elements of a row come in wide accesses.
  int64_t width = kMaxAccessBytes / block.triangleBytes, parts = componentsOf(vectors.triangle);
  SmallVector<SmallVector<Value>> runs(kRows);
  auto triangle = [&](int64_t i, int64_t k) {
    if (k % width == 0 || runs[i].empty())
      runs[i] = loadRun(builder, loc, inColumns(index(i), index(k / width * width)), width);
    Components element(ArrayRef(runs[i]).slice(k % width * parts, parts));
    return vectors.enter(math.convert(element, vectors.sum));
  };
  auto divisor = [&](int64_t k) { return divisors.load({}, add(first, index(k)), vectors.sum); };
  solveRows(math, {triangle, vectors.unit, divisor}, rows, /*vectors=*/1);
  Value vector = add(vectors.first, thread);
  Type stored = realTypeOf(vectors.vector);
  for (int64_t i = 0; i < kRows; ++i) {
    rows[i] = math.convert(rows[i], stored);
    storeRun(builder, loc, rows[i], inSolved(index(i), thread));
  }
  Value exists = vectors.full ? Value() : less(vector, vectors.all);
  for (int64_t i = 0; i < kRows; ++i) {
    Value row = add(first, index(i)), inside = exists;
    if (vectors.order % kRows != 0) {
      Value isRow = less(row, index(vectors.order));
      inside = inside ? arith::AndIOp::create(builder, loc, inside, isRow).getResult() : isRow;
    }
    OpBuilder::InsertionGuard whole(builder);
    if (inside)
      builder.setInsertionPointToStart(
          scf::IfOp::create(builder, loc, inside, /*withElse=*/false).thenBlock());
    storeRun(builder, loc, rows[i], vectors.out.at(builder, loc, inMemory(row), vector));
  }
}

/// own - T[i, first .. first + 16] x of the row i = first + `row`, if that comes later; null: it
/// does.
SmallVector<Value> Sweep::update(Value row, Value isBehind, ArrayRef<Components> own) {
  SmallVector<Components> sums(own);
  OpBuilder::InsertionGuard guard(builder);
  scf::IfOp branch;
  if (isBehind) {
    SmallVector<Value> before = realsOf(own);
    branch = scf::IfOp::create(builder, loc, TypeRange(ValueRange(before)), isBehind, true);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, before);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  int64_t width = kMaxAccessBytes / block.triangleBytes;
  int64_t wide = std::min(kMaxAccessBytes / block.vectorBytes, block.vectors);
  for (int64_t start = 0; start < kRows; start += width) {
    int64_t parts = componentsOf(vectors.triangle);
    auto run = elementsOf(loadRun(builder, loc, inColumns(row, index(start)), width), parts);
    for (auto [k, element] : llvm::enumerate(run)) {
      Components factor = math.negate(vectors.enter(math.convert(element, vectors.sum)));
      for (int64_t number = 0; number < block.vectors; number += wide) {
        FlatAddress place = inSolved(index(start + k), index(number));
        auto x = elementsOf(loadRun(builder, loc, place, wide), componentsOf(vectors.vector));
        for (int64_t each = 0; each < wide; ++each)
          sums[number + each] =
              math.multiplyAdd(factor, math.convert(x[each], vectors.sum), sums[number + each]);
      }
    }
  }
  if (!branch)
    return realsOf(sums);
  scf::YieldOp::create(builder, loc, realsOf(sums));
  return SmallVector<Value>(branch.getResults());
}

/// All rows of one stripe. Reads the rows of this thread from there on, and leaves those after it.
void Sweep::emitStripe(int64_t stripe, Elements &own) {
  int64_t steps = llvm::divideCeil(rowsOf(stripe), kRows), start = stripe * block.threads;
  int64_t parts = componentsOf(vectors.vector);
  SmallVector<Value> carried = realsOf(own);
  size_t ofVectors = carried.size();
  llvm::append_range(carried, realsOf(loadColumns(index(start), block.stripes - stripe)));
  auto loop = scf::ForOp::create(builder, loc, index(0), index(steps), index(1), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ValueRange inside(loop.getRegionIterArgs());
  Elements sums = elementsOf(inside.take_front(ofVectors), parts);
  Value step = loop.getInductionVar();
  Value first = add(scaled(step, kRows), index(start));
  storeColumns(elementsOf(inside.drop_front(ofVectors), componentsOf(vectors.triangle)));
  storeRows(first, stripe, ArrayRef(sums).take_front(block.vectors));
  gpu::BarrierOp::create(builder, loc);
  // Those of the last step once more: the next stripe begins with other rows.
  Value next = atMost(add(step, index(1)), index(steps - 1));
  SmallVector<Value> columnsNext =
      realsOf(loadColumns(add(scaled(next, kRows), index(start)), block.stripes - stripe));
  solve(first);
  gpu::BarrierOp::create(builder, loc);
  SmallVector<Value> results;
  for (int64_t each = stripe; each < block.stripes; ++each) {
    auto rows = ArrayRef(sums).slice((each - stripe) * block.vectors, block.vectors);
    Value row =
        arith::SubIOp::create(builder, loc, add(thread, index(each * block.threads)), first);
    Value isBehind;
    if (each == stripe)
      isBehind = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, row, index(kRows));
    llvm::append_range(results, update(row, isBehind, rows));
  }
  gpu::BarrierOp::create(builder, loc);
  llvm::append_range(results, columnsNext);
  scf::YieldOp::create(builder, loc, results);
  own = elementsOf(
      loop.getResults().slice(block.vectors * parts, ofVectors - block.vectors * parts), parts);
}

void Sweep::emit() {
  Elements own = loadLines();
  storeDivisors();
  for (int64_t stripe = 0; stripe < block.stripes; ++stripe)
    emitStripe(stripe, own);
}

void rooftile::emitSweep(OpBuilder &builder, Location loc, const SweptVectors &vectors,
                         const SweptBlock &block) {
  Sweep(builder, loc, vectors, block).emit();
}
