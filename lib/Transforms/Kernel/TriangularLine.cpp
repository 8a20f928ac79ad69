//===- TriangularLine.cpp - One line of a triangular operation ------------===//

#include "TriangularLine.h"

using namespace mlir;
using namespace rooftile;

void rooftile::solveLine(ElementMath &math, const LineFactors &factors,
                         MutableArrayRef<Components> x) {
  if (factors.scale)
    for (Components &element : x)
      element = factors.scale(element);
  int64_t count = x.size();
  for (int64_t k = 0; k < count; ++k) {
    if (!factors.unit)
      x[k] = math.divide(x[k], factors.divisor ? factors.divisor(k)
                                               : math.prepareDivisor(factors.triangle(k, k)));
    if (k + 1 == count)
      break;
    Components minus = math.negate(x[k]);
    for (int64_t i = k + 1; i < count; ++i)
      x[i] = math.multiplyAdd(factors.triangle(i, k), minus, x[i]);
  }
}

/// From the last column on: an element is not needed any more when its own column comes.
void rooftile::multiplyLine(ElementMath &math, const LineFactors &factors,
                            MutableArrayRef<Components> b) {
  int64_t count = b.size();
  for (int64_t k = count - 1; k >= 0; --k) {
    for (int64_t i = k + 1; i < count; ++i)
      b[i] = math.multiplyAdd(factors.triangle(i, k), b[k], b[i]);
    if (!factors.unit)
      b[k] = math.multiply(factors.triangle(k, k), b[k]);
  }
  if (factors.scale)
    for (Components &element : b)
      element = factors.scale(element);
}
