//===- WorkerTest.cpp - Workers that end, hang and answer nonsense --------===//

#include "rooftile/Tuning/Trial/Worker.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace rooftile::tuning;

namespace {

/// A worker whose kernels are the names of what they do: `fine`, `wrong`, `refused`; `crash`,
/// `exit` and `hang` where they are checked; `late` where all are timed.
const char *const kProgram = R"(
import json, os, signal, sys, time
for line in sys.stdin:
    job = json.loads(line)
    def say(**answer):
        print(json.dumps(answer), flush=True)
    for index, kernel in enumerate(job["kernels"]):
        if kernel == "refused":
            continue
        say(step="checking", kernel=index)
        if kernel == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if kernel == "exit":
            sys.exit(3)
        if kernel == "hang":
            time.sleep(1000)
        if kernel == "nonsense":
            print("a message of a library", flush=True)
    say(step="timing")
    if "late" in job["kernels"]:
        os.abort()
    for index, kernel in enumerate(job["kernels"]):
        if kernel == "wrong":
            say(step="result", kernel=index, verified=False, error="row 0")
        elif kernel == "refused":
            say(step="result", kernel=index, error="no image")
        else:
            say(step="result", kernel=index, verified=True, samples=[index + 1.0] * job["samples"],
                clockMHz=1755 - index, throttled=index == 1)
    say(step="done")
)";

/// "fine: right 1", one for each kernel.
std::string outcomes(std::vector<std::string> kernels) {
  Worker tried({"python3", "-c", kProgram}, {60, 0.5, 2});
  Job job{"f32 nn 64x64x64", kernels, 2, 0};
  auto results = tried.run(job);
  if (!results)
    return llvm::toString(results.takeError());
  const char *names[] = {"right", "wrong", "failed", "crashed", "timed out"};
  std::string text;
  for (size_t index = 0; index < kernels.size(); ++index) {
    const KernelResult &result = (*results)[index];
    text += llvm::formatv("{0}{1}: {2} {3}{4}", index ? "; " : "", kernels[index],
                          names[size_t(result.outcome)], result.reason,
                          result.outcome == Outcome::Right ? std::to_string(result.samples.size())
                                                           : "");
  }
  return text;
}

TEST(Worker, AllKernelsHaveResults) {
  EXPECT_EQ(outcomes({"fine"}), "fine: right 2");
  EXPECT_EQ(outcomes({"fine", "wrong", "refused", "fine"}),
            "fine: right 2; wrong: wrong row 0; refused: failed no image; fine: right 2");
}

TEST(Worker, ResultsHaveTheStateOfTheDevice) {
  Worker tried({"python3", "-c", kProgram}, {60, 0.5, 2});
  auto results = llvm::cantFail(tried.run({"f32 nn 64x64x64", {"fine", "fine"}, 2, 0}));
  EXPECT_EQ(results[0].device.clockMHz, 1755);
  EXPECT_FALSE(results[0].device.throttled);
  EXPECT_EQ(results[1].device.clockMHz, 1754);
  EXPECT_TRUE(results[1].device.throttled);
  EXPECT_TRUE(std::isnan(results[1].device.watts));
}

TEST(Worker, AKernelTakesNothingWithIt) {
  EXPECT_EQ(outcomes({"fine", "crash", "fine", "exit", "fine"}),
            "fine: right 2; crash: crashed its process was ended by signal 11 (Segmentation fault);"
            " fine: right 2; exit: crashed its process ended with status 3; fine: right 2");
}

TEST(Worker, AKernelThatHangsIsLeft) {
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(outcomes({"fine", "hang", "fine"}),
            "fine: right 2; hang: timed out no answer in 0.5 s; fine: right 2");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(Worker, WhoEndsTheTimingOfAllIsFound) {
  EXPECT_EQ(outcomes({"fine", "fine", "late", "wrong"}),
            "fine: right 2; fine: right 2; late: crashed its process was ended by signal 6 "
            "(Aborted); wrong: wrong row 0");
}

TEST(Worker, WithoutABaselineThereIsNothing) {
  EXPECT_EQ(outcomes({"crash", "fine"}),
            "the baseline does not run: its process was ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(outcomes({"fine", "nonsense"}).find("a worker's answer cannot be read: "), 0u);
  Worker missing({"/no/such/program"}, {});
  EXPECT_EQ(llvm::toString(missing.run({"f32 nn 1x1x1", {"fine"}, 1, 0}).takeError()),
            "cannot run /no/such/program: No such file or directory");
}

TEST(Worker, LinesRoundTrip) {
  Job job{"f32 nn 64x64x64", {"/tmp/a \"b\"", "c"}, 3, 0.25};
  EXPECT_EQ(toJson(llvm::cantFail(jobFromJson(toJson(job)))), toJson(job));
  Answer answer{Answer::Result, 3, false, "row\n1", {}};
  EXPECT_EQ(toJson(llvm::cantFail(answerFromJson(toJson(answer)))), toJson(answer));
  answer.device = {1755, 3201, 612.5, true};
  EXPECT_EQ(toJson(llvm::cantFail(answerFromJson(toJson(answer)))), toJson(answer));
  EXPECT_NE(
      llvm::toString(jobFromJson("{\"shape\":1}").takeError()).find("expected string at job.shape"),
      std::string::npos);
  EXPECT_EQ(llvm::toString(answerFromJson("{\"step\":\"sleeping\"}").takeError()),
            "no step of an answer is called 'sleeping'");
}

} // namespace
