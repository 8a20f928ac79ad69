//===- Arguments.cpp - What a call passes to an operation's function ------===//

#include "rooftile/Compiler/Arguments.h"

#include <cstring>

using namespace rooftile;
using namespace rooftile::compiler;
using namespace rooftile::operation;

int64_t compiler::lengthOfBias(const operation::Operation &operation) {
  return operation.epilogue.bias == Bias::PerRow ? operation.m : operation.n;
}

static int64_t known(int64_t stated, int64_t given) { return stated == kAnySize ? given : stated; }

static void addMatrix(const operation::Operation &operation, int index,
                      const MatrixArgument &argument, std::vector<uint64_t> &registers) {
  const Matrix &matrix = operation.operand(index);
  if (operation.batch == Batch::Pointers) {
    registers.insert(registers.end(), {argument.address, 0, uint64_t(operation.count), 1});
    return;
  }
  bool isByComponents = isSplit(matrix);
  uint64_t leading = known(matrix.leading, argument.leading), step = isByComponents ? 2 : 1;
  registers.insert(registers.end(), {argument.address, /*offset=*/0});
  if (operation.batch == Batch::Strided)
    registers.push_back(operation.count);
  registers.push_back(operation.rows(index));
  registers.push_back(operation.columns(index));
  if (isByComponents)
    registers.push_back(2);
  if (operation.batch == Batch::Strided)
    registers.push_back(step * known(matrix.stride, argument.stride));
  bool byRows = matrix.order == Order::RowMajor;
  registers.push_back(step * (byRows ? leading : 1));
  registers.push_back(step * (byRows ? 1 : leading));
  if (isByComponents)
    registers.push_back(1);
}

template <typename To, typename Real> static To bits(Real value) {
  To number;
  static_assert(sizeof number == sizeof value);
  std::memcpy(&number, &value, sizeof number);
  return number;
}

static void addValue(Element element, const double (&value)[2], std::vector<uint64_t> &registers) {
  bool isDouble = bytesOfComponent(element) == 8;
  if (isDouble) {
    registers.push_back(bits<uint64_t>(value[0]));
    if (isComplex(element))
      registers.push_back(bits<uint64_t>(value[1]));
    return;
  }
  uint64_t pair = bits<uint32_t>(float(value[0]));
  if (isComplex(element))
    pair |= uint64_t(bits<uint32_t>(float(value[1]))) << 32;
  registers.push_back(pair);
}

namespace {
/// A scalar of an operation, and what a call states of it.
struct ScalarArgument {
  ScalarType type;
  Scalar kind;
  const double (&value)[2];
  uint64_t address;
};
} // namespace

static void addScalar(const operation::Operation &operation, const ScalarArgument &scalar,
                      std::vector<uint64_t> &registers) {
  if (scalar.type == ScalarType::None)
    return;
  if (scalar.kind == Scalar::AtRunTime)
    addValue(scalarElement(scalar.type, operation.c.element), scalar.value, registers);
  else if (scalar.kind == Scalar::InMemory)
    registers.insert(registers.end(), {scalar.address, 0});
}

void compiler::argumentsOf(const operation::Operation &stated, const CallArguments &call,
                           std::vector<uint64_t> &registers) {
  operation::Operation full = stated;
  full.m = known(stated.m, call.m), full.n = known(stated.n, call.n);
  full.k = known(stated.k, call.k), full.count = known(stated.count, call.count);
  operation::Operation operation = canonical(full);
  const RoutineInfo &info = operation.info();
  bool swaps = stated.c.order == Order::ColumnMajor && swapsOperands(stated.routine);
  const MatrixArgument *matrices[] = {swaps ? &call.b : &call.a, swaps ? &call.a : &call.b,
                                      &call.c};
  registers.clear();
  for (int index : {0, 1, 2})
    if (operation.has(index))
      addMatrix(operation, index, *matrices[index], registers);
  addScalar(operation, {info.alpha, stated.alpha, call.alpha, call.alphaAddress}, registers);
  addScalar(operation, {info.beta, stated.beta, call.beta, call.betaAddress}, registers);
  if (operation.epilogue.bias != Bias::None)
    registers.insert(registers.end(), {call.biasAddress, /*offset=*/0,
                                       uint64_t(lengthOfBias(operation)), /*stride=*/1});
}
