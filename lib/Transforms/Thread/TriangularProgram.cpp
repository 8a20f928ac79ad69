//===- TriangularProgram.cpp - A thread of a block of a triangle ----------===//
//
// A thread computes one vector of the output, or several: columns, or with A on the right rows.
// Seen through transposed views, A is always on the left. Only the triangle is read; where alpha is
// 0 at run time nothing is. Threads of a workgroup read the same element of T, and neighbours of B
// (TriangularVector.h). Or all threads of a workgroup solve some vectors together
// (TriangularSweep.h).
//
// Elements are multiplied and added in the accumulator type, and rounded where they are stored.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Thread/TriangularProgram.h"
#include "TriangularSweep.h"
#include "TriangularVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Thread/FlatAddress.h"
#include "rooftile/Transforms/Thread/TriangularStage.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

static bool isLeft(TriangularOpInterface op) { return op.getSide() == Side::Left; }

static Type elementOf(Value matrix) { return memrefType(matrix).getElementType(); }

namespace {
/// Emits the work of one thread.
class Program {
public:
  Program(OpBuilder &builder, TriangularOpInterface op, const TriangularArguments &arguments)
      : builder(builder), loc(op.getLoc()), op(op), math(builder, loc), arguments(arguments),
        sum(realTypeOf(op.getAccumulatorType())), solves(isa<TrsmOp>(op)),
        lower(op.isEffectivelyLower() == isLeft(op)), alpha(arguments.alpha),
        rows(rowsOfThread(op)), staging(stagingOf(op)), swept(sweptBlockOf(op)) {}

  void emit();

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value isLess(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, b);
  }
  Value subtract(Value a, Value b) { return arith::SubIOp::create(builder, loc, a, b); }
  Value number(OpFoldResult value) { return getValueOrCreateConstantIndexOp(builder, loc, value); }
  FlatMatrix view(Role role, Value batch);
  Components load(const FlatAddress &place);
  Components enter(Components element);
  void store(const Components &element, const FlatAddress &place);

  void placeThread();
  Value placeInStrip(Value workgroup, Value thread);
  Value placeInBatch(Value workgroup, Value thread);
  void prepareAlpha();
  Components scale(const Components &element);
  void placeVectors(Value thread);
  Value inMemory(Value row);
  Components loadOfTriangle(Value row, int64_t i, Value column, int64_t k);
  void computeVectors();
  void writeZeros();
  void sweep();
  void stageIn();
  void stageOut();
  void ifThen(Value condition, function_ref<void()> then, function_ref<void()> otherwise);

  OpBuilder &builder;
  Location loc;
  TriangularOpInterface op;
  ElementMath math;
  const TriangularArguments &arguments;
  Type sum; ///< Accumulator type of real elements.
  bool solves, lower;
  Value alpha;
  ThreadRows rows;
  Staging staging;
  std::optional<SweptBlock> swept;
  Components factor;     ///< Components of alpha.
  Value isOne;           ///< Whether a complex alpha is 1; null where that is not asked.
  FlatMatrix t, in, out; ///< T, and the vectors as columns.
  Value vectors, order;  ///< All vectors; elements of one.
  Value inside;          ///< Whether this thread has a vector; null: it has.
  BlockShare share;
  Value ownMatrix; ///< This thread's, in the workgroup.
  /// A vector of this thread: of its matrix, and of those in the workgroup.
  struct OwnVector {
    Value vector, inWorkgroup;
  };
  SmallVector<OwnVector> own;
  std::optional<StagedTriangle> triangles;
  std::optional<StagedDivisors> divisors;
  std::optional<StagedVector> stagedVectors;
};
} // namespace

/// op(A), or vectors as columns, of entry `batch`.
FlatMatrix Program::view(Role role, Value batch) {
  bool isTurned = role == Role::A ? isTransposed(op.getOpA()) == isLeft(op) : !isLeft(op);
  Value view = arguments.view(role, isTurned ? Transpose::Trans : Transpose::None, batch);
  return FlatMatrix::of(builder, view.getDefiningOp<memref::ReinterpretCastOp>());
}

/// A workgroup has vectors of one matrix. Returns the number of that.
Value Program::placeInStrip(Value workgroup, Value thread) {
  Value width = index(vectorsOfWorkgroup(op));
  Value perMatrix = arith::CeilDivUIOp::create(builder, loc, vectors, width);
  share.firstMatrix = arith::DivUIOp::create(builder, loc, workgroup, perMatrix);
  Value strip = arith::RemUIOp::create(builder, loc, workgroup, perMatrix);
  share.firstVector = arith::MulIOp::create(builder, loc, strip, width);
  ownMatrix = index(0);
  placeVectors(thread);
  inside = isLess(own[0].vector, vectors);
  if (swept)
    inside = arith::AndIOp::create(builder, loc, inside, isLess(thread, width));
  return share.firstMatrix;
}

