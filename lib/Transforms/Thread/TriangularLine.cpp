//===- TriangularLine.cpp - Lines of one thread of a triangular kernel ----===//

#include "TriangularLine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/Limits.h"

using namespace mlir;
using namespace rooftile;

void rooftile::solveRows(ElementMath &math, const LineFactors &factors,
                         MutableArrayRef<Components> rows, int64_t lines) {
  int64_t count = rows.size() / lines;
  for (int64_t k = 0; k < count; ++k) {
    MutableArrayRef<Components> x = rows.slice(k * lines, lines);
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
      for (int64_t line = 0; line < lines; ++line)
        rows[i * lines + line] = math.multiplyAdd(factor, minus[line], rows[i * lines + line]);
    }
  }
}

/// From the last column on: an element is not needed any more when its own column comes.
void rooftile::multiplyRows(ElementMath &math, const LineFactors &factors,
                            MutableArrayRef<Components> rows, int64_t lines) {
  int64_t count = rows.size() / lines;
  for (int64_t k = count - 1; k >= 0; --k) {
    MutableArrayRef<Components> own = rows.slice(k * lines, lines);
    for (int64_t i = k + 1; i < count; ++i) {
      Components factor = factors.triangle(i, k);
      for (int64_t line = 0; line < lines; ++line)
        rows[i * lines + line] = math.multiplyAdd(factor, own[line], rows[i * lines + line]);
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
  Parts(OpBuilder &builder, Location loc, const ThreadLines &lines)
      : builder(builder), loc(loc), math(builder, loc), lines(lines) {}

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
  const ThreadLines &lines;
};
} // namespace

/// Row `i` of a part; where there is none, the last one.
Value Parts::row(Value first, int64_t i) {
  Value row = add(first, i);
  return lines.ragged ? arith::MinSIOp::create(builder, loc, row, add(lines.order, -1)) : row;
}

SmallVector<Components> Parts::addRowsInFront(Value first, ArrayRef<Components> part) {
  size_t components = part[0].size();
  auto loop =
      scf::ForOp::create(builder, loc, index(0), first, index(blas::kRowsAhead), partsOf(part));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Components> sums = elementsOf(loop.getRegionIterArgs(), components), others;
  Value column = loop.getInductionVar();
  for (int64_t k = 0; k < blas::kRowsAhead; ++k)
    for (int64_t line = 0; line < lines.lines; ++line) {
      Components other = lines.loadAgain(line, add(column, k));
      others.push_back(lines.solves ? math.negate(other) : other);
    }
  for (int64_t k = 0; k < blas::kRowsAhead; ++k)
    for (int64_t i = 0; i < lines.rows; ++i) {
      Components factor = lines.triangle(first, i, column, k);
      for (int64_t line = 0; line < lines.lines; ++line) {
        Components &sum = sums[i * lines.lines + line];
        sum = math.multiplyAdd(factor, others[k * lines.lines + line], sum);
      }
    }
  scf::YieldOp::create(builder, loc, partsOf(sums));
  return elementsOf(loop.getResults(), components);
}

/// Rows beyond the last one are not written.
void Parts::storeRow(Value first, int64_t i, ArrayRef<Components> elements) {
  OpBuilder::InsertionGuard guard(builder);
  Value row = add(first, i);
  if (lines.ragged) {
    Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, row, lines.order);
    auto branch = scf::IfOp::create(builder, loc, exists, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  for (auto [line, element] : llvm::enumerate(elements))
    lines.store(element, line, row);
}

void Parts::emitPart(Value first) {
  SmallVector<Components> part;
  for (int64_t i = 0; i < lines.rows; ++i) {
    Value own = row(first, i);
    for (int64_t line = 0; line < lines.lines; ++line)
      part.push_back(lines.load(line, own));
  }
  auto scale = [&] {
    if (lines.scale)
      for (Components &element : part)
        element = lines.scale(element);
  };
  auto triangle = [&](int64_t i, int64_t k) { return lines.triangle(first, i, first, k); };
  auto divisor = [&](int64_t k) { return lines.divisor(first, k); };
  LineFactors factors{triangle, lines.unit};
  if (lines.divisor)
    factors.divisor = divisor;
  if (lines.solves)
    scale();
  else
    multiplyRows(math, factors, part, lines.lines);
  if (!lines.whole)
    part = addRowsInFront(first, part);
  if (lines.solves)
    solveRows(math, factors, part, lines.lines);
  else
    scale();
  for (int64_t i = 0; i < lines.rows; ++i)
    storeRow(first, i, ArrayRef(part).slice(i * lines.lines, lines.lines));
}

void Parts::emit() {
  if (lines.whole)
    return emitPart(index(0));
  Value count = arith::CeilDivUIOp::create(builder, loc, lines.order, index(lines.rows));
  auto loop = scf::ForOp::create(builder, loc, index(0), count, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value part = loop.getInductionVar();
  if (!lines.solves)
    part = arith::SubIOp::create(builder, loc, add(count, -1), part);
  emitPart(arith::MulIOp::create(builder, loc, part, index(lines.rows)));
}

void rooftile::emitThreadLines(OpBuilder &builder, Location loc, const ThreadLines &lines) {
  if (lines.rows > 0)
    Parts(builder, loc, lines).emit();
}
