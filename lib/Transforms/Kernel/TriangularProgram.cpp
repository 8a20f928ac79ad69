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
// A line of known, small order is in registers, and the loops are unrolled: B is
// read and written once, and all loads of T can be under way at once. They go column
// by column, so that additions do not wait for each other:
//
//     for k = 0, 1, ...                        for k = ..., 1, 0
//       x[k] = b[k] / T[k, k]                    for i > k: b[i] += T[i, k] b[k]
//       for i > k: b[i] -= T[i, k] x[k]          b[k] = T[k, k] b[k]
//
// Other lines stay in memory, each sum a loop: right, and plain.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Kernel/TriangularProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "rooftile/Transforms/Kernel/KernelLaunch.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

static bool isLeft(TriangularOpInterface op) { return op.getSide() == Side::Left; }

/// trsm_f32_left_lower_n
static std::string kernelName(TriangularOpInterface op) {
  std::string name;
  llvm::raw_string_ostream(name) << (isa<TrsmOp>(op) ? "trsm_" : "trmm_")
                                 << memrefType(op.getC()).getElementType() << '_'
                                 << stringifySide(op.getSide()) << '_'
                                 << stringifyUplo(op.getUplo()) << '_'
                                 << stringifyTranspose(op.getOpA())
                                 << (op.getDiag() == Diag::Unit ? "_unit" : "");
  return name;
}

namespace {
/// Emits the work of one thread.
class Program {
public:
  Program(OpBuilder &builder, TriangularOpInterface op, const KernelInterface::Arguments &arguments)
      : builder(builder), loc(op.getLoc()), op(op), arguments(arguments), solves(isa<TrsmOp>(op)),
        lower(op.isEffectivelyLower() == isLeft(op)), alpha(arguments.scalar(Role::Alpha)) {
    int64_t known = op.getK();
    if (!ShapedType::isDynamic(known) &&
        fitsRegisters(known, memrefType(op.getC()).getElementTypeBitWidth() / 8))
      inRegisters = known;
  }

  void emit();

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value zero() {
    Type element = memrefType(op.getC()).getElementType();
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  }
  Value load(memref::ReinterpretCastOp matrix, Value i, Value j) {
    return memref::LoadOp::create(builder, loc, flat(matrix), place(matrix, i, j));
  }
  Value flat(memref::ReinterpretCastOp matrix);
  Value place(memref::ReinterpretCastOp matrix, Value i, Value j);
  Value subtract(Value a, Value b) { return arith::SubIOp::create(builder, loc, a, b); }

  void placeThread();
  void forEachElement(bool upwards, function_ref<Value(Value, Value)> compute);
  Value accumulate(Value i, Value count, Value sum);
  Value solve(Value i, Value done);
  Value multiply(Value i, Value others);
  Value loadOfT(int64_t i, int64_t k);
  Value multiplyAdd(Value factor, Value other, Value sum);
  SmallVector<Value> loadLine();
  void storeElement(Value value, int64_t i);
  void solveLine();
  void multiplyLine();
  void ifThen(Value condition, function_ref<void()> then, function_ref<void()> otherwise);

  OpBuilder &builder;
  Location loc;
  TriangularOpInterface op;
  const KernelInterface::Arguments &arguments;
  bool solves, lower;
  std::optional<int64_t> inRegisters; ///< Elements of a line that is.
  Value alpha;
  memref::ReinterpretCastOp t, in, out; ///< T, and the lines as columns.
  Value line, lines, order;             ///< This thread's; all of them; elements of one.
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
    return view.getDefiningOp<memref::ReinterpretCastOp>();
  };
  t = view(arguments.matrix(Role::A), enters);
  out = view(c, transposed);
  in = op.getB() ? view(arguments.matrix(Role::B), transposed) : out;
}

/// All memory behind the pointer of a view.
Value Program::flat(memref::ReinterpretCastOp matrix) {
  auto source = cast<MemRefType>(matrix.getSource().getType());
  auto type = MemRefType::get({ShapedType::kDynamic}, source.getElementType());
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1),
               all = index(std::numeric_limits<int64_t>::max());
  return memref::ReinterpretCastOp::create(builder, loc, type, matrix.getSource(), zero, all, one);
}

/// offset + i * stride + j * stride. (An access to the view itself becomes unsigned products.)
Value Program::place(memref::ReinterpretCastOp matrix, Value i, Value j) {
  Value sum = getValueOrCreateConstantIndexOp(builder, loc, matrix.getMixedOffsets()[0]);
  std::array<Value, 2> indices{i, j};
  for (auto [at, stride] : llvm::zip_equal(indices, matrix.getMixedStrides())) {
    Value step = getValueOrCreateConstantIndexOp(builder, loc, stride);
    Value term = arith::MulIOp::create(builder, loc, at, step);
    sum = arith::AddIOp::create(builder, loc, sum, term);
  }
  return sum;
}

