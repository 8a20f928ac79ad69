//===- CheckEpilogue.cpp - An element behind its epilogue -----------------===//

#include "Check.h"

using namespace rooftile::run;

/// The parts of the element of an extra operand that belongs to (batch, i, j) of C.
static void appendElement(const ProductExtra &extra, int64_t batch, int64_t i, int64_t j,
                          std::vector<Interval> &values) {
  int64_t parts = componentsOf(extra.element);
  double scalar[] = {extra.scalar.real(), extra.scalar.imag()};
  for (int64_t part = 0; part < parts; ++part) {
    double value = scalar[part];
    if (extra.data)
      value = withReal(extra.element, [&](auto zero) {
        auto *numbers = static_cast<const decltype(zero) *>(extra.data);
        return double(numbers[extra.walk.at(batch, i, j) * parts + part]);
      });
    values.push_back(Interval::point(value));
  }
}

std::vector<Interval> rooftile::run::applyEpilogue(const Product &product, int64_t batch, int64_t i,
                                                   int64_t j, std::vector<Interval> sums) {
  for (const ProductExtra &extra : product.extras)
    appendElement(extra, batch, i, j, sums);
  std::vector<Interval> results = product.epilogue->evaluate(std::move(sums));
  for (Interval &result : results)
    result = rounded(result, product.element);
  return results;
}
