//===- Call.cpp - A call of BLAS level 3, whatever interface it came by ---===//

#include "Call.h"
#include "../../Arguments.h"

using namespace rooftile::interpose;
using namespace rooftile::operation;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Number Number::read(Element element, const void *address) {
  Number number;
  if (address)
    std::memcpy(number.bytes, address, size_t(bytesOf(element)));
  return number;
}

Number Number::of(Element element, double real, double imaginary) {
  Number number;
  const double wide[2] = {real, imaginary};
  const float narrow[2] = {float(real), float(imaginary)};
  const void *from = bytesOfComponent(element) == 8 ? static_cast<const void *>(wide) : narrow;
  std::memcpy(number.bytes, from, size_t(bytesOf(element)));
  return number;
}

static Scalar kindOf(const Number &number, Element element) {
  return scalarOf(number.real(element), number.imaginary(element));
}

void Call::setScalars(const Number &newAlpha, const Number &newBeta) {
  alpha = newAlpha, beta = newBeta;
  operation.alpha = kindOf(alpha, alphaElement());
  if (operation.info().beta != ScalarType::None)
    operation.beta = kindOf(beta, betaElement());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Call rooftile::interpose::callOf(Routine routine, Element element) {
  Call call;
  Operation &operation = call.operation;
  operation.routine = routine;
  operation.m = operation.n = operation.k = 0;
  operation.count = 1;
  for (int index : {0, 1, 2}) {
    if (!operation.has(index))
      continue;
    Matrix &matrix = operation.operand(index);
    matrix.element = element, matrix.order = Order::ColumnMajor;
    matrix.leading = 1, matrix.stride = 0;
  }
  // As BLAS has it: what is not a number stays in the rows that depend on it.
  operation.dependence = operation.info().hasExact ? Dependence::Exact : Dependence::Any;
  return call;
}

std::string rooftile::interpose::nameOf(const Call &call) {
  return infoOf(call.element()).letter + std::string(call.operation.info().name);
}

std::string rooftile::interpose::describe(const Call &call) {
  return nameOf(call) + " " + lettersOf(call.operation) + " " + sizesOf(call.operation);
}
