//===- Names.h - Valid names in C -------------------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_EXPORT_NAMES_H
#define ROOFTILE_LIB_EXPORT_NAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace rooftile::exporter {

/// Why a function of C, and of C++, cannot be called `name`; empty where it can: it is no keyword,
/// no macro of a header of C, and no function of a GPU's driver. Such a name is a file's name, too:
/// it has no dots, slashes or spaces. Functions of libraries are namesOfLibraries (Link.h).
std::string whyNoName(llvm::StringRef name);

/// Why a library cannot be called `name`, as whyNoName, or because another one is.
std::string whyNoLibrary(llvm::StringRef name);

/// Whether the library itself has LIBRARY_`suffix`.
bool isOwnName(llvm::StringRef suffix);

} // namespace rooftile::exporter

#endif // ROOFTILE_LIB_EXPORT_NAMES_H
