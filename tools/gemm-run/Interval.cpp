//===- Interval.cpp - Where the result of an epilogue may lie -------------===//
//
// Ends are doubles. What is rounded to f32 or narrower after an operation on doubles is as if
// it had been rounded once: 53 bits are more than twice 24 + 2.
//
//===----------------------------------------------------------------------===//

#include "Interval.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace rooftile::run;

/// Relative error of the approximations of kernels in units of roundoff: about three times the
/// worst over all numbers of f32 (exp 5.6, tanh 4.9, erf 4.9).
static constexpr double kApproximationError = 16;

static constexpr double kNearOverflow = 1.125;

static double roundTo(double value, Element type) {
  return withReal(type, [&](auto zero) { return double(decltype(zero)(value)); });
}

Interval rooftile::run::rounded(Interval interval, Element type) {
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

/// A function that grows, computed with a relative error; results below normal numbers may be 0.
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

/// 0, 1, or both where it depends on which numbers of the intervals are compared.
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
