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
// A line of known, small order is in registers (TriangularLine.h). Longer ones are solved by all
// threads of a workgroup where the plan says so (TriangularSweep.h).
// Other lines stay in memory, each sum a loop: right, and plain. Numbers are multiplied and added
// in the type of the sums, and rounded where they are stored.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Kernel/TriangularProgram.h"
#include "TriangularLine.h"
#include "TriangularStage.h"
#include "TriangularSweep.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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
      << (op.getDiag() == Diag::Unit ? "_unit" : "")
      << (op.getPlanAttr().getLines() > 0 ? "_sweep" : "");
  return name;
}

namespace {
/// Emits the work of one thread.
class Program {
public:
  Program(OpBuilder &builder, TriangularOpInterface op, const KernelInterface::Arguments &arguments)
      : builder(builder), loc(op.getLoc()), op(op), math(builder, loc), arguments(arguments),
        sum(realTypeOf(op.getAccumulatorType())), solves(isa<TrsmOp>(op)),
        lower(op.isEffectivelyLower() == isLeft(op)), alpha(arguments.scalar(Role::Alpha)),
        inRegisters(orderInRegisters(op)), staging(stagingOf(op)), swept(sweptBlockOf(op)) {}

  void emit();

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value subtract(Value a, Value b) { return arith::SubIOp::create(builder, loc, a, b); }
  Value number(OpFoldResult value) { return getValueOrCreateConstantIndexOp(builder, loc, value); }
  FlatMatrix view(Role role, Value batch);
  Components load(const FlatPlace &place);
  Components enter(Components element);
  Components loadOfT(Value i, Value k);
  void store(const Components &element, const FlatPlace &place);
  void store(const Components &element, Value i) { store(element, out.at(builder, loc, i, line)); }

  void placeThread();
  Value placeInStrip(Value workgroup, Value thread);
  Value placeInBatch(Value workgroup, Value thread);
  void prepareAlpha();
  Components scale(const Components &element);
  void forEachElement(bool upwards, function_ref<Components(Value, Value)> compute);
  Components accumulate(Value i, Value count, const Components &sum);
  Components solve(Value i, Value done);
  Components multiply(Value i, Value others);
  Value inLine(int64_t i);
  FlatPlace inWorkgroup(Value i);
  void computeLine();
  void sweep();
  void stageIn();
  void stageOut();
  void ifThen(Value condition, function_ref<void()> then, function_ref<void()> otherwise);

  OpBuilder &builder;
  Location loc;
  TriangularOpInterface op;
  ElementMath math;
  const KernelInterface::Arguments &arguments;
  Type sum; ///< Of real numbers while they are added.
  bool solves, lower;
  Value alpha;
  std::optional<int64_t> inRegisters; ///< Elements of a line that is.
  Staging staging;
  std::optional<SweptBlock> swept;
  Components factor;        ///< Alpha's parts.
  Value isOne;              ///< Whether a complex alpha is 1; null where that is not asked.
  FlatMatrix t, in, out;    ///< T, and the lines as columns.
  Value line, lines, order; ///< This thread's; all of them; elements of one.
  Value inside;             ///< Whether this thread has a line; null: it has.
  BlockShare share;
  Value ownMatrix, ownLine; ///< This thread's, in the workgroup.
  std::optional<StagedTriangle> triangles;
  std::optional<StagedLine> stagedLines;
};
} // namespace

/// op(A), or lines as columns, of entry `batch`.
FlatMatrix Program::view(Role role, Value batch) {
  bool isTurned = role == Role::A ? isTransposed(op.getOpA()) == isLeft(op) : !isLeft(op);
  Value view = viewMatrix(builder, loc, arguments.matrix(role),
                          isTurned ? Transpose::Trans : Transpose::None, batch);
  return FlatMatrix::of(builder, view.getDefiningOp<memref::ReinterpretCastOp>());
}

/// A workgroup has lines of one matrix. Returns the number of that.
Value Program::placeInStrip(Value workgroup, Value thread) {
  Value width = index(linesOfWorkgroup(op));
  Value perMatrix = arith::CeilDivUIOp::create(builder, loc, lines, width);
  share.firstMatrix = arith::DivUIOp::create(builder, loc, workgroup, perMatrix);
  Value strip = arith::RemUIOp::create(builder, loc, workgroup, perMatrix);
  share.firstLine = arith::MulIOp::create(builder, loc, strip, width);
  line = arith::AddIOp::create(builder, loc, share.firstLine, thread);
  ownMatrix = index(0), ownLine = thread;
  inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, line, lines);
  if (swept) {
    Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, thread, width);
    inside = arith::AndIOp::create(builder, loc, inside, first);
  }
  return share.firstMatrix;
}

