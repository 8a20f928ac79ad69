//===- Operation.cpp - An operation as a library is asked for it ----------===//

#include "rooftile/Compiler/Operation.h"
#include "SplitMatrices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <limits>

using namespace rooftile::compiler;
using llvm::formatv;

/// Accesses of kernels are at most as wide: no address need be a multiple of more.
static constexpr int64_t kWidest = 16;

namespace {
struct ElementInfo {
  const char *name, *type, *sums;
  int64_t bytes;
};
} // namespace

/// By Element. Sums of f16 and bf16, and their scalars, are f32.
static constexpr ElementInfo kElements[] = {{"f16", "f16", "f32", 2},
                                            {"bf16", "bf16", "f32", 2},
                                            {"f32", "f32", "f32", 4},
                                            {"f64", "f64", "f64", 8},
                                            {"c64", "complex<f32>", "complex<f32>", 8},
                                            {"c128", "complex<f64>", "complex<f64>", 16}};

static const ElementInfo &infoOf(Element element) { return kElements[int(element)]; }
const char *rooftile::compiler::nameOf(Element element) { return infoOf(element).name; }
int64_t rooftile::compiler::bytesOf(Element element) { return infoOf(element).bytes; }

int64_t Operation::rows(int operand) const {
  if (isTriangular() && operand == 0)
    return side == Side::Left ? m : n;
  if (operand == 0)
    return isTransposed(opA) ? k : m;
  if (operand == 1)
    return isTransposed(opB) ? n : k;
  return m;
}

int64_t Operation::columns(int operand) const {
  if (isTriangular() && operand == 0)
    return rows(0);
  if (operand == 0)
    return isTransposed(opA) ? m : k;
  if (operand == 1)
    return isTransposed(opB) ? k : n;
  return n;
}

//===----------------------------------------------------------------------===//
// One order of C
//===----------------------------------------------------------------------===//

static Matrix transposed(Matrix matrix) {
  matrix.order = matrix.order == Order::RowMajor ? Order::ColumnMajor : Order::RowMajor;
  return matrix;
}

static bool isExchanged(const Operation &operation) {
  return operation.c.order == Order::ColumnMajor;
}

/// The same operation with C in row-major order, which kernels write: C^T = op(B)^T op(A)^T, where
/// the transpose of a stored matrix is the same memory in the other order.
static Operation byRows(const Operation &stated) {
  if (!isExchanged(stated))
    return stated;
  Operation operation = stated;
  std::swap(operation.m, operation.n);
  operation.c = transposed(stated.c);
  operation.a = transposed(stated.isTriangular() ? stated.a : stated.b);
  operation.b = transposed(stated.a);
  if (!stated.isTriangular())
    std::swap(operation.opA, operation.opB);
  operation.side = stated.side == Side::Left ? Side::Right : Side::Left;
  operation.triangle = stated.triangle == Triangle::Lower ? Triangle::Upper : Triangle::Lower;
  if (stated.epilogue.bias != Bias::None)
    operation.epilogue.bias = stated.epilogue.bias == Bias::PerRow ? Bias::PerColumn : Bias::PerRow;
  return operation;
}

/// Conjugating real numbers changes nothing: fewer kernels.
static Op opOf(Op op, const Matrix &matrix) {
  if (isComplex(matrix.element))
    return op;
  return isTransposed(op) ? Op::T : Op::N;
}

/// What is compiled for an operation, and others that are the same.
static Operation canonical(const Operation &stated) {
  Operation operation = byRows(stated);
  operation.opA = opOf(operation.opA, operation.a);
  operation.opB = opOf(operation.opB, operation.b);
  return operation;
}

static const Matrix &matrixOf(const Operation &operation, int operand) {
  return operand == 0 ? operation.a : operand == 1 ? operation.b : operation.c;
}

