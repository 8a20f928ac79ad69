//===- Peers.cpp - Shared memory of a cluster, on the host ----------------===//
//
// Blocks of a cluster lie side by side in the host's memory; the runtime lists where each
// one's shared memory begins. A place in it is as far from the beginning for all.
//
//===----------------------------------------------------------------------===//

#include "Peers.h"
#include "Coroutine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;

/// The pointer at `offset` bytes of the thread's record.
static Value loadPointer(OpBuilder &builder, Location loc, Value record, int64_t offset) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value place = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), record,
                                    ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  return LLVM::LoadOp::create(builder, loc, pointer, place);
}

/// own - beginning of own shared memory + beginning of the peer's.
static Value peerOf(OpBuilder &builder, Location loc, Value own, Value rank, Value thread) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  auto number = [&](Value address) -> Value {
    return LLVM::PtrToIntOp::create(builder, loc, i64, address);
  };
  Value shared = loadPointer(builder, loc, thread, ThreadLayout::shared);
  Value peers = loadPointer(builder, loc, thread, ThreadLayout::peers);
  Value index = arith::IndexCastOp::create(builder, loc, i64, rank);
  Value place =
      LLVM::GEPOp::create(builder, loc, pointer, pointer, peers, ArrayRef<LLVM::GEPArg>{index});
  Value peer = LLVM::LoadOp::create(builder, loc, pointer, place);
  Value distance = LLVM::SubOp::create(builder, loc, number(own), number(shared));
  return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), peer,
                             ArrayRef<LLVM::GEPArg>{distance});
}

void rooftile::replacePeers(FunctionOpInterface function, Value thread) {
  SmallVector<lane::PeerOp> ops;
  function->walk([&](lane::PeerOp op) { ops.push_back(op); });
  for (lane::PeerOp op : ops) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Type i64 = builder.getI64Type(), one = LLVM::LLVMArrayType::get(i64, 1);
    auto descriptor =
        LLVM::LLVMStructType::getLiteral(builder.getContext(), {pointer, pointer, i64, one, one});
    Value value =
        UnrealizedConversionCastOp::create(builder, loc, descriptor, op.getShared()).getResult(0);
    Value own = LLVM::ExtractValueOp::create(builder, loc, value, ArrayRef<int64_t>{1});
    Value peer = peerOf(builder, loc, own, op.getRank(), thread);
    for (int64_t field : {0, 1})
      value = LLVM::InsertValueOp::create(builder, loc, value, peer, ArrayRef<int64_t>{field});
    auto cast = UnrealizedConversionCastOp::create(builder, loc, op.getType(), value);
    op.replaceAllUsesWith(cast.getResult(0));
    op.erase();
  }
}
