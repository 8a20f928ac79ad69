//===- RuntimeArchive.h - The part that all libraries have ------*- C++ -*-===//
#ifndef ROOFTILE_LIB_EXPORT_RUNTIMEARCHIVE_H
#define ROOFTILE_LIB_EXPORT_RUNTIMEARCHIVE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace rooftile::exporter {

/// The bytes of an archive: the runtime, and Library/Call.cpp. The tool carries it with it.
llvm::StringRef runtimeArchive();

/// Names that it defines or needs: no operation may have them.
llvm::Expected<llvm::StringSet<>> namesOfRuntime();

} // namespace rooftile::exporter

#endif // ROOFTILE_LIB_EXPORT_RUNTIMEARCHIVE_H
