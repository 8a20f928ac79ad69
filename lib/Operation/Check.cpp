//===- Check.cpp - Why an operation cannot be computed --------------------===//

#include "rooftile/Operation/Extent.h"
#include "rooftile/Operation/Words.h"

#include <tuple>

using namespace rooftile;
using namespace rooftile::operation;

static Wrong invalid(std::string message) { return {Wrong::Invalid, std::move(message)}; }
static Wrong unsupported(std::string message) { return {Wrong::Unsupported, std::move(message)}; }
static std::string text(int64_t number) { return std::to_string(number); }

bool operation::hasKernels(const RoutineInfo &info, Element element) {
  std::string_view names = info.elements, name = nameOf(element);
  for (size_t at = names.find(name); at != names.npos; at = names.find(name, at + 1)) {
    bool begins = at == 0 || names[at - 1] == ' ';
    size_t end = at + name.size();
    if (begins && (end == names.size() || names[end] == ' '))
      return true;
  }
  return false;
}

std::string operation::elementsOf(const RoutineInfo &info) {
  std::string list = info.elements;
  size_t last = list.rfind(' ');
  if (last != list.npos)
    list.replace(last, 1, " and ");
  for (size_t at = list.find(' '); at != list.npos && list.compare(at, 5, " and ") != 0;
       at = list.find(' ', at + 2))
    list.replace(at, 1, ", ");
  return list;
}

const char *operation::nameOfOperand(Routine routine, int index) {
  constexpr const char *kNames[] = {"A", "B", "C"};
  const RoutineInfo &info = infoOf(routine);
  if (index == 2 && info.inPlace)
    return info.a == Structure::None ? "A" : "B";
  return kNames[index];
}

