//===- Process.h - A program that runs beside this one ----------*- C++ -*-===//
#ifndef ROOFTILE_RUNTIME_PROCESS_H
#define ROOFTILE_RUNTIME_PROCESS_H

#include <string>
#include <sys/types.h>
#include <vector>

namespace rooftile {

/// A child process, which is sent text and whose lines are read. It is killed with this object.
class Process {
public:
  Process() = default;
  ~Process() { stop(); }
  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;

  /// Where lines come from.
  enum class Lines { OfOutput, OfOutputAndErrors };
  /// Runs a program with its arguments, by PATH where its name has no slash. Returns why it does
  /// not run; empty where it does.
  std::string start(const std::vector<std::string> &command, Lines lines);
  bool isRunning() const { return process > 0; }

  /// Writes to its input; false where it has ended. SIGPIPE is the caller's to ignore.
  bool write(const std::string &text);
  /// Ends its input.
  void closeInput();

  enum class Read { Line, Late, Ended };
  /// The next line of its output, without the newline: Late after `seconds` (negative: never),
  /// Ended where it has closed its output.
  Read readLine(double seconds, std::string &line);

  /// Waits until it ends, and returns how: "was ended by signal 9 (Killed)", "ended with status 3".
  std::string wait();
  void stop();

private:
  void closePipes();

  pid_t process = -1;
  int input = -1, output = -1;
  std::string buffer; ///< Output that was read, but no whole line.
};

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_PROCESS_H
