//===- SearchTest.cpp - Strategies of search ------------------------------===//

#include "rooftile/Tuning/Search/Search.h"
#include "rooftile/Tuning/Search/GaussianProcess.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

using namespace rooftile::tuning;

namespace {

TEST(Search, KeysOfAPlan) {
  using Keys = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(keysOf("#blas.plan<macro = [64, 32], a = <copy = async, pad = 4>, stages = 4>"),
            (Keys{{"macro.0", "64"},
                  {"macro.1", "32"},
                  {"a.copy", "async"},
                  {"a.pad", "4"},
                  {"stages", "4"}}));
  EXPECT_EQ(keysOf("<diagonal = 64> + <stages = 4>"),
            (Keys{{"0:diagonal", "64"}, {"1:stages", "4"}}));
  EXPECT_EQ(keysOf(""), Keys{});
}

TEST(Search, DistancesCountKeys) {
  Space space({{"<macro = [64, 64], stages = 4>", 2},
               {"<macro = [64, 32], stages = 4>", 1},
               {"<macro = [64, 64]>", 3},
               {"<macro = [32, 32], stages = 2>", 4}});
  EXPECT_EQ(space[0].predicted, 1) << "by predicted time";
  EXPECT_EQ(space.distance(0, 1), 1);
  EXPECT_EQ(space.distance(1, 2), 1) << "a key that one does not have";
  EXPECT_EQ(space.distance(2, 3), 3);
  EXPECT_EQ(space.spread(3, 10), (std::vector<size_t>{0, 2, 3}));
  EXPECT_EQ(space.spread(4, 2), (std::vector<size_t>{0, 1}));
}

TEST(Search, APlanIsACandidateOnce) {
  Space space({{"<stages = 2>", 1}, {"<stages = 3>", 2}, {"<stages = 2>", 1}});
  EXPECT_EQ(space.size(), 2u);
  EXPECT_EQ(space.listed(), 2u);
  EXPECT_EQ(space[1].plan, "<stages = 3>");
}

/// The two fastest, then one with other values, which comes before the third.
TEST(Search, AMixtureHasTheFastestAndOthers) {
  Space space({{"<stages = 2, k = 8>", 1.0},
               {"<stages = 3, k = 8>", 1.1},
               {"<stages = 4, k = 8>", 1.2},
               {"<stages = 5, k = 4>", 1.4},
               {"<stages = 6, k = 2>", 1.6}});
  EXPECT_EQ(space.mixture(3), (std::vector<size_t>{0, 1, 3}));
  EXPECT_EQ(space.mixture(9), (std::vector<size_t>{0, 1, 3, 2, 4}));
  EXPECT_EQ(space.mixture(0), std::vector<size_t>{});
}

/// A guided search finds a plan that no list has, two steps beside the best that was listed.
TEST(Search, PlansBesideTheBestAreTried) {
  auto planOf = [](int stages) { return "<stages = " + std::to_string(stages) + ">"; };
  auto stagesOf = [](const std::string &plan) { return std::stoi(keysOf(plan)[0].second); };
  auto beside = [&](const std::string &plan) {
    int stages = stagesOf(plan);
    return std::vector<Candidate>{{planOf(stages - 1), 2}, {planOf(stages + 1), 2}};
  };
  Space space({{planOf(2), 2}, {planOf(3), 2}, {planOf(9), 2}}, beside);
  auto strategy = llvm::cantFail(makeStrategy("guided", space, {}));
  struct Device : Trials {
    Device(const Space &space, std::function<double(const std::string &)> time)
        : space(space), time(std::move(time)) {}
    bool run(llvm::ArrayRef<Trial> trials, Report report) override {
      for (const Trial &trial : trials) {
        std::vector<double> samples;
        for (int sample = 0; sample < trial.samples; ++sample)
          samples.push_back(time(space[trial.candidate].plan) * (1 + 0.001 * (sample % 3)));
        report(trial, {samples, NAN});
      }
      return true;
    }
    const Space &space;
    std::function<double(const std::string &)> time;
  } device(space, [&](const std::string &plan) { return 1 + 0.1 * std::abs(stagesOf(plan) - 5); });
  std::vector<Progress> progress = search(*strategy, device, {});
  EXPECT_EQ(space[progress.back().best].plan, planOf(5));
  EXPECT_EQ(space.listed(), 3u);
  std::set<std::string> plans;
  for (size_t index = 0; index < space.size(); ++index)
    EXPECT_TRUE(plans.insert(space[index].plan).second) << space[index].plan;
}

TEST(Search, APosteriorFollowsItsNeighbours) {
  auto distance = [](size_t left, size_t right) { return std::abs(int(left) - int(right)); };
  GaussianProcess none({}, distance);
  EXPECT_EQ(none.at(3).mean, 0);
  std::vector<Residual> residuals;
  for (size_t x = 0; x < 40; x += 2)
    residuals.push_back({x, 0.2 * std::sin(double(x) / 6), 1e-6});
  GaussianProcess process(residuals, distance);
  EXPECT_GT(process.correlation(), 0.7) << "neighbours are alike";
  for (size_t x = 5; x < 35; x += 2)
    EXPECT_NEAR(process.at(x).mean, 0.2 * std::sin(double(x) / 6), 0.02);
  EXPECT_LT(process.at(4).deviation, 0.1 * process.at(60).deviation);
}

TEST(Search, ImprovementIsThatOfANormalDistribution) {
  EXPECT_NEAR(expectedImprovement(0, {0, 1}), 1 / std::sqrt(2 * M_PI), 1e-12);
  EXPECT_EQ(expectedImprovement(1, {0.25, 0}), 0.75);
  EXPECT_EQ(expectedImprovement(0, {1, 0}), 0);
  EXPECT_NEAR(expectedImprovement(1, {0, 1e-6}), 1, 1e-6);
}

/// 16 x 8 x 4 plans. The model misjudges one key (its residual is the same wherever it stands), and
/// each plan a little; a tenth of all fail.
struct Bench : Trials {
  explicit Bench(uint64_t seed) : engine(seed) {
    std::normal_distribution<double> usual(0, 0.05), wide(0, 0.25);
    std::vector<double> ofStages(4), ofTile(16);
    for (double &each : ofStages)
      each = wide(engine);
    for (double &each : ofTile)
      each = usual(engine);
    std::vector<Candidate> candidates;
    for (int tile = 0; tile < 16; ++tile)
      for (int pad = 0; pad < 8; ++pad)
        for (int stages = 0; stages < 4; ++stages) {
          double predicted = 1 + 0.05 * tile + 0.02 * pad + 0.1 * stages;
          candidates.push_back(
              {llvm::formatv("<macro = [{0}, 64], pad = {1}, stages = {2}>", tile, pad, stages),
               predicted});
          times[candidates.back().plan] =
              predicted * std::exp(ofStages[stages] + ofTile[tile] + usual(engine) / 5);
        }
    space = std::make_unique<Space>(std::move(candidates));
    for (const auto &[plan, time] : times)
      best = std::min(best, time);
  }

