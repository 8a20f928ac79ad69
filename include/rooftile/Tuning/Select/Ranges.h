//===- Ranges.h - Sizes that a measured plan is for -------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_SELECT_RANGES_H
#define ROOFTILE_TUNING_SELECT_RANGES_H

#include "rooftile/Operation/Text.h"

#include <map>
#include <string>
#include <vector>

namespace rooftile::tuning {

/// AutoGEMM's tables of sizes, from measurements: the plan that is fastest for an operation at some
/// sizes, with kernels for all sizes, is for those around them, up to a factor of the square root
/// of two in each dimension. Where another measured operation that differs in sizes alone is
/// nearer, their ranges meet at the geometric mean of the two, in the dimension in which they
/// differ most. So no two ranges overlap.
class Ranges {
public:
  /// Adds a line of a store; only products for all sizes count.
  void add(const std::string &line);
  /// The pattern of the sizes of a line that was added.
  std::string patternOf(const std::string &line) const;

private:
  /// Operations that differ in sizes alone, by the line without these.
  std::map<std::string, std::vector<operation::Operation>> families;
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_SELECT_RANGES_H
