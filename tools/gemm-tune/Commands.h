//===- Commands.h - Commands of gemm-tune -----------------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_TUNE_COMMANDS_H
#define ROOFTILE_TOOLS_GEMM_TUNE_COMMANDS_H

#include "rooftile/Tuning/Store/Store.h"

#include <optional>

/// Prints a message and returns the exit status.
int error(const llvm::Twine &message);

/// Requirements of scripts/fit_calibration.py.
inline constexpr llvm::StringLiteral kFitNeeds =
    "python3, or what PYTHON names, with NumPy and SciPy";

/// Runs a script of the folder `scripts` by $PYTHON, or python3.
/// Returns its exit status. `needs`: what it needs, for messages.
int runScript(llvm::StringRef name, llvm::StringRef needs, std::vector<std::string> arguments);

/// The chip whose measurements in the store at `file` are meant: the one of the name `wanted`, or,
/// where that is empty, the only one.
llvm::Expected<std::string> chipOf(const rooftile::tuning::Store &store, llvm::StringRef file,
                                   llvm::StringRef wanted);

/// A store that is read, and the chip whose measurements are meant.
struct ChipStore {
  rooftile::tuning::Store store;
  std::string chip;
};
/// Opens the store at `file`; the chip is that of chipOf.
llvm::Expected<ChipStore> openChipStore(llvm::StringRef file, llvm::StringRef wanted);

/// The exit status of the command that was given, where it is one of these: search, worker.
/// `program`: as main() has it.
std::optional<int> runSearchCommand(const char *program);
/// Seconds of "90s", "20m", "2h"; nothing of other texts.
std::optional<double> secondsOf(llvm::StringRef text);

/// As runSearchCommand, of autotune.
std::optional<int> runAutotuneCommand(const char *program);
/// As runSearchCommand, of import, export, merge, select and replay.
std::optional<int> runStoreCommand();
/// As runSearchCommand, of report and refit.
std::optional<int> runReportCommand(const char *program);

#endif // ROOFTILE_TOOLS_GEMM_TUNE_COMMANDS_H