/// Or all lines of several matrices. Returns the number of the thread's own, or of the last.
Value Program::placeInBatch(Value workgroup, Value thread) {
  auto compare = [&](Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, b);
  };
  share.firstMatrix = arith::MulIOp::create(builder, loc, workgroup, index(share.matrices));
  share.firstLine = index(0);
  ownMatrix = arith::DivUIOp::create(builder, loc, thread, index(share.lines));
  line = ownLine = arith::RemUIOp::create(builder, loc, thread, index(share.lines));
  int64_t used = share.matrices * share.lines;
  if (used < share.threads)
    inside = compare(thread, index(used));
  Value batch = arith::AddIOp::create(builder, loc, share.firstMatrix, ownMatrix);
  if (!share.fullMatrices) {
    Value exists = compare(batch, share.allMatrices);
    inside = inside ? arith::AndIOp::create(builder, loc, inside, exists).getResult() : exists;
  }
  if (!inside)
    return batch;
  return arith::MinSIOp::create(builder, loc, batch, subtract(share.allMatrices, index(1)));
}

/// What this workgroup and this thread have, and the views.
void Program::placeThread() {
  const KernelInterface::Matrix &c = arguments.matrix(Role::C);
  size_t rank = c.sizes.size();
  OpFoldResult across = c.sizes[isLeft(op) ? rank - 1 : rank - 2];
  lines = number(across);
  order = number(c.sizes[isLeft(op) ? rank - 2 : rank - 1]);
  BlocksAttr plan = op.getPlanAttr();
  share.order = inRegisters.value_or(0), share.threads = plan.getWorkgroup();
  share.lines = linesOfShare(op), share.matrices = plan.getMatrices();
  share.lower = lower, share.unit = op.getDiag() == Diag::Unit;
  share.allLines = lines, share.allMatrices = index(1);
  for (size_t dim = 0; dim + 2 < rank; ++dim)
    share.allMatrices =
        builder.createOrFold<arith::MulIOp>(loc, share.allMatrices, number(c.sizes[dim]));
  std::optional<int64_t> knownLines = getConstantIntValue(across),
                         batch = getConstantIntValue(share.allMatrices);
  share.fullLines = knownLines && *knownLines % (swept ? swept->lines : share.lines) == 0;
  share.fullMatrices = share.matrices == 1 || (batch && *batch % share.matrices == 0);
  Value workgroup = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value own =
      share.matrices > 1 ? placeInBatch(workgroup, thread) : placeInStrip(workgroup, thread);
  t = view(Role::A, own);
  out = view(Role::C, own);
  in = op.getB() ? view(Role::B, own) : out;
}

Components Program::load(const FlatPlace &place) {
  return math.convert(Components(loadRun(builder, loc, place, 1)), sum);
}

/// An element of T as it enters: conjugated by some operations.
Components Program::enter(Components element) {
  if (element.size() == 2 && isConjugated(op.getOpA()))
    element[1] = math.negate(element[1]);
  return element;
}

Components Program::loadOfT(Value i, Value k) { return enter(load(t.at(builder, loc, i, k))); }

void Program::store(const Components &element, const FlatPlace &place) {
  Type stored = realTypeOf(elementOf(op.getC()));
  storeRun(builder, loc, math.convert(element, stored), place);
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
  Components factor = loadOfT(i, k), other = load((solves ? out : in).at(builder, loc, k, line));
  if (solves)
    other = math.negate(other);
  Components next = math.multiplyAdd(factor, other, Components(loop.getRegionIterArgs()));
  scf::YieldOp::create(builder, loc, ValueRange(next));
  return Components(loop.getResults());
}

/// (alpha b[i] - sum of T[i, k] x[k]) / T[i, i] over the `done` elements solved before.
Components Program::solve(Value i, Value done) {
  Components rest = accumulate(i, done, scale(load(in.at(builder, loc, i, line))));
  if (op.getDiag() == Diag::Unit)
    return rest;
  return math.divide(rest, math.prepareDivisor(loadOfT(i, i)));
}

/// alpha (T[i, i] b[i] + sum of T[i, k] b[k]) over the `others`, not yet overwritten.
Components Program::multiply(Value i, Value others) {
  Components own = load(in.at(builder, loc, i, line));
  if (op.getDiag() == Diag::NonUnit)
    own = math.multiply(loadOfT(i, i), own);
  return scale(accumulate(i, others, own));
}

//===----------------------------------------------------------------------===//
// Lines in registers
//===----------------------------------------------------------------------===//

/// Element i as a lower T counts them.
Value Program::inLine(int64_t i) { return index(lower ? i : *inRegisters - 1 - i); }

/// Where this thread's line is in shared memory.
FlatPlace Program::inWorkgroup(Value i) { return stagedLines->at(ownMatrix, ownLine, i); }

