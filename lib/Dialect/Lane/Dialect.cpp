//===- Dialect.cpp - Operations of one thread -----------------------------===//

#include "mlir/IR/Builders.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::lane;
using tile::kBulkBytes, tile::kMostBulkBytes;

#include "rooftile/Dialect/Lane/LaneDialect.cpp.inc"

#define GET_OP_CLASSES
#include "rooftile/Dialect/Lane/Lane.cpp.inc"

void LaneDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "rooftile/Dialect/Lane/Lane.cpp.inc"
      >();
}

LogicalResult PeerOp::verify() {
  auto type = cast<MemRefType>(getShared().getType());
  if (type.getRank() != 1 || !type.getLayout().isIdentity())
    return emitOpError("shared memory is no flat memref: ") << type;
  return success();
}

LogicalResult PointerOp::verify() {
  auto type = cast<MemRefType>(getPointer().getType());
  if (type.getRank() != 0 || type.getMemorySpace())
    return emitOpError("makes a pointer to global memory, got ") << type;
  return success();
}

void AsRealOp::build(OpBuilder &builder, OperationState &state, Value elements) {
  auto type = cast<MemRefType>(elements.getType());
  Type real = cast<ComplexType>(type.getElementType()).getElementType();
  build(builder, state, MemRefType::get({}, real, AffineMap(), type.getMemorySpace()), elements);
}

LogicalResult AsRealOp::verify() {
  auto from = cast<MemRefType>(getSource().getType()), to = cast<MemRefType>(getResult().getType());
  auto complex = dyn_cast<ComplexType>(from.getElementType());
  if (from.getRank() != 0 || !complex)
    return emitOpError("needs a pointer to complex elements, got ") << from;
  if (to != MemRefType::get({}, complex.getElementType(), AffineMap(), from.getMemorySpace()))
    return emitOpError("makes a pointer to ") << complex.getElementType() << ", got " << to;
  return success();
}

/// Bytes of `elements` elements of a flat memref.
static int64_t bytesOf(Value memref, uint64_t elements) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  return static_cast<int64_t>(elements) * element.getIntOrFloatBitWidth() / 8;
}

int64_t CopyOp::getBytes() { return bytesOf(getSource(), getElements()); }

/// One side of a copy is flat, of real elements.
static LogicalResult verifySide(Operation *op, StringRef name, MemRefType type) {
  if (!type.getElementType().isIntOrFloat())
    return op->emitOpError("copies ") << type.getElementType() << ", neither integer nor float";
  if (type.getRank() != 1 || !type.getLayout().isIdentity())
    return op->emitOpError() << name << " is no flat memref: " << type;
  return success();
}

/// Both sides of a copy are flat, of the same element type.
static LogicalResult verifySides(Operation *op, MemRefType source, MemRefType target) {
  if (source.getElementType() != target.getElementType())
    return op->emitOpError("copies ")
           << source.getElementType() << " to " << target.getElementType();
  return success(succeeded(verifySide(op, "source", source)) &&
                 succeeded(verifySide(op, "target", target)));
}

LogicalResult CopyOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto target = cast<MemRefType>(getTarget().getType());
  if (failed(verifySides(*this, source, target)))
    return failure();
  int64_t elements = getElements();
  if (elements < 1 || elements > 16 || (getBytes() != 4 && getBytes() != 8 && getBytes() != 16))
    return emitOpError("moves ") << elements << " elements of " << source.getElementType()
                                 << "; hardware moves 4, 8 or 16 bytes";
  return success();
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

static LogicalResult verifyCounters(Operation *op, Type counters) {
  auto type = cast<MemRefType>(counters);
  if (type.getRank() != 1 || !type.getLayout().isIdentity() || !type.getElementType().isInteger(64))
    return op->emitOpError("counters are no flat memref of i64: ") << type;
  return success();
}

LogicalResult ArrivalsOp::verify() { return verifyCounters(*this, getCounters().getType()); }
LogicalResult ArrivedOp::verify() { return verifyCounters(*this, getCounters().getType()); }

LogicalResult ExpectOp::verify() {
  auto bytes = static_cast<int64_t>(getBytes());
  if (bytes % kBulkBytes != 0 || bytes > kMostBulkBytes)
    return emitOpError("expects ")
           << bytes << " bytes, no multiple of " << kBulkBytes << " up to " << kMostBulkBytes;
  return verifyCounters(*this, getCounters().getType());
}

int64_t BulkCopyOp::getBytes() { return bytesOf(getSource(), getElements()); }
int64_t TensorCopyOp::getBytes() { return bytesOf(getTarget(), getElements()); }

Type lane::descriptorType(MLIRContext *context) {
  return LLVM::LLVMArrayType::get(IntegerType::get(context, 64), tile::kDescriptorNumbers);
}