static const char *nameOf(const Operation &operation, int index) {
  return nameOfOperand(operation.routine, index);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static Wrong checkTypes(const Operation &operation) {
  const RoutineInfo &info = operation.info();
  Element a = operation.a.element, b = operation.b.element, c = operation.c.element;
  if (!operation.has(0))
    a = c;
  if (!operation.has(1))
    b = a;
  bool isNarrow = a == Element::F16 || a == Element::BF16;
  bool agree = a == b && (a == c || (info.hasMixedC && isNarrow && c == Element::F32));
  if (agree && hasKernels(info, a))
    return {};
  if (agree)
    return unsupported(std::string("no kernel for ") + operation::nameOf(a) + ": " + info.name +
                       " accepts " + elementsOf(info));
  std::string message = "no kernel for";
  int last = operation.has(1) ? 2 : 1;
  for (int index : {0, 1, 2})
    if (operation.has(index))
      message += std::string(index == 0                ? " "
                             : last == 2 && index == 1 ? ", "
                                                       : " and ") +
                 nameOf(operation, index) + " of " +
                 operation::nameOf(operation.operand(index).element);
  return unsupported(message);
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

static Wrong checkOps(const Operation &operation) {
  const RoutineInfo &info = operation.info();
  std::string_view lettersA = *info.ops ? info.ops : "n", lettersB = info.hasOpB ? info.ops : "n";
  for (auto [name, op, letters] :
       {std::tuple("op_a", operation.opA, lettersA), std::tuple("op_b", operation.opB, lettersB)})
    if (letters.find(char(op)) == letters.npos)
      return unsupported(std::string(info.name) + " has no " + name + " of '" + char(op) + "'");
  return {};
}

static Wrong checkScalars(const Operation &operation) {
  const RoutineInfo &info = operation.info();
  if (info.hasScalarsInMemory)
    return {};
  for (auto [name, scalar] :
       {std::pair("alpha", operation.alpha), std::pair("beta", operation.beta)})
    if (scalar == Scalar::InMemory)
      return unsupported(std::string(info.name) + " accepts no " + name +
                         " in memory of the device");
  return {};
}

static Wrong checkEpilogue(const Operation &operation) {
  const Epilogue &epilogue = operation.epilogue;
  if (!epilogue.exists())
    return {};
  if (!operation.info().hasEpilogue)
    return unsupported(std::string(operation.info().name) + " accepts no bias and no activation");
  if (epilogue.bias != Bias::None && operation.batch == Batch::Pointers)
    return unsupported("a batch by pointers accepts no bias");
  if (epilogue.activation == Activation::None)
    return {};
  if (isComplex(operation.c.element))
    return unsupported(std::string("C is ") + operation::nameOf(operation.c.element) +
                       ": activations are functions of real values");
  if (operation.c.element == Element::F64 && epilogue.activation != Activation::Relu)
    return unsupported("C is f64: the only activation of f64 is relu");
  return {};
}

//===----------------------------------------------------------------------===//
// Sizes and matrices
//===----------------------------------------------------------------------===//

/// The least value of a size, a leading dimension or a stride.
static int64_t leastOf(Dynamic dynamic) { return dynamic == Dynamic::Allowed ? kAnySize : 0; }

static Wrong checkSizes(const Operation &operation, Dynamic dynamic) {
  std::pair<const char *, int64_t> sizes[] = {
      {"m", operation.m}, {"n", operation.n}, {"k", operation.k}, {"count", operation.count}};
  for (auto [name, size] : sizes)
    if (size < leastOf(dynamic))
      return invalid(std::string(name) + " is " + text(size) + ": sizes are 0 or more");
  if (!operation.info().hasM() && operation.m != operation.n)
    return invalid("m is " + text(operation.m) + " and n is " + text(operation.n) + ": C of " +
                   operation.info().name + " is square");
  if (operation.batch != Batch::Pointers)
    return {};
  if (!operation.info().hasPointers)
    return unsupported(std::string(operation.info().name) + " accepts no batch by pointers");
  return {};
}

static Wrong checkPointers(const Operation &operation, int index) {
  const Matrix &matrix = operation.operand(index);
  if (operation.rows(index) < 0 || operation.columns(index) < 0 || matrix.leading < 0)
    return unsupported("a batch by pointers needs kernels of exact sizes");
  return {};
}

static Wrong checkMatrix(const Operation &operation, int index, Dynamic dynamic) {
  const Matrix &matrix = operation.operand(index);
  auto wrong = [&](const std::string &what) {
    return invalid(std::string(nameOf(operation, index)) + ": " + what);
  };
  int64_t least = std::max<int64_t>(1, operation.vectorLength(index));
  bool byRows = matrix.order == Order::RowMajor, isBatch = operation.batch == Batch::Strided;
  bool isDynamic = dynamic == Dynamic::Allowed && matrix.leading == kAnySize;
  if (!isDynamic && matrix.leading < least)
    return wrong("the leading dimension is " + text(matrix.leading) + ", less than " + text(least) +
                 ", the " + (byRows ? "columns of a row" : "rows of a column"));
  if (matrix.align < 0 || (matrix.align & (matrix.align - 1)) != 0)
    return wrong("an alignment of " + text(matrix.align) + " bytes is no power of 2");
  if (isBatch && matrix.stride < leastOf(dynamic))
    return wrong("the stride of the batch is " + text(matrix.stride) + ", less than 0");
  if (operation.batch == Batch::Pointers)
    return checkPointers(operation, index);
  std::optional<Extent> extent = extentOf(operation, index);
  if (!extent)
    return wrong(text(operation.vectors(index)) + " vectors, " + text(matrix.leading) +
                 " elements apart, of a batch of " + text(operation.count) +
                 " are more than an address reaches");
  bool isRepeated = isBatch && matrix.stride == 0 && operation.count == kAnySize;
  if (index == 2 && (isRepeated || overlapsItself(*extent)))
    return invalid(textOfSpread(nameOf(operation, index), matrix.stride));
  return {};
}

Wrong operation::whatIsWrong(const Operation &operation, Dynamic dynamic) {
  if (Wrong wrong = checkSizes(operation, dynamic))
    return wrong;
  for (auto *check : {checkTypes, checkOps, checkScalars, checkEpilogue})
    if (Wrong wrong = check(operation))
      return wrong;
  for (int index : {0, 1, 2})
    if (operation.has(index))
      if (Wrong wrong = checkMatrix(operation, index, dynamic))
        return wrong;
  return {};
}
