//===- Operation.cpp - A call of BLAS level 3 as a value ------------------===//

#include "rooftile/Operation/Operation.h"

#include <utility>

using namespace rooftile;
using namespace rooftile::operation;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

namespace {
struct Shape {
  int64_t rows, columns;
};
} // namespace

static Shape shapeOf(const Operation &operation, int index) {
  const RoutineInfo &info = operation.info();
  if (index == 2 || info.sizes == Sizes::N || (info.sizes == Sizes::MN && index == 1))
    return {operation.m, operation.n};
  if (info.sizes == Sizes::MN)
    return {operation.order(), operation.order()};
  bool isProduct = info.sizes == Sizes::MNK;
  Shape entering =
      index == 0 || !isProduct ? Shape{operation.m, operation.k} : Shape{operation.k, operation.n};
  Op op = index == 1 && info.hasOpB ? operation.opB : operation.opA;
  return isTransposed(op) ? Shape{entering.columns, entering.rows} : entering;
}

int64_t Operation::rows(int index) const { return shapeOf(*this, index).rows; }
int64_t Operation::columns(int index) const { return shapeOf(*this, index).columns; }

int64_t Operation::vectorLength(int index) const {
  return operand(index).order == Order::RowMajor ? columns(index) : rows(index);
}
int64_t Operation::vectors(int index) const {
  return operand(index).order == Order::RowMajor ? rows(index) : columns(index);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

std::array<double, 2> operation::scalarAt(Element type, const void *address) {
  std::array<double, 2> components = {};
  size_t bytes = size_t(bytesOf(type));
  if (bytesOfComponent(type) == 8) {
    std::memcpy(components.data(), address, bytes);
    return components;
  }
  float narrow[2] = {};
  std::memcpy(narrow, address, bytes);
  return {narrow[0], narrow[1]};
}

//===----------------------------------------------------------------------===//
// Equal operations
//===----------------------------------------------------------------------===//

uint64_t operation::hash(const Operation &operation) {
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15; // 2^64 / the golden ratio
  uint64_t words[sizeof(Operation) / sizeof(uint64_t)], hash = 0;
  std::memcpy(words, &operation, sizeof words);
  for (uint64_t word : words) {
    hash = (hash ^ word) * kMultiplier;
    hash ^= hash >> 32;
  }
  return hash;
}

static Matrix transposedMatrix(Matrix matrix) {
  matrix.order = matrix.order == Order::RowMajor ? Order::ColumnMajor : Order::RowMajor;
  return matrix;
}

bool operation::swapsOperands(Routine routine) {
  const RoutineInfo &info = infoOf(routine);
  return info.b != Structure::None && info.sizes != Sizes::MN;
}

/// op(A) op(A)^T of the stored A is op'(A') op'(A')^T of its transpose A'.
static Op otherOp(const RoutineInfo &info, Op op) { return op == Op::N ? Op(info.ops[1]) : Op::N; }

Operation operation::exchanged(const Operation &stated) {
  const RoutineInfo &info = stated.info();
  Operation operation = stated;
  std::swap(operation.m, operation.n);
  for (int index : {0, 1, 2})
    operation.operand(index) = transposedMatrix(stated.operand(index));
  if (swapsOperands(stated.routine))
    std::swap(operation.a, operation.b);
  if (info.hasOpB)
    std::swap(operation.opA, operation.opB);
  if (info.sizes == Sizes::NK)
    operation.opA = otherOp(info, stated.opA);
  if (info.hasSide)
    operation.side = stated.side == Side::Left ? Side::Right : Side::Left;
  if (info.hasUplo)
    operation.triangle = stated.triangle == Triangle::Lower ? Triangle::Upper : Triangle::Lower;
  if (stated.epilogue.bias != Bias::None)
    operation.epilogue.bias = stated.epilogue.bias == Bias::PerRow ? Bias::PerColumn : Bias::PerRow;
  return operation;
}

/// Conjugating real matrices changes nothing.
static Op opOf(Op op, const Matrix &matrix) {
  if (isComplex(matrix.element))
    return op;
  return isTransposed(op) ? Op::T : Op::N;
}

Operation operation::canonical(const Operation &stated) {
  Operation operation = stated.c.order == Order::ColumnMajor ? exchanged(stated) : stated;
  operation.opA = opOf(operation.opA, operation.a);
  operation.opB = opOf(operation.opB, operation.b);
  for (int index : {0, 1})
    if (!operation.has(index))
      operation.operand(index) = {};
  return operation;
}

Operation operation::withGeneralScalars(Operation operation) {
  for (auto [scalar, known] :
       {std::pair(&operation.alpha, Scalar::One), std::pair(&operation.beta, Scalar::Zero)})
    if (*scalar != known && *scalar != Scalar::InMemory)
      *scalar = Scalar::AtRunTime;
  return operation;
}

Operation operation::withAnySizes(Operation operation) {
  operation.m = operation.n = kAnySize;
  if (operation.info().hasK())
    operation.k = kAnySize;
  if (operation.batch == Batch::Strided)
    operation.count = kAnySize;
  for (int index : {0, 1, 2}) {
    Matrix &matrix = operation.operand(index);
    if (!operation.has(index))
      continue;
    matrix.leading = kAnySize;
    if (matrix.stride != 0)
      matrix.stride = kAnySize;
    if (matrix.align >= bytesOf(matrix.element))
      matrix.align = 0; // Less than that needs other kernels.
  }
  return operation;
}

Operation operation::withoutTerms(const Operation &stated) {
  const RoutineInfo &info = stated.info();
  Operation operation = stated;
  bool isWhole = info.c == Structure::General, byRows = stated.c.order == Order::RowMajor;
  if (isWhole) {
    operation.routine = Routine::Gemm;
    operation.opB = Op::N;
    operation.side = Side(), operation.triangle = Triangle(), operation.diagonal = Diagonal();
    operation.dependence = Dependence::Any;
  }
  if (info.beta == ScalarType::None)
    operation.beta = Scalar::Zero;
  operation.opA = Op::N;
  operation.k = 0;
  operation.alpha = Scalar::One;
  for (int index : {0, 1})
    if (operation.has(index))
      operation.operand(index) = operation.c;
  operation.a.leading = byRows ? 1 : stated.m;
  if (operation.has(1))
    operation.b.leading = isWhole ? (byRows ? stated.n : 1) : operation.a.leading;
  return operation;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Multiply-adds of elements of one matrix.
static double multiplyAdds(const Operation &operation) {
  double m = double(operation.m), n = double(operation.n), k = double(operation.k);
  switch (operation.info().work) {
  case Work::MNK:
    return m * n * k;
  case Work::HalfMNOrder:
    return m * n * double(operation.order()) / 2;
  case Work::MNOrder:
    return m * n * double(operation.order());
  case Work::TriangleK:
    return n * (n + 1) / 2 * k;
  case Work::TwoTrianglesK:
    return n * (n + 1) * k;
  case Work::SixthCube:
    return n * n * n / 6;
  }
  return 0;
}

static double countOf(const Operation &operation) {
  return operation.batch == Batch::None ? 1 : double(operation.count);
}

double operation::flops(const Operation &operation) {
  return multiplyAdds(operation) * countOf(operation) * (isComplex(operation.c.element) ? 8 : 2);
}

double operation::bytesOfOperand(const Operation &operation, int index) {
  if (!operation.has(index))
    return 0;
  const Matrix &matrix = operation.operand(index);
  double rows = double(operation.rows(index)), columns = double(operation.columns(index));
  bool isWhole = operation.structure(index) == Structure::General;
  double elements = isWhole ? rows * columns : rows * (rows + 1) / 2;
  bool isShared = operation.batch == Batch::Strided && matrix.stride == 0;
  return elements * double(bytesOf(matrix.element)) * (isShared ? 1 : countOf(operation));
}

double operation::bytesRead(const Operation &operation) {
  double ofB = operation.alias == Alias::AB ? 0 : bytesOfOperand(operation, 1);
  double ofC = operation.readsC() ? bytesOfOperand(operation, 2) : 0;
  return bytesOfOperand(operation, 0) + ofB + ofC;
}

double operation::bytesWritten(const Operation &operation) { return bytesOfOperand(operation, 2); }
