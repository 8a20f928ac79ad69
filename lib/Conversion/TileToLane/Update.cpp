//===- Update.cpp - C = f(alpha * sum + beta * C) in global memory --------===//
//
// A thread's share of the tile is scaled and written run by run, C being read some runs ahead;
// accumulators that come from shared memory are read there with their run. What must not be written
// is stored under a condition. The function of an epilogue is written out for each element, in the
// accumulator type; its extra operands are read where the element is, but no element twice that
// rows or columns share. An atomic update is one atomic addition an element. Of the threads that
// hold the same elements the first writes them.
//
// With a triangle there are two such programs: a tile inside it is written as any other, one that
// its diagonal crosses element by element, each under a condition. The sum of z conj(z) is real,
// but fused multiply-adds leave a rounding error in its imaginary component: a real diagonal is
// made so.
//
//===----------------------------------------------------------------------===//

#include "Update.h"
#include "Globals.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Transforms/Thread/ElementMath.h"
#include <map>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// Whether accumulators that a load has read from shared memory may be read there once more: no
/// other thread has written to it since. With a triangle a run is shorter than a read.
static bool isReadLate(UpdateOp op) {
  auto load = op.getMatrix().getDefiningOp<LoadOp>();
  if (!load || load.isGlobal() || op.getTriangle())
    return false;
  auto onlyReads = [](Operation &between) {
    return isMemoryEffectFree(&between) || isa<LoadOp, memref::LoadOp, vector::LoadOp>(between);
  };
  Operation *last = op; // that, or a branch around it
  for (; last->getBlock() != load->getBlock(); last = last->getParentOp())
    if (!isa<scf::IfOp>(last->getParentOp()) ||
        !llvm::all_of(llvm::make_range(last->getBlock()->begin(), last->getIterator()), onlyReads))
      return false;
  return llvm::all_of(llvm::make_range(++load->getIterator(), last->getIterator()), onlyReads);
}

/// Reads elements of shared memory once more; what else they come from stays.
static SmallVector<Value> readLate(OpBuilder &builder, ValueRange elements) {
  IRMapping again;
  for (Value element : elements) {
    Operation *read = element.getDefiningOp();
    auto parts = dyn_cast_or_null<vector::ToElementsOp>(read);
    Operation *load = parts ? parts.getSource().getDefiningOp() : read;
    if (again.contains(element) || !isa_and_nonnull<memref::LoadOp, vector::LoadOp>(load))
      continue;
    builder.clone(*load, again);
    if (parts)
      builder.clone(*parts, again);
  }
  return llvm::map_to_vector(elements, [&](Value each) { return again.lookupOrDefault(each); });
}

namespace {
/// Accesses of one update to C.
struct Access {
  memref::ReinterpretCastOp view;
  Value beta;                       ///< The scalar with which C is read; null: it is not.
  bool late;                        ///< Whether accumulators are read with their run.
  int64_t run;                      ///< Elements at a time.
  std::optional<Triangle> triangle; ///< Outside which nothing is.
};

/// Writer of one update.
class Writer {
public:
  Writer(OpBuilder &builder, UpdateOp op, const Access &access, ArrayRef<ExtraOperand> extras)
      : builder(builder), loc(op.getLoc()), op(op), map(op.getMatrix().getType().getMap()),
        run(access.run), late(access.late),
        components(componentsOf(op.getMatrix().getType().getElementType())), beta(access.beta),
        triangle(access.triangle), tile(builder, loc, access.view, map, op.getRow(), op.getColumn(),
                                        op.getEdges().value_or(EdgesAttr()), run),
        extras(builder, op, extras, run) {}

  void write(ValueRange registers);

private:
  void enter(Value condition);
  Value isInTriangle(int64_t row, int64_t column);
  Value compareWithDiagonal(arith::CmpIPredicate predicate, int64_t row, int64_t column);
  void dropImaginary(Components &number);
  void readAhead(size_t count);
  SmallVector<Value> readRun(const FlatAddress &place, Value condition);
  void writeRun(ValueRange sums, int64_t first, ArrayRef<Value> old, const FlatAddress &place);
  Components finish(Components sum, ArrayRef<Value> old, ArrayRef<Components> extraElements);

