//===- Guided.h - A search that a model guides ------------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_SEARCH_GUIDED_H
#define ROOFTILE_TUNING_SEARCH_GUIDED_H

#include "rooftile/Tuning/Search/Strategy.h"

namespace rooftile::tuning {

/// First, by turns, the candidates that the model calls fastest and those that differ most. Then,
/// round after round, those of which most improvement is expected, by a Gaussian process on the
/// residuals of the model: plans with one other value than what measured fastest, which are added
/// to the space, and others. The fastest third of the candidates with equally many samples gets as
/// many again (successive halving, Jamieson and Talwalkar, 2016).
class Guided : public Strategy {
public:
  Guided(Space &space, const StrategyOptions &options) : Strategy(space), options(options) {}

  std::vector<Trial> ask() override;

private:
  std::vector<size_t> promising() const;
  void addFinalists(std::vector<Trial> &trials) const;

  StrategyOptions options;
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_SEARCH_GUIDED_H
