//===- Link.h - An object, and the runtime, as libraries --------*- C++ -*-===//
#ifndef ROOFTILE_LIB_EXPORT_LINK_H
#define ROOFTILE_LIB_EXPORT_LINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <string>

namespace rooftile::exporter {

/// The functions that an exported library has from the runtime in it, and those of the libraries
/// that it is linked to: one of the user's would stand in for them, in the whole process.
llvm::Expected<llvm::StringSet<>> namesOfLibraries();

/// Writes FOLDER/libNAME.a of FOLDER/NAME.o and what it needs of the runtime. The functions `names`
/// are all that it shows.
llvm::Error writeStaticLibrary(llvm::StringRef folder, llvm::StringRef name,
                               llvm::ArrayRef<std::string> names);

/// Writes FOLDER/libNAME.so of FOLDER/libNAME.a, which exports the functions of that. It
/// is linked to the C and C++ libraries that this process runs with.
llvm::Error writeSharedLibrary(llvm::StringRef folder, llvm::StringRef name);

} // namespace rooftile::exporter

#endif // ROOFTILE_LIB_EXPORT_LINK_H