  OpBuilder &builder;
  Location loc;
  UpdateOp op;
  MapAttr map;
  int64_t run;
  bool late;
  int64_t components;
  Value beta;
  Value alphaIsOne, betaIsOne; ///< Null where that is not asked.
  std::optional<Triangle> triangle;
  Value fromDiagonal; ///< Row minus column of the thread's first element; null without a triangle.
  Value onDiagonal;   ///< Whether the element must be real; null where none must.
  GlobalTile tile;
  ExtraElements extras;
  SmallVector<int64_t> order;                      ///< First registers of all runs, as written.
  llvm::DenseMap<int64_t, SmallVector<Value>> old; ///< Elements of C, of runs that have been read.
};
} // namespace

/// Moves the builder into `if (condition)`; a null condition is always true.
void Writer::enter(Value condition) {
  if (!condition)
    return;
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElse=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
}

/// Compares the row of the element at `row` and `column` from the thread's own with its column.
Value Writer::compareWithDiagonal(arith::CmpIPredicate predicate, int64_t row, int64_t column) {
  Value least = arith::ConstantIndexOp::create(builder, loc, column - row);
  return arith::CmpIOp::create(builder, loc, predicate, fromDiagonal, least);
}

/// Whether the element is in the triangle: row >= column in the lower one. Null without one.
Value Writer::isInTriangle(int64_t row, int64_t column) {
  if (!triangle)
    return {};
  bool isLower = *triangle == Triangle::Lower;
  return compareWithDiagonal(isLower ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle, row,
                             column);
}

/// On a real diagonal the imaginary component is 0, whatever it was.
void Writer::dropImaginary(Components &number) {
  if (!onDiagonal)
    return;
  Type real = number[1].getType();
  Value zero = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(real, 0));
  number[1] = arith::SelectOp::create(builder, loc, onDiagonal, zero, number[1]);
}

void Writer::write(ValueRange registers) {
  OpBuilder::InsertionGuard all(builder);
  enter(IndexMath(builder, loc).isFirstHolder(map));
  tile.startFrom(op.getFromRow(), op.getFromColumn());
  tile.walk();
  ElementMath numbers(builder, loc);
  alphaIsOne = op.getAlpha() ? numbers.isOne(op.getAlpha()) : Value();
  betaIsOne = beta ? numbers.isOne(beta) : Value();
  if (triangle)
    fromDiagonal = tile.fromDiagonal();
  std::map<int64_t, SmallVector<int64_t>> rows; // first registers of the runs of each row
  for (int64_t first = 0; first < map.getNumValues(); first += run) {
    auto [row, column] = map.getValueOffset(first);
    if (tile.isBeyond(0, row) || tile.isBeyond(1, column))
      continue;
    rows[row].push_back(first);
    (void)tile.coordinate(1, column);
  }
  extras.beginTile();
  for (auto &[row, runs] : rows)
    llvm::append_range(order, runs);
  size_t begin = 0, ahead = op.getAhead();
  // One condition around a row, one around each run in it: addresses and
  // conditions of one row at a time keep the registers few.
  for (auto &[row, runs] : rows) {
    if (beta && ahead >= runs.size())
      readAhead(std::min(begin + ahead, order.size()));
    begin += runs.size();
    GlobalTile::Coordinate r = tile.coordinate(0, row);
    extras.placeRow(runs);
    OpBuilder::InsertionGuard guard(builder);
    enter(r.condition);
    extras.beginRow(runs.front());
    for (int64_t first : runs) {
      int64_t column = map.getValueOffset(first).second;
      GlobalTile::Coordinate c = tile.coordinate(1, column);
      OpBuilder::InsertionGuard guard(builder);
      enter(c.condition);
      enter(isInTriangle(row, column));
      if (triangle && op.getRealDiagonal())
        onDiagonal = compareWithDiagonal(arith::CmpIPredicate::eq, row, column);
      FlatAddress place{tile.getFlat(), tile.index(r, c), components};
      if (beta && !old.contains(first))
        old[first] = loadRun(builder, loc, place, run);
      writeRun(registers.slice(first * components, run * components), first, old.lookup(first),
               place);
    }
  }
}

