//===- Call.cpp - A call of cuBLAS ----------------------------------------===//

#include "Call.h"
#include "../Arguments.h"
#include "rooftile/Operation/Extent.h"

#include <algorithm>

using namespace rooftile;
using namespace rooftile::cublas;
using namespace rooftile::operation;

static Scalar kindAt(const void *address, Element type) {
  auto [real, imaginary] = scalarAt(type, address);
  return scalarOf(real, imaginary);
}

void rooftile::cublas::readValues(Call &call) {
  Operation &operation = call.operation;
  const RoutineInfo &info = operation.info();
  bool isArray = operation.batch == Batch::Pointers;
  for (int index : {0, 1, 2})
    if (operation.has(index))
      operation.operand(index).align =
          isArray ? 0 : int32_t(alignmentOf(reinterpret_cast<uint64_t>(call.addresses[index])));
  if (operation.alpha == Scalar::InMemory)
    return;
  operation.alpha = kindAt(call.alpha, scalarElement(info.alpha, call.element()));
  if (info.beta != ScalarType::None)
    operation.beta = kindAt(call.beta, scalarElement(info.beta, call.element()));
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
