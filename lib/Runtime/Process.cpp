//===- Process.cpp - A program that runs beside this one ------------------===//

#include "rooftile/Runtime/Process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace rooftile;
using Clock = std::chrono::steady_clock;

extern char **environ;

static void closeEnd(int &end) {
  if (end >= 0)
    close(std::exchange(end, -1));
}

void Process::closeInput() { closeEnd(input); }

void Process::closePipes() {
  closeEnd(input);
  closeEnd(output);
  buffer.clear();
}

std::string Process::start(const std::vector<std::string> &command, Lines lines) {
  int toChild[2], fromChild[2];
  if (pipe2(toChild, O_CLOEXEC) != 0)
    return std::string("cannot make a pipe: ") + std::strerror(errno);
  input = toChild[1];
  if (pipe2(fromChild, O_CLOEXEC) != 0) {
    std::string why = std::string("cannot make a pipe: ") + std::strerror(errno);
    close(toChild[0]), closePipes();
    return why;
  }
  output = fromChild[0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO);
  if (lines == Lines::OfOutputAndErrors)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDERR_FILENO);
  std::vector<char *> arguments;
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  int failed = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(toChild[0]), close(fromChild[1]);
  if (!failed)
    return "";
  process = -1, closePipes();
  return "cannot run " + command[0] + ": " + std::strerror(failed);
}

bool Process::write(const std::string &text) {
  for (size_t written = 0; written < text.size();) {
    ssize_t count = ::write(input, text.data() + written, text.size() - written);
    if (count < 0 && errno != EINTR)
      return false;
    written += size_t(count < 0 ? 0 : count);
  }
  return true;
}

Process::Read Process::readLine(double seconds, std::string &line) {
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    if (size_t newline = buffer.find('\n'); newline != std::string::npos) {
      line = buffer.substr(0, newline);
      buffer.erase(0, newline + 1);
      return Read::Line;
    }
    double left = std::chrono::duration<double>(end - Clock::now()).count();
    pollfd waiting{output, POLLIN, 0};
    if (seconds >= 0 && (left <= 0 || poll(&waiting, 1, int(left * 1e3) + 1) == 0))
      return Read::Late;
    char bytes[4096];
    ssize_t count = read(output, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return Read::Ended;
    buffer.append(bytes, size_t(count));
  }
}

std::string Process::wait() {
  closePipes();
  int status = 0;
  pid_t ended = -1;
  do
    ended = waitpid(process, &status, 0);
  while (ended < 0 && errno == EINTR);
  process = -1;
  if (ended < 0) // As where SIGCHLD is ignored.
    return "ended";
  if (!WIFSIGNALED(status))
    return "ended with status " + std::to_string(WEXITSTATUS(status));
  return "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
         strsignal(WTERMSIG(status)) + ")";
}

void Process::stop() {
  if (process > 0)
    kill(process, SIGKILL), wait();
  closePipes();
}
