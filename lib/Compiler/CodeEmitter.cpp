//===- CodeEmitter.cpp - Registers and instructions of code ---------------===//

#include "CodeEmitter.h"
#include "mlir/IR/BuiltinTypes.h"
#include "rooftile/Dialect/Element.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::compiler;

/// Registers from here on are constants.
static constexpr uint32_t kFirstConstant = 1u << 31;

/// Bits of a number.
static uint64_t bitsOf(Type number) {
  constexpr unsigned kIndexBits = 64;
  return number.isIndex() ? kIndexBits : number.getIntOrFloatBitWidth();
}

/// LLVM aligns a vector to its size, and lays out one of several dimensions as an array.
uint64_t compiler::storedBytes(Type element) {
  if (auto vector = dyn_cast<VectorType>(element)) {
    uint64_t line = vector.getRank() ? vector.getShape().back() : 1;
    uint64_t bytes = (line * bitsOf(vector.getElementType()) + 7) / 8;
    return vector.getNumElements() / line * llvm::PowerOf2Ceil(bytes);
  }
  return componentsOf(element) * ((bitsOf(realTypeOf(element)) + 7) / 8);
}

uint32_t CodeEmitter::constant(uint64_t value) {
  auto [found, isNew] = constants.try_emplace(value, kFirstConstant + code.constants.size());
  if (isNew)
    code.constants.push_back(value);
  return found->second;
}

uint32_t CodeEmitter::numberOrConstant(OpFoldResult number) {
  if (auto attribute = dyn_cast<Attribute>(number))
    return constant(cast<IntegerAttr>(attribute).getInt());
  return one(cast<Value>(number));
}

std::optional<uint32_t> CodeEmitter::countOf(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return 2 + 2 * memref.getRank();
  if (auto complex = dyn_cast<ComplexType>(type))
    return elementBytes(complex) > 8 ? 2 : 1;
  if (type.isIndex() || (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64))
    return 1;
  return std::nullopt;
}

Registers CodeEmitter::define(Value value, uint32_t count) {
  Registers registers;
  for (uint32_t i = 0; i < count; ++i)
    registers.push_back(newRegister());
  values[value] = registers;
  return registers;
}

void CodeEmitter::finish() {
  uint32_t shift = code.constants.size();
  auto place = [&](uint32_t &number) {
    number = number >= kFirstConstant ? number - kFirstConstant : number + shift;
  };
  for (auto [index, block] : jumps)
    code.instructions[index].target = begins[block];
  for (Instruction &each : code.instructions)
    for (uint32_t *number : {&each.result, &each.a, &each.b, &each.c})
      place(*number);
  for (LaunchSite &site : code.launches) {
    for (auto *sizes : {&site.grid, &site.block, &site.cluster})
      for (uint32_t &size : *sizes)
        place(size);
    place(site.sharedBytes);
    for (Parameter &parameter : site.parameters)
      place(parameter.place);
  }
  for (ResultSite &result : code.results)
    place(result.place);
  for (DescriptorSite &site : code.descriptors)
    for (uint32_t *number :
         {&site.descriptor, &site.address, &site.realBytes, &site.length, &site.vectors,
          &site.vectorBytes, &site.boxLength, &site.boxVectors, &site.swizzleBytes})
      place(*number);
  code.registers = shift + std::max<uint32_t>(next, 1);
}
