//===- AlignmentTests.cpp - Pointers are tested before launches -----------===//

#include "rooftile/Transforms/Kernel/AlignmentTests.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// bool rooftileIsAligned(int64_t address, int64_t bytes, int64_t role): a function of the runtime.
static constexpr StringLiteral kIsAlignedName = "rooftileIsAligned";
/// bool rooftileHasRoom(int64_t present, int64_t needed): another.
static constexpr StringLiteral kHasRoomName = "rooftileHasRoom";
static constexpr int64_t kAllocationAlign = 16;

bool rooftile::needsAlignmentTest(Value memref, int64_t bytes) {
  if (bytes <= componentBytes(cast<MemRefType>(memref.getType()).getElementType()))
    return false;
  while (Value source = getViewSource(memref))
    memref = source;
  auto alloc = memref.getDefiningOp<memref::AllocOp>();
  return !alloc || alloc.getAlignment() || bytes > kAllocationAlign;
}

/// Calls a function of the runtime of i64 arguments that returns an i1.
static Value callTest(OpBuilder &builder, ModuleOp module, StringRef name, ValueRange numbers) {
  Location loc = numbers.front().getLoc();
  Type i1 = builder.getI1Type();
  if (!module.lookupSymbol(name)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto type = builder.getFunctionType(numbers.getTypes(), i1);
    func::FuncOp::create(top, module.getLoc(), name, type).setPrivate();
  }
  return func::CallOp::create(builder, loc, name, TypeRange{i1}, numbers).getResult(0);
}

Value rooftile::createAlignmentTest(OpBuilder &builder, ModuleOp module, Value pointer,
                                    int64_t bytes, int64_t role) {
  Location loc = pointer.getLoc();
  Type i64 = builder.getI64Type();
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, pointer);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  return callTest(
      builder, module, kIsAlignedName,
      {arith::IndexCastOp::create(builder, loc, i64, address), number(bytes), number(role)});
}

Value rooftile::createRoomTest(OpBuilder &builder, ModuleOp module, Value present, Value needed) {
  Location loc = needed.getLoc();
  Type i64 = builder.getI64Type();
  return callTest(builder, module, kHasRoomName,
                  {arith::IndexCastOp::create(builder, loc, i64, present),
                   arith::IndexCastOp::create(builder, loc, i64, needed)});
}

