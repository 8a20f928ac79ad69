//===- ReplayTest.cpp - Searches in a store -------------------------------===//

#include "rooftile/Tuning/Trial/Replay.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace rooftile::tuning;

namespace {

/// 8 x 8 plans of an operation; the fastest is <tile = 2, stages = 5>, and every seventh is wrong.
std::vector<Measurement> measurements() {
  std::vector<Measurement> all;
  for (int tile = 0; tile < 8; ++tile)
    for (int stages = 0; stages < 8; ++stages) {
      Measurement each;
      each.operation = "v1 gemm type=f32 op=nn m=64 n=64 k=64";
      each.plan = llvm::formatv("<tile = {0}, stages = {1}>", tile, stages);
      each.environment = {"h200", "NVIDIA H200", "CUDA 13.0", "Rooftile 2", "0", 1};
      each.predicted = 1 + 0.1 * tile + 0.05 * std::abs(stages - 4);
      double time = 1 + 0.1 * std::abs(tile - 2) + 0.05 * std::abs(stages - 5);
      each.samples = {2 * time, 2 * time, 2 * time};
      each.baselineBefore = each.baselineAfter = 2;
      each.date = "2026-11-27T10:00:00Z";
      if ((8 * tile + stages) % 7 == 6)
        each.outcome = Outcome::Wrong;
      all.push_back(each);
    }
  return all;
}

TEST(Replay, ARecordingIsOfOneEnvironment) {
  std::vector<Measurement> all = measurements();
  Measurement old = all.front();
  old.environment.compiler = "Rooftile 1";
  old.date = "2026-11-20T10:00:00Z";
  old.plan = "<tile = 9, stages = 0>";
  all.push_back(old);
  Recording recording(all);
  EXPECT_EQ(recording.space().size(), 64u);
  EXPECT_EQ(recording.best(), 1) << "over the baseline's time";
}

TEST(Replay, SamplesAreGivenInTheirOrder) {
  std::vector<Measurement> all = measurements();
  all.resize(1);
  all[0].samples = {2, 4, 6};
  Recording recording(all);
  Replay replay(recording);
  std::vector<double> given;
  auto report = [&](const Trial &, const TrialResult &result) {
    for (double sample : result.samples)
      given.push_back(sample / recording.space()[0].predicted);
    EXPECT_EQ(result.baselineMs, 2);
  };
  EXPECT_TRUE(replay.run({{0, 2}, {0, 2}}, report));
  EXPECT_EQ(given, (std::vector<double>{1, 2, 3, 1}));
}

TEST(Replay, StrategiesAreCompared) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("rooftile-replay", folder));
  {
    Store store = llvm::cantFail(Store::open((folder + "/a.store").str(), Access::Write));
    for (const Measurement &each : measurements())
      llvm::cantFail(store.add(each));
    auto compare = [&](std::vector<std::string> strategies, double share, size_t least) {
      return llvm::cantFail(compareStrategies(store, strategies, share, least));
    };
    std::vector<Regret> first = compare({"exhaustive", "guided", "ranked"}, 0.25, 64);
    ASSERT_EQ(first.size(), 3u);
    EXPECT_EQ(first[1].found, 1) << "of 16 trials";
    EXPECT_LE(first[1].tried, 16);
    EXPECT_LT(first[2].found, 1);
    EXPECT_EQ(compare({"guided"}, 0.25, 64)[0].found, first[1].found);
    EXPECT_EQ(compare({"exhaustive"}, 1, 64)[0].found, 1);
    EXPECT_EQ(compare({"guided"}, 1, 65)[0].operations, 0u);
    std::string luck = "luck";
    EXPECT_EQ(llvm::toString(compareStrategies(store, luck, 1.0, 1).takeError()),
              "no strategy is called 'luck'; there are guided, ranked, random, exhaustive");
  }
  llvm::sys::fs::remove_directories(folder);
}

} // namespace
