//===- Description.cpp - What kernels are compiled for --------------------===//

#include "Description.h"

#include <limits>

using namespace rooftile;
using namespace rooftile::capi;
using namespace rooftile::compiler;

static std::string text(int64_t number) { return std::to_string(number); }

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

static bool isWithin(int32_t value, int32_t first, int32_t last) {
  return value >= first && value <= last;
}

bool capi::isType(int32_t type) { return isWithin(type, ROOFTILE_F16, ROOFTILE_C128); }

/// By number, the compiler's beside the interface's.
static Element elementOf(int32_t type) {
  constexpr Element kElements[] = {Element::F16, Element::BF16, Element::F32,
                                   Element::F64, Element::C64,  Element::C128};
  return kElements[type - ROOFTILE_F16];
}

const char *capi::nameOfType(int32_t type) { return isType(type) ? nameOf(elementOf(type)) : "?"; }
int64_t capi::bytesOfType(int32_t type) { return bytesOf(elementOf(type)); }

static Op opOf(int32_t op) {
  constexpr Op kOps[] = {Op::N, Op::T, Op::C, Op::J};
  return kOps[op];
}

const char *capi::nameOfOperand(const Description &description, int operand) {
  constexpr const char *kNames[] = {"A", "B", "C"};
  return description.routine != Routine::Gemm && operand == 2 ? "B" : kNames[operand];
}

static bool isTriangular(const Description &description) {
  return description.routine != Routine::Gemm;
}

static Failure checkChoices(const Description &d) {
  struct Choice {
    const char *name;
    int32_t value, first, last;
    bool isUsed;
  };
  const bool triangular = isTriangular(d);
  const Choice choices[] = {
      {"order", d.order, ROOFTILE_ROW_MAJOR, ROOFTILE_COLUMN_MAJOR, true},
      {"op_a", d.opA, ROOFTILE_OP_N, ROOFTILE_OP_J, true},
      {"op_b", d.opB, ROOFTILE_OP_N, ROOFTILE_OP_J, !triangular},
      {triangular ? "type" : "type_a", d.a.type, ROOFTILE_F16, ROOFTILE_C128, true},
      {"type_b", d.b.type, ROOFTILE_F16, ROOFTILE_C128, !triangular},
      {"type_c", d.c.type, ROOFTILE_F16, ROOFTILE_C128, !triangular},
      {"batch", d.batch, ROOFTILE_BATCH_NONE, ROOFTILE_BATCH_POINTERS, true},
      {"side", d.side, ROOFTILE_LEFT, ROOFTILE_RIGHT, triangular},
      {"triangle", d.triangle, ROOFTILE_LOWER, ROOFTILE_UPPER, triangular},
      {"diagonal", d.diagonal, ROOFTILE_NON_UNIT, ROOFTILE_UNIT, triangular},
      {"exact", d.exact, 0, 1, triangular}};
  for (const Choice &choice : choices)
    if (choice.isUsed && !isWithin(choice.value, choice.first, choice.last))
      return invalid(std::string(choice.name) + " is " + text(choice.value) + ", not one of " +
                     text(choice.first) + " to " + text(choice.last));
  return {};
}

static Failure checkTypes(const Description &d) {
  int32_t a = d.a.type, b = d.b.type, c = d.c.type;
  bool isHalf = a == ROOFTILE_F16 || a == ROOFTILE_BF16;
  if (isTriangular(d))
    return d.routine == Routine::Trmm || !isHalf
               ? Failure()
               : unsupported(std::string("no kernel for ") + nameOfType(a) +
                             ": trsm takes f32, f64, c64 and c128");
  if (a == b && (a == c || (isHalf && c == ROOFTILE_F32)))
    return {};
  return unsupported(std::string("no kernel for A of ") + nameOfType(a) + ", B of " +
                     nameOfType(b) + " and C of " + nameOfType(c));
}

static Failure checkEpilogue(const Description &d) {
  if (d.bias != Bias::None && d.batch == ROOFTILE_BATCH_POINTERS)
    return unsupported("a batch by pointers takes no bias");
  if (d.activation == Activation::None)
    return {};
  if (d.c.type == ROOFTILE_C64 || d.c.type == ROOFTILE_C128)
    return unsupported(std::string("C is ") + nameOfType(d.c.type) +
                       ": activations are functions of real numbers");
  if (d.c.type == ROOFTILE_F64 && d.activation != Activation::Relu)
    return unsupported("C is f64: the only activation of f64 is relu");
  return {};
}

