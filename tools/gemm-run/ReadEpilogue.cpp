//===- ReadEpilogue.cpp - The function of an epilogue as a program --------===//
//
// Complex numbers are two values, as in kernels.
//
//===----------------------------------------------------------------------===//

#include "Instrument.h"
#include "rooftile/Dialect/Blas/Epilogue.h"
#include "rooftile/Dialect/Element.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::run;

namespace {
/// Numbers the values of a function.
class Reader {
public:
  ScalarProgram read(Block &block);

private:
  using Numbers = SmallVector<int64_t, 2>; // one, or the parts of a complex number

  int64_t add(ScalarStep step);
  int64_t addPart(mlir::Operation &op, ScalarStep::Kind kind, int64_t part);
  Numbers readComplex(mlir::Operation &op);
  Numbers readConstant(mlir::Operation &op);
  Numbers read(mlir::Operation &op);

  ScalarProgram program;
  llvm::DenseMap<Value, Numbers> known;
};
} // namespace

static ScalarStep::Kind kindOf(mlir::Operation &op) {
  using Step = ScalarStep;
  return llvm::TypeSwitch<mlir::Operation *, ScalarStep::Kind>(&op)
      .Case<arith::AddFOp, complex::AddOp>([](auto) { return Step::Add; })
      .Case<arith::SubFOp, complex::SubOp>([](auto) { return Step::Subtract; })
      .Case<arith::MulFOp>([](auto) { return Step::Multiply; })
      .Case<arith::DivFOp>([](auto) { return Step::Divide; })
      .Case<arith::NegFOp, complex::NegOp>([](auto) { return Step::Negate; })
      .Case<math::AbsFOp>([](auto) { return Step::Absolute; })
      .Case<arith::MaximumFOp>([](auto) { return Step::Maximum; })
      .Case<arith::MinimumFOp>([](auto) { return Step::Minimum; })
      .Case<arith::MaxNumFOp>([](auto) { return Step::MaximumNumber; })
      .Case<arith::MinNumFOp>([](auto) { return Step::MinimumNumber; })
      .Case<arith::CmpFOp>([](auto) { return Step::Compare; })
      .Case<arith::SelectOp>([](auto) { return Step::Select; })
      .Case<math::ExpOp>([](auto) { return Step::Exp; })
      .Case<math::TanhOp>([](auto) { return Step::Tanh; })
      .Case<math::ErfOp>([](auto) { return Step::Erf; })
      .Default([](auto) { return Step::Convert; }); // extf, truncf
}

int64_t Reader::add(ScalarStep step) {
  program.steps.push_back(std::move(step));
  return program.arguments + program.steps.size() - 1;
}

/// What a comparison is for less, equal, greater and unordered operands: the bits of predicates.
static void setPredicate(ScalarStep &step, arith::CmpFPredicate predicate) {
  auto bits = static_cast<unsigned>(predicate); // AlwaysFalse 0, OEQ 1, OGT 2, .. UNO, AlwaysTrue
  static constexpr const char *kTrueFor[] = {"",   "=",  ">",   ">=", "<",   "<=",  "<>", "<=>",
                                             "=u", ">u", ">=u", "<u", "<=u", "<>u", "u",  "<=>u"};
  llvm::StringRef holds = kTrueFor[bits];
  step.less = holds.contains('<'), step.equal = holds.contains('=');
  step.greater = holds.contains('>'), step.unordered = holds.contains('u');
}

int64_t Reader::addPart(mlir::Operation &op, ScalarStep::Kind kind, int64_t part) {
  ScalarStep step;
  step.kind = kind;
  Type type = realTypeOf(op.getResult(0).getType());
  step.type = type.isInteger(1) ? Element::F32 : elementOf(type);
  for (Value operand : op.getOperands()) {
    const Numbers &numbers = known.find(operand)->second;
    step.operands.push_back(numbers[numbers.size() == 1 ? 0 : part]);
  }
  if (auto comparison = dyn_cast<arith::CmpFOp>(op))
    setPredicate(step, comparison.getPredicate());
  return add(std::move(step));
}

Reader::Numbers Reader::readConstant(mlir::Operation &op) {
  auto constant = [&](Attribute value) {
    ScalarStep step;
    step.kind = ScalarStep::Constant;
    if (auto real = dyn_cast<FloatAttr>(value))
      step.constant = real.getValueAsDouble();
    else
      step.constant = cast<IntegerAttr>(value).getValue().getBoolValue();
    return add(std::move(step));
  };
  if (auto real = dyn_cast<arith::ConstantOp>(op))
    return {constant(real.getValue())};
  Numbers parts;
  for (Attribute part : cast<complex::ConstantOp>(op).getValue())
    parts.push_back(constant(part));
  return parts;
}

Reader::Numbers Reader::readComplex(mlir::Operation &op) {
  auto operand = [&](int64_t index) -> const Numbers & {
    return known.find(op.getOperand(index))->second;
  };
  if (isa<complex::CreateOp>(op))
    return {operand(0)[0], operand(1)[0]};
  if (isa<complex::ReOp>(op))
    return {operand(0)[0]};
  if (isa<complex::ImOp>(op))
    return {operand(0)[1]};
  if (isa<complex::ConjOp>(op)) {
    int64_t re = operand(0)[0];
    return {re, addPart(op, ScalarStep::Negate, 1)};
  }
  int64_t re = addPart(op, kindOf(op), 0);
  return {re, addPart(op, kindOf(op), 1)};
}

Reader::Numbers Reader::read(mlir::Operation &op) {
  if (isa<arith::ConstantOp, complex::ConstantOp>(op))
    return readConstant(op);
  if (isa<complex::ComplexDialect>(op.getDialect()))
    return readComplex(op);
  Numbers numbers;
  for (int64_t part = 0; part < componentsOf(op.getResult(0).getType()); ++part)
    numbers.push_back(addPart(op, kindOf(op), part));
  return numbers;
}

ScalarProgram Reader::read(Block &block) {
  for (BlockArgument argument : block.getArguments())
    for (int64_t part = 0; part < componentsOf(argument.getType()); ++part)
      known[argument].push_back(program.arguments++);
  for (mlir::Operation &op : block.without_terminator()) {
    Numbers numbers = read(op);
    known[op.getResult(0)] = numbers;
  }
  Numbers results = known[block.back().getOperand(0)];
  program.results.assign(results.begin(), results.end());
  return std::move(program);
}

void rooftile::run::readEpilogue(blas::EpilogueOpInterface op, Site &site) {
  if (!op.hasEpilogue())
    return;
  site.epilogue = Reader().read(op.getEpilogueBlock());
  for (auto [index, extra] : llvm::enumerate(op.getExtras())) {
    Type type = extra.getType();
    site.extras.push_back({elementOf(getElementTypeOrSelf(type)), isa<ShapedType>(type),
                           std::vector<int64_t>(op.getDimsOf(index))});
  }
}
