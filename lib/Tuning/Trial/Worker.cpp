//===- Worker.cpp - A process that tries candidates -----------------------===//

#include "rooftile/Tuning/Trial/Worker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace rooftile::tuning;
using Clock = std::chrono::steady_clock;

extern char **environ;

static llvm::Error failure(const llvm::Twine &what) {
  return llvm::createStringError(what + ": " + llvm::sys::StrError());
}

//===----------------------------------------------------------------------===//
// The process
//===----------------------------------------------------------------------===//

llvm::Error Worker::start() {
  signal(SIGPIPE, SIG_IGN); // A worker that has ended is noticed by its output.
  int toChild[2], fromChild[2];
  if (pipe2(toChild, O_CLOEXEC) != 0)
    return failure("cannot make a pipe");
  if (pipe2(fromChild, O_CLOEXEC) != 0) {
    close(toChild[0]), close(toChild[1]);
    return failure("cannot make a pipe");
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO);
  std::vector<char *> arguments;
  for (std::string &argument : command)
    arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  errno = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  bool failed = errno != 0;
  llvm::Error error = failed ? failure("cannot run " + command[0]) : llvm::Error::success();
  posix_spawn_file_actions_destroy(&actions);
  close(toChild[0]), close(fromChild[1]);
  input = toChild[1], output = fromChild[0];
  if (failed)
    process = -1, stop();
  return error;
}

void Worker::stop() {
  if (input >= 0)
    close(input), close(output);
  if (process > 0) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  input = output = process = -1;
  buffer.clear();
}

std::string Worker::wait() {
  int status = 0;
  waitpid(process, &status, 0);
  process = -1;
  stop();
  return WIFSIGNALED(status)
             ? llvm::formatv("its process was ended by signal {0} ({1})", WTERMSIG(status),
                             strsignal(WTERMSIG(status)))
                   .str()
             : llvm::formatv("its process ended with status {0}", WEXITSTATUS(status)).str();
}

bool Worker::readLine(double seconds, std::string &line, bool &hasEnded) {
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    if (size_t newline = buffer.find('\n'); newline != std::string::npos) {
      line = buffer.substr(0, newline);
      buffer.erase(0, newline + 1);
      return true;
    }
    double left = std::chrono::duration<double>(end - Clock::now()).count();
    pollfd waiting{output, POLLIN, 0};
    if (left <= 0 || poll(&waiting, 1, int(left * 1e3) + 1) == 0)
      return false;
    char bytes[4096];
    ssize_t count = read(output, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return hasEnded = true, false;
    buffer.append(bytes, size_t(count));
  }
}

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

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
  if (process < 0)
    if (llvm::Error error = start())
      return error;
  std::string text = toJson(job) + "\n", line;
  if (write(input, text.data(), text.size()) != ssize_t(text.size()))
    attempt.lost = wait();
  double limit = limits.start;
  auto begin = Clock::now();
  while (attempt.lost.empty() && !attempt.isDone) {
    bool hasEnded = false;
    if (!readLine(limit, line, hasEnded)) {
      attempt.isLate = !hasEnded;
      attempt.lost = hasEnded ? wait() : llvm::formatv("no answer in {0:f1} s", limit).str();
      stop();
      break;
    }
    llvm::Expected<Answer> answer = readAnswer(line, job.kernels.size());
    if (!answer) {
      stop();
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
