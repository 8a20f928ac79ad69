//===- Dispatch.cpp - Facts about a product, plans for each ---------------===//

#include "rooftile/Dialect/Blas/Blas.h"

using namespace mlir;
using namespace rooftile::blas;

using Emit = function_ref<InFlightDiagnostic()>;

LogicalResult ExtentAttr::verify(Emit emit, int64_t least, int64_t most, int64_t multiple) {
  if (least < 0 || most < 0)
    return emit() << "extent: least = " << least << ", most = " << most << " must not be negative";
  if (most != 0 && most < least)
    return emit() << "extent: least = " << least << " is more than most = " << most;
  if (multiple < 1)
    return emit() << "extent: multiple = " << multiple << " is not positive";
  return success();
}

LogicalResult GivenAttr::verify(Emit emit, ExtentAttr m, ExtentAttr n, ExtentAttr k, int64_t a,
                                int64_t b, int64_t c) {
  for (auto [name, vector] : {std::pair("a", a), std::pair("b", b), std::pair("c", c)})
    if (vector < 1 || vector > 16 || !llvm::isPowerOf2_64(vector))
      return emit() << "given: " << name << " = " << vector << " is not 1, 2, 4, 8 or 16";
  return success();
}

ExtentAttr GivenAttr::getExtent(int dim) const {
  return dim == 0 ? getM() : dim == 1 ? getN() : getK();
}

int64_t GivenAttr::getVector(int operand) const {
  return operand == 0 ? getA() : operand == 1 ? getB() : getC();
}
