//===- Options.h - What the environment asks for ----------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_OPTIONS_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_OPTIONS_H

#include <string>

namespace rooftile::cublas {

/// Calls that are executed here: those that are expected to win, all for which there is a kernel,
/// none.
enum class Mode { Model, Always, Never };

struct Options {
  Mode mode = Mode::Model; ///< $ROOFTILE_CUBLAS
  bool logsCalls = false;  ///< $ROOFTILE_LOG
};

/// Read at the first call of the process. An unknown option is reported on stderr.
const Options &options();

/// Writes a line to stderr, in one piece.
void say(const std::string &text);

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_OPTIONS_H