  bool run(llvm::ArrayRef<Trial> trials,
           llvm::function_ref<void(const Trial &, const TrialResult &)> report) override {
    std::normal_distribution<double> noise(0, 0.005);
    for (const Trial &trial : trials) {
      std::vector<double> samples;
      double time = times[(*space)[trial.candidate].plan];
      for (int sample = 0; sample < trial.samples && !fails(trial.candidate); ++sample)
        samples.push_back(time * std::exp(noise(engine)));
      report(trial, {samples, NAN});
    }
    return true;
  }
  bool fails(size_t candidate) const { return failing && candidate % 10 == 3; }

  /// Time of the best of all over that of the plan that a strategy finds with a budget.
  double find(llvm::StringRef name, size_t candidates) {
    auto strategy = llvm::cantFail(makeStrategy(name, *space, {}));
    auto progress = search(*strategy, *this, {candidates});
    EXPECT_LE(progress.back().tried, candidates);
    return best / times[(*space)[progress.back().best].plan];
  }

  std::mt19937_64 engine;
  std::map<std::string, double> times;
  std::unique_ptr<Space> space;
  double best = INFINITY;
  bool failing = false;
};

/// Geometric mean over draws of what a strategy finds.
double find(llvm::StringRef name, size_t candidates) {
  double sum = 0;
  constexpr int kDraws = 30;
  for (int seed = 1; seed <= kDraws; ++seed)
    sum += std::log(Bench(seed).find(name, candidates));
  return std::exp(sum / kDraws);
}

TEST(Search, AGuidedSearchFindsTheBestWithATenth) {
  double guided = find("guided", 51), ranked = find("ranked", 51), random = find("random", 51);
  std::printf("of 512, with 51: guided %.4f, ranked %.4f, random %.4f\n", guided, ranked, random);
  EXPECT_GE(guided, 0.99);
  EXPECT_GT(guided, ranked);
  EXPECT_GT(guided, random);
}

TEST(Search, ExhaustiveTriesAll) {
  Bench bench(1);
  EXPECT_GE(bench.find("exhaustive", SIZE_MAX), 0.995);
  auto strategy = llvm::cantFail(makeStrategy("exhaustive", *bench.space, {}));
  search(*strategy, bench, {});
  EXPECT_EQ(strategy->results().tried(), bench.space->size());
}

TEST(Search, CandidatesThatFailAreLeft) {
  Bench bench(1);
  bench.failing = true;
  auto strategy = llvm::cantFail(makeStrategy("guided", *bench.space, {}));
  std::vector<Progress> progress = search(*strategy, bench, {100});
  ASSERT_FALSE(progress.empty());
  EXPECT_FALSE(bench.fails(progress.back().best));
}

TEST(Search, EqualResultsGiveEqualTrials) {
  auto run = [] {
    Bench bench(7);
    auto strategy = llvm::cantFail(makeStrategy("guided", *bench.space, {}));
    std::string text;
    for (const Progress &each : search(*strategy, bench, {60}))
      text += llvm::formatv("{0} {1} {2}\n", each.tried, each.best, each.milliseconds);
    return text;
  };
  EXPECT_EQ(run(), run());
}

TEST(Search, AnUnknownStrategyIsNamed) {
  Space space({{"<stages = 1>", 1}});
  EXPECT_EQ(llvm::toString(makeStrategy("annealing", space, {}).takeError()),
            "no strategy is called 'annealing'; there are guided, ranked, random, exhaustive");
}

} // namespace
