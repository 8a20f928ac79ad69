//===- Export.h - Libraries that are compiled ahead of time -----*- C++ -*-===//
#ifndef ROOFTILE_EXPORT_EXPORT_H
#define ROOFTILE_EXPORT_EXPORT_H

#include "rooftile/Compiler/Compiler.h"
#include "rooftile/Export/Spec.h"
#include "llvm/Support/raw_ostream.h"

namespace rooftile::exporter {

struct ExportOptions {
  std::string folder;   ///< That the library is written to.
  unsigned threads = 0; ///< That compile; 0: as many as the machine has.
  /// Said of each executable that is done: how many there are, of how many, and what it is.
  std::function<void(size_t done, size_t all, const std::string &what)> progress;
  /// The list of plans that kernels have; null: that of the spec, if it names one.
  compiler::Plans plans = nullptr;
};

/// Reads a list of plans (docs/Dialect.md).
llvm::Expected<compiler::Plans> readPlanFile(const std::string &path);

/// Reads the file at `path`.
llvm::Expected<Spec> readSpecFile(llvm::StringRef path);
/// Reads a text, which messages call `path`.
llvm::Expected<Spec> readSpecText(llvm::StringRef text, llvm::StringRef path);

/// Reads the file at `path`, a module whose public functions make a library (ModuleFile.h).
llvm::Expected<Spec> readModuleFile(llvm::StringRef path, llvm::StringRef library,
                                    llvm::ArrayRef<std::string> chips);

/// Compiles all operations for all chips and writes the library; then its sizes to `report`. On an
/// error the folder is as it was.
llvm::Error exportLibrary(const Spec &spec, const ExportOptions &options,
                          llvm::raw_ostream &report);

/// lld as a program: `arguments` are those of ld.lld with its name before them. Returns its exit
/// status.
int runLinker(llvm::ArrayRef<const char *> arguments);

} // namespace rooftile::exporter

#endif // ROOFTILE_EXPORT_EXPORT_H