/// Elements by which the base pointer lies before the first element, so that it is aligned: what is
/// known of `address`, or where the alignment is open, what it is.
static int64_t offsetOf(const Matrix &matrix, uint64_t address) {
  int64_t bytes = bytesOf(matrix.element), align = matrix.align;
  if (!align)
    return int64_t(address % kWidest) / bytes;
  return align >= kWidest ? 0 : std::max<int64_t>(1, align / bytes);
}

/// The offset in the type of the operand: of open alignments each call states it.
static int64_t knownOffset(const Matrix &matrix) {
  return matrix.align || bytesOf(matrix.element) >= kWidest ? offsetOf(matrix, 0) : kAnySize;
}

//===----------------------------------------------------------------------===//
// What is wrong
//===----------------------------------------------------------------------===//

static std::string whyInvalidSize(const char *name, int64_t size) {
  if (size >= 0 || size == kAnySize)
    return "";
  return formatv("{0} is {1}: sizes are 0 or more", name, size);
}

static std::string whyInvalidMatrix(const Operation &operation, int operand) {
  const Matrix &matrix = matrixOf(operation, operand);
  const char name = "ABC"[operand];
  int64_t rows = operation.rows(operand), columns = operation.columns(operand);
  int64_t line = matrix.order == Order::RowMajor ? columns : rows;
  if (matrix.leading != kAnySize && line != kAnySize && matrix.leading < std::max<int64_t>(1, line))
    return formatv("{0}: the leading dimension is {1}, less than a line of {2} elements", name,
                   matrix.leading, std::max<int64_t>(1, line));
  if (matrix.align < 0 || (matrix.align > 0 && !llvm::isPowerOf2_64(matrix.align)))
    return formatv("{0}: an alignment of {1} bytes is no power of 2", name, matrix.align);
  if (operation.batch == Batch::Strided && matrix.stride < kAnySize)
    return formatv("{0}: the stride of the batch is {1}", name, matrix.stride);
  int64_t lines = matrix.order == Order::RowMajor ? rows : columns;
  int64_t bytes = bytesOf(matrix.element), elements;
  if (lines > 0 && matrix.leading > 0 &&
      (llvm::MulOverflow(lines, matrix.leading, elements) ||
       elements > std::numeric_limits<int64_t>::max() / bytes))
    return formatv("{0}: {1} lines of {2} elements are more than an address reaches", name, lines,
                   matrix.leading);
  if (operand == 2 && operation.batch == Batch::Strided && matrix.stride == 0 &&
      operation.count != 1 && operation.count != 0)
    return "C: matrices of the batch overlap, since their stride is 0";
  if (operation.batch == Batch::Pointers && (rows < 0 || columns < 0 || matrix.leading < 0))
    return formatv("{0}: sizes and leading dimension of a batch by pointers must be known", name);
  return "";
}

static std::string whyInvalidEpilogue(const Operation &operation) {
  const Epilogue &epilogue = operation.epilogue;
  Element element = operation.c.element;
  if (!epilogue.exists())
    return "";
  if (operation.isTriangular())
    return "triangular operations take no bias and no activation";
  if (epilogue.bias != Bias::None && operation.batch == Batch::Pointers)
    return "a batch by pointers takes no bias";
  if (epilogue.activation != Activation::None && isComplex(element))
    return formatv("C is {0}: activations are functions of real numbers", nameOf(element));
  if (epilogue.activation > Activation::Relu && element == Element::F64)
    return "C is f64: the only activation in f64 is relu";
  return "";
}

