//===- Commands.h - Commands of gemm-tune -----------------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_TUNE_COMMANDS_H
#define ROOFTILE_TOOLS_GEMM_TUNE_COMMANDS_H

#include "rooftile/Bench/Candidates.h"
#include "rooftile/Tuning/Select/Select.h"
#include "llvm/Support/JSON.h"

#include <optional>

/// A program with its first arguments.
using CommandLine = std::vector<std::string>;

/// Runs the command of the arguments, of which the first is a name, and returns its exit status.
/// `program`: by which further processes run gemm-tune.
int runGemmTune(llvm::ArrayRef<const char *> arguments, const CommandLine &program);

/// Prints a message and returns the exit status.
int error(const llvm::Twine &message);

/// Prints an object as a line.
void printLine(llvm::json::Object object);

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
/// Name of the chip that `chip` (a name, or the path of a target) stands for. Errors are printed.
std::string nameOfChip(llvm::StringRef chip);

/// Writes the list of the fastest plans of a store to `file`, whole or not at all, and warns of
/// operations that it cannot name.
llvm::Expected<rooftile::tuning::Selection> writeSelection(const ChipStore &opened,
                                                           llvm::StringRef file);

/// Exit status of a search in which some operations failed.
inline constexpr int kSomeFailed = 2;

/// The exit status of the command that was given, where it is one of these: search, measure,
/// worker. `program`: as of runGemmTune.
std::optional<int> runSearchCommand(const CommandLine &program);
/// Seconds of "90s", "20m", "2h"; nothing of other texts.
std::optional<double> secondsOf(llvm::StringRef text);

/// "4m05s left".
std::string timeLeft(double seconds);
/// The value of --plans; nothing, with a message, where it is none.
std::optional<rooftile::bench::PlanQuery> plansToConsider(const std::string &text);

/// As runSearchCommand, of pack.
std::optional<int> runPackCommand();
/// Command of the workers of a search: `stated`, if that is not empty.
CommandLine workerOf(const CommandLine &program, const std::string &stated);
/// The standard output, for answers alone: what libraries print goes to stderr from now on.
std::unique_ptr<llvm::raw_ostream> answers();
/// Leaves the GPU of a number visible, to this process and to all that it starts: nothing of a
/// driver may have been used. Returns the exit status.
int chooseDevice(int ordinal);

/// As runSearchCommand, of ask.
std::optional<int> runAskCommand(const CommandLine &program);
/// As runSearchCommand, of autotune.
std::optional<int> runAutotuneCommand(const CommandLine &program);
/// As runSearchCommand, of import, export, merge, select and replay.
std::optional<int> runStoreCommand();
/// As runSearchCommand, of report and refit.
std::optional<int> runReportCommand(const CommandLine &program);

#endif // ROOFTILE_TOOLS_GEMM_TUNE_COMMANDS_H
