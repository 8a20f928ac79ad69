//===- TriangularProgram.cpp - One block of a triangle as a kernel --------===//
//
// A thread computes one line of the output: a column, or with A on the right a
// row. Seen through transposed views, A is always on the left:
//
//   solve, T lower:                          multiply, T lower:
//     for i = 0, 1, ...                        for i = ..., 1, 0
//       s = alpha b[i]                           s = T[i, i] b[i]
//       for k < i: s -= T[i, k] x[k]             for k < i: s += T[i, k] b[k]
//       x[i] = s / T[i, i]                       c[i] = alpha s
//
// and the other way for an upper T, so that both work in place. Only the triangle
// is read; where alpha is 0 at run time nothing is. Threads of a workgroup read
// the same element of T, and neighbours of B.
//
// A line of known, small order is in registers (TriangularLine.h).
// Other lines stay in memory, each sum a loop: right, and plain. Numbers are multiplied and added
// in the type of the sums, and rounded where they are stored.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Kernel/TriangularProgram.h"
#include "TriangularLine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Kernel/FlatPlace.h"
#include "rooftile/Transforms/Kernel/KernelLaunch.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

static bool isLeft(TriangularOpInterface op) { return op.getSide() == Side::Left; }

static Type elementOf(Value matrix) { return memrefType(matrix).getElementType(); }

/// trsm_f32_left_lower_n; of a real A and complex B trsm_f32_c64_left_lower_n.
static std::string kernelName(TriangularOpInterface op) {
  std::string name;
  llvm::raw_string_ostream out(name);
  out << (isa<TrsmOp>(op) ? "trsm_" : "trmm_");
  if (Type a = elementOf(op.getA()); a != elementOf(op.getC()))
    out << wordOf(a) << '_';
  out << wordOf(elementOf(op.getC())) << '_' << stringifySide(op.getSide()) << '_'
      << stringifyUplo(op.getUplo()) << '_' << stringifyTranspose(op.getOpA())
      << (op.getDiag() == Diag::Unit ? "_unit" : "");
  return name;
}

namespace {
/// Emits the work of one thread.
class Program {
public:
  Program(OpBuilder &builder, TriangularOpInterface op, const KernelInterface::Arguments &arguments)
      : builder(builder), loc(op.getLoc()), op(op), math(builder, loc), arguments(arguments),
        sum(realTypeOf(op.getAccumulatorType())), solves(isa<TrsmOp>(op)),
        lower(op.isEffectivelyLower() == isLeft(op)), alpha(arguments.scalar(Role::Alpha)) {
    Type element = elementOf(op.getC());
    if (int64_t known = op.getK();
        !ShapedType::isDynamic(known) &&
        fitsRegisters(known, elementBytes(element), componentsOf(element)))
      inRegisters = known;
  }

  void emit();

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value subtract(Value a, Value b) { return arith::SubIOp::create(builder, loc, a, b); }
  Components load(const FlatMatrix &matrix, Value i, Value j);
  Components loadOfT(Value i, Value k);
  void store(const Components &element, Value i);

  void placeThread();
  void prepareAlpha();
  Components scale(const Components &element);
  void forEachElement(bool upwards, function_ref<Components(Value, Value)> compute);
  Components accumulate(Value i, Value count, const Components &sum);
  Components solve(Value i, Value done);
  Components multiply(Value i, Value others);
  Value inLine(int64_t i);
  void computeLine();
  void ifThen(Value condition, function_ref<void()> then, function_ref<void()> otherwise);

  OpBuilder &builder;
  Location loc;
  TriangularOpInterface op;
  ElementMath math;
  const KernelInterface::Arguments &arguments;
  Type sum; ///< Of real numbers while they are added.
  bool solves, lower;
  std::optional<int64_t> inRegisters; ///< Elements of a line that is.
  Value alpha;
  Components factor;        ///< Alpha's parts.
  Value isOne;              ///< Whether a complex alpha is 1; null where that is not asked.
  FlatMatrix t, in, out;    ///< T, and the lines as columns.
  Value line, lines, order; ///< This thread's; all of them; elements of one.
};
} // namespace

