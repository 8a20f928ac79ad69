//===- TriangularSweep.cpp - Lines of all threads, solved together --------===//

#include "TriangularSweep.h"
#include "TriangularLine.h"
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
  Sweep(OpBuilder &builder, Location loc, const SweptLines &lines, const SweptBlock &block)
      : builder(builder), loc(loc), math(builder, loc), lines(lines), block(block),
        thread(gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x)),
        columns(viewShared(builder, loc, lines.triangle, 0, block.bytesOfColumns())),
        solved(viewShared(builder, loc, lines.line, block.bytesOfColumns(), block.bytesOfRows())),
        divisors(builder, loc, lines.triangle, block.divisors,
                 block.bytesOfColumns() + block.bytesOfRows()) {}

  void emit();

private:
  /// Elements of a thread: of its rows of the lines, or of columns of T.
  using Elements = SmallVector<Components>;

  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b); }
  Value scaled(Value a, int64_t by) {
    return builder.createOrFold<arith::MulIOp>(loc, a, index(by));
  }
  /// Rows and columns of T count in 32 bits, which addresses of 64 take without more instructions.
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
    if (lines.lower)
      return row;
    return arith::SubIOp::create(builder, loc, index(lines.order - 1), row);
  }
  Value inTriangle(Value row) {
    if (!lines.lower)
      row = arith::SubIOp::create(builder, loc, number(lines.order - 1), row);
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), row);
  }
  Components load(const FlatPlace &place) {
    return math.convert(Components(loadRun(builder, loc, place, 1)), lines.sum);
  }

  int64_t rowsOf(int64_t stripe) const {
    return std::min(block.threads, lines.order - stripe * block.threads);
  }
  bool isRagged(int64_t stripe) const { return rowsOf(stripe) < block.threads; }
  Value line(int64_t number);
  Value ownRow(int64_t stripe);
  Elements loadLines();
  void storeDivisors();
  Elements loadColumns(Value first, int64_t stripes);
  void storeColumns(const Elements &elements);
  void storeRows(Value first, int64_t stripe, ArrayRef<Components> own);
  void solve(Value first);
  SmallVector<Value> update(Value row, Value isBehind, ArrayRef<Components> own);
  void emitStripe(int64_t stripe, Elements &own);

  FlatPlace inColumns(Value row, Value column) {
    return {columns, add(scaled(row, block.record), column), componentsOf(lines.triangle)};
  }
  FlatPlace inSolved(Value row, Value number) {
    return {solved, add(scaled(row, block.lines), number), componentsOf(lines.line)};
  }

  OpBuilder &builder;
  Location loc;
  ElementMath math;
  const SweptLines &lines;
  const SweptBlock &block;
  Value thread, columns, solved;
  StagedDivisors divisors;
};
} // namespace

/// Line `number` of the workgroup; where there is none, the last one.
Value Sweep::line(int64_t number) {
  Value line = add(lines.first, index(number));
  if (lines.full)
    return line;
  Value last = arith::SubIOp::create(builder, loc, lines.all, index(1));
  return arith::MinSIOp::create(builder, loc, line, last);
}

/// The row of this thread in a stripe; where there is none, the last one.
Value Sweep::ownRow(int64_t stripe) {
  Value row = add(thread, index(stripe * block.threads));
  return isRagged(stripe) ? atMost(row, index(lines.order - 1)) : row;
}

/// All rows of this thread, stripe by stripe, multiplied by alpha.
Sweep::Elements Sweep::loadLines() {
  Elements own;
  for (int64_t stripe = 0; stripe < block.stripes; ++stripe) {
    Value row = inMemory(ownRow(stripe));
    for (int64_t number = 0; number < block.lines; ++number)
      own.push_back(load(lines.in.at(builder, loc, row, line(number))));
  }
  if (lines.scale)
    for (Components &each : own)
      each = lines.scale(each);
  return own;
}

/// Each thread those of its rows.
void Sweep::storeDivisors() {
  if (lines.unit)
    return;
  for (int64_t stripe = 0; stripe < block.stripes; ++stripe) {
    Value row = inMemory(ownRow(stripe));
    divisors.store(/*triangle=*/{}, add(thread, index(stripe * block.threads)),
                   lines.enter(load(lines.t.at(builder, loc, row, row))));
  }
}

