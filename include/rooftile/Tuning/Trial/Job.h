//===- Job.h - Candidates that a worker tries -------------------*- C++ -*-===//
//
// A worker is a process that runs kernels on a device, so that one that crashes or hangs harms
// nothing else. It reads jobs from its standard input and writes answers to its standard output,
// a line of JSON each:
//
//   {"shape":"f32 nn 64x64x64","kernels":["/tmp/a.bin","/tmp/b.bin"],"samples":3,"seconds":0.1}
//
//   {"step":"checking","kernel":0}        before a kernel runs for the first time,
//   {"step":"timing"}                     before all are timed in turn,
//   {"step":"result","kernel":0,"verified":true,"samples":[0.01,0.0101],
//    "clockMHz":1755,"memoryMHz":3201,"watts":612.5,"throttled":true}
//   {"step":"result","kernel":1,"verified":false,"error":"row 0 of matrix 0: ..."}
//   {"step":"result","kernel":2,"error":"the image cannot be loaded"}
//   {"step":"done"}
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TUNING_TRIAL_JOB_H
#define ROOFTILE_TUNING_TRIAL_JOB_H

#include "rooftile/Bench/Shape.h"
#include "rooftile/Operation/Text.h"
#include "rooftile/Runtime/Device/DeviceState.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace rooftile::tuning {

/// A shape by its canonical line, without class and plan: Shape::parse() reads it. Kernels for all
/// sizes are others than those for the sizes of the line, which then ends in " dynamic".
std::string lineOf(const bench::Shape &shape);
/// The operation of such a line; an error as of operation::parse().
struct ParsedLine {
  operation::Parsed parsed;
  bool isDynamic = false;
};
ParsedLine parseLine(llvm::StringRef line);
/// The first of each operation, in their order.
std::vector<bench::Shape> withoutRepeats(std::vector<bench::Shape> shapes);

/// Kernels for one operation, the first of which is the baseline.
struct Job {
  std::string shape;                ///< Line of a benchmark list (rooftile/Bench/Shape.h).
  std::vector<std::string> kernels; ///< Files of executables.
  int samples = 0;                  ///< Most samples of each kernel.
  double seconds = 0;               ///< Time of the device for each kernel.
};

std::string toJson(const Job &job);
/// An error names the key.
llvm::Expected<Job> jobFromJson(llvm::StringRef line);

/// A line of a worker's output.
struct Answer {
  enum Step { Checking, Timing, Result, Done } step = Done;
  size_t kernel = 0;
  std::optional<bool> verified; ///< Whether its result is right; none: it gave none.
  std::string error;            ///< Why there are no samples.
  std::vector<double> samples;  ///< Milliseconds.
  DeviceState device = {};      ///< While they were taken.
};

std::string toJson(const Answer &answer);
llvm::Expected<Answer> answerFromJson(llvm::StringRef line);

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_TRIAL_JOB_H
