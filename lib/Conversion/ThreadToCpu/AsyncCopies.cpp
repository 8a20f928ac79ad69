//===- AsyncCopies.cpp - Copies that arrive at a wait, on the host --------===//
//
// The runtime keeps what each thread has on its way (lib/Runtime/CpuAsync.cpp):
//
//   rooftileCpuCopy(thread, target, source, bytes, source bytes, site)
//   rooftileCpuCommit(thread)
//   rooftileCpuWait(thread, pending groups)
//
//===----------------------------------------------------------------------===//

#include "AsyncCopies.h"
#include "Record.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;

static constexpr StringLiteral kCopy = "rooftileCpuCopy", kCommit = "rooftileCpuCommit",
                               kWait = "rooftileCpuWait";

static bool isAsyncCopy(Operation *op) {
  return isa<lane::CopyOp, lane::CommitOp, lane::WaitOp>(op);
}

LogicalResult rooftile::declareFunctions(ModuleOp module, function_ref<bool(Operation *)> calls,
                                         ArrayRef<RuntimeFunction> functions) {
  WalkResult called = module.walk(
      [&](Operation *op) { return calls(op) ? WalkResult::interrupt() : WalkResult::advance(); });
  if (!called.wasInterrupted())
    return success();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto nothing = LLVM::LLVMVoidType::get(module.getContext());
  for (auto &[name, arguments] : functions) {
    if (Operation *present = module.lookupSymbol(name))
      return present->emitOpError("takes the name '") << name << "', which compiled code calls";
    LLVM::LLVMFuncOp::create(builder, module.getLoc(), name,
                             LLVM::LLVMFunctionType::get(nothing, arguments));
  }
  return success();
}

LogicalResult rooftile::declareAsyncCopies(ModuleOp module) {
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  Type i64 = IntegerType::get(module.getContext(), 64);
  const RuntimeFunction functions[] = {{kCopy, {pointer, pointer, pointer, i64, i64, i64}},
                                       {kCommit, {pointer}},
                                       {kWait, {pointer, i64}}};
  return declareFunctions(module, isAsyncCopy, functions);
}

Value rooftile::elementAddress(OpBuilder &builder, Location loc, Value memref, Value index) {
  Type i64 = builder.getI64Type(), element = cast<MemRefType>(memref.getType()).getElementType();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  Value number = arith::IndexCastOp::create(builder, loc, i64, start);
  Value base = LLVM::IntToPtrOp::create(builder, loc, pointer, number);
  Value place = arith::IndexCastOp::create(builder, loc, i64, index);
  return LLVM::GEPOp::create(builder, loc, pointer, element, base, ArrayRef<LLVM::GEPArg>{place});
}

static void callCopy(lane::CopyOp op, Value thread) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type i64 = builder.getI64Type();
  Value bytes = LLVM::ConstantOp::create(builder, loc, i64, op.getBytes()), read = bytes;
  if (op.getFirst()) {
    Value left = arith::IndexCastOp::create(builder, loc, i64, op.getFirst());
    Value each = LLVM::ConstantOp::create(builder, loc, i64, op.getBytes() / op.getElements());
    read = arith::MinSIOp::create(builder, loc, arith::MulIOp::create(builder, loc, left, each),
                                  bytes);
  }
  if (op.getInside()) {
    Value none = LLVM::ConstantOp::create(builder, loc, i64, 0);
    read = LLVM::SelectOp::create(builder, loc, op.getInside(), read, none);
  }
  auto number = op->getAttrOfType<IntegerAttr>(kSiteName);
  Value site = LLVM::ConstantOp::create(builder, loc, i64, number ? number.getInt() : 0);
  Value target = elementAddress(builder, loc, op.getTarget(), op.getTargetIndex());
  Value source = elementAddress(builder, loc, op.getSource(), op.getSourceIndex());
  LLVM::CallOp::create(builder, loc, TypeRange(), kCopy,
                       ValueRange{thread, target, source, bytes, read, site});
}

void rooftile::callAsyncCopies(LLVM::LLVMFuncOp function, Value thread) {
  function.walk([&](Operation *op) {
    if (!isAsyncCopy(op))
      return;
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (auto copy = dyn_cast<lane::CopyOp>(op)) {
      callCopy(copy, thread);
    } else if (auto wait = dyn_cast<lane::WaitOp>(op)) {
      Value pending =
          LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), wait.getPending());
      LLVM::CallOp::create(builder, loc, TypeRange(), kWait, ValueRange{thread, pending});
    } else {
      LLVM::CallOp::create(builder, loc, TypeRange(), kCommit, ValueRange{thread});
    }
    op->erase();
  });
}
