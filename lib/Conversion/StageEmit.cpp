//===- StageEmit.cpp - Calls of the runtime around host code --------------===//

#include "StageEmit.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace rooftile;

Value StageEmitter::number(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 64);
}

Value StageEmitter::toNumber(Value index) {
  return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI64Type(), index);
}

Value StageEmitter::call(StringRef name, ValueRange operands) {
  auto call = func::CallOp::create(builder, loc, context.callee(name), operands);
  return call.getNumResults() ? call.getResult(0) : Value();
}

void StageEmitter::begin(Operation *first) {
  builder.setInsertionPoint(first);
  loc = first->getLoc();
  stage = Value();
}

/// The memref whose numbers say what `memory` spans: what a pointer alone was taken from.
static Value spanned(Value memory) {
  while (auto metadata = memory.getDefiningOp<memref::ExtractStridedMetadataOp>())
    memory = metadata.getSource();
  return memory;
}

static int64_t bytesOf(Value memory, Operation *scope) {
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  return DataLayout::closest(scope).getTypeSize(element).getFixedValue();
}

void StageEmitter::add(Value memory, bool isWritten) {
  Value source = spanned(memory);
  Operation *scope = builder.getInsertionBlock()->getParentOp();
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, source);
  Value zero = number(0), one = number(1), low = toNumber(metadata.getOffset()), high = low;
  Value isEmpty = arith::ConstantIntOp::create(builder, loc, 0, 1);
  for (auto [size, stride] : llvm::zip_equal(metadata.getSizes(), metadata.getStrides())) {
    Value count = toNumber(size);
    Value steps = arith::SubIOp::create(builder, loc, count, one);
    Value reach = arith::MulIOp::create(builder, loc, steps, toNumber(stride));
    Value none = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, count, zero);
    isEmpty = arith::OrIOp::create(builder, loc, isEmpty, none);
    low =
        arith::AddIOp::create(builder, loc, low, arith::MinSIOp::create(builder, loc, reach, zero));
    high = arith::AddIOp::create(builder, loc, high,
                                 arith::MaxSIOp::create(builder, loc, reach, zero));
  }
  Value bytes = number(bytesOf(source, scope));
  Value count =
      arith::AddIOp::create(builder, loc, arith::SubIOp::create(builder, loc, high, low), one);
  Value span = arith::MulIOp::create(builder, loc, count, bytes);
  span = arith::SelectOp::create(builder, loc, isEmpty, zero, span);
  Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, source);
  Place place{toNumber(pointer), arith::MulIOp::create(builder, loc, low, bytes)};
  Value address = arith::AddIOp::create(builder, loc, place.aligned, place.first);
  if (!stage)
    stage = LLVM::ZeroOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()));
  Value write = arith::ConstantIntOp::create(builder, loc, isWritten, 1);
  stage = call(kStageName, {stage, address, span, write});
  places[memory] = place;
}

Value StageEmitter::copyOf(Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  Place place = places.lookup(memory);
  Value address = arith::AddIOp::create(builder, loc, place.aligned, place.first);
  Value copy = call(kStagedName, {stage, address, context.stream()});
  Value base = arith::SubIOp::create(builder, loc, copy, place.first);
  auto pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  Value pointer = LLVM::IntToPtrOp::create(builder, loc, pointerType, base);
  auto baseType = MemRefType::get({}, type.getElementType());
  LLVMTypeConverter converter(builder.getContext());
  Value descriptor = MemRefDescriptor::fromStaticShape(builder, loc, converter, baseType, pointer);
  auto cast = UnrealizedConversionCastOp::create(builder, loc, baseType, descriptor);
  cast->setAttr(kOfHost, builder.getUnitAttr());
  if (type == baseType)
    return cast.getResult(0);
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, memory);
  auto mixed = [&](ArrayRef<int64_t> known, ValueRange values) {
    SmallVector<OpFoldResult> numbers;
    for (auto [constant, value] : llvm::zip_equal(known, values))
      numbers.push_back(ShapedType::isDynamic(constant)
                            ? OpFoldResult(value)
                            : OpFoldResult(builder.getIndexAttr(constant)));
    return numbers;
  };
  auto [strides, offset] = type.getStridesAndOffset();
  return memref::ReinterpretCastOp::create(
      builder, loc, type, cast.getResult(0), mixed(offset, metadata.getOffset())[0],
      mixed(type.getShape(), metadata.getSizes()), mixed(strides, metadata.getStrides()));
}

Value StageEmitter::constantOfHost(Value memory) {
  Operation *own = builder.clone(*memory.getDefiningOp());
  own->setAttr(kOfHost, builder.getUnitAttr());
  return own->getResult(0);
}

void StageEmitter::end(Operation *last) {
  builder.setInsertionPointAfter(last);
  call(kUnstageName, {stage, context.stream()});
}
