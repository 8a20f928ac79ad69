//===- Epilogue.cpp - Where the result of an epilogue may lie -------------===//

#include "rooftile/Verify/Reference/Epilogue.h"
#include "rooftile/Dialect/Blas/Epilogue.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/ElementType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace rooftile::verify;
using namespace mlir;
using namespace rooftile;

//===----------------------------------------------------------------------===//
// Intervals
//
// Ends are doubles. What is rounded to f32 or narrower after an operation on doubles is as if
// it had been rounded once: 53 bits are more than twice 24 + 2.
//===----------------------------------------------------------------------===//

/// Relative error of the approximations of kernels in units of roundoff: about three times the
/// worst over all values of f32 (exp 5.6, tanh 4.9, erf 4.9).
static constexpr double kApproximationError = 16;

static constexpr double kNearOverflow = 1.125;

static double roundTo(double value, Element type) {
  return withReal(type, [&](auto zero) { return double(decltype(zero)(value)); });
}

Interval rooftile::verify::rounded(Interval interval, Element type) {
  return {roundTo(interval.low, type), roundTo(interval.high, type)};
}

/// The smallest interval that holds all of `values`.
static Interval hull(std::initializer_list<double> values) {
  for (double value : values)
    if (std::isnan(value))
      return Interval::anything();
  return {std::min(values), std::max(values)};
}

static Interval hull(Interval left, Interval right) {
  return hull({left.low, left.high, right.low, right.high});
}

/// Operands of arithmetic that gives NaN for NaN; true where `result` is known by that.
static bool propagates(const std::vector<Interval> &operands, Interval &result) {
  for (const Interval &operand : operands) {
    if (operand.isAnything())
      return result = operand, true;
    if (operand.isNan())
      return result = operand, true;
  }
  return false;
}

static Interval add(Interval x, Interval y) {
  double low = x.low + y.low, high = x.high + y.high;
  if (std::isnan(low) && std::isnan(high))
    return {low, high};
  return std::isnan(low) || std::isnan(high) ? Interval::anything() : Interval{low, high};
}

static Interval multiply(Interval x, Interval y) {
  bool isPoint = x.low == x.high && y.low == y.high;
  if (isPoint)
    return Interval::point(x.low * y.low);
  return hull({x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high});
}

static Interval divide(Interval x, Interval y) {
  if (x.low == x.high && y.low == y.high)
    return Interval::point(x.low / y.low);
  if (y.low <= 0 && y.high >= 0)
    return Interval::anything();
  return hull({x.low / y.low, x.low / y.high, x.high / y.low, x.high / y.high});
}

static Interval absolute(Interval x) {
  double low = std::fabs(x.low), high = std::fabs(x.high);
  bool crosses = x.low < 0 && x.high > 0;
  return {crosses ? 0 : std::min(low, high), std::max(low, high)};
}

/// A function that grows, computed with a relative error; results below normal values may be 0.
static Interval approximated(double (*function)(double), Interval x, Element type) {
  double least = 0;
  withReal(type, [&](auto zero) {
    least = std::numeric_limits<decltype(zero)>::denorm_min() / roundoff(type);
    return 0;
  });
  auto end = [&](double at, double sign) {
    double value = function(at);
    double error = kApproximationError * roundoff(type) * std::fabs(value) + least;
    if (std::isinf(roundTo(kNearOverflow * value, type)) && sign > 0)
      return HUGE_VAL; // an approximation may overflow a little early
    return std::isinf(value) ? value : value + sign * error;
  };
  return {end(x.low, -1), end(x.high, 1)};
}

static Interval extreme(const ScalarStep &step, Interval x, Interval y) {
  bool ignoresNan =
      step.kind == ScalarStep::MaximumNumber || step.kind == ScalarStep::MinimumNumber;
  if (x.isAnything() || y.isAnything())
    return Interval::anything();
  if (x.isNan() || y.isNan())
    return ignoresNan == x.isNan() ? y : x;
  if (step.kind == ScalarStep::Maximum || step.kind == ScalarStep::MaximumNumber)
    return {std::max(x.low, y.low), std::max(x.high, y.high)};
  return {std::min(x.low, y.low), std::min(x.high, y.high)};
}

