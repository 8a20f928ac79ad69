//===- VendorArguments.cpp - A product as cuBLAS states it ----------------===//

#include "VendorArguments.h"

using namespace rooftile;
using namespace rooftile::bench;

VendorTypes bench::vendorTypes(const Shape &shape) {
  constexpr int kReal32F = 0, kReal64F = 1, kReal16F = 2, kComplex32F = 4, kComplex64F = 5,
                kReal16BF = 14, kCompute32F = 68, kCompute64F = 70;
  switch (shape.element()) {
  case Element::F16:
    return {kReal16F, kReal32F, kCompute32F};
  case Element::BF16:
    return {kReal16BF, kReal32F, kCompute32F};
  case Element::F64:
    return {kReal64F, kReal64F, kCompute64F};
  case Element::C64:
    return {kComplex32F, kComplex32F, kCompute32F};
  case Element::C128:
    return {kComplex64F, kComplex64F, kCompute64F};
  case Element::F32:
    break;
  }
  bool isTf32 = shape.operation.math == operation::Math::Tf32;
  return {kReal32F, kReal32F, isTf32 ? VendorTypes::kComputeTf32 : kCompute32F};
}

std::optional<int> bench::opOf(operation::Op op) {
  switch (op) {
  case operation::Op::N:
    return 0;
  case operation::Op::T:
    return 1;
  case operation::Op::C:
    return 2;
  case operation::Op::J:
    break;
  }
  return std::nullopt;
}

VendorScalars::VendorScalars(const Shape &shape) : isDouble(bytesOf(realOf(shape.element())) == 8) {
  Scalars scalars = scalarsOf(shape);
  for (int component : {0, 1}) {
    doubles[component] = scalars.alpha[component], doubles[2 + component] = scalars.beta[component];
    singles[component] = float(doubles[component]);
    singles[2 + component] = float(doubles[2 + component]);
  }
}

int bench::leadingOf(const Shape &shape, int operand) {
  return int(shape.operation.operand(operand).leading);
}

operation::Op bench::inMemory(const Shape &shape, int operand, operation::Op op) {
  bool isColumnMajor = shape.operation.operand(operand).order == operation::Order::ColumnMajor;
  return isColumnMajor ? transposed(op) : op;
}

VendorCall bench::vendorArguments(const Shape &shape, const OperandSet &operands,
                                  const VendorScalars &scalars) {
  const operation::Operation &operation = shape.operation;
  int b = operation.alias == operation::Alias::AB ? 0 : 1;
  return {*opOf(inMemory(shape, b, operation.opB)),
          *opOf(inMemory(shape, 0, operation.opA)),
          int(shape.n()),
          int(shape.m()),
          int(shape.k()),
          scalars.alpha(),
          scalars.beta(),
          operands[b],
          operands[0],
          operands[2],
          leadingOf(shape, b),
          leadingOf(shape, 0),
          leadingOf(shape, 2),
          shape.step(b),
          shape.step(0),
          shape.step(2),
          int(shape.batch())};
}

bool bench::isCallable(const Shape &shape) {
  const operation::Operation &operation = shape.operation;
  bool isProduct = operation.routine == Routine::Gemm;
  bool isConjugate = operation.info().a == operation::Structure::Hermitian ||
                     operation.info().c == operation::Structure::Hermitian;
  auto isColumnMajor = [&](int operand) {
    return operation.has(operand) &&
           operation.operand(operand).order == operation::Order::ColumnMajor;
  };
  bool isOrdered = !operation.has(1) ||
                   isColumnMajor(1) == (operation.info().hasSide ? false : isColumnMajor(0));
  int b = operation.alias == operation::Alias::AB ? 0 : 1;
  return !operation.epilogue.exists() && opOf(inMemory(shape, 0, operation.opA)) &&
         opOf(inMemory(shape, b, operation.opB)) && (isProduct || isOrdered) &&
         !(isConjugate && isColumnMajor(0));
}
