//===- Array.h - Arrays of elements of any type -----------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_OPERANDS_ARRAY_H
#define ROOFTILE_VERIFY_OPERANDS_ARRAY_H

#include "rooftile/Verify/Operands/Element.h"
#include "rooftile/Verify/Operands/Memory.h"

#include "mlir/IR/BuiltinTypes.h"

#include <functional>
#include <string>
#include <vector>

namespace rooftile::verify {

/// Whether elements of this type can be written and read here: integers of at most 64 bits, index,
/// and floats of any format up to f64, or complex values of such.
bool canEncode(mlir::Type type);

/// Bytes of an element in a memref.
int64_t storedBytes(mlir::Type type);

/// Writes `value`, rounded to the nearest value of the type; of integers the real component.
void encode(mlir::Type type, Scalar value, void *to);

/// Value of an element; integers beyond 2^53 are rounded, so they are compared by their bytes.
Scalar decode(mlir::Type type, const void *from);

/// Half the distance from 1 to the next number of a float, or of the components of a complex
/// number.
double roundoffOfType(mlir::Type type);

/// The elements of a memref or a scalar in order, the last index fastest.
struct Array {
  mlir::Type element;
  std::vector<int64_t> sizes; ///< empty for a scalar
  std::vector<char> bytes;
};

/// Copies the elements that a memref descriptor names.
Array readArray(DeviceKind device, mlir::MemRefType type, const int64_t *descriptor);

/// Gives the elements the values that `next` returns, in order.
void writeArray(DeviceKind device, mlir::MemRefType type, const int64_t *descriptor,
                const std::function<Scalar()> &next);

/// The largest magnitude of a finite component of a float; 0 for integers.
double largestIn(const Array &array);

/// Distance of an array from the right one.
struct Distance {
  bool equal = true;    ///< every element, by its value; NaN is equal to NaN
  double worst = 0;     ///< largest |x - reference|; infinite where only one is a number
  std::string place;    ///< "[3, 4] is 1.5, loops have 1.25" of the worst element
  bool useless = false; ///< floats of which the reference has nothing but NaN
};

/// Compares two arrays of one element type and of the same sizes.
Distance distanceOf(const Array &array, const Array &reference);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_OPERANDS_ARRAY_H