/// This thread's batch entry and line, and the views.
void Program::placeThread() {
  const KernelInterface::Matrix &c = arguments.matrix(Role::C);
  size_t rank = c.sizes.size();
  lines = getValueOrCreateConstantIndexOp(builder, loc, c.sizes[isLeft(op) ? rank - 1 : rank - 2]);
  order = getValueOrCreateConstantIndexOp(builder, loc, c.sizes[isLeft(op) ? rank - 2 : rank - 1]);
  Value width = index(op.getPlanAttr().getWorkgroup());
  Value perMatrix = arith::CeilDivUIOp::create(builder, loc, lines, width);
  Value workgroup = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value batch = arith::DivUIOp::create(builder, loc, workgroup, perMatrix);
  Value strip = arith::RemUIOp::create(builder, loc, workgroup, perMatrix);
  Value first = arith::MulIOp::create(builder, loc, strip, width);
  line = arith::AddIOp::create(builder, loc, first, thread);
  Transpose transposed = isLeft(op) ? Transpose::None : Transpose::Trans;
  Transpose enters = isTransposed(op.getOpA()) == isLeft(op) ? Transpose::Trans : Transpose::None;
  auto view = [&](const KernelInterface::Matrix &matrix, Transpose transpose) {
    Value view = viewMatrix(builder, loc, matrix, transpose, batch);
    return FlatMatrix::of(builder, view.getDefiningOp<memref::ReinterpretCastOp>());
  };
  t = view(arguments.matrix(Role::A), enters);
  out = view(c, transposed);
  in = op.getB() ? view(arguments.matrix(Role::B), transposed) : out;
}

Components Program::load(const FlatMatrix &matrix, Value i, Value j) {
  return math.convert(Components(loadRun(builder, loc, matrix.at(builder, loc, i, j), 1)), sum);
}

/// As it enters: conjugated by some operations.
Components Program::loadOfT(Value i, Value k) {
  Components element = load(t, i, k);
  if (element.size() == 2 && isConjugated(op.getOpA()))
    element[1] = math.negate(element[1]);
  return element;
}

void Program::store(const Components &element, Value i) {
  Type stored = realTypeOf(elementOf(op.getC()));
  storeRun(builder, loc, math.convert(element, stored), out.at(builder, loc, i, line));
}

void Program::prepareAlpha() {
  if (alpha)
    factor = math.split(alpha), isOne = math.isOne(alpha);
}

Components Program::scale(const Components &element) {
  return alpha ? math.choose(isOne, element, math.multiply(factor, element)) : element;
}

