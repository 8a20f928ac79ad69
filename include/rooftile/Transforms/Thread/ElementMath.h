//===- ElementMath.h - Arithmetic on elements of any type -------*- C++ -*-===//
//
// An element is its real components, one or two scalars. These functions do with them
// what kernels do with elements, in the accumulator type.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TRANSFORMS_THREAD_ELEMENTMATH_H
#define ROOFTILE_TRANSFORMS_THREAD_ELEMENTMATH_H

#include "mlir/IR/Builders.h"
#include "rooftile/Dialect/Element.h"

namespace rooftile {

/// The components of an element: a real element, or the real and the imaginary component of a
/// complex one.
using Components = llvm::SmallVector<mlir::Value, 2>;

/// The components of all elements, one after the other, as loops carry them; and the elements of
/// `components` real elements each.
llvm::SmallVector<mlir::Value> realsOf(llvm::ArrayRef<Components> elements);
llvm::SmallVector<Components> elementsOf(mlir::ValueRange parts, int64_t components);

/// Divisor of elements: a real number, or for a complex one, t, with a power of two,
/// scale, about 1 / |t|, the factor conj(scale t) / |scale t|^2: a quotient is the product of
/// a number, the factor and the scale, none of which overflows unless the quotient does.
struct Divisor {
  Components factor;
  mlir::Value scale; ///< Null of a real number that is the factor itself.
};

/// Emits arithmetic on real elements and on the components of elements.
class ElementMath {
public:
  ElementMath(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// The components of a scalar, which are constants where it is one.
  Components split(mlir::Value scalar);
  /// A real number in another width; to a narrower one it is rounded once.
  mlir::Value convert(mlir::Value number, mlir::Type type);
  mlir::Value negate(mlir::Value number);
  mlir::Value multiplyAdd(mlir::Value left, mlir::Value right, mlir::Value sum);
  /// left * right, and sum + left * right, by the definition of the complex product. A real `left`
  /// multiplies each component of a complex `right`.
  Components multiply(const Components &left, const Components &right);
  Components multiplyAdd(const Components &left, const Components &right, const Components &sum);
  Components add(const Components &left, const Components &right);
  Components negate(const Components &element);
  /// Whether `scalar`, a complex number that is no constant, is 1; null for others. BLAS multiplies
  /// nothing by it, and with complex elements that shows: infinite components would meet zeros.
  mlir::Value isOne(mlir::Value scalar);
  /// `yes` where `condition`, or where there is none `no`.
  Components choose(mlir::Value condition, const Components &yes, const Components &no);
  /// The components of an element in another width.
  Components convert(const Components &element, mlir::Type type);
  /// The divisor that divide needs for `element`.
  Divisor prepareDivisor(const Components &element);
  /// prepareDivisor for many quotients: a real number becomes an inverse and a scale as well, and
  /// each quotient is rounded twice.
  Divisor prepareInverse(const Components &element);
  /// left / right: of real divisors rounded correctly, of complex ones to a few units in the last
  /// place of the larger component, wherever the quotient is. By 0 it is infinite or NaN.
  Components divide(const Components &left, const Divisor &right);

private:
  mlir::Value powerOfTwo(mlir::Value number);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// A component of a factor, and whether the factor is conjugated.
struct FactorPart {
  int64_t part;
  bool conjugated;
  bool isNegative() const { return part == 1 && conjugated; }
};

/// Whether the product of two components is subtracted from component left ^ right of a sum.
inline bool isSubtracted(FactorPart left, FactorPart right) {
  bool ofImaginaries = left.part == 1 && right.part == 1;
  return (left.isNegative() != right.isNegative()) != ofImaginaries;
}

/// The components of a register matrix as factors of its products: converted to `type`, and
/// negated where a product needs that, each once.
class Factors {
public:
  Factors(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element, mlir::Type type,
          mlir::ValueRange registers)
      : numbers(builder, loc), type(type), components(componentsOf(element)), registers(registers),
        known(2 * registers.size()) {}

  int64_t getComponents() const { return components; }
  /// Component `part` of register `index`, or minus that.
  mlir::Value get(int64_t index, int64_t part, bool negative);

private:
  ElementMath numbers;
  mlir::Type type;
  int64_t components;
  mlir::ValueRange registers;
  llvm::SmallVector<mlir::Value> known; ///< Each component, itself and negated.
};

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_THREAD_ELEMENTMATH_H
