//===- Worker.cpp - A process that tries candidates -----------------------===//

#include "rooftile/Tuning/Trial/Worker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <csignal>
#include <optional>

using namespace rooftile;
using namespace rooftile::tuning;
using Clock = std::chrono::steady_clock;

/// One run of a job, until it is done or its process is lost.
struct Worker::Attempt {
  std::vector<KernelResult> results; ///< One for each kernel.
  bool isDone = false, isTiming = false;
  std::optional<size_t> checking;
  std::string lost; ///< The end of the process; empty where it goes on.
  bool isLate = false;
};

static llvm::Expected<Answer> readAnswer(const std::string &line, size_t kernels) {
  llvm::Expected<Answer> answer = answerFromJson(line);
  if (answer && answer->kernel >= kernels)
    return llvm::createStringError("kernel " + llvm::Twine(answer->kernel) + " of " +
                                   llvm::Twine(kernels));
  if (answer)
    return answer;
  return llvm::createStringError(
      "a worker's answer cannot be read: " + llvm::toString(answer.takeError()) + ": " + line);
}

llvm::Error Worker::attempt(const Job &job, Attempt &attempt) {
  attempt.results.resize(job.kernels.size());
  signal(SIGPIPE, SIG_IGN); // A worker that has ended is noticed by its output.
  if (!process.isRunning())
    if (std::string why = process.start(command, Process::Lines::OfOutput); !why.empty())
      return llvm::createStringError(why);
  std::string line;
  if (!process.write(toJson(job) + "\n"))
    attempt.lost = "its process " + process.wait();
  double limit = limits.start;
  auto begin = Clock::now();
  while (attempt.lost.empty() && !attempt.isDone) {
    Process::Read read = process.readLine(limit, line);
    if (read != Process::Read::Line) {
      attempt.isLate = read == Process::Read::Late;
      attempt.lost = attempt.isLate ? llvm::formatv("no answer in {0:f1} s", limit).str()
                                    : "its process " + process.wait();
      process.stop();
      break;
    }
    llvm::Expected<Answer> answer = readAnswer(line, job.kernels.size());
    if (!answer) {
      process.stop();
      return answer.takeError();
    }
    double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    KernelResult &result = attempt.results[answer->kernel];
    switch (answer->step) {
    case Answer::Checking:
      if (answer->kernel == 1) // The baseline has been checked.
        limit = std::max(limits.least, limits.baselines * elapsed);
      begin = Clock::now();
      attempt.checking = answer->kernel;
      break;
    case Answer::Timing:
      attempt.isTiming = true;
      limit = limits.start + limits.baselines * job.seconds * double(job.kernels.size());
      break;
    case Answer::Result:
      result.outcome = !answer->verified.value_or(true) ? Outcome::Wrong
                       : answer->error.empty()          ? Outcome::Right
                                                        : Outcome::Refused;
      result.reason = answer->error, result.samples = answer->samples;
      result.device = answer->device;
      break;
    case Answer::Done:
      attempt.isDone = true;
    }
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<KernelResult>> Worker::run(const Job &job) {
  std::vector<KernelResult> results(job.kernels.size());
  std::vector<size_t> left(job.kernels.size()); // Kernels that no result is known of.
  for (size_t index = 0; index < left.size(); ++index)
    left[index] = index;
  while (!left.empty()) {
    Job part = job;
    part.kernels.clear();
    for (size_t index : left)
      part.kernels.push_back(job.kernels[index]);
    Attempt tried;
    if (llvm::Error error = attempt(part, tried))
      return error;
    if (tried.isDone) {
      for (size_t index = 0; index < left.size(); ++index)
        results[left[index]] = std::move(tried.results[index]);
      break;
    }
    size_t lost = tried.checking.value_or(0);
    if (lost == 0 && !tried.isTiming)
      return llvm::createStringError("the baseline does not run: " + tried.lost);
    // Which kernel is to blame in a phase of all of them shows when each is alone with the
    // baseline.
    if (tried.isTiming && left.size() > 2) {
      for (size_t index = 1; index < left.size(); ++index) {
        Job alone = job;
        alone.kernels = {job.kernels[0], job.kernels[left[index]]};
        llvm::Expected<std::vector<KernelResult>> each = run(alone);
        if (!each)
          return each.takeError();
        results[0] = (*each)[0], results[left[index]] = (*each)[1];
      }
      break;
    }
    lost = std::max<size_t>(lost, 1);
    if (lost >= left.size())
      return llvm::createStringError("the baseline does not run: " + tried.lost);
    results[left[lost]] = {tried.isLate ? Outcome::TimedOut : Outcome::Crashed, tried.lost, {}};
    left.erase(left.begin() + ptrdiff_t(lost));
  }
  return results;
}
