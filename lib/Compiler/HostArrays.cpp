//===- HostArrays.cpp - Constants of a module as bytes --------------------===//

#include "HostArrays.h"
#include "CodeEmitter.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace rooftile;

/// The bits of one element, of 64 bits at most, in little endian.
static void append(std::string &bytes, const APInt &bits, uint64_t width) {
  for (uint64_t i = 0; i < width; ++i)
    bytes.push_back(char(bits.getLoBits(64).getZExtValue() >> 8 * i));
}

/// Elements of a type that one word holds, or pairs of such.
static FailureOr<std::string> bytesOf(DenseElementsAttr value) {
  Type element = value.getElementType();
  auto complex = dyn_cast<ComplexType>(element);
  uint64_t width = compiler::storedBytes(complex ? complex.getElementType() : element);
  std::string bytes;
  bytes.reserve(value.getNumElements() * width);
  if (complex && isa<FloatType>(complex.getElementType())) {
    for (std::complex<APFloat> each : value.getValues<std::complex<APFloat>>()) {
      append(bytes, each.real().bitcastToAPInt(), width);
      append(bytes, each.imag().bitcastToAPInt(), width);
    }
  } else if (isa<FloatType>(element)) {
    for (const APFloat &each : value.getValues<APFloat>())
      append(bytes, each.bitcastToAPInt(), width);
  } else if (element.isIntOrIndex()) {
    for (const APInt &each : value.getValues<APInt>())
      append(bytes, each, width);
  } else {
    return failure();
  }
  return bytes;
}

FailureOr<std::string> compiler::bytesOf(memref::GlobalOp global) {
  MemRefType type = global.getType();
  std::optional<Attribute> value = global.getInitialValue();
  if (!value || isa<UnitAttr>(*value))
    return std::string(type.getNumElements() * storedBytes(type.getElementType()), '\0');
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(*value))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return std::string(blob->getData().data(), blob->getData().size());
  FailureOr<std::string> bytes = failure();
  if (auto dense = dyn_cast<DenseElementsAttr>(*value))
    bytes = ::bytesOf(dense);
  if (failed(bytes))
    global.emitOpError("has a value that has no form as bytes");
  return bytes;
}