std::string rooftile::compiler::whyInvalid(const Operation &operation) {
  std::pair<const char *, int64_t> sizes[] = {
      {"M", operation.m}, {"N", operation.n}, {"K", operation.k}, {"the batch", operation.count}};
  for (auto [name, size] : sizes)
    if (std::string why = whyInvalidSize(name, size); !why.empty())
      return why;
  for (int operand : {0, 1, 2})
    if (operand != 1 || !operation.isTriangular())
      if (std::string why = whyInvalidMatrix(operation, operand); !why.empty())
        return why;
  if (std::string why = whyInvalidEpilogue(operation); !why.empty())
    return why;
  if (operation.isTriangular() && operation.alpha == Scalar::InMemory)
    return "triangular operations take no alpha in memory of the device";
  if (operation.routine == Routine::Trsm && bytesOf(operation.c.element) < 4)
    return formatv("C is {0}: trsm takes f32, f64, c64 and c128", nameOf(operation.c.element));
  if (operation.isTriangular() && operation.a.element != operation.c.element)
    return formatv("A is {0} and C is {1}: triangular operations take one type",
                   nameOf(operation.a.element), nameOf(operation.c.element));
  return "";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string number(int64_t value) { return textOfSize(value); }

static SplitMatrix splitOf(const Operation &operation, int operand) {
  const Matrix &matrix = matrixOf(operation, operand);
  SplitMatrix split{"abc"[operand], matrix.element, {}, {}};
  bool byRows = matrix.order == Order::RowMajor;
  if (operation.batch == Batch::Strided)
    split.sizes = {operation.count}, split.strides = {matrix.stride};
  for (int64_t size : {operation.rows(operand), operation.columns(operand)})
    split.sizes.push_back(size);
  for (int64_t stride : {byRows ? matrix.leading : 1, byRows ? 1 : matrix.leading})
    split.strides.push_back(stride);
  return split;
}

static std::string typeOf(const Operation &operation, int operand) {
  const Matrix &matrix = matrixOf(operation, operand);
  if (isSplit(matrix))
    return splitOf(operation, operand).type();
  bool byRows = matrix.order == Order::RowMajor;
  std::string sizes = number(operation.rows(operand)) + "x" + number(operation.columns(operand)),
              strides = byRows ? number(matrix.leading) + ", 1" : "1, " + number(matrix.leading);
  if (operation.batch == Batch::Pointers)
    return formatv("memref<{0}x{1}x{2}, #blas.pointers<strides = [{3}], align = {4}>>",
                   number(operation.count), sizes, infoOf(matrix.element).type, strides,
                   std::max(matrix.align, bytesOf(matrix.element)));
  if (operation.batch == Batch::Strided) {
    sizes = number(operation.count) + "x" + sizes;
    strides = number(matrix.stride) + ", " + strides;
  }
  return formatv("memref<{0}x{1}, strided<[{2}], offset: {3}>>", sizes, infoOf(matrix.element).type,
                 strides, number(knownOffset(matrix)));
}

/// A function being written.
namespace {
struct Text {
  std::vector<std::string> parameters, body;
};
} // namespace

/// Whether what C holds before is an operand.
static bool readsC(const Operation &operation) {
  return operation.isTriangular() || operation.beta != Scalar::Zero;
}

/// The operand by its name; a batch by pointers is made of its array.
static void addOperand(const Operation &operation, int operand, Text &text) {
  char name = "abc"[operand];
  if (isSplit(matrixOf(operation, operand))) {
    SplitMatrix split = splitOf(operation, operand);
    text.parameters.push_back(formatv("%{0}_numbers: {1}", name, split.typeOfNumbers()));
    split.copyIn(text.body, operand != 2 || readsC(operation));
    return;
  }
  std::string type = typeOf(operation, operand);
  if (operation.batch != Batch::Pointers) {
    text.parameters.push_back(formatv("%{0}: {1}", name, type));
    return;
  }
  std::string array = formatv("memref<{0}xi64>", number(operation.count));
  text.parameters.push_back(formatv("%p{0}: {1}", name, array));
  text.body.push_back(formatv("%{0} = blas.batch %p{0} : {1} to {2}", name, array, type));
}

/// " alpha(%alpha : f32)", or nothing where it is what an operation without it has.
static std::string scalarClause(const char *name, Scalar scalar, Scalar implied,
                                const ElementInfo &element, Text &text) {
  if (scalar == implied)
    return "";
  std::string type = element.sums;
  bool isComplex = llvm::StringRef(type).starts_with("complex");
  const char *value = scalar == Scalar::One ? "1.0" : "0.0";
  if (scalar == Scalar::AtRunTime) {
    text.parameters.push_back(formatv("%{0}: {1}", name, type));
  } else if (scalar == Scalar::InMemory) {
    text.parameters.push_back(formatv("%{0}_memory: memref<{1}>", name, type));
    text.body.push_back(formatv("%{0} = memref.load %{0}_memory[] : memref<{1}>", name, type));
  } else if (isComplex) {
    text.body.push_back(formatv("%{0} = complex.constant [{1} : {2}, 0.0 : {2}] : {3}", name, value,
                                element.bytes == 8 ? "f32" : "f64", type));
  } else {
    text.body.push_back(formatv("%{0} = arith.constant {1} : {2}", name, value, type));
  }
  return formatv(" {0}(%{0} : {1})", name, type);
}

/// Elements of the bias.
static int64_t lengthOfBias(const Operation &operation) {
  return operation.epilogue.bias == Bias::PerRow ? operation.m : operation.n;
}

/// Of the bias no more is known than that it begins at a multiple of its elements.
static constexpr int64_t kBiasOffset = 1;

static std::string epilogueText(const Operation &operation, Text &text) {
  const Epilogue &epilogue = operation.epilogue;
  if (!epilogue.exists())
    return "";
  const ElementInfo &element = infoOf(operation.c.element);
  std::string operand;
  if (epilogue.bias != Bias::None) {
    std::string type = formatv("memref<{0}x{1}, strided<[1], offset: {2}>>",
                               number(lengthOfBias(operation)), element.type, kBiasOffset);
    int dimension =
        (operation.batch == Batch::None ? 0 : 1) + (epilogue.bias == Bias::PerColumn ? 1 : 0);
    text.parameters.push_back("%bias: " + type);
    operand = formatv(", %x = %bias[{0}] : {1}", dimension, type);
  }
  return formatv(" epilogue(%sum: {0}{1}) {{\n{2}  }", element.sums, operand,
                 epilogueBody(epilogue, element.sums, element.type));
}

static std::string productText(const Operation &operation, Text &text) {
  for (int operand : {0, 1, 2})
    addOperand(operation, operand, text);
  const ElementInfo &element = infoOf(operation.c.element);
  std::string line = formatv("blas.gemm op_a<{0}> op_b<{1}> ins(%a, %b : {2}, {3}) outs(%c : {4})",
                             char(operation.opA), char(operation.opB), typeOf(operation, 0),
                             typeOf(operation, 1), typeOf(operation, 2));
  line += scalarClause("alpha", operation.alpha, Scalar::One, element, text);
  line += scalarClause("beta", operation.beta, Scalar::Zero, element, text);
  return line + epilogueText(operation, text);
}

static std::string triangularText(const Operation &operation, Text &text) {
  for (int operand : {0, 2})
    addOperand(operation, operand, text);
  std::string line =
      formatv("blas.{0} side<{1}> uplo<{2}> op_a<{3}>{4} ins(%a : {5}) outs(%c : {6})",
              operation.routine == Routine::Trmm ? "trmm" : "trsm",
              operation.side == Side::Left ? "left" : "right",
              operation.triangle == Triangle::Lower ? "lower" : "upper", char(operation.opA),
              operation.diagonal == Diagonal::Unit ? " diag<unit>" : "", typeOf(operation, 0),
              typeOf(operation, 2));
  return line +
         scalarClause("alpha", operation.alpha, Scalar::One, infoOf(operation.c.element), text) +
         (operation.exact ? " {exact}" : "");
}

std::string rooftile::compiler::moduleOf(const Operation &stated) {
  Operation operation = canonical(stated);
  Text text;
  std::string line =
      operation.isTriangular() ? triangularText(operation, text) : productText(operation, text);
  text.body.push_back(line);
  if (isSplit(operation.c))
    splitOf(operation, 2).copyOut(text.body);
  return formatv("func.func @operation({0}) {{\n  {1}\n  return\n}\n",
                 llvm::join(text.parameters, ", "), llvm::join(text.body, "\n  "));
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static int64_t known(int64_t stated, int64_t given) { return stated == kAnySize ? given : stated; }

static void addMatrix(const Operation &operation, int operand, const MatrixArgument &argument,
                      int64_t count, std::vector<uint64_t> &registers) {
  const Matrix &matrix = matrixOf(operation, operand);
  if (operation.batch == Batch::Pointers) {
    registers.insert(registers.end(), {argument.address, 0, uint64_t(count), 1});
    return;
  }
  bool isByNumbers = isSplit(matrix);
  uint64_t offset = isByNumbers ? 0 : offsetOf(matrix, argument.address);
  uint64_t leading = known(matrix.leading, argument.leading), step = isByNumbers ? 2 : 1;
  registers.insert(registers.end(), {argument.address - offset * bytesOf(matrix.element), offset});
  if (operation.batch == Batch::Strided)
    registers.push_back(count);
  registers.push_back(operation.rows(operand));
  registers.push_back(operation.columns(operand));
  if (isByNumbers)
    registers.push_back(2);
  if (operation.batch == Batch::Strided)
    registers.push_back(step * known(matrix.stride, argument.stride));
  bool byRows = matrix.order == Order::RowMajor;
  registers.push_back(step * (byRows ? leading : 1));
  registers.push_back(step * (byRows ? 1 : leading));
  if (isByNumbers)
    registers.push_back(1);
}

static void addBias(const Operation &operation, uint64_t address,
                    std::vector<uint64_t> &registers) {
  uint64_t base = address - kBiasOffset * bytesOf(operation.c.element);
  registers.insert(registers.end(),
                   {base, kBiasOffset, uint64_t(lengthOfBias(operation)), /*stride=*/1});
}

static uint64_t bits(double value) {
  uint64_t number;
  std::memcpy(&number, &value, sizeof number);
  return number;
}

static uint64_t bits(float value) {
  uint32_t number;
  std::memcpy(&number, &value, sizeof number);
  return number;
}

static void addScalar(Element element, const double (&value)[2], std::vector<uint64_t> &registers) {
  switch (element) {
  case Element::F64:
    registers.push_back(bits(value[0]));
    return;
  case Element::C64:
    registers.push_back(bits(float(value[0])) | bits(float(value[1])) << 32);
    return;
  case Element::C128:
    registers.insert(registers.end(), {bits(value[0]), bits(value[1])});
    return;
  case Element::F16:
  case Element::BF16:
  case Element::F32:
    registers.push_back(bits(float(value[0])));
  }
}

void rooftile::compiler::argumentsOf(const Operation &stated, const CallArguments &call,
                                     std::vector<uint64_t> &registers) {
  Operation full = stated;
  full.m = known(stated.m, call.m), full.n = known(stated.n, call.n);
  full.k = known(stated.k, call.k);
  int64_t count = known(stated.count, call.count);
  Operation operation = canonical(full);
  bool exchanged = isExchanged(stated) && !stated.isTriangular();
  registers.clear();
  addMatrix(operation, 0, exchanged ? call.b : call.a, count, registers);
  if (!operation.isTriangular())
    addMatrix(operation, 1, exchanged ? call.a : call.b, count, registers);
  addMatrix(operation, 2, call.c, count, registers);
  auto add = [&](Scalar scalar, const double (&value)[2], uint64_t address) {
    if (scalar == Scalar::AtRunTime)
      addScalar(stated.c.element, value, registers);
    else if (scalar == Scalar::InMemory)
      registers.insert(registers.end(), {address, 0});
  };
  add(stated.alpha, call.alpha, call.alphaAddress);
  if (!stated.isTriangular())
    add(stated.beta, call.beta, call.betaAddress);
  if (operation.epilogue.bias != Bias::None)
    addBias(operation, call.biasAddress, registers);
}
