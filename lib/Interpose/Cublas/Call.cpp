//===- Call.cpp - A call of cuBLAS ----------------------------------------===//

#include "Call.h"
#include "../Arguments.h"

#include <algorithm>
#include <cstring>

using namespace rooftile;
using namespace rooftile::cublas;
using namespace rooftile::operation;

/// The kind of a number in host memory.
static Scalar scalarAt(const void *address, Element type) {
  double components[2] = {};
  for (int64_t i = 0; i < componentsOf(type); ++i)
    if (bytesOfComponent(type) == 8)
      components[i] = static_cast<const double *>(address)[i];
    else
      components[i] = double(static_cast<const float *>(address)[i]);
  return scalarOf(components[0], components[1]);
}

/// Bytes that the address is a multiple of, up to those that a kernel makes use of.
static int32_t alignmentOf(const void *address) {
  uint64_t number = reinterpret_cast<uint64_t>(address) | uint64_t(kMostAlign);
  return int32_t(number & -number);
}

void rooftile::cublas::readValues(Call &call) {
  Operation &operation = call.operation;
  const RoutineInfo &info = operation.info();
  bool isArray = operation.batch == Batch::Pointers;
  for (int index : {0, 1, 2})
    if (operation.has(index))
      operation.operand(index).align = isArray ? 0 : alignmentOf(call.addresses[index]);
  if (operation.alpha == Scalar::InMemory)
    return;
  operation.alpha = scalarAt(call.alpha, scalarElement(info.alpha, call.element()));
  if (info.beta != ScalarType::None)
    operation.beta = scalarAt(call.beta, scalarElement(info.beta, call.element()));
}

rooftile_operation rooftile::cublas::argumentsOf(const Call &call) {
  return interpose::argumentsOf(call.operation, call.addresses, call.alpha, call.beta);
}

std::string rooftile::cublas::textOf(const Call &call) {
  std::string letters = interpose::lettersOf(call.operation);
  std::transform(letters.begin(), letters.end(), letters.begin(),
                 [](char letter) { return char(letter - 'A' + 'a'); });
  std::string text =
      std::string(nameOf(call.function)) + " " + letters + " " + interpose::sizesOf(call.operation);
  return call.operation.batch == Batch::None
             ? text
             : text + " batch " + std::to_string(call.operation.count);
}