/// Elements T[i, first .. first + 16] of all rows i from `first` on, so many times as many as there
/// are threads, as memory has them: neighbouring threads load neighbours. In the place of those
/// that are not to be read, above the diagonal or after the last row, are others, which nothing
/// depends on.
Sweep::Elements Sweep::loadColumns(Value first, int64_t stripes) {
  Elements elements;
  int64_t unit = lines.unit ? 1 : 0, lastRow = lines.order - 1;
  int64_t lastStart = (block.stripes - stripes + 1) * block.threads - kRows;
  Value start = narrow(first), place = narrow(thread), group = place;
  if (lines.alongRows) {
    group = arith::DivUIOp::create(builder, loc, place, number(kRows));
    place = arith::RemUIOp::create(builder, loc, place, number(kRows));
  }
  for (int64_t each = 0; each < stripes; ++each)
    for (int64_t item = 0; item < kRows; ++item) {
      int64_t shift = each * block.threads + (lines.alongRows ? item * block.threads / kRows : 0);
      Value column = lines.alongRows ? place : number(item);
      Value row = add(group, number(shift));
      if (shift < kRows)
        row = atLeast(row, add(column, number(unit)));
      row = add(row, start), column = add(column, start);
      // Below a unit diagonal the first rows reach one further than 16 threads do.
      int64_t end = std::max((each + 1) * block.threads, kRows + unit);
      if (lastStart + end > lines.order)
        row = atMost(row, number(lastRow));
      if (stripes == 1 && (unit || lines.order % kRows != 0))
        column = atMost(column, number(std::max<int64_t>(0, lastRow - unit)));
      elements.push_back(Components(
          loadRun(builder, loc, lines.t.at(builder, loc, inTriangle(row), inTriangle(column)), 1)));
    }
  return elements;
}

void Sweep::storeColumns(const Elements &elements) {
  Value place = arith::RemUIOp::create(builder, loc, thread, index(kRows));
  Value group = arith::DivUIOp::create(builder, loc, thread, index(kRows));
  for (auto [number, element] : llvm::enumerate(elements)) {
    int64_t each = number / kRows, item = number % kRows;
    Value row = lines.alongRows ? add(group, index(item * block.threads / kRows)) : thread;
    Value column = lines.alongRows ? place : index(item);
    storeRun(builder, loc, element, inColumns(add(row, index(each * block.threads)), column));
  }
}

/// Rows `first` to first + 16 of the lines, by the threads that have them.
void Sweep::storeRows(Value first, int64_t stripe, ArrayRef<Components> own) {
  Value start = arith::SubIOp::create(builder, loc, first, index(stripe * block.threads));
  Value row = arith::SubIOp::create(builder, loc, thread, start);
  Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, row, index(kRows));
  auto branch = scf::IfOp::create(builder, loc, isOne, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  for (int64_t number = 0; number < block.lines; ++number)
    storeRun(builder, loc, math.convert(own[number], realTypeOf(lines.line)),
             inSolved(row, index(number)));
}

