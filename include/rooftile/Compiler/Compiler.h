//===- Compiler.h - From an operation to an executable ----------*- C++ -*-===//
//
// The compiler for programs that call kernels: operation -> plan -> executable, kept
// in this process and on disk. Functions may be called from several threads at once.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_COMPILER_COMPILER_H
#define ROOFTILE_COMPILER_COMPILER_H

#include "rooftile/Operation/Operation.h"
#include "rooftile/Runtime/Device/DeviceFacts.h"
#include "rooftile/Runtime/Executable/Executable.h"

#include <memory>
#include <string>

namespace rooftile::planning {
class PlanList;
}

namespace rooftile::compiler {

/// A user's list of plans (Plans.h reads one); null: none.
using Plans = std::shared_ptr<const planning::PlanList>;

struct CompilerOptions {
  DeviceKind device = DeviceKind::Cuda; ///< On AMD's GPUs no kernel has run yet.
  /// That is planned for: a chip's name, or a file of its #blas.target. Empty: that of device
  /// `ordinal`, else, and for the CPU, NVIDIA's GPU present, else h200.
  std::string chip;
  /// Where executables are kept between processes; empty: as in DiskCache.h.
  std::string cacheFolder;
  /// Kernels of one executable are compiled side by side, by as many threads as there are cores.
  bool parallel = true;
  int ordinal = 0;       ///< Number of the device.
  Plans plans = nullptr; ///< Asked before the model, where a line applies.
};

/// Outcome of a request: an executable, or why there is none.
struct Compiled {
  std::shared_ptr<const Executable> executable;
  int function = -1; ///< Number of the operation's function.
  std::string error;

  explicit operator bool() const { return executable != nullptr; }
};

/// Plans of an operation: JSON (PlanReport.h), or why there is none.
struct Planned {
  std::shared_ptr<const std::string> report;
  std::string error;

  explicit operator bool() const { return report != nullptr; }
};

/// In an error of Executable::run on the CPU, between a kernel and why it has no code.
inline constexpr const char *kCannotBeCompiled = " cannot be compiled: ";

/// Compiles operations, each once.
class Compiler {
public:
  explicit Compiler(const CompilerOptions &options);
  ~Compiler();

  /// The executable of `operation`, compiled where neither this process nor the disk has it.
  Compiled get(const operation::Operation &operation);
  /// Compiles the text of a module: every public function of it becomes one of the executable.
  Compiled compile(const std::string &module);
  /// The plans of `operation`, of which nothing is compiled: some milliseconds, the first time.
  Planned plan(const operation::Operation &operation);
  /// Whether the list has a plan for just this operation.
  bool names(const operation::Operation &operation);
  /// Later requests have plans of this list, or of none. What was compiled stays as it is.
  void usePlans(Plans plans);
  /// A fault of the cache on disk, or of a list of plans, each reported once; empty where there is
  /// none. Operations are compiled all the same.
  std::string warning();
  /// Adds a warning.
  void warn(std::string warning);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_COMPILER_H