static Failure checkSizes(const Description &d) {
  std::pair<const char *, int64_t> sizes[] = {
      {"m", d.m}, {"n", d.n}, {"k", d.k}, {"count", d.count}};
  for (auto [name, size] : sizes)
    if (size < 0)
      return invalid(std::string(name) + " is " + text(size) + ": sizes are 0 or more");
  if (d.isOpen && d.batch == ROOFTILE_BATCH_POINTERS)
    return unsupported("a batch by pointers takes kernels of exact sizes only");
  return {};
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

static Matrix matrixOf(const Description &description, const MatrixKey &key) {
  Matrix matrix;
  matrix.element = elementOf(key.type);
  matrix.order = description.order == ROOFTILE_ROW_MAJOR ? Order::RowMajor : Order::ColumnMajor;
  matrix.leading = key.leading;
  matrix.stride = key.stride;
  matrix.align = key.align;
  return matrix;
}

/// Of the amount `known`, `scalar` is compiled in.
static Scalar scalarOf(Amount amount, Amount known, Scalar scalar) {
  if (amount == Amount::InMemory)
    return Scalar::InMemory;
  return amount == known ? scalar : Scalar::AtRunTime;
}

/// Of checked choices. Beta of 1 is a number as others: kernels for it alone would gain little.
static Operation operationOf(const Description &d) {
  Operation operation;
  operation.routine = d.routine;
  operation.opA = opOf(d.opA);
  operation.a = matrixOf(d, d.a), operation.c = matrixOf(d, d.c);
  operation.m = d.m, operation.n = d.n, operation.k = d.k, operation.count = d.count;
  operation.batch = Batch(d.batch);
  operation.alpha = scalarOf(d.alpha, Amount::One, Scalar::One);
  operation.beta = scalarOf(d.beta, Amount::Zero, Scalar::Zero);
  operation.epilogue = {d.bias, d.activation};
  if (!isTriangular(d)) {
    operation.opB = opOf(d.opB);
    operation.b = matrixOf(d, d.b);
    return operation;
  }
  operation.side = d.side == ROOFTILE_LEFT ? Side::Left : Side::Right;
  operation.triangle = d.triangle == ROOFTILE_LOWER ? Triangle::Lower : Triangle::Upper;
  operation.diagonal = d.diagonal == ROOFTILE_UNIT ? Diagonal::Unit : Diagonal::NonUnit;
  operation.exact = d.exact;
  return operation;
}

/// C = beta C as a product of no terms, whose factors are C's memory, since they are not read.
static Operation scalingOf(const Description &d) {
  Operation operation = operationOf(d);
  operation.routine = Routine::Gemm;
  operation.opA = operation.opB = Op::N;
  operation.k = 0;
  operation.alpha = Scalar::One;
  if (isTriangular(d))
    operation.beta = Scalar::Zero;
  bool isRowMajor = operation.c.order == Order::RowMajor;
  operation.a = operation.b = operation.c;
  operation.a.leading = isRowMajor ? 1 : d.m;
  operation.b.leading = isRowMajor ? d.n : 1;
  return operation;
}

static Failure checkMatrix(const Description &d, int operand, const Operation &operation,
                           Extent &extent) {
  const MatrixKey &key = operand == 0 ? d.a : operand == 1 ? d.b : d.c;
  bool isRowMajor = d.order == ROOFTILE_ROW_MAJOR, isBatch = operation.batch == Batch::Strided;
  int64_t rows = operation.rows(operand), columns = operation.columns(operand);
  const Lines lines{isRowMajor ? rows : columns, isRowMajor ? columns : rows, key.leading,
                    isBatch ? operation.count : 1, key.stride};
  auto invalidMatrix = [&](const std::string &what) {
    return invalid(std::string(nameOfOperand(d, operand)) + ": " + what);
  };
  int64_t least = std::max<int64_t>(1, lines.length);
  if (key.leading < least)
    return invalidMatrix("the leading dimension is " + text(key.leading) + ", less than " +
                         text(least) + ", the " +
                         (isRowMajor ? "columns of a row" : "rows of a column"));
  if (key.stride < 0)
    return invalidMatrix("the stride of the batch is " + text(key.stride) + ", less than 0");
  if (!measure(lines, bytesOfType(key.type), extent))
    return invalidMatrix(text(lines.lines) + " lines, " + text(key.leading) +
                         " elements apart, of a batch of " + text(d.count) +
                         " are more than an address reaches");
  if (operand == 2 && overlapsItself(extent))
    return invalid(textOfSpread(nameOfOperand(d, operand), key.stride));
  return {};
}

Failure capi::check(const Description &d, Checked &checked) {
  for (auto *part : {checkChoices, checkTypes, checkSizes, checkEpilogue})
    if (Failure failure = part(d))
      return failure;
  Operation operation = operationOf(d);
  Extent *extents[] = {&checked.a, &checked.b, &checked.c};
  for (int operand : {0, 1, 2})
    if (operand != 1 || !isTriangular(d))
      if (Failure failure = checkMatrix(d, operand, operation, *extents[operand]))
        return failure;
  checked.readsFactors = d.alpha != Amount::Zero && (isTriangular(d) || d.k > 0);
  bool isScaledByOne = !checked.readsFactors && !isTriangular(d) && d.beta == Amount::One &&
                       !Epilogue{d.bias, d.activation}.exists();
  checked.doesNothing = d.m == 0 || d.n == 0 || d.count == 0 || isScaledByOne;
  checked.operation = checked.readsFactors ? operation : scalingOf(d);
  return {};
}

//===----------------------------------------------------------------------===//
// Kernels for all sizes
//===----------------------------------------------------------------------===//

Description capi::openKey(const Description &d, const Checked &checked) {
  Description key = d;
  key.m = key.n = kAnySize;
  key.k = checked.readsFactors ? kAnySize : 0;
  auto open = [](Amount a) { return a == Amount::InMemory ? a : Amount::Other; };
  key.alpha = checked.readsFactors ? open(d.alpha) : Amount::Zero;
  key.beta = open(d.beta);
  if (d.batch == ROOFTILE_BATCH_STRIDED)
    key.count = kAnySize;
  for (MatrixKey *matrix : {&key.a, &key.b, &key.c}) {
    matrix->leading = kAnySize;
    if (matrix->stride != 0)
      matrix->stride = kAnySize;
    if (!isType(matrix->type) || matrix->align >= bytesOfType(matrix->type))
      matrix->align = 0; // What is less takes other kernels.
  }
  return key;
}

Operation capi::openOperation(const Description &key) {
  return key.alpha == Amount::Zero ? scalingOf(key) : operationOf(key);
}