/// The first threads have a line each.
void Sweep::solve(Value first) {
  Value has = less(thread, index(block.lines));
  auto branch = scf::IfOp::create(builder, loc, has, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Elements rows;
  for (int64_t i = 0; i < kRows; ++i)
    rows.push_back(load(inSolved(index(i), thread)));
  // Elements of a row come in wide accesses.
  int64_t vector = kMaxAccessBytes / block.triangleBytes, parts = componentsOf(lines.triangle);
  SmallVector<SmallVector<Value>> runs(kRows);
  auto triangle = [&](int64_t i, int64_t k) {
    if (k % vector == 0 || runs[i].empty())
      runs[i] = loadRun(builder, loc, inColumns(index(i), index(k / vector * vector)), vector);
    Components element(ArrayRef(runs[i]).slice(k % vector * parts, parts));
    return lines.enter(math.convert(element, lines.sum));
  };
  auto divisor = [&](int64_t k) { return divisors.load({}, add(first, index(k)), lines.sum); };
  solveRows(math, {triangle, lines.unit, divisor}, rows, /*lines=*/1);
  Value line = add(lines.first, thread);
  Type stored = realTypeOf(lines.line);
  for (int64_t i = 0; i < kRows; ++i) {
    rows[i] = math.convert(rows[i], stored);
    storeRun(builder, loc, rows[i], inSolved(index(i), thread));
  }
  Value exists = lines.full ? Value() : less(line, lines.all);
  for (int64_t i = 0; i < kRows; ++i) {
    Value row = add(first, index(i)), inside = exists;
    if (lines.order % kRows != 0) {
      Value isRow = less(row, index(lines.order));
      inside = inside ? arith::AndIOp::create(builder, loc, inside, isRow).getResult() : isRow;
    }
    OpBuilder::InsertionGuard whole(builder);
    if (inside)
      builder.setInsertionPointToStart(
          scf::IfOp::create(builder, loc, inside, /*withElse=*/false).thenBlock());
    storeRun(builder, loc, rows[i], lines.out.at(builder, loc, inMemory(row), line));
  }
}

/// own - T[i, first .. first + 16] x of the row i = first + `row`, if that comes later; null: it
/// does.
SmallVector<Value> Sweep::update(Value row, Value isBehind, ArrayRef<Components> own) {
  SmallVector<Components> sums(own);
  OpBuilder::InsertionGuard guard(builder);
  scf::IfOp branch;
  if (isBehind) {
    SmallVector<Value> before = partsOf(own);
    branch = scf::IfOp::create(builder, loc, TypeRange(ValueRange(before)), isBehind, true);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, before);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  int64_t vector = kMaxAccessBytes / block.triangleBytes;
  int64_t wide = std::min(kMaxAccessBytes / block.lineBytes, block.lines);
  for (int64_t start = 0; start < kRows; start += vector) {
    int64_t parts = componentsOf(lines.triangle);
    auto run = elementsOf(loadRun(builder, loc, inColumns(row, index(start)), vector), parts);
    for (auto [k, element] : llvm::enumerate(run)) {
      Components factor = math.negate(lines.enter(math.convert(element, lines.sum)));
      for (int64_t number = 0; number < block.lines; number += wide) {
        FlatPlace place = inSolved(index(start + k), index(number));
        auto x = elementsOf(loadRun(builder, loc, place, wide), componentsOf(lines.line));
        for (int64_t each = 0; each < wide; ++each)
          sums[number + each] =
              math.multiplyAdd(factor, math.convert(x[each], lines.sum), sums[number + each]);
      }
    }
  }
  if (!branch)
    return partsOf(sums);
  scf::YieldOp::create(builder, loc, partsOf(sums));
  return SmallVector<Value>(branch.getResults());
}

/// All rows of one stripe. Takes the rows of this thread from there on, and leaves those after it.
void Sweep::emitStripe(int64_t stripe, Elements &own) {
  int64_t steps = llvm::divideCeil(rowsOf(stripe), kRows), start = stripe * block.threads;
  int64_t parts = componentsOf(lines.line);
  SmallVector<Value> carried = partsOf(own);
  size_t ofLines = carried.size();
  llvm::append_range(carried, partsOf(loadColumns(index(start), block.stripes - stripe)));
  auto loop = scf::ForOp::create(builder, loc, index(0), index(steps), index(1), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ValueRange inside(loop.getRegionIterArgs());
  Elements sums = elementsOf(inside.take_front(ofLines), parts);
  Value step = loop.getInductionVar();
  Value first = add(scaled(step, kRows), index(start));
  storeColumns(elementsOf(inside.drop_front(ofLines), componentsOf(lines.triangle)));
  storeRows(first, stripe, ArrayRef(sums).take_front(block.lines));
  gpu::BarrierOp::create(builder, loc);
  // Those of the last step once more: the next stripe begins with other rows.
  Value next = atMost(add(step, index(1)), index(steps - 1));
  SmallVector<Value> columnsNext =
      partsOf(loadColumns(add(scaled(next, kRows), index(start)), block.stripes - stripe));
  solve(first);
  gpu::BarrierOp::create(builder, loc);
  SmallVector<Value> results;
  for (int64_t each = stripe; each < block.stripes; ++each) {
    auto rows = ArrayRef(sums).slice((each - stripe) * block.lines, block.lines);
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
  own = elementsOf(loop.getResults().slice(block.lines * parts, ofLines - block.lines * parts),
                   parts);
}

void Sweep::emit() {
  Elements own = loadLines();
  storeDivisors();
  for (int64_t stripe = 0; stripe < block.stripes; ++stripe)
    emitStripe(stripe, own);
}

void rooftile::emitSweep(OpBuilder &builder, Location loc, const SweptLines &lines,
                         const SweptBlock &block) {
  Sweep(builder, loc, lines, block).emit();
}
