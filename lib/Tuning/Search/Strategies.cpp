//===- Strategies.cpp - Strategies by their names -------------------------===//

#include "Guided.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <random>

using namespace rooftile::tuning;
using llvm::StringRef;

namespace {
/// All candidates in an order that does not depend on results.
class InOrder : public Strategy {
public:
  InOrder(Space &space, std::vector<size_t> order, const StrategyOptions &options)
      : Strategy(space), order(std::move(order)), options(options) {}

  std::vector<Trial> ask() override {
    std::vector<Trial> trials;
    for (int added = 0; added < options.round && next < order.size(); ++added)
      trials.push_back({order[next++], options.manySamples});
    return trials;
  }

private:
  std::vector<size_t> order;
  size_t next = 0;
  StrategyOptions options;
};
} // namespace

using Made = std::unique_ptr<Strategy>;

static Made makeGuided(Space &space, const StrategyOptions &options) {
  return std::make_unique<Guided>(space, options);
}

static std::vector<size_t> byPrediction(const Space &space) {
  std::vector<size_t> order(space.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

static Made makeRanked(Space &space, const StrategyOptions &options) {
  return std::make_unique<InOrder>(space, byPrediction(space), options);
}

static Made makeRandom(Space &space, const StrategyOptions &options) {
  std::vector<size_t> order = byPrediction(space);
  std::mt19937_64 engine(options.seed);
  for (size_t left = order.size(); left > 1; --left)
    std::swap(order[left - 1], order[engine() % left]);
  return std::make_unique<InOrder>(space, std::move(order), options);
}

namespace {
struct Named {
  llvm::StringLiteral name;
  Made (*make)(Space &, const StrategyOptions &);
};
} // namespace

static constexpr Named kStrategies[] = {{"guided", makeGuided},
                                        {"ranked", makeRanked},
                                        {"random", makeRandom},
                                        {"exhaustive", makeRanked}};

llvm::Expected<Made> rooftile::tuning::makeStrategy(StringRef name, Space &space,
                                                    const StrategyOptions &options) {
  for (const Named &strategy : kStrategies)
    if (strategy.name == name)
      return strategy.make(space, options);
  std::string names;
  for (const Named &strategy : kStrategies)
    names += (names.empty() ? "" : ", ") + strategy.name.str();
  return llvm::createStringError("no strategy is called '" + name + "'; there are " + names);
}
