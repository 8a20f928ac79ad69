//===- TrialsTest.cpp - Trials whose kernels or files fail ----------------===//

#include "rooftile/Tuning/Trial/DeviceTrials.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

using namespace rooftile;
using namespace rooftile::tuning;

namespace {

/// A worker by which all kernels are right, and equally fast.
const char *const kProgram = R"(
import json, sys
for line in sys.stdin:
    job = json.loads(line)
    for index in range(len(job["kernels"])):
        print(json.dumps({"step": "result", "kernel": index, "verified": True,
                          "samples": [1.0] * job["samples"]}), flush=True)
    print(json.dumps({"step": "done"}), flush=True)
)";

/// Plans whose names are what becomes of them: `broken` sources fail, `refused` ones have no
/// kernel, and the kernel of others is their name without digits.
struct Named : KernelSource {
  llvm::Expected<PlanKernel> kernelOf(const std::string &plan) override {
    if (plan == "broken")
      return llvm::createStringError("the source is broken");
    if (plan == "refused")
      return PlanKernel{"", "too many registers"};
    return PlanKernel{llvm::StringRef(plan).rtrim("0123456789").str(), ""};
  }
};

struct TrialsTest : ::testing::Test {
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("rooftile-trials", folder));
    file = (folder + "/a.store").str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  /// Tries plans, the first of which is the baseline, with files in `kernels`. Returns the error,
  /// or for each plan that was reported its name and the number of its samples, or why it has none.
  std::string tried(std::vector<std::string> plans, const std::string &kernels) {
    std::vector<Candidate> candidates;
    for (const std::string &plan : plans)
      candidates.push_back({plan, 1.0 + double(candidates.size())});
    Space space(candidates);
    SharedWorker shared{Worker({"python3", "-c", kProgram}, {}),
                        llvm::cantFail(Store::open(file, Access::Write)),
                        {"h200", "NVIDIA H200", "CUDA 13.0", "Rooftile", "0123", 1},
                        kernels,
                        std::chrono::steady_clock::now() + std::chrono::hours(1),
                        {}};
    Named source;
    DeviceTrials trials(shape, space, source, shared);
    std::vector<Trial> all;
    for (size_t candidate = 0; candidate < space.size(); ++candidate)
      all.push_back({candidate, 2});
    std::string text;
    trials.run(all, [&](const Trial &trial, const TrialResult &result) {
      std::string why = !result.sameAs.empty() ? "as " + result.sameAs : result.why;
      text += space[trial.candidate].plan + ":" +
              (why.empty() ? std::to_string(result.samples.size()) : why) + " ";
    });
    return trials.whyNot().empty() ? text : trials.whyNot();
  }
  /// Plans of the store and their outcomes.
  std::string stored() {
    std::string text;
    Store store = llvm::cantFail(Store::open(file, Access::Read));
    for (const Measurement &each : llvm::cantFail(store.read()))
      text += each.plan + ":" + nameOf(each.outcome).str() + " ";
    return text;
  }

  llvm::SmallString<128> folder;
  std::string file;
  bench::Shape shape = llvm::cantFail(bench::Shape::parse("f32 nn 8x8x8"));
};

TEST_F(TrialsTest, RefusedPlansAndEqualKernelsAreNoTrials) {
  EXPECT_EQ(tried({"a", "b", "refused", "b2"}, folder.str().str()),
            "refused:refused: too many registers b2:as b a:2 b:2 ");
  EXPECT_EQ(tried({"a", "refused", "b2"}, folder.str().str()),
            "a:2 refused:refused: too many registers b2:as b ")
      << "by the store";
  EXPECT_EQ(stored(), "a:right b:right refused:refused ");
}

/// For all sizes a plan makes another kernel.
TEST_F(TrialsTest, KernelsForAllSizesAreMeasuredApart) {
  EXPECT_EQ(tried({"a", "b"}, folder.str().str()), "a:2 b:2 ");
  shape = llvm::cantFail(bench::Shape::parse("f32 nn 8x8x8 dynamic"));
  EXPECT_EQ(tried({"a", "b"}, folder.str().str()), "a:2 b:2 ");
  EXPECT_EQ(stored(), "a:right b:right a:right b:right ");
  Store store = llvm::cantFail(Store::open(file, Access::Read));
  const char *line = "v1 gemm type=f32 op=nn m=8 n=8 k=8 dynamic";
  EXPECT_EQ(llvm::cantFail(store.read({line, ""})).size(), 2u);
  EXPECT_EQ(lineOf(shape), line);
  EXPECT_TRUE(parseLine(line).isDynamic && parseLine(line).parsed);
  EXPECT_EQ(withoutRepeats({shape, shape}).size(), 1u);
}

/// Nothing about a plan: another search tries it.
TEST_F(TrialsTest, FailuresOfFilesAndSourcesAreNotRecorded) {
  EXPECT_EQ(tried({"a", "b"}, "/no/such/folder").find("cannot make a file in /no/such/folder: "),
            0u);
  EXPECT_EQ(tried({"a", "broken"}, folder.str().str()), "the source is broken");
  EXPECT_EQ(stored(), "");
}

TEST_F(TrialsTest, ABaselineIsNeeded) {
  EXPECT_EQ(tried({"refused", "a"}, folder.str().str()),
            "the model's plan has no kernel: too many registers");
}

/// The store has the baseline's kernel under the name of another plan.
TEST_F(TrialsTest, ABaselineThatIsKnownByAnotherPlanRuns) {
  EXPECT_EQ(tried({"a2", "b"}, folder.str().str()), "a2:2 b:2 ");
  EXPECT_EQ(tried({"a1", "c"}, folder.str().str()), "a1:2 c:2 ");
}

} // namespace
