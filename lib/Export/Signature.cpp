//===- Signature.cpp - Operations as functions of C -----------------------===//

#include "rooftile/Export/Signature.h"

#include "llvm/Support/MathExtras.h"

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
static exported::Number lineOf(const Operation &marked, int index) {
  int64_t line = marked.lineLength(index);
  return line >= 0 ? exported::Number{line, -1} : exported::Number{0, -2 - line};
}

static void addMatrix(const Operation &operation, int operand, const Operation &marked,
                      std::vector<Parameter> &parameters) {
  if (!operation.has(operand))
    return;
  const Matrix &matrix = operation.operand(operand);
  MatrixArgument CallArguments::*place = operand == 0   ? &CallArguments::a
                                         : operand == 1 ? &CallArguments::b
                                                        : &CallArguments::c;
  std::string name(1, "abc"[operand]);
  std::string type = std::string(operand == 2 ? "" : "const ") + typeOf(matrix.element) + " *";
  parameters.push_back(
      {name,
       type,
       ArgumentKind::Address,
       {bytesOf(matrix.element), -1},
       [=](CallArguments &call, int64_t value) { (call.*place).address = uint64_t(value); }});
  parameters.push_back(
      {"ld" + name, "int64_t", ArgumentKind::Leading, lineOf(marked, operand),
       [=](CallArguments &call, int64_t value) { (call.*place).leading = value; }});
  if (operation.batch == Batch::Strided)
    parameters.push_back(
        {"stride_" + name,
         "int64_t",
         ArgumentKind::Stride,
         {0, -1},
         [=](CallArguments &call, int64_t value) { (call.*place).stride = value; }});
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

/// Which bits of a parameter make a register, and where they go, are seen by what changes when one
/// of them is set: an address is split into an aligned one and an offset in elements.
static exported::Register registerOf(const Operation &operation, const CallArguments &nothing,
                                     const Parameter &parameter, size_t number, uint64_t known) {
  exported::Register place{known, -1, 0, 0, 0, 0};
  std::vector<uint64_t> changed;
  for (unsigned bit = 0; bit < 64; ++bit) {
    CallArguments call = nothing;
    parameter.give(call, int64_t(uint64_t(1) << bit));
    argumentsOf(operation, call, changed);
    if (changed[number] == known)
      continue;
    place.mask |= uint64_t(1) << bit;
    place.shift = bit - llvm::Log2_64(changed[number] - known);
  }
  return place;
}

/// Each register is a number and at most one argument: which one, is seen by what changes when it
/// is neither 0 nor aligned and all others are 0.
static std::vector<exported::Register> registersOf(const Operation &operation,
                                                   const std::vector<Parameter> &parameters) {
  constexpr int64_t kCrooked = 15;
  CallArguments nothing;
  nothing.count = 0;
  nothing.alpha[0] = 0;
  std::vector<uint64_t> base, changed;
  argumentsOf(operation, nothing, base);
  std::vector<exported::Register> registers;
  for (uint64_t value : base)
    registers.push_back({value, -1, 0, 0, 0, 0});
  for (size_t i = 0; i < parameters.size(); ++i) {
    CallArguments call = nothing;
    parameters[i].give(call, kCrooked);
    argumentsOf(operation, call, changed);
    bool isScalar = parameters[i].kind == ArgumentKind::Scalar;
    const RoutineInfo &info = operation.info();
    int64_t scalarBytes = bytesOf(
        scalarElement(parameters[i].name == "alpha" ? info.alpha : info.beta, operation.c.element));
    for (size_t j = 0; j < base.size(); ++j) {
      bool isPart = changed[j] != base[j];
      if (isPart && isScalar)
        registers[j] = {base[j], int64_t(i), std::min<int64_t>(8, scalarBytes), 0, 0, 0};
      if (isPart && isScalar && scalarBytes == 16)
        registers[j + 1] = {0, int64_t(i), 8, 8, 0, 0};
      if (isPart && !isScalar) {
        registers[j] = registerOf(operation, nothing, parameters[i], j, base[j]);
        registers[j].argument = int64_t(i);
      }
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