/// The vectors of a thread lie as far apart as there are threads, so that neighbours have
/// neighbours. Threads past the last vector recompute their first one and store it again: under
/// conditions compilers would compute each vector for itself.
void Program::placeVectors(Value thread) {
  for (int64_t number = 0; number < rows.vectors; ++number) {
    Value inWorkgroup =
        builder.createOrFold<arith::AddIOp>(loc, thread, index(number * share.threads));
    Value vector = arith::AddIOp::create(builder, loc, share.firstVector, inWorkgroup);
    if (number > 0) {
      Value exists = isLess(vector, vectors);
      vector = arith::SelectOp::create(builder, loc, exists, vector, own[0].vector);
      inWorkgroup = arith::SelectOp::create(builder, loc, exists, inWorkgroup, thread);
    }
    own.push_back({vector, inWorkgroup});
  }
}

/// Or all vectors of several matrices. Returns the number of the thread's own, or of the last.
Value Program::placeInBatch(Value workgroup, Value thread) {
  share.firstMatrix = arith::MulIOp::create(builder, loc, workgroup, index(share.matrices));
  share.firstVector = index(0);
  ownMatrix = arith::DivUIOp::create(builder, loc, thread, index(share.vectors));
  Value vector = arith::RemUIOp::create(builder, loc, thread, index(share.vectors));
  own.push_back({vector, vector});
  int64_t used = share.matrices * share.vectors;
  if (used < share.threads)
    inside = isLess(thread, index(used));
  Value batch = arith::AddIOp::create(builder, loc, share.firstMatrix, ownMatrix);
  if (!share.fullMatrices) {
    Value exists = isLess(batch, share.allMatrices);
    inside = inside ? arith::AndIOp::create(builder, loc, inside, exists).getResult() : exists;
  }
  if (!inside)
    return batch;
  return arith::MinSIOp::create(builder, loc, batch, subtract(share.allMatrices, index(1)));
}

/// Computes the share of this workgroup and this thread, and makes the views.
void Program::placeThread() {
  ArrayRef<OpFoldResult> sizes = arguments.sizes;
  size_t rank = sizes.size();
  OpFoldResult across = sizes[isLeft(op) ? rank - 1 : rank - 2];
  vectors = number(across);
  order = number(sizes[isLeft(op) ? rank - 2 : rank - 1]);
  BlocksAttr plan = op.getPlanAttr();
  share.order = rows.order.value_or(0);
  share.stagedOrder = llvm::alignTo(share.order, std::max<int64_t>(1, rows.rows));
  share.threads = plan->workgroup;
  share.vectors = vectorsOfShare(op), share.matrices = plan->matrices;
  share.lower = lower, share.unit = op.getDiag() == Diag::Unit;
  share.allVectors = vectors, share.allMatrices = index(1);
  for (size_t dim = 0; dim + 2 < rank; ++dim)
    share.allMatrices =
        builder.createOrFold<arith::MulIOp>(loc, share.allMatrices, number(sizes[dim]));
  std::optional<int64_t> knownVectors = getConstantIntValue(across),
                         batch = getConstantIntValue(share.allMatrices);
  share.fullVectors = knownVectors && *knownVectors % (swept ? swept->vectors : share.vectors) == 0;
  share.fullMatrices = share.matrices == 1 || (batch && *batch % share.matrices == 0);
  Value workgroup = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value own =
      share.matrices > 1 ? placeInBatch(workgroup, thread) : placeInStrip(workgroup, thread);
  t = view(Role::A, own);
  out = view(Role::C, own);
  in = op.getB() ? view(Role::B, own) : out;
}

Components Program::load(const FlatAddress &place) {
  return math.convert(Components(loadRun(builder, loc, place, 1)), sum);
}

/// An element of T as it enters: conjugated by some operations.
Components Program::enter(Components element) {
  if (element.size() == 2 && isConjugated(op.getOpA()))
    element[1] = math.negate(element[1]);
  return element;
}

