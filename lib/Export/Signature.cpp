//===- Signature.cpp - Operations as functions of C -----------------------===//

#include "rooftile/Export/Signature.h"

using namespace rooftile;
using namespace rooftile::exporter;
using namespace rooftile::compiler;
using namespace rooftile::operation;
using exported::ArgumentKind;

/// Name in C of an element: other types have names of their own in every program.
static const char *typeOf(Element element) {
  return element == Element::F32 ? "float" : element == Element::F64 ? "double" : "void";
}

/// Sizes that each call states, with the number that stands for each in `marked`.
static void addSizes(const Operation &operation, std::vector<Parameter> &parameters,
                     Operation &marked) {
  const RoutineInfo &info = operation.info();
  bool isSquare = !info.hasM();
  int64_t marks = 0;
  auto add = [&](const char *name, int64_t Operation::*size, int64_t CallArguments::*place) {
    if (operation.*size != kAnySize)
      return;
    marked.*size = -2 - marks++;
    parameters.push_back(
        {name, "int64_t", ArgumentKind::Size, {0, -1}, [=](CallArguments &call, int64_t value) {
           call.*place = value;
           if (isSquare && place == &CallArguments::n)
             call.m = value;
         }});
  };
  if (!isSquare)
    add("m", &Operation::m, &CallArguments::m);
  add("n", &Operation::n, &CallArguments::n);
  if (isSquare)
    marked.m = marked.n;
  if (info.hasK())
    add("k", &Operation::k, &CallArguments::k);
}

/// The length of a row (or column) of a matrix of `marked`: a number, or the size of a call.
static exported::Number vectorLengthOf(const Operation &marked, int index) {
  int64_t length = marked.vectorLength(index);
  return length >= 0 ? exported::Number{length, -1} : exported::Number{0, -2 - length};
}

/// Bytes that an address is a multiple of.
static int64_t alignOf(const Matrix &matrix) {
  return matrix.align ? matrix.align : bytesOf(matrix.element);
}

/// Where calls state a matrix: A and B where these are one.
static std::vector<MatrixArgument CallArguments::*> placesOf(const Operation &operation,
                                                             int operand) {
  if (operand == 0 && operation.alias == Alias::AB)
    return {&CallArguments::a, &CallArguments::b};
  return {operand == 0 ? &CallArguments::a : operand == 1 ? &CallArguments::b : &CallArguments::c};
}

static void addMatrix(const Operation &operation, int operand, const Operation &marked,
                      std::vector<Parameter> &parameters) {
  if (!operation.has(operand) || (operand == 1 && operation.alias == Alias::AB))
    return;
  const Matrix &matrix = operation.operand(operand);
  auto giving = [places = placesOf(operation, operand)](auto MatrixArgument::*number) {
    return [=](CallArguments &call, int64_t value) {
      for (MatrixArgument CallArguments::*place : places)
        (call.*place).*number = value;
    };
  };
  std::string name(1, "abc"[operand]);
  std::string type = std::string(operand == 2 ? "" : "const ") + typeOf(matrix.element) + " *";
  parameters.push_back(
      {name, type, ArgumentKind::Address, {alignOf(matrix), -1}, giving(&MatrixArgument::address)});
  if (matrix.leading == kAnySize)
    parameters.push_back({"ld" + name, "int64_t", ArgumentKind::Leading,
                          vectorLengthOf(marked, operand), giving(&MatrixArgument::leading)});
  if (operation.batch == Batch::Strided && matrix.stride == kAnySize)
    parameters.push_back({"stride_" + name,
                          "int64_t",
                          ArgumentKind::Stride,
                          {0, -1},
                          giving(&MatrixArgument::stride)});
}

static void addBias(const Operation &operation, std::vector<Parameter> &parameters) {
  if (operation.epilogue.bias != Bias::None)
    parameters.push_back({"bias",
                          std::string("const ") + typeOf(operation.c.element) + " *",
                          ArgumentKind::Address,
                          {bytesOf(operation.c.element), -1},
                          [](CallArguments &call, int64_t value) { call.biasAddress = value; }});
}

static void addScalar(const char *name, Scalar scalar, Element element,
                      double (CallArguments::*place)[2], std::vector<Parameter> &parameters) {
  if (scalar == Scalar::AtRunTime)
    parameters.push_back(
        {name,
         std::string("const ") + typeOf(element) + " *",
         ArgumentKind::Scalar,
         {0, -1},
         [=](CallArguments &call, int64_t value) { (call.*place)[0] = double(value); }});
}

/// Each register is a number and a multiple of at most one argument, which is found by what changes
/// where the argument is 1 and all others are 0.
static std::vector<exported::Register> registersOf(const Operation &operation,
                                                   const std::vector<Parameter> &parameters) {
  CallArguments nothing;
  nothing.count = 0;
  nothing.alpha[0] = 0;
  std::vector<uint64_t> base, changed;
  argumentsOf(operation, nothing, base);
  std::vector<exported::Register> registers;
  for (uint64_t value : base)
    registers.push_back({value, -1, 0, 0, 0});
  for (size_t i = 0; i < parameters.size(); ++i) {
    CallArguments call = nothing;
    parameters[i].give(call, 1);
    argumentsOf(operation, call, changed);
    bool isScalar = parameters[i].kind == ArgumentKind::Scalar;
    const RoutineInfo &info = operation.info();
    int64_t scalarBytes = bytesOf(
        scalarElement(parameters[i].name == "alpha" ? info.alpha : info.beta, operation.c.element));
    for (size_t j = 0; j < base.size(); ++j) {
      bool isPart = changed[j] != base[j];
      if (isPart && isScalar)
        registers[j] = {base[j], int64_t(i), std::min<int64_t>(8, scalarBytes), 0, 0};
      if (isPart && isScalar && scalarBytes == 16)
        registers[j + 1] = {0, int64_t(i), 8, 8, 0};
      if (isPart && !isScalar)
        registers[j] = {base[j], int64_t(i), 0, 0, changed[j] - base[j]};
    }
  }
  return registers;
}

Signature exporter::signatureOf(const Operation &operation, int64_t integerBits) {
  Signature signature;
  std::vector<Parameter> &parameters = signature.parameters;
  const RoutineInfo &info = operation.info();
  Operation marked = operation;
  addSizes(operation, parameters, marked);
  if (info.alpha != ScalarType::None)
    addScalar("alpha", operation.alpha, scalarElement(info.alpha, operation.c.element),
              &CallArguments::alpha, parameters);
  addMatrix(operation, 0, marked, parameters);
  addMatrix(operation, 1, marked, parameters);
  if (info.beta != ScalarType::None)
    addScalar("beta", operation.beta, scalarElement(info.beta, operation.c.element),
              &CallArguments::beta, parameters);
  addMatrix(operation, 2, marked, parameters);
  addBias(operation, parameters);
  if (operation.batch == Batch::Strided && operation.count == kAnySize)
    parameters.push_back(
        {"count", "int64_t", ArgumentKind::Size, {0, -1}, [](CallArguments &call, int64_t value) {
           call.count = value;
         }});
  if (integerBits == 32)
    for (Parameter &parameter : parameters)
      if (parameter.type == "int64_t")
        parameter.type = "int32_t";
  signature.registers = registersOf(operation, parameters);
  return signature;
}