/// out[i] = compute(i, elements before it), for all elements of the line in the given order.
void Program::forEachElement(bool upwards, function_ref<Components(Value, Value)> compute) {
  auto loop = scf::ForOp::create(builder, loc, index(0), order, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar();
  Value i = upwards ? step : subtract(subtract(order, index(1)), step);
  store(compute(i, step), i);
}

/// sum +- T[i, k] y[k] over the `count` elements of the triangle beside the diagonal.
Components Program::accumulate(Value i, Value count, const Components &sum) {
  auto loop = scf::ForOp::create(builder, loc, index(0), count, index(1), ValueRange(sum));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar();
  Value k = lower ? step : subtract(subtract(order, index(1)), step);
  Components factor = loadOfT(i, k), other = load(solves ? out : in, k, line);
  if (solves)
    other = math.negate(other);
  Components next = math.multiplyAdd(factor, other, Components(loop.getRegionIterArgs()));
  scf::YieldOp::create(builder, loc, ValueRange(next));
  return Components(loop.getResults());
}

/// (alpha b[i] - sum of T[i, k] x[k]) / T[i, i] over the `done` elements solved before.
Components Program::solve(Value i, Value done) {
  Components rest = accumulate(i, done, scale(load(in, i, line)));
  if (op.getDiag() == Diag::Unit)
    return rest;
  return math.divide(rest, math.prepareDivisor(loadOfT(i, i)));
}

/// alpha (T[i, i] b[i] + sum of T[i, k] b[k]) over the `others`, not yet overwritten.
Components Program::multiply(Value i, Value others) {
  Components own = load(in, i, line);
  if (op.getDiag() == Diag::NonUnit)
    own = math.multiply(loadOfT(i, i), own);
  return scale(accumulate(i, others, own));
}

//===----------------------------------------------------------------------===//
// Lines in registers
//===----------------------------------------------------------------------===//

/// Element i as a lower T counts them.
Value Program::inLine(int64_t i) { return index(lower ? i : *inRegisters - 1 - i); }

void Program::computeLine() {
  SmallVector<Components> elements;
  for (int64_t i = 0; i < *inRegisters; ++i)
    elements.push_back(load(in, inLine(i), line));
  auto triangle = [&](int64_t i, int64_t k) { return loadOfT(inLine(i), inLine(k)); };
  auto scaled = [&](const Components &element) { return scale(element); };
  LineFactors factors{triangle, op.getDiag() == Diag::Unit, scaled};
  if (!alpha)
    factors.scale = nullptr;
  solves ? solveLine(math, factors, elements) : multiplyLine(math, factors, elements);
  for (int64_t i = 0; i < *inRegisters; ++i)
    store(elements[i], inLine(i));
}

//===----------------------------------------------------------------------===//
// All of a thread
//===----------------------------------------------------------------------===//

void Program::ifThen(Value condition, function_ref<void()> then, function_ref<void()> otherwise) {
  auto branch = scf::IfOp::create(builder, loc, condition, bool(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  then();
  if (!otherwise)
    return;
  builder.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

void Program::emit() {
  placeThread();
  prepareAlpha();
  auto work = [&] {
    if (inRegisters)
      return computeLine();
    forEachElement(lower == solves, [&](Value i, Value step) {
      return solves ? solve(i, step) : multiply(i, subtract(subtract(order, index(1)), step));
    });
  };
  Components zeros(componentsOf(elementOf(op.getC())), createScalar(builder, loc, sum, 0));
  auto writeZeros = [&] { forEachElement(true, [&](Value, Value) { return zeros; }); };
  auto workUnlessZero = [&] { ifThen(createNonZeroTest(builder, loc, alpha), work, writeZeros); };
  Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, line, lines);
  if (alpha)
    ifThen(inside, workUnlessZero, nullptr);
  else
    ifThen(inside, work, nullptr);
}

LogicalResult rooftile::triangularKernel(TriangularOpInterface op, ModuleOp module) {
  if (failed(checkTriangularKernel(op, module)))
    return failure();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  int64_t bytes = elementBytes(elementOf(op.getC()));
  KernelInterface interface;
  interface.addMatrix(builder, {Role::A, op.getA()}, elementBytes(elementOf(op.getA())));
  if (op.getB())
    interface.addMatrix(builder, {Role::B, op.getB()}, bytes);
  interface.addMatrix(builder, {Role::C, op.getC()}, bytes);
  interface.addScalar(builder, {Role::Alpha, op.getAlpha()});

  // A workgroup has all of its lines, however long.
  int64_t workgroup = op.getPlanAttr().getWorkgroup(), whole = std::numeric_limits<int64_t>::max();
  KernelShape shape;
  shape.name = kernelName(op);
  shape.tile = {isLeft(op) ? whole : workgroup, isLeft(op) ? workgroup : whole};
  shape.workgroup = workgroup;
  gpu::GPUFuncOp kernel = createKernel(module, loc, interface, shape);
  OpBuilder inside = OpBuilder::atBlockBegin(&kernel.getBody().front());
  KernelInterface::Arguments arguments = interface.unpack(inside, kernel.getArguments());
  Program(inside, op, arguments).emit();
  createLaunch(builder, kernel, interface, op.getC());
  op->erase();
  return success();
}
