//===- EpilogueFunction.cpp - The function of an epilogue, written out ----===//
//
// A copy of each operation for each element. With the 24 bits of f32 a sum, product or
// quotient of two values of at most 11 bits rounds to these as if it had been
// rounded once, so narrow types need no arithmetic of their own.
//
//===----------------------------------------------------------------------===//

#include "Update.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/BuiltinTypes.h"
#include "rooftile/Transforms/Thread/ElementMath.h"

using namespace mlir;
using namespace rooftile;

namespace {
class Function {
public:
  Function(OpBuilder &builder, Location loc) : builder(builder), loc(loc), numbers(builder, loc) {}

  Components apply(Block &block, ArrayRef<Components> arguments);

private:
  Components emit(Operation &op);
  Components emitComplex(Operation &op);
  Value clone(Operation &op, int64_t part);

  OpBuilder &builder;
  Location loc;
  ElementMath numbers;
  llvm::DenseMap<Value, Components> known;
};
} // namespace

static bool isNarrow(Type type) { return type.isF16() || type.isBF16(); }

/// Operations that only move or convert elements accept narrow ones as they are.
static bool computes(Operation &op) {
  return !isa<arith::ConstantOp, arith::SelectOp, arith::ExtFOp, arith::TruncFOp>(op);
}

/// The operation on component `part` of its operands.
Value Function::clone(Operation &op, int64_t part) {
  Type type = realTypeOf(op.getResult(0).getType()), f32 = builder.getF32Type();
  bool narrow = computes(op) && llvm::any_of(op.getOperandTypes(), isNarrow);
  SmallVector<Value> operands;
  for (Value operand : op.getOperands()) {
    const Components &components = known.find(operand)->second;
    Value value = components[components.size() == 1 ? 0 : part];
    operands.push_back(narrow && isNarrow(value.getType()) ? numbers.convert(value, f32) : value);
  }
  OperationState state(loc, op.getName());
  state.addOperands(operands);
  state.addTypes(narrow && isNarrow(type) ? f32 : type);
  state.attributes = op.getAttrs();
  Value result = builder.create(state)->getResult(0);
  return narrow && isNarrow(type) ? numbers.convert(result, type) : result;
}

/// Operations of the dialect complex, on components.
Components Function::emitComplex(Operation &op) {
  auto operand = [&](int64_t index) -> const Components & {
    return known.find(op.getOperand(index))->second;
  };
  if (isa<complex::ConstantOp>(op))
    return numbers.split(builder.clone(op)->getResult(0));
  if (isa<complex::CreateOp>(op))
    return {operand(0)[0], operand(1)[0]};
  if (isa<complex::ReOp>(op))
    return {operand(0)[0]};
  if (isa<complex::ImOp>(op))
    return {operand(0)[1]};
  if (isa<complex::ConjOp>(op))
    return {operand(0)[0], numbers.negate(operand(0)[1])};
  if (isa<complex::NegOp>(op))
    return {numbers.negate(operand(0)[0]), numbers.negate(operand(0)[1])};
  Components result;
  for (int part : {0, 1}) {
    Value left = operand(0)[part], right = operand(1)[part];
    result.push_back(isa<complex::AddOp>(op)
                         ? arith::AddFOp::create(builder, loc, left, right).getResult()
                         : arith::SubFOp::create(builder, loc, left, right).getResult());
  }
  return result;
}

Components Function::emit(Operation &op) {
  if (isa<complex::ComplexDialect>(op.getDialect()))
    return emitComplex(op);
  Components result;
  for (int64_t part = 0; part < componentsOf(op.getResult(0).getType()); ++part)
    result.push_back(clone(op, part));
  return result;
}

Components Function::apply(Block &block, ArrayRef<Components> arguments) {
  for (auto [argument, components] : llvm::zip(block.getArguments(), arguments))
    known[argument] = components;
  for (Operation &op : block.without_terminator())
    known[op.getResult(0)] = emit(op);
  return known[block.back().getOperand(0)];
}

Components rooftile::applyFunction(OpBuilder &builder, Location loc, Block &block,
                                   ArrayRef<Components> arguments) {
  return Function(builder, loc).apply(block, arguments);
}
