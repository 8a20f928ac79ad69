//===- RuntimeArchive.h - Objects that all libraries have -------*- C++ -*-===//
#ifndef ROOFTILE_LIB_EXPORT_RUNTIMEARCHIVE_H
#define ROOFTILE_LIB_EXPORT_RUNTIMEARCHIVE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace rooftile::exporter {

/// The bytes of an archive: the runtime, and Library/Call.cpp. The tool carries it with it.
llvm::StringRef runtimeArchive();

/// Names that it defines or needs: no operation may have them.
llvm::Expected<llvm::StringSet<>> namesOfRuntime();

/// Puts the names of those `symbols` of an object file into `names` whose flags (object::SymbolRef)
/// `isMeant` accepts.
template <typename Symbols>
llvm::Error addNames(const Symbols &symbols, llvm::function_ref<bool(uint32_t flags)> isMeant,
                     llvm::StringSet<> &names) {
  for (const auto &symbol : symbols) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!name)
      return name.takeError();
    if (!flags)
      return flags.takeError();
    if (isMeant(*flags))
      names.insert(*name);
  }
  return llvm::Error::success();
}

} // namespace rooftile::exporter

#endif // ROOFTILE_LIB_EXPORT_RUNTIMEARCHIVE_H