void Program::store(const Components &element, const FlatAddress &place) {
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

//===----------------------------------------------------------------------===//
// Vectors of a thread
//===----------------------------------------------------------------------===//

/// Row `row` as a lower T counts them.
Value Program::inMemory(Value row) {
  return lower ? row : builder.createOrFold<arith::SubIOp>(loc, subtract(order, index(1)), row);
}

/// T[row + i, column + k]; past the last row the last one's.
Components Program::loadOfTriangle(Value row, int64_t i, Value column, int64_t k) {
  if (triangles) {
    Value matrix = staging.triangles->count > 1 ? ownMatrix : index(0);
    return enter(math.convert(triangles->load(matrix, row, i, column, k), sum));
  }
  auto place = [&](Value first, int64_t number) {
    Value at = builder.createOrFold<arith::AddIOp>(loc, first, index(number));
    return inMemory(
        rows.ragged ? arith::MinSIOp::create(builder, loc, at, subtract(order, index(1))) : at);
  };
  return enter(load(t.at(builder, loc, place(row, i), place(column, k))));
}

void Program::computeVectors() {
  auto place = [&](const FlatMatrix &matrix, int64_t vector, Value row) {
    row = inMemory(row);
    return stagedVectors ? stagedVectors->at(ownMatrix, own[vector].inWorkgroup, row)
                         : matrix.at(builder, loc, row, own[vector].vector);
  };
  auto triangle = [&](Value row, int64_t i, Value column, int64_t k) {
    return loadOfTriangle(row, i, column, k);
  };
  auto loadOf = [&](int64_t vector, Value row) { return load(place(in, vector, row)); };
  auto loadAgain = [&](int64_t vector, Value row) {
    return load(place(solves ? out : in, vector, row));
  };
  auto storeOf = [&](const Components &element, int64_t vector, Value row) {
    store(element, place(out, vector, row));
  };
  auto scaled = [&](const Components &element) { return scale(element); };
  ThreadVectors all{rows.rows, rows.vectors, order, rows.whole, rows.ragged, solves, share.unit};
  auto divisor = [&](Value first, int64_t k) {
    Value matrix = staging.triangles->count > 1 ? ownMatrix : Value();
    return divisors->load(matrix, builder.createOrFold<arith::AddIOp>(loc, first, index(k)), sum);
  };
  if (divisors)
    all.divisor = divisor;
  all.triangle = triangle, all.load = loadOf, all.loadAgain = loadAgain, all.store = storeOf;
  if (alpha)
    all.scale = scaled;
  emitThreadVectors(builder, loc, all);
}

void Program::writeZeros() {
  Components zeros(componentsOf(elementOf(op.getC())), createScalar(builder, loc, sum, 0));
  auto loop = scf::ForOp::create(builder, loc, index(0), order, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  for (const OwnVector &each : own)
    store(zeros, out.at(builder, loc, loop.getInductionVar(), each.vector));
}

void Program::sweep() {
  auto enterElement = [&](const Components &element) { return enter(element); };
  auto scaled = [&](const Components &element) { return scale(element); };
  SweptVectors all{t, in, out, op.getK(), lower, share.unit};
  all.alongRows = getConstantIntValue(t.strides[0]) != 1;
  all.triangle = elementOf(op.getA()), all.vector = elementOf(op.getC()), all.sum = sum;
  all.first = share.firstVector, all.all = vectors, all.full = share.fullVectors;
  all.enter = enterElement;
  if (alpha)
    all.scale = scaled;
  emitSweep(builder, loc, all, *swept);
}

/// Copies the operands with via = shared to shared memory.
void Program::stageIn() {
  bool many = share.matrices > 1;
  auto triangle = [&](Value batch) { return many ? view(Role::A, batch) : t; };
  if (staging.triangles) {
    triangles.emplace(builder, loc, share, *staging.triangles, elementOf(op.getA()), 0);
    triangles->copy(triangle, getConstantIntValue(t.strides[0]) == 1);
  }
  if (staging.divisors) {
    divisors.emplace(builder, loc, elementOf(op.getA()), *staging.divisors,
                     staging.bytesOfTriangles());
    divisors->copy(share, triangle, [&](const FlatAddress &place) { return enter(load(place)); });
  }
  if (staging.vectors) {
    stagedVectors.emplace(builder, loc, share, *staging.vectors, elementOf(op.getC()),
                          staging.startOfVectors());
    Role role = op.getB() ? Role::B : Role::C;
    auto from = [&](Value batch) { return many ? view(role, batch) : in; };
    stagedVectors->copyIn(from, isAlongVector(op, op.getB() ? op.getB() : op.getC()));
  }
  gpu::BarrierOp::create(builder, loc);
}

void Program::stageOut() {
  if (!staging.vectors)
    return;
  gpu::BarrierOp::create(builder, loc);
  auto to = [&](Value batch) { return share.matrices > 1 ? view(Role::C, batch) : out; };
  stagedVectors->copyOut(to, isAlongVector(op, op.getC()));
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

/// All threads meet at barriers, those without a vector too: alpha is the same for all of them.
void Program::emit() {
  placeThread();
  prepareAlpha();
  auto work = [&] { computeVectors(); };
  auto zeros = [&] { writeZeros(); };
  auto unlessZero = [&](function_ref<void()> then, function_ref<void()> otherwise) {
    ifThen(alpha ? createNonZeroTest(builder, loc, alpha) : Value(), then, otherwise);
  };
  if (swept)
    return unlessZero([&] { sweep(); }, [&] { ifThen(inside, zeros, nullptr); });
  if (!staging.triangles && !staging.vectors)
    return ifThen(inside, [&] { unlessZero(work, zeros); }, nullptr);
  auto staged = [&] {
    stageIn();
    ifThen(inside, work, nullptr);
    stageOut();
  };
  unlessZero(staged, [&] { ifThen(inside, zeros, nullptr); });
}

void rooftile::emitTriangularProgram(OpBuilder &builder, TriangularOpInterface op,
                                     const TriangularArguments &arguments) {
  Program(builder, op, arguments).emit();
}