LogicalResult BulkCopyOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto target = cast<MemRefType>(getTarget().getType());
  if (failed(verifySides(*this, source, target)) ||
      failed(verifyCounters(*this, getCounters().getType())))
    return failure();
  auto elements = static_cast<int64_t>(getElements());
  if (elements < 1 || elements > kMostBulkBytes || getBytes() % kBulkBytes != 0 ||
      getBytes() > kMostBulkBytes)
    return emitOpError("moves ") << elements << " elements of " << source.getElementType()
                                 << "; hardware moves multiples of " << kBulkBytes
                                 << " bytes up to " << kMostBulkBytes;
  return success();
}

LogicalResult TensorCopyOp::verify() {
  auto target = cast<MemRefType>(getTarget().getType());
  if (getDescriptor().getType() != descriptorType(getContext()))
    return emitOpError("descriptor is ")
           << getDescriptor().getType() << ", expected " << descriptorType(getContext());
  if (failed(verifySide(*this, "target", target)) ||
      failed(verifyCounters(*this, getCounters().getType())))
    return failure();
  auto elements = static_cast<int64_t>(getElements());
  if (elements < 1 || elements > tile::kMostBox * tile::kMostBox || getBytes() % kBulkBytes != 0)
    return emitOpError("moves ") << elements << " elements of " << target.getElementType()
                                 << "; hardware moves up to " << tile::kMostBox << "x"
                                 << tile::kMostBox << ", in multiples of " << kBulkBytes
                                 << " bytes";
  return success();
}

LogicalResult CompilerFenceOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                                Adaptor adaptor, SmallVectorImpl<Type> &results) {
  llvm::append_range(results, adaptor.getValues().getTypes());
  return success();
}

LogicalResult MmaOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                      SmallVectorImpl<Type> &results) {
  llvm::append_range(results, adaptor.getC().getTypes());
  return success();
}

LogicalResult AsyncMmaOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                           SmallVectorImpl<Type> &results) {
  llvm::append_range(results, adaptor.getC().getTypes());
  return success();
}

LogicalResult FinishOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                         SmallVectorImpl<Type> &results) {
  llvm::append_range(results, adaptor.getSums().getTypes());
  return success();
}

LogicalResult AsyncMmaOp::verify() {
  tile::InstructionAttr instruction = getInstruction();
  const tile::Instruction *own = tile::findInstruction(instruction.getName());
  if (!own->readsShared())
    return emitOpError("has factors in shared memory, but ")
           << own->name << " reads registers: lane.mma has them";
  const Type factors[] = {getA().getType(), getB().getType()};
  for (auto [index, type] : llvm::enumerate(factors)) {
    auto memref = cast<MemRefType>(type);
    if (memref.getElementType() != instruction.getTypes()[index] ||
        !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(memref))
      return emitOpError("reads ") << memref << "; " << own->name << " reads "
                                   << instruction.getTypes()[index] << " of shared memory";
  }
  auto repeated = static_cast<int64_t>(getRepeated());
  if (repeated * own->n > own->mostN)
    return emitOpError("multiplies ") << repeated * own->n << " columns; " << own->name
                                      << " multiplies " << own->mostN << " at most";
  int64_t expected = repeated * instruction.getC().getNumValues();
  if (static_cast<int64_t>(getC().size()) != expected)
    return emitOpError("has ") << getC().size() << " registers of c; a lane of " << own->name
                               << ", " << repeated << " times, has " << expected;
  for (Type type : getC().getTypes())
    if (type != instruction.getTypes()[2])
      return emitOpError("register of c is ")
             << type << "; " << own->name << " adds up " << instruction.getTypes()[2];
  return success();
}

LogicalResult MmaOp::verify() {
  if (const tile::Instruction *own = tile::findInstruction(getInstruction().getName());
      own->readsShared())
    return emitOpError("has factors in registers, but ")
           << own->name << " reads shared memory: lane.async_mma has them there";

  tile::InstructionAttr instruction = getInstruction();
  const std::tuple<StringRef, OperandRange, tile::MapAttr> operands[] = {
      {"a", getA(), instruction.getA()},
      {"b", getB(), instruction.getB()},
      {"c", getC(), instruction.getC()}};
  for (auto [index, operand] : llvm::enumerate(operands)) {
    auto [name, registers, map] = operand;
    Type type = instruction.getTypes()[index];
    if (static_cast<int64_t>(registers.size()) != map.getNumValues())
      return emitOpError("has ") << registers.size() << " registers of " << name << "; a lane of "
                                 << instruction.getName() << " has " << map.getNumValues();
    for (Value register_ : registers)
      if (register_.getType() != type)
        return emitOpError("register of ") << name << " is " << register_.getType() << "; "
                                           << instruction.getName() << " reads " << type;
  }
  return success();
}
