//===- Epilogue.h - Where the result of an epilogue may lie -----*- C++ -*-===//
//
// The function of an epilogue on intervals instead of values. Rounding to nearest is
// monotone, so with the ends of the operands rounded as the kernel rounds its values, the
// ends of a sum, product or quotient hold every number that the kernel may have; and an
// operand that is one number gives the one number that is right. Functions that kernels
// approximate get a few units in the last place.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_REFERENCE_EPILOGUE_H
#define ROOFTILE_VERIFY_REFERENCE_EPILOGUE_H

#include "rooftile/Verify/Operands/Operand.h"

#include <string>
#include <vector>

namespace rooftile::blas {
class EpilogueOpInterface;
} // namespace rooftile::blas

namespace rooftile::verify {

/// All values from `low` to `high`; NaN at both ends is NaN, and at one of them anything.
struct Interval {
  double low = 0, high = 0;

  static Interval point(double value) { return {value, value}; }
  static Interval anything() { return {-HUGE_VAL, std::nan("")}; }
  bool isNan() const { return std::isnan(low) && std::isnan(high); }
  bool isAnything() const { return std::isnan(low) != std::isnan(high); }
  bool holds(double value) const {
    return isAnything() || (isNan() ? std::isnan(value) : low <= value && value <= high);
  }
};

/// Both ends rounded to a type.
Interval rounded(Interval interval, Element type);

/// One operation on real or truth values (0 and 1).
struct ScalarStep {
  enum Kind {
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Absolute,
    Maximum,
    Minimum,
    MaximumNumber,
    MinimumNumber,
    Compare,
    Select,
    Convert,
    Constant,
    Exp,
    Tanh,
    Erf
  } kind;
  Element type = Element::F32;   ///< of the result
  std::vector<int64_t> operands; ///< indices of earlier values
  double constant = 0;
  /// Results of a comparison for less, equal, greater and unordered operands.
  bool less = false, equal = false, greater = false, unordered = false;
};

/// A function of scalars: values are numbered, the arguments first, then one for each step.
struct ScalarProgram {
  int64_t arguments = 0;
  std::vector<ScalarStep> steps;
  std::vector<int64_t> results; ///< the components of what it yields

  bool empty() const { return results.empty(); }
  std::vector<Interval> evaluate(std::vector<Interval> values) const;
};

/// An extra operand of an epilogue.
struct ExtraOperand {
  Element element = Element::F32;
  bool isMatrix = false;
  std::vector<int64_t> dims; ///< the dimensions of C that are its own
};

/// Function of an accumulator and of an element of each extra operand, applied to the accumulators
/// before they are stored.
struct Epilogue {
  ScalarProgram function; ///< empty for none
  std::vector<ExtraOperand> extras;
};

/// Reads the epilogue of an operation, if it has one.
Epilogue readEpilogue(blas::EpilogueOpInterface op);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_REFERENCE_EPILOGUE_H
