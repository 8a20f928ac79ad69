//===- Link.h - An object, and the runtime, as libraries --------*- C++ -*-===//
#ifndef ROOFTILE_LIB_EXPORT_LINK_H
#define ROOFTILE_LIB_EXPORT_LINK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace rooftile::exporter {

/// Writes FOLDER/libNAME.a: the object, and the members of the runtime.
llvm::Error writeStaticLibrary(llvm::StringRef folder, llvm::StringRef name,
                               llvm::StringRef object);

/// Writes FOLDER/libNAME.so of FOLDER/libNAME.a, which exports the functions of the object only. It
/// is linked to the C and C++ libraries that this process runs with.
llvm::Error writeSharedLibrary(llvm::StringRef folder, llvm::StringRef name);

} // namespace rooftile::exporter

#endif // ROOFTILE_LIB_EXPORT_LINK_H