LogicalResult rooftile::checkTestNames(ModuleOp module) {
  Builder builder(module.getContext());
  for (auto [name, count] : {std::pair(kIsAlignedName, 3), std::pair(kHasRoomName, 2)}) {
    SmallVector<Type> numbers(count, builder.getI64Type());
    Operation *present = module.lookupSymbol(name);
    auto function = dyn_cast_or_null<func::FuncOp>(present);
    Type type = builder.getFunctionType(numbers, builder.getI1Type());
    if (present && !(function && function.getFunctionType() == type))
      return present->emitOpError("has the name '") << name << "', which compiled code calls";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The parts of one operation
//===----------------------------------------------------------------------===//

scf::ExecuteRegionOp rooftile::beginParts(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  builder.setInsertionPoint(op);
  auto parts = scf::ExecuteRegionOp::create(builder, loc, TypeRange());
  parts.setNoInline(true); // or canonicalization forgets what belongs together
  builder.createBlock(&parts.getRegion());
  scf::YieldOp::create(builder, loc);
  builder.setInsertionPointToStart(&parts.getRegion().front());
  return parts;
}

/// Puts what the region holds before `before`.
static void inlineParts(scf::ExecuteRegionOp parts, Block &block, Block::iterator before) {
  Block &body = parts.getRegion().front();
  body.getTerminator()->erase();
  block.getOperations().splice(before, body.getOperations());
  parts.erase();
}

void rooftile::endParts(OpBuilder &builder, scf::ExecuteRegionOp parts) {
  builder.setInsertionPointAfter(parts);
  int64_t count = 0;
  parts.walk([&](Operation *op) { count += isa<Level3OpInterface, ReduceOp, PackOp>(op); });
  if (count < 2)
    inlineParts(parts, *parts->getBlock(), parts->getIterator());
}

/// `value` computed before the region, with all that it is computed from; null where that
/// begins inside.
static Value computeBefore(OpBuilder &builder, Value value, scf::ExecuteRegionOp parts,
                           IRMapping &before) {
  if (!parts.getRegion().isAncestor(value.getParentRegion()))
    return value;
  if (Value known = before.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || !isPure(op) || op->getNumRegions() > 0)
    return {};
  for (Value operand : op->getOperands()) {
    Value outside = computeBefore(builder, operand, parts, before);
    if (!outside)
      return {};
    before.map(operand, outside);
  }
  builder.clone(*op, before);
  return before.lookup(value);
}

/// The room test repeated before the region; null where its operands are defined inside.
static Value moveRoomTest(OpBuilder &builder, func::CallOp test, scf::ExecuteRegionOp parts) {
  IRMapping before;
  SmallVector<Value> numbers;
  for (Value number : test.getOperands()) {
    numbers.push_back(computeBefore(builder, number, parts, before));
    if (!numbers.back())
      return {};
  }
  return callTest(builder, test->getParentOfType<ModuleOp>(), kHasRoomName, numbers);
}

/// The alignment test repeated before the region; null where the pointer comes to be inside.
static Value moveAlignmentTest(OpBuilder &builder, func::CallOp test, scf::ExecuteRegionOp parts) {
  auto cast = test.getOperand(0).getDefiningOp<arith::IndexCastOp>();
  auto address =
      cast ? cast.getIn().getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>() : nullptr;
  APInt bytes, role;
  if (!address || !matchPattern(test.getOperand(1), m_ConstantInt(&bytes)) ||
      !matchPattern(test.getOperand(2), m_ConstantInt(&role)))
    return {};
  Value pointer = address.getSource();
  while (parts.getRegion().isAncestor(pointer.getParentRegion())) {
    pointer = getViewSource(pointer);
    if (!pointer)
      return {};
  }
  return createAlignmentTest(builder, test->getParentOfType<ModuleOp>(), pointer,
                             bytes.getSExtValue(), role.getSExtValue());
}

/// Moves all tests, and returns their conjunction; null where there is none.
static Value moveTests(OpBuilder &builder, scf::ExecuteRegionOp parts) {
  SmallVector<func::CallOp> tests;
  parts.walk([&](func::CallOp call) {
    if (call.getCallee() == kIsAlignedName || call.getCallee() == kHasRoomName)
      tests.push_back(call);
  });
  Value all;
  for (func::CallOp test : tests) {
    bool ofRoom = test.getCallee() == kHasRoomName;
    Value moved =
        ofRoom ? moveRoomTest(builder, test, parts) : moveAlignmentTest(builder, test, parts);
    if (!moved)
      continue;
    test.getResult(0).replaceAllUsesWith(moved);
    test.erase();
    all = all ? arith::AndIOp::create(builder, parts.getLoc(), all, moved).getResult() : moved;
  }
  return all;
}

void rooftile::testBeforeParts(ModuleOp module) {
  SmallVector<scf::ExecuteRegionOp> regions; // inner ones come first
  module.walk([&](scf::ExecuteRegionOp parts) {
    if (parts.getNoInline() && parts.getNumResults() == 0 && parts.getRegion().hasOneBlock())
      regions.push_back(parts);
  });
  for (scf::ExecuteRegionOp parts : regions) {
    OpBuilder builder(parts);
    if (Value all = moveTests(builder, parts)) {
      auto branch = scf::IfOp::create(builder, parts.getLoc(), all, /*withElse=*/false);
      inlineParts(parts, *branch.thenBlock(), branch.thenBlock()->begin());
    } else {
      inlineParts(parts, *parts->getBlock(), parts->getIterator());
    }
  }
}
