//===- RuntimeTest.cpp - What host code tests before a launch -------------===//

#include "rooftile/Transforms/RuntimeTest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// bool rooftileIsAligned(int64_t address, int64_t bytes, int64_t role)
static constexpr StringLiteral kIsAlignedName = "rooftileIsAligned";
/// bool rooftileHasRoom(int64_t present, int64_t needed)
static constexpr StringLiteral kHasRoomName = "rooftileHasRoom";
/// What an allocation is aligned to at least, in bytes: by malloc as by the driver of a GPU.
static constexpr int64_t kAllocationAlign = 16;

/// Calls a function of the runtime that takes i64 numbers and returns an i1.
static Value callTest(OpBuilder &builder, Location loc, StringRef name, ValueRange numbers) {
  Type i1 = builder.getI1Type();
  return func::CallOp::create(builder, loc, name, TypeRange{i1}, numbers).getResult(0);
}

static void declareTest(ModuleOp module, StringRef name, size_t numbers) {
  if (module.lookupSymbol(name))
    return;
  OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<Type> inputs(numbers, top.getI64Type());
  auto type = top.getFunctionType(inputs, top.getI1Type());
  func::FuncOp::create(top, module.getLoc(), name, type).setPrivate();
}

static bool isAllocated(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  auto alloc = memref.getDefiningOp<memref::AllocOp>();
  return alloc && !alloc.getAlignment();
}

std::optional<UntestedPointer> rooftile::untestedPointer(Value memref, Value pointer,
                                                         ArgAttr argument) {
  int64_t bytes = cast<MemRefType>(memref.getType()).getElementTypeBitWidth() / 8;
  if (argument.getAlign() <= bytes ||
      (argument.getAlign() <= kAllocationAlign && isAllocated(memref)))
    return std::nullopt;
  return UntestedPointer{pointer, argument};
}

Value rooftile::testAlignment(OpBuilder &builder, ModuleOp module,
                              ArrayRef<UntestedPointer> pointers) {
  Value result;
  for (auto [pointer, argument] : pointers) {
    Location loc = pointer.getLoc();
    Type i64 = builder.getI64Type();
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(builder, loc, value, 64);
    };
    declareTest(module, kIsAlignedName, 3);
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, pointer);
    Value fits =
        callTest(builder, loc, kIsAlignedName,
                 {arith::IndexCastOp::create(builder, loc, i64, address),
                  number(argument.getAlign()), number(static_cast<int64_t>(argument.getRole()))});
    result = result ? arith::AndIOp::create(builder, loc, result, fits).getResult() : fits;
  }
  return result;
}

Value rooftile::testRoom(OpBuilder &builder, ModuleOp module, Value present, Value needed) {
  Location loc = needed.getLoc();
  Type i64 = builder.getI64Type();
  declareTest(module, kHasRoomName, 2);
  return callTest(builder, loc, kHasRoomName,
                  {arith::IndexCastOp::create(builder, loc, i64, present),
                   arith::IndexCastOp::create(builder, loc, i64, needed)});
}
