//===- Multiples.cpp - What divides the offsets of views ------------------===//
//
// An access of several elements asks for an offset that they divide. Offsets of slices are counted
// by loops, whose bounds and steps say it; while operations are converted these are out of reach,
// so that views carry it as an attribute.
//
//===----------------------------------------------------------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// A number that divides `value` whenever it is computed; 0 where it is always 0.
static int64_t divisorOf(Value value) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return std::abs(*known);
  if (auto loop = scf::getForInductionVarOwner(value))
    return std::gcd(divisorOf(loop.getLowerBound()), divisorOf(loop.getStep()));
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return std::gcd(divisorOf(sum.getLhs()), divisorOf(sum.getRhs()));
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    return std::lcm(divisorOf(product.getLhs()), divisorOf(product.getRhs()));
  if (auto either = value.getDefiningOp<arith::SelectOp>())
    return std::gcd(divisorOf(either.getTrueValue()), divisorOf(either.getFalseValue()));
  return 1;
}

void rooftile::markMultiples(gpu::GPUFuncOp kernel) {
  Builder builder(kernel.getContext());
  kernel.walk([&](ViewOp view) {
    view->setAttr(kMultiplesName, builder.getDenseI64ArrayAttr(
                                      {divisorOf(view.getRow()), divisorOf(view.getColumn())}));
  });
}
