//===- RuntimeArchive.cpp - Objects that all libraries have ---------------===//

#include "RuntimeArchive.h"

#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"

using namespace llvm;
using namespace rooftile;

// ROOFTILE_EXPORTED_ARCHIVE is its path, quoted. A cache of objects does not see what is in it
// (ccache:disable).
asm(".pushsection .rodata\n"
    ".balign 8\n"
    "rooftileRuntimeArchiveBegin:\n"
    ".incbin " ROOFTILE_EXPORTED_ARCHIVE "\n"
    "rooftileRuntimeArchiveEnd:\n"
    ".byte 0\n"
    ".popsection\n");

extern const char archiveBegin[] asm("rooftileRuntimeArchiveBegin");
extern const char archiveEnd[] asm("rooftileRuntimeArchiveEnd");

StringRef exporter::runtimeArchive() { return {archiveBegin, size_t(archiveEnd - archiveBegin)}; }

static Error addNamesOf(const object::Archive::Child &member, StringSet<> &names) {
  Expected<std::unique_ptr<object::Binary>> binary = member.getAsBinary();
  if (!binary)
    return binary.takeError();
  auto *file = dyn_cast<object::ObjectFile>(binary->get());
  if (!file)
    return Error::success();
  constexpr uint32_t kSeen = object::SymbolRef::SF_Global | object::SymbolRef::SF_Undefined;
  return exporter::addNames(
      file->symbols(), [](uint32_t flags) { return (flags & kSeen) != 0; }, names);
}

Expected<StringSet<>> exporter::namesOfRuntime() {
  StringSet<> names;
  auto archive = object::Archive::create(MemoryBufferRef(runtimeArchive(), "runtime"));
  if (!archive)
    return archive.takeError();
  Error error = Error::success();
  for (const object::Archive::Child &member : (*archive)->children(error))
    if (Error failed = addNamesOf(member, names)) {
      consumeError(std::move(error));
      return failed;
    }
  if (error)
    return error;
  return names;
}
