//===- ModuleFile.h - Modules of one's own as libraries ---------*- C++ -*-===//
//
// A file of MLIR: its public functions become functions of C. Their arguments are memrefs, as the
// structs of docs/Export.md, and scalars, and they return nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_EXPORT_MODULEFILE_H
#define ROOFTILE_EXPORT_MODULEFILE_H

#include "rooftile/Export/Spec.h"

namespace rooftile::exporter {

/// Reads `text`, the module at `path`, as a library of the name `library` with code for `chips`;
/// what is wrong, with its location. `taken`: names that no function may have.
llvm::Expected<Spec> readModule(llvm::StringRef text, llvm::StringRef path, llvm::StringRef library,
                                llvm::ArrayRef<std::string> chips, const llvm::StringSet<> &taken);

} // namespace rooftile::exporter

#endif // ROOFTILE_EXPORT_MODULEFILE_H