void Program::computeLine() {
  SmallVector<Components> elements;
  for (int64_t i = 0; i < *inRegisters; ++i)
    elements.push_back(
        load(stagedLines ? inWorkgroup(inLine(i)) : in.at(builder, loc, inLine(i), line)));
  Value own = staging.triangles && staging.triangles->count > 1 ? ownMatrix : index(0);
  auto triangle = [&](int64_t i, int64_t k) {
    if (!triangles)
      return loadOfT(inLine(i), inLine(k));
    return enter(math.convert(triangles->load(own, i, k), sum));
  };
  auto scaled = [&](const Components &element) { return scale(element); };
  LineFactors factors{triangle, op.getDiag() == Diag::Unit};
  if (alpha)
    factors.scale = scaled;
  solves ? solveLine(math, factors, elements) : multiplyLine(math, factors, elements);
  for (int64_t i = 0; i < *inRegisters; ++i)
    store(elements[i],
          stagedLines ? inWorkgroup(inLine(i)) : out.at(builder, loc, inLine(i), line));
}

void Program::sweep() {
  auto enterElement = [&](const Components &element) { return enter(element); };
  auto scaled = [&](const Components &element) { return scale(element); };
  SweptLines all{t, in, out, op.getK(), lower, share.unit};
  all.alongRows = getConstantIntValue(t.strides[0]) != 1;
  all.triangle = elementOf(op.getA()), all.line = elementOf(op.getC()), all.sum = sum;
  all.first = share.firstLine, all.all = lines, all.full = share.fullLines;
  all.enter = enterElement;
  if (alpha)
    all.scale = scaled;
  emitSweep(builder, loc, all, *swept);
}

/// Copies what the plan says to shared memory.
void Program::stageIn() {
  bool many = share.matrices > 1;
  if (staging.triangles) {
    triangles.emplace(builder, loc, share, *staging.triangles, elementOf(op.getA()), 0);
    auto from = [&](Value batch) { return many ? view(Role::A, batch) : t; };
    triangles->copy(from, getConstantIntValue(t.strides[0]) == 1);
  }
  if (staging.lines) {
    stagedLines.emplace(builder, loc, share, *staging.lines, elementOf(op.getC()),
                        staging.bytesOfTriangles());
    Role role = op.getB() ? Role::B : Role::C;
    auto from = [&](Value batch) { return many ? view(role, batch) : in; };
    stagedLines->copyIn(from, isAlongLine(op, op.getB() ? op.getB() : op.getC()));
  }
  gpu::BarrierOp::create(builder, loc);
}

void Program::stageOut() {
  if (!staging.lines)
    return;
  gpu::BarrierOp::create(builder, loc);
  auto to = [&](Value batch) { return share.matrices > 1 ? view(Role::C, batch) : out; };
  stagedLines->copyOut(to, isAlongLine(op, op.getC()));
}

//===----------------------------------------------------------------------===//
// All of a thread
//===----------------------------------------------------------------------===//

/// A null condition holds.
void Program::ifThen(Value condition, function_ref<void()> then, function_ref<void()> otherwise) {
  if (!condition)
    return then();
  auto branch = scf::IfOp::create(builder, loc, condition, bool(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  then();
  if (!otherwise)
    return;
  builder.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

/// All threads meet at barriers, those without a line too: alpha is the same for all of them.
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
  auto unlessZero = [&](function_ref<void()> then, function_ref<void()> otherwise) {
    ifThen(alpha ? createNonZeroTest(builder, loc, alpha) : Value(), then, otherwise);
  };
  if (swept)
    return unlessZero([&] { sweep(); }, [&] { ifThen(inside, writeZeros, nullptr); });
  if (!staging.triangles && !staging.lines)
    return ifThen(inside, [&] { unlessZero(work, writeZeros); }, nullptr);
  auto staged = [&] {
    stageIn();
    ifThen(inside, work, nullptr);
    stageOut();
  };
  unlessZero(staged, [&] { ifThen(inside, writeZeros, nullptr); });
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
  int64_t lines = linesOfWorkgroup(op);
  KernelShape shape;
  shape.name = kernelName(op);
  shape.tile = {isLeft(op) ? whole : lines, isLeft(op) ? lines : whole};
  shape.workgroup = workgroup;
  shape.matrices = op.getPlanAttr().getMatrices();
  shape.sharedBytes = sharedBytesOf(op);
  gpu::GPUFuncOp kernel = createKernel(module, loc, interface, shape);
  OpBuilder inside = OpBuilder::atBlockBegin(&kernel.getBody().front());
  KernelInterface::Arguments arguments = interface.unpack(inside, kernel.getArguments());
  Program(inside, op, arguments).emit();
  createLaunch(builder, kernel, interface, op.getC());
  op->erase();
  return success();
}
