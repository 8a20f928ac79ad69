//===- Arguments.cpp - Arguments of BLAS, as they came --------------------===//

#include "Arguments.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace rooftile::interpose;
using namespace rooftile::operation;

char rooftile::interpose::letter(const char *given) {
  return *given >= 'a' && *given <= 'z' ? char(*given - 'a' + 'A') : *given;
}

Numbers rooftile::interpose::numbersOf(Routine routine) {
  const RoutineInfo &info = infoOf(routine);
  bool hasB = info.b != Structure::None, hasBeta = info.beta != ScalarType::None;
  int last = 0;
  auto next = [&](bool exists) { return exists ? ++last : 0; };
  Numbers numbers = {};
  numbers.side = next(info.hasSide), numbers.uplo = next(info.hasUplo);
  numbers.opA = next(*info.ops), numbers.opB = next(info.hasOpB);
  numbers.diag = next(info.hasDiag);
  numbers.m = next(info.hasM()), numbers.n = next(true), numbers.k = next(info.hasK());
  last += 2; // alpha and A
  numbers.leading[0] = next(true);
  last += hasB;
  numbers.leading[1] = next(hasB);
  last += hasBeta + 1; // beta and C
  numbers.leading[2] = next(true);
  return numbers;
}

//===----------------------------------------------------------------------===//
// Letters
//===----------------------------------------------------------------------===//

static bool isOneOf(char letter, const char *letters) {
  return letter && std::strchr(letters, letter);
}

/// For real matrices C is T. Nothing of the reference is conjugated alone.
static bool isOp(const Arguments &arguments, char letter) {
  if (letter == 'C' && !isComplex(arguments.element))
    return true;
  return isOneOf(letter, "NTC") &&
         std::strchr(infoOf(arguments.routine).ops, letter - 'A' + 'a') != nullptr;
}

static int firstBadLetter(const Arguments &arguments, const Numbers &numbers) {
  struct {
    int number;
    bool holds;
  } rules[] = {{numbers.side, isOneOf(arguments.side, "LR")},
               {numbers.uplo, isOneOf(arguments.uplo, "UL")},
               {numbers.opA, isOp(arguments, arguments.opA)},
               {numbers.opB, isOp(arguments, arguments.opB)},
               {numbers.diag, isOneOf(arguments.diag, "UN")}};
  for (auto [number, holds] : rules)
    if (number != 0 && !holds)
      return number;
  return 0;
}

static Op opOf(const Arguments &arguments, char letter) {
  if (letter == 'C' && !isComplex(arguments.element))
    return Op::T;
  if (letter == 'R') // Forwarded (isExtension).
    return Op::J;
  return letter == 'N' ? Op::N : letter == 'T' ? Op::T : Op::C;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static int firstBadSize(const Operation &operation, const Numbers &numbers, bool isRowMajor) {
  std::pair<int, int64_t> sizes[] = {
      {numbers.m, operation.m}, {numbers.n, operation.n}, {numbers.k, operation.k}};
  for (auto [number, size] : sizes)
    if (number != 0 && size < 0)
      return number;
  // In row-major order the reference exchanges A and B of gemm alone.
  bool areSwapped = isRowMajor && swapsOperands(operation.routine) && !operation.info().hasOpB;
  for (int argument : {0, 1, 2}) {
    int index = areSwapped && argument < 2 ? 1 - argument : argument;
    if (!operation.has(index))
      continue;
    int64_t least = std::max<int64_t>(1, operation.vectorLength(index));
    if (operation.operand(index).leading < least)
      return numbers.leading[argument];
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static void readChoices(const Arguments &arguments, Operation &operation) {
  const RoutineInfo &info = operation.info();
  operation.opA = *info.ops ? opOf(arguments, arguments.opA) : Op::N;
  operation.opB = info.hasOpB ? opOf(arguments, arguments.opB) : Op::N;
  operation.side = info.hasSide && arguments.side == 'R' ? Side::Right : Side::Left;
  operation.triangle = info.hasUplo && arguments.uplo == 'U' ? Triangle::Upper : Triangle::Lower;
  operation.diagonal = info.hasDiag && arguments.diag == 'U' ? Diagonal::Unit : Diagonal::NonUnit;
  operation.n = arguments.n, operation.k = arguments.k;
  operation.m = info.hasM() ? arguments.m : arguments.n;
}

static void readOperands(const Arguments &arguments, Call &call) {
  const Stored *stored[] = {&arguments.a, &arguments.b, &arguments.c};
  for (int index : {0, 1, 2})
    if (call.operation.has(index))
      call.setOperand(index, static_cast<char *>(const_cast<void *>(stored[index]->address)),
                      stored[index]->leading);
}

/// Makes it the call for the transposed matrices, which are column-major.
static void exchange(Call &call) {
  for (int index : {0, 1, 2})
    call.operation.operand(index).order = Order::RowMajor;
  call.operation = exchanged(call.operation);
  if (swapsOperands(call.operation.routine))
    std::swap(call.addresses[0], call.addresses[1]);
}

Reading rooftile::interpose::read(const Arguments &arguments) {
  Numbers numbers = numbersOf(arguments.routine);
  Reading reading = {callOf(arguments.routine, arguments.element),
                     firstBadLetter(arguments, numbers)};
  Call &call = reading.call;
  call.site = arguments.site, call.width = arguments.width;
  readChoices(arguments, call.operation);
  readOperands(arguments, call);
  if (arguments.isRowMajor)
    exchange(call);
  if (!reading.bad)
    reading.bad = firstBadSize(call.operation, numbers, arguments.isRowMajor);
  bool hasBeta = call.operation.info().beta != ScalarType::None;
  call.setScalars(Number::read(call.alphaElement(), arguments.alpha),
                  hasBeta ? Number::read(call.betaElement(), arguments.beta) : Number());
  return reading;
}

bool rooftile::interpose::isExtension(const Arguments &arguments) {
  Arguments plain = arguments;
  for (char *op : {&plain.opA, &plain.opB})
    *op = *op == 'R' ? 'N' : *op;
  return (arguments.opA == 'R' || arguments.opB == 'R') && read(plain).bad == 0;
}