/// 0, 1, or both where it depends on which values of the intervals are compared.
static Interval compare(const ScalarStep &step, Interval x, Interval y) {
  if (x.isAnything() || y.isAnything())
    return {0, 1};
  if (x.isNan() || y.isNan())
    return Interval::point(step.unordered);
  bool canLess = x.low<y.high, canGreater = x.high> y.low;
  bool canEqual = x.low <= y.high && y.low <= x.high;
  bool canTrue = (step.less && canLess) || (step.greater && canGreater) || (step.equal && canEqual);
  bool canFalse =
      (!step.less && canLess) || (!step.greater && canGreater) || (!step.equal && canEqual);
  return {canFalse ? 0.0 : 1.0, canTrue ? 1.0 : 0.0};
}

static Interval select(Interval condition, Interval x, Interval y) {
  if (condition.low == condition.high)
    return condition.low != 0 ? x : y;
  return x.isNan() && y.isNan() ? x : hull(x, y);
}

static Interval arithmetic(const ScalarStep &step, const std::vector<Interval> &x) {
  Interval result;
  if (propagates(x, result))
    return result;
  switch (step.kind) {
  case ScalarStep::Add:
    return add(x[0], x[1]);
  case ScalarStep::Subtract:
    return add(x[0], {-x[1].high, -x[1].low});
  case ScalarStep::Multiply:
    return multiply(x[0], x[1]);
  case ScalarStep::Divide:
    return divide(x[0], x[1]);
  case ScalarStep::Negate:
    return {-x[0].high, -x[0].low};
  case ScalarStep::Absolute:
    return absolute(x[0]);
  case ScalarStep::Exp:
    return approximated(std::exp, x[0], step.type);
  case ScalarStep::Tanh:
    return approximated(std::tanh, x[0], step.type);
  case ScalarStep::Erf:
    return approximated(std::erf, x[0], step.type);
  default:
    return x[0]; // a conversion
  }
}

static Interval evaluateStep(const ScalarStep &step, const std::vector<Interval> &operands) {
  switch (step.kind) {
  case ScalarStep::Constant:
    return Interval::point(step.constant);
  case ScalarStep::Compare:
    return compare(step, operands[0], operands[1]);
  case ScalarStep::Select:
    return select(operands[0], operands[1], operands[2]);
  case ScalarStep::Maximum:
  case ScalarStep::Minimum:
  case ScalarStep::MaximumNumber:
  case ScalarStep::MinimumNumber:
    return extreme(step, operands[0], operands[1]);
  default:
    return rounded(arithmetic(step, operands), step.type);
  }
}

std::vector<Interval> ScalarProgram::evaluate(std::vector<Interval> values) const {
  for (const ScalarStep &step : steps) {
    std::vector<Interval> operands;
    for (int64_t operand : step.operands)
      operands.push_back(values[operand]);
    values.push_back(evaluateStep(step, operands));
  }
  std::vector<Interval> yielded;
  for (int64_t result : results)
    yielded.push_back(values[result]);
  return yielded;
}

//===----------------------------------------------------------------------===//
// Reading the function of an operation
//
// Complex elements are two values, as in kernels.
//===----------------------------------------------------------------------===//

namespace {
/// Numbers the values of a function.
class Reader {
public:
  ScalarProgram read(Block &block);

private:
  using Numbers = SmallVector<int64_t, 2>; // one, or the components of a complex number

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

/// Results of a comparison for less, equal, greater and unordered operands: the bits of predicates.
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
  step.type = type.isInteger(1) ? Element::F32 : *elementOf(type);
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

Epilogue rooftile::verify::readEpilogue(blas::EpilogueOpInterface op) {
  Epilogue epilogue;
  if (!op.hasEpilogue())
    return epilogue;
  epilogue.function = Reader().read(op.getEpilogueBlock());
  for (auto [index, extra] : llvm::enumerate(op.getExtras())) {
    Type type = extra.getType();
    epilogue.extras.push_back({*elementOf(getElementTypeOrSelf(type)), isa<ShapedType>(type),
                               std::vector<int64_t>(op.getDimsOf(index))});
  }
  return epilogue;
}