/// A run of C; zeros where the condition does not hold.
SmallVector<Value> Writer::readRun(const FlatAddress &place, Value condition) {
  if (!condition)
    return loadRun(builder, loc, place, run);
  Type real = cast<MemRefType>(place.flat.getType()).getElementType();
  SmallVector<Type> types(run * components, real);
  auto branch = scf::IfOp::create(builder, loc, types, condition, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, loadRun(builder, loc, place, run));
  builder.setInsertionPointToStart(branch.elseBlock());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(real));
  scf::YieldOp::create(builder, loc, SmallVector<Value>(types.size(), zero));
  return SmallVector<Value>(branch.getResults());
}

/// Reads elements of C of the first `count` runs, as far as that is not done.
void Writer::readAhead(size_t count) {
  for (size_t index = old.size(); index < count; ++index) {
    int64_t first = order[index];
    auto [row, column] = map.getValueOffset(first);
    GlobalTile::Coordinate r = tile.coordinate(0, row), c = tile.coordinate(1, column);
    Value condition = r.condition;
    for (Value each : {c.condition, isInTriangle(row, column)})
      if (each)
        condition = condition ? arith::AndIOp::create(builder, loc, condition, each) : each;
    old[first] = readRun({tile.getFlat(), tile.index(r, c), components}, condition);
  }
}

/// f(alpha * sum + beta * C) for one element, computed in the accumulator type and rounded once.
Components Writer::finish(Components result, ArrayRef<Value> old,
                          ArrayRef<Components> extraElements) {
  ElementMath numbers(builder, loc);
  Type sumType = result.front().getType();
  if (op.getAlpha())
    result =
        numbers.choose(alphaIsOne, result, numbers.multiply(numbers.split(op.getAlpha()), result));
  if (beta) {
    Components wide;
    for (Value part : old)
      wide.push_back(numbers.convert(part, sumType));
    dropImaginary(wide);
    Components scaled = numbers.multiplyAdd(numbers.split(beta), wide, result);
    result = betaIsOne ? numbers.choose(betaIsOne, numbers.add(wide, result), scaled) : scaled;
  }
  if (!op.getEpilogue().empty()) {
    SmallVector<Components> arguments{result};
    llvm::append_range(arguments, extraElements);
    result = applyFunction(builder, loc, op.getEpilogue().front().front(), arguments);
  }
  Type real = realTypeOf(cast<MemRefType>(op.getTarget().getType()).getElementType());
  for (Value &part : result)
    part = numbers.convert(part, real);
  dropImaginary(result);
  return result;
}

void Writer::writeRun(ValueRange sums, int64_t first, ArrayRef<Value> old,
                      const FlatAddress &place) {
  SmallVector<Value> results, own(sums);
  if (late)
    own = readLate(builder, sums);
  SmallVector<SmallVector<Components>> elements = extras.elementsOf(first);
  for (int64_t index = 0; index < run; ++index) {
    ArrayRef<Value> before;
    if (beta)
      before = old.slice(index * components, components);
    llvm::append_range(results,
                       finish(Components(ArrayRef(own).slice(index * components, components)),
                              before, elements[index]));
  }
  if (!op.getAtomic())
    return storeRun(builder, loc, results, place);
  IndexMath math(builder, loc);
  Value index = math.mul(place.index, place.components);
  for (auto [position, result] : llvm::enumerate(results))
    memref::AtomicRMWOp::create(builder, loc, result.getType(), arith::AtomicRMWKind::addf, result,
                                place.flat, math.add(index, position));
}

