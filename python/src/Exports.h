//===- Exports.h - Libraries that are compiled ahead of time ----*- C++ -*-===//
#ifndef ROOFTILE_PYTHON_EXPORTS_H
#define ROOFTILE_PYTHON_EXPORTS_H

#include "Session.h"

namespace rooftile::python {

/// Writes the library that `spec` asks for (docs/Export.md), a text that messages call `path`, to
/// `folder`; `threads` compile, 0: as many as the machine has. The name of the library, and a
/// report of sizes. Raises ValueError for the spec, and RuntimeError where the library cannot be
/// made: then the folder is as it was.
std::pair<std::string, std::string> exportSpec(const std::string &spec, const std::string &path,
                                               const std::string &folder, unsigned threads);

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_EXPORTS_H
