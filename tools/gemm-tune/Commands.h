//===- Commands.h - Commands of gemm-tune -----------------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_TUNE_COMMANDS_H
#define ROOFTILE_TOOLS_GEMM_TUNE_COMMANDS_H

#include "llvm/ADT/Twine.h"

#include <optional>

/// Prints a message and returns the exit status.
int error(const llvm::Twine &message);

/// The exit status of the command that was given, where it is one of these: search, worker.
/// `program`: as main() has it.
std::optional<int> runSearchCommand(const char *program);
/// As runSearchCommand, of import, export and merge.
std::optional<int> runStoreCommand();

#endif // ROOFTILE_TOOLS_GEMM_TUNE_COMMANDS_H
