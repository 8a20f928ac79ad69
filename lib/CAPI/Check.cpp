//===- Check.cpp - Whether a call can be run ------------------------------===//

#include "Call.h"

using namespace rooftile;
using namespace rooftile::capi;
using namespace rooftile::operation;

static std::string nameOf(const Operation &operation, int index) {
  return nameOfOperand(operation.routine, index);
}

static uint64_t addressOf(const Call &call, int index) {
  const compiler::CallArguments &values = call.values;
  return index == 0 ? values.a.address : index == 1 ? values.b.address : values.c.address;
}

/// Whether the operand is in memory that is read or written.
static bool isAccessed(const Call &call, const Checked &checked, int index) {
  if (checked.doesNothing || !call.operation.has(index))
    return false;
  return index == 2 || checked.readsOperands;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

operation::Operation capi::dynamicOperation(const Call &call, const Checked &checked) {
  Operation dynamic = withAnySizes(checked.operation);
  if (!checked.readsOperands)
    dynamic.k = checked.operation.k;
  auto atRunTime = [](Scalar scalar, ScalarType type) {
    return scalar == Scalar::InMemory || type == ScalarType::None ? scalar : Scalar::AtRunTime;
  };
  if (checked.readsOperands)
    dynamic.alpha = atRunTime(call.operation.alpha, dynamic.info().alpha);
  if (call.operation.info().beta != ScalarType::None)
    dynamic.beta = atRunTime(call.operation.beta, dynamic.info().beta);
  return dynamic;
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

static Failure checkAlignment(const Call &call, int index) {
  const Matrix &matrix = call.operation.operand(index);
  if (matrix.align >= bytesOfComponent(matrix.element))
    return {};
  return invalid(textOfAlignment(nameOf(call.operation, index), addressOf(call, index),
                                 matrix.align, matrix.element));
}

/// Checks a batch by pointers: the promise of the caller, and the array itself.
static Failure checkArray(const Call &call, int index) {
  constexpr uint64_t kAddressBytes = 8;
  const Matrix &matrix = call.operation.operand(index);
  int32_t align = matrix.align;
  int64_t bytes = bytesOf(matrix.element);
  std::string name = nameOf(call.operation, index);
  if (align < bytes || (align & (align - 1)) != 0)
    return invalid(name + ": pointer_align is " + std::to_string(align) +
                   ", not a power of 2 of at least " + std::to_string(bytes) + ", the size of " +
                   operation::nameOf(matrix.element));
  if (uint64_t address = addressOf(call, index); address % kAddressBytes != 0)
    return invalid(name + ": the array of addresses at " + textOfAddress(address) +
                   " is no multiple of 8 bytes");
  return {};
}

Failure capi::check(const Call &call, Checked &checked) {
  const Operation &operation = call.operation;
  Operation plain = operation; // Alignments have checks of their own.
  for (int index : {0, 1, 2})
    plain.operand(index).align = 0;
  if (Wrong wrong = whatIsWrong(plain, Dynamic::Refused))
    return {wrong.kind == Wrong::Invalid ? ROOFTILE_INVALID_ARGUMENT : ROOFTILE_UNSUPPORTED,
            wrong.message};
  if (call.isDynamic && operation.batch == Batch::Pointers)
    return unsupported("a batch by pointers needs kernels of exact sizes");
  for (int index : {0, 1, 2})
    if (operation.has(index))
      checked.extents[index] = *extentOf(operation, index);
  checked.readsOperands = operation.alpha != Scalar::Zero && operation.hasTerms();
  bool isScaledByOne = !checked.readsOperands && operation.beta == Scalar::One &&
                       operation.info().beta != ScalarType::None && !operation.epilogue.exists();
  checked.doesNothing =
      operation.m == 0 || operation.n == 0 || operation.count == 0 || isScaledByOne;
  checked.operation = withGeneralScalars(operation);
  if (!checked.readsOperands)
    checked.operation = withoutTerms(checked.operation);
  auto *checkOne = operation.batch == Batch::Pointers ? checkArray : checkAlignment;
  for (int index : {0, 1, 2})
    if (isAccessed(call, checked, index))
      if (Failure failure = checkOne(call, index))
        return failure;
  for (int index : {0, 1, 2})
    if (Matrix &matrix = checked.operation.operand(index); matrix.align > kMostAlign)
      matrix.align = kMostAlign;
  return {};
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Overlaps that are slow to find are left to the caller.
static Failure checkOverlap(const Placed &written, const Placed &other) {
  if (overlapOf(written, other) != Overlap::Sure)
    return {};
  return invalid(textOfOverlap(written, other));
}

static Failure checkBias(const Call &call, const Checked &checked) {
  const Operation &operation = call.operation;
  if (operation.epilogue.bias == Bias::None)
    return {};
  int64_t bytes = bytesOf(operation.c.element);
  int64_t count = compiler::lengthOfBias(operation);
  uint64_t address = call.values.biasAddress;
  if (!address || address % bytes)
    return invalid(address ? "bias: the address " + textOfAddress(address) + " is no multiple of " +
                                 std::to_string(bytes) + " bytes"
                           : "bias is NULL");
  return checkOverlap({"C", call.values.c.address, checked.extents[2]},
                      {"bias", address, extentOfVector(count * bytes)});
}

/// Scalars in memory of the device have an address, a multiple of their components' size; alpha of
/// a product without terms is not read.
static Failure checkScalars(const Call &call, const Checked &checked) {
  const Operation &operation = call.operation;
  uint64_t bytes = bytesOfComponent(infoOf(operation.c.element).accumulator);
  struct {
    const char *name;
    Scalar kind;
    uint64_t address;
    bool isRead;
  } scalars[] = {{"alpha", operation.alpha, call.values.alphaAddress, checked.readsOperands},
                 {"beta", operation.beta, call.values.betaAddress, true}};
  for (auto [name, kind, address, isRead] : scalars)
    if (kind == Scalar::InMemory && isRead && (!address || address % bytes))
      return invalid(std::string(name) + (address ? ": the address is no multiple of " +
                                                        std::to_string(bytes) + " bytes"
                                                  : " is NULL"));
  return {};
}

Failure capi::checkAddresses(const Call &call, const Checked &checked) {
  const Operation &operation = call.operation;
  bool isArray = operation.batch == Batch::Pointers;
  for (int index : {0, 1, 2}) {
    if (!isAccessed(call, checked, index))
      continue;
    uint64_t address = addressOf(call, index);
    if (!address)
      return invalid(nameOf(operation, index) + " is NULL");
    if (!isArray && uint64_t(checked.extents[index].bytes) > ~address)
      return invalid(nameOf(operation, index) + ": " +
                     std::to_string(checked.extents[index].bytes) + " bytes at " +
                     textOfAddress(address) + " are more than an address reaches");
  }
  if (Failure failure = checkBias(call, checked))
    return failure;
  for (int index : {0, 1})
    if (!isArray && isAccessed(call, checked, index))
      if (Failure failure = checkOverlap(
              {nameOfOperand(operation.routine, 2), call.values.c.address, checked.extents[2]},
              {nameOfOperand(operation.routine, index), addressOf(call, index),
               checked.extents[index]}))
        return failure;
  return checkScalars(call, checked);
}

compiler::CallArguments capi::argumentsOf(const Call &call, const Checked &checked) {
  compiler::CallArguments values = call.values;
  if (checked.readsOperands)
    return values;
  const Operation &scaling = checked.operation;
  values.k = 0;
  values.a = {values.c.address, scaling.a.leading, scaling.a.stride};
  values.b = {values.c.address, scaling.b.leading, scaling.b.stride};
  return values;
}