/// Whether all of the tile, wherever a thread stands in it, lies in the triangle; a real diagonal
/// is none of it.
static Value isInside(OpBuilder &builder, UpdateOp op) {
  bool isLower = *op.getTriangle() == Triangle::Lower;
  ArrayRef<int64_t> shape = op.getMatrix().getType().getShape();
  IndexMath math(builder, op.getLoc());
  Value first = isLower ? op.getRow() : op.getColumn();
  Value last = math.add(isLower ? op.getColumn() : op.getRow(), shape[isLower ? 1 : 0] - 1);
  auto predicate = op.getRealDiagonal() ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::sge;
  return arith::CmpIOp::create(builder, op.getLoc(), predicate, first, last);
}

/// Writes the elements of `access`, of a triangle in one of two ways.
static void writeTile(OpBuilder &builder, UpdateOp op, Access access, ArrayRef<ExtraOperand> extras,
                      ValueRange registers) {
  access.run = op.getVector();
  if (!op.getTriangle())
    return Writer(builder, op, access, extras).write(registers);
  OpBuilder::InsertionGuard guard(builder);
  Value inside = isInside(builder, op);
  auto branch = scf::IfOp::create(builder, op.getLoc(), inside, /*withElse=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  Writer(builder, op, access, extras).write(registers);
  builder.setInsertionPointToStart(branch.elseBlock());
  access.run = 1, access.triangle = op.getTriangle();
  SmallVector<ExtraOperand> single(extras);
  for (ExtraOperand &extra : single)
    extra.width = 1;
  Writer(builder, op, access, single).write(registers);
}

namespace {
struct UpdatePattern : OpConversionPattern<UpdateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(UpdateOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FailureOr<memref::ReinterpretCastOp> view = stridedView(op, op.getTarget(), "target");
    FailureOr<SmallVector<ExtraOperand>> extras = viewExtras(op);
    if (failed(view) || failed(extras))
      return failure();
    bool late = isReadLate(op);
    Value beta = op.getBeta();
    auto constant = blas::getConstantValue(beta, 0);
    bool isConstant = beta && constant;
    if (isConstant && *constant == 0.0)
      beta = Value();
    if (!beta || isConstant) {
      writeTile(rewriter, op, {*view, beta, late, 1, {}}, *extras, adaptor.getMatrix());
    } else {
      // beta = 0 at run time must not read C.
      Value reads = blas::createNonZeroTest(rewriter, op.getLoc(), beta);
      auto branch = scf::IfOp::create(rewriter, op.getLoc(), reads, /*withElse=*/true);
      for (auto [block, scale] :
           {std::pair(branch.thenBlock(), beta), std::pair(branch.elseBlock(), Value())}) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(block);
        writeTile(rewriter, op, {*view, scale, late, 1, {}}, *extras, adaptor.getMatrix());
      }
    }
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void rooftile::populateUpdatePatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<UpdatePattern>(types, patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Extra operands of an update, by element
//
// With a static stride of 0 all rows, or all columns, hold the same
// elements:
//
//   rows share (bias of a column of C):  once, before the rows, clamped to the edge
//   columns share (bias of a row):       once a row, within its condition
//   neither (residual):                  with each run, within its condition
//===----------------------------------------------------------------------===//

bool ExtraOperand::lacks(int dim) const {
  memref::ReinterpretCastOp cast = view;
  return getConstantIntValue(cast.getMixedStrides()[dim]) == 0;
}

FailureOr<SmallVector<ExtraOperand>> rooftile::viewExtras(UpdateOp op) {
  SmallVector<ExtraOperand> extras;
  for (auto [index, extra] : llvm::enumerate(op.getExtras())) {
    ExtraOperand &operand = extras.emplace_back();
    if (!isa<MemRefType>(extra.getType())) {
      operand.scalar = extra;
      continue;
    }
    FailureOr<memref::ReinterpretCastOp> view = stridedView(op, extra, "extra operand");
    if (failed(view))
      return failure();
    operand.view = *view;
    operand.width = cast<DenseI64ArrayAttr>((*op.getExtraVectors())[index])[0];
  }
  return extras;
}

/// The edges of an extra operand along a dimension in which C has a guard: what is read in front
/// of the condition stays inside.
static EdgesAttr edgesOf(UpdateOp op, const ExtraOperand &extra) {
  Edge columns = op.getEdges() ? op.getEdges()->getColumns() : Edge::Inside;
  bool early = extra.lacks(0) && !extra.lacks(1) && columns == Edge::Guard;
  return EdgesAttr::get(op.getContext(), Edge::Inside, early ? Edge::Clamp : Edge::Inside);
}

ExtraElements::ExtraElements(OpBuilder &builder, UpdateOp op, ArrayRef<ExtraOperand> operands,
                             int64_t run)
    : builder(builder), loc(op.getLoc()), map(op.getMatrix().getType().getMap()), run(run) {
  for (const ExtraOperand &operand : operands) {
    Extra &extra = extras.emplace_back();
    extra.operand = operand;
    if (operand.view)
      extra.tile =
          std::make_unique<GlobalTile>(builder, loc, operand.view, map, op.getRow(), op.getColumn(),
                                       edgesOf(op, operand), operand.width);
  }
}

/// The register with which the access begins that reads the element of `register_`.
int64_t ExtraElements::pieceOf(const Extra &extra, int64_t register_) const {
  return register_ - register_ % extra.operand.width;
}

SmallVector<Components> ExtraElements::load(Extra &extra, int64_t register_) {
  GlobalTile &tile = *extra.tile;
  int64_t components = tile.getComponents(), width = extra.operand.width;
  FlatAddress place{tile.getFlat(), tile.at(register_).index, components};
  SmallVector<Value> numbers = loadRun(builder, loc, place, width);
  SmallVector<Components> elements;
  for (int64_t index = 0; index < width; ++index)
    elements.emplace_back(ArrayRef(numbers).slice(index * components, components));
  return elements;
}

void ExtraElements::beginTile() {
  for (Extra &extra : extras) {
    if (!extra.tile)
      continue;
    for (int64_t first = 0; first < map.getNumValues(); first += extra.operand.width) {
      int64_t column = map.getValueOffset(first).second;
      (void)extra.tile->coordinate(1, column);
      if (extra.operand.lacks(0) && !extra.known.count(extra.operand.lacks(1) ? 0 : column))
        extra.known[extra.operand.lacks(1) ? 0 : column] = load(extra, first);
    }
  }
}

void ExtraElements::placeRow(ArrayRef<int64_t> runs) {
  for (Extra &extra : extras)
    if (extra.tile && !extra.operand.lacks(0))
      for (int64_t first : runs)
        for (int64_t index = 0; index < run; ++index)
          (void)extra.tile->coordinate(0, map.getValueOffset(first + index).first);
}

void ExtraElements::beginRow(int64_t first) {
  for (Extra &extra : extras)
    if (extra.tile && !extra.operand.lacks(0)) {
      extra.known.clear();
      if (extra.operand.lacks(1))
        extra.known[0] = load(extra, first);
    }
}

Components ExtraElements::element(Extra &extra, int64_t register_) {
  if (!extra.tile)
    return ElementMath(builder, loc).split(extra.operand.scalar);
  int64_t piece = pieceOf(extra, register_);
  int64_t key = extra.operand.lacks(1) ? 0 : map.getValueOffset(piece).second;
  auto found = extra.known.find(key);
  if (found != extra.known.end())
    return found->second[register_ - piece];
  return load(extra, piece)[register_ - piece];
}

SmallVector<SmallVector<Components>> ExtraElements::elementsOf(int64_t first) {
  SmallVector<SmallVector<Components>> elements(run);
  for (Extra &extra : extras) {
    bool keeps = extra.tile && extra.operand.width > 1 && !extra.operand.lacks(0);
    for (int64_t index = 0; index < run; ++index) {
      int64_t piece = keeps ? pieceOf(extra, first + index) : 0;
      if (keeps && piece == first + index)
        extra.known[map.getValueOffset(piece).second] = load(extra, piece);
      elements[index].push_back(element(extra, first + index));
    }
    if (keeps) // other runs stand under other conditions
      extra.known.clear();
  }
  return elements;
}