/// out[i] = compute(i, elements before it), for all elements of the line in the given order.
void Program::forEachElement(bool upwards, function_ref<Value(Value, Value)> compute) {
  auto loop = scf::ForOp::create(builder, loc, index(0), order, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar();
  Value i = upwards ? step : subtract(subtract(order, index(1)), step);
  Value result = compute(i, step);
  memref::StoreOp::create(builder, loc, result, flat(out), place(out, i, line));
}

/// sum +- T[i, k] y[k] over the `count` elements of the triangle beside the diagonal.
Value Program::accumulate(Value i, Value count, Value sum) {
  auto loop = scf::ForOp::create(builder, loc, index(0), count, index(1), sum);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar();
  Value k = lower ? step : subtract(subtract(order, index(1)), step);
  Value factor = load(t, i, k);
  if (solves)
    factor = arith::NegFOp::create(builder, loc, factor);
  Value next = math::FmaOp::create(builder, loc, factor, load(solves ? out : in, k, line),
                                   loop.getRegionIterArg(0));
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
}

/// (alpha b[i] - sum of T[i, k] x[k]) / T[i, i] over the `done` elements solved before.
Value Program::solve(Value i, Value done) {
  Value sum = load(in, i, line);
  if (alpha)
    sum = arith::MulFOp::create(builder, loc, alpha, sum);
  sum = accumulate(i, done, sum);
  if (op.getDiag() == Diag::Unit)
    return sum;
  return arith::DivFOp::create(builder, loc, sum, load(t, i, i));
}

/// alpha (T[i, i] b[i] + sum of T[i, k] b[k]) over the `others`, not yet overwritten.
Value Program::multiply(Value i, Value others) {
  Value sum = load(in, i, line);
  if (op.getDiag() == Diag::NonUnit)
    sum = arith::MulFOp::create(builder, loc, load(t, i, i), sum);
  sum = accumulate(i, others, sum);
  return alpha ? arith::MulFOp::create(builder, loc, alpha, sum).getResult() : sum;
}

//===----------------------------------------------------------------------===//
// Lines in registers
//===----------------------------------------------------------------------===//

/// Row and column count from the corner that a lower T begins in.
Value Program::loadOfT(int64_t i, int64_t k) {
  int64_t last = *inRegisters - 1;
  return lower ? load(t, index(i), index(k)) : load(t, index(last - i), index(last - k));
}

Value Program::multiplyAdd(Value factor, Value other, Value sum) {
  return math::FmaOp::create(builder, loc, factor, other, sum);
}

/// In the order of loadOfT.
SmallVector<Value> Program::loadLine() {
  SmallVector<Value> elements;
  for (int64_t i = 0; i < *inRegisters; ++i)
    elements.push_back(load(in, index(lower ? i : *inRegisters - 1 - i), line));
  return elements;
}

void Program::solveLine() {
  SmallVector<Value> x = loadLine();
  if (alpha)
    for (Value &element : x)
      element = arith::MulFOp::create(builder, loc, alpha, element);
  int64_t count = x.size();
  for (int64_t k = 0; k < count; ++k) {
    if (op.getDiag() == Diag::NonUnit)
      x[k] = arith::DivFOp::create(builder, loc, x[k], loadOfT(k, k));
    for (int64_t i = k + 1; i < count; ++i)
      x[i] = multiplyAdd(arith::NegFOp::create(builder, loc, loadOfT(i, k)), x[k], x[i]);
  }
  for (int64_t i = 0; i < count; ++i)
    storeElement(x[i], i);
}

/// From the last column on: an element is not needed any more when its own column comes.
void Program::multiplyLine() {
  SmallVector<Value> b = loadLine();
  int64_t count = b.size();
  for (int64_t k = count - 1; k >= 0; --k) {
    for (int64_t i = k + 1; i < count; ++i)
      b[i] = multiplyAdd(loadOfT(i, k), b[k], b[i]);
    if (op.getDiag() == Diag::NonUnit)
      b[k] = arith::MulFOp::create(builder, loc, loadOfT(k, k), b[k]);
  }
  for (int64_t i = 0; i < count; ++i)
    storeElement(alpha ? arith::MulFOp::create(builder, loc, alpha, b[i]).getResult() : b[i], i);
}

void Program::storeElement(Value value, int64_t i) {
  Value at = place(out, index(lower ? i : *inRegisters - 1 - i), line);
  memref::StoreOp::create(builder, loc, value, flat(out), at);
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
  auto work = [&] {
    if (inRegisters)
      return solves ? solveLine() : multiplyLine();
    forEachElement(lower == solves, [&](Value i, Value step) {
      return solves ? solve(i, step) : multiply(i, subtract(subtract(order, index(1)), step));
    });
  };
  auto writeZeros = [&] { forEachElement(true, [&](Value, Value) { return zero(); }); };
  auto workUnlessZero = [&] {
    Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, alpha, zero());
    ifThen(isZero, writeZeros, work);
  };
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
  int64_t bytes = memrefType(op.getC()).getElementTypeBitWidth() / 8;
  KernelInterface interface;
  interface.addMatrix(builder, {Role::A, op.getA()}, bytes);
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
