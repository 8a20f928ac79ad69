//===- Outcome.cpp - Figures of one operation -----------------------------===//

#include "rooftile/Verify/Engine/Session.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace rooftile::verify;

double Outcome::flops() const {
  double products = double(batch) * m * n * k;
  if (site->triangle || site->sums)
    return products;
  return 2 * products * componentsOf(site->elementA) * componentsOf(site->elementB);
}

double Outcome::bound(const Roofline &roofline) const {
  double peak = realOf(site->sum) == Element::F64 ? roofline.flopsF64 : roofline.flopsF32;
  if (peak <= 0 || roofline.readBytes <= 0 || roofline.writeBytes <= 0)
    return 0;
  double elementsA = (site->triangle ? k / 2.0 : double(m)) * k * (sharedA ? 1 : batch);
  double elementsB = site->triangle ? 0 : double(k) * n * (sharedB ? 1 : batch);
  double elementsC = double(m) * n * batch;
  if (site->sums)
    elementsA = elementsC * k, elementsB = 0;
  double bytesOfC = elementsC * bytesOf(site->element);
  double read = elementsA * bytesOf(site->elementA) + elementsB * bytesOf(site->elementB) +
                (readsC || site->triangle ? bytesOfC : 0);
  double memory = read / roofline.readBytes + bytesOfC / roofline.writeBytes;
  return std::max(flops() / peak, memory);
}

double Outcome::median() const {
  if (milliseconds.empty())
    return 0;
  std::vector<double> sorted = milliseconds;
  std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
  return sorted[sorted.size() / 2];
}

std::string Outcome::planText() const {
  return plans.empty() ? (site->copies ? "copy"
                          : site->sums ? "sum of slices"
                                       : "folded")
                       : "plan " + llvm::join(plans, " + ");
}
