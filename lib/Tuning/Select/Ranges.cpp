//===- Ranges.cpp - Sizes that a measured plan is for ---------------------===//

#include "rooftile/Tuning/Select/Ranges.h"
#include "rooftile/Bench/Asked.h"
#include "rooftile/Tuning/Trial/Job.h"

#include <cmath>

using namespace rooftile;
using namespace rooftile::tuning;
using operation::Operation;
using operation::SizeRange;
using operation::SizeRanges;

namespace {
/// A size of products.
struct Dimension {
  const char *name;
  int64_t Operation::*size;
  SizeRange SizeRanges::*range;
};
} // namespace

static constexpr Dimension kDimensions[] = {{"m", &Operation::m, &SizeRanges::m},
                                            {"n", &Operation::n, &SizeRanges::n},
                                            {"k", &Operation::k, &SizeRanges::k}};

/// Text of all operations that differ in sizes and alpha alone, and of addresses whatever is
/// aligned to elements.
static std::string familyOf(Operation operation) {
  operation = operation::withAnySizes(operation);
  operation.alpha = operation::Scalar::One;
  for (int index : {0, 1, 2})
    if (int32_t &align = operation.operand(index).align; align == 0)
      align = operation::kMostAlign;
  return operation::text(operation);
}

void Ranges::add(const std::string &line) {
  auto [parsed, isDynamic] = parseLine(line);
  if (parsed && isDynamic && parsed.operation.routine == operation::Routine::Gemm)
    families[familyOf(parsed.operation)].push_back(parsed.operation);
}

static double distance(const Operation &one, const Operation &other, const Dimension &dimension) {
  return std::abs(std::log(double(one.*dimension.size) / double(other.*dimension.size)));
}

/// Leaves the side of `own`.
static void cut(SizeRanges &ranges, const Operation &own, const Operation &other) {
  const Dimension *most = kDimensions;
  for (const Dimension &each : kDimensions)
    if (distance(own, other, each) > distance(own, other, *most))
      most = &each;
  int64_t size = own.*most->size, otherSize = other.*most->size;
  auto mean = int64_t(std::sqrt(double(size) * double(otherSize)));
  SizeRange &range = ranges.*most->range;
  if (size > otherSize)
    range.least = std::max(range.least, mean + 1);
  else if (size < otherSize)
    range.most = std::min(range.most, mean);
}

std::string Ranges::patternOf(const std::string &line) const {
  Operation own = parseLine(line).parsed.operation;
  std::string family = familyOf(own);
  SizeRanges ranges = bench::rangesAround(own);
  for (const Operation &other : families.at(family))
    cut(ranges, own, other);
  std::string pattern = family;
  for (const Dimension &each : kDimensions) {
    const SizeRange &range = ranges.*each.range;
    for (auto [comparison, size] : {std::pair(">=", range.least), std::pair("<=", range.most)})
      pattern += std::string(" ") + each.name + comparison + std::to_string(size);
  }
  bool isAligned = family.find(" align=") == family.npos;
  return pattern + (isAligned ? " align=* alpha=*" : " alpha=*");
}
