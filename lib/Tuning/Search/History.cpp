//===- History.cpp - Samples of all candidates ----------------------------===//

#include "rooftile/Tuning/Search/Strategy.h"
#include "rooftile/Tuning/Store/Measurement.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace rooftile::tuning;

/// Deviation of one sample from the next, over the median, where there are too few to tell.
static constexpr double kDeviation = 0.01;

void History::add(size_t candidate, llvm::ArrayRef<double> milliseconds) {
  if (!isTried(candidate))
    order.push_back(candidate);
  if (milliseconds.empty())
    failed[candidate] = true;
  llvm::append_range(samples[candidate], milliseconds);
}

double History::milliseconds(size_t candidate) const { return median(samples[candidate]); }

double History::noise(size_t candidate) const {
  // The median absolute deviation of a normal distribution is 0.6745 of its standard deviation, and
  // its median varies pi / 2 times as much as its mean.
  constexpr double kOfDeviation = 0.6745;
  const std::vector<double> &own = samples[candidate];
  double middle = milliseconds(candidate), deviation = kDeviation;
  std::vector<double> distances;
  for (double sample : own)
    distances.push_back(std::abs(std::log(sample / middle)));
  if (own.size() > 2)
    deviation = std::max(median(distances) / kOfDeviation, kDeviation / 10);
  return deviation * deviation * M_PI / 2 / double(std::max<size_t>(own.size(), 1));
}

std::vector<size_t> History::ranked() const {
  std::vector<size_t> result;
  for (size_t candidate : order)
    if (!failed[candidate])
      result.push_back(candidate);
  llvm::sort(result, [&](size_t left, size_t right) {
    return std::pair(milliseconds(left), left) < std::pair(milliseconds(right), right);
  });
  return result;
}
