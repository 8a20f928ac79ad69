//===- Link.cpp - An object, and the runtime, as libraries ----------------===//
//
// By LLVM's archive writer and lld, which are in the tool: no compiler and no binutils are needed.
//
//===----------------------------------------------------------------------===//

#include "Link.h"
#include "RuntimeArchive.h"
#include "rooftile/Export/Export.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <link.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace rooftile;

static std::string pathOf(StringRef folder, const Twine &name) {
  SmallString<128> path(folder);
  sys::path::append(path, name);
  return std::string(path);
}

Error exporter::writeStaticLibrary(StringRef folder, StringRef name, StringRef object) {
  auto runtime = object::Archive::create(MemoryBufferRef(runtimeArchive(), "runtime"));
  if (!runtime)
    return runtime.takeError();
  std::string member = (name + ".o").str();
  std::vector<NewArchiveMember> members;
  members.emplace_back(MemoryBufferRef(object, member));
  Error error = Error::success();
  for (const object::Archive::Child &child : (*runtime)->children(error)) {
    auto old = NewArchiveMember::getOldMember(child, /*Deterministic=*/true);
    if (!old) {
      consumeError(std::move(error));
      return old.takeError();
    }
    members.push_back(std::move(*old));
  }
  if (error)
    return error;
  return writeArchive(pathOf(folder, "lib" + name + ".a"), members, SymtabWritingMode::NormalSymtab,
                      object::Archive::K_GNU,
                      /*Deterministic=*/true, /*Thin=*/false);
}

//===----------------------------------------------------------------------===//
// Shared
//===----------------------------------------------------------------------===//

/// In front of versions: libpthread and libdl are part of libc from glibc 2.34 on.
static constexpr StringLiteral kSystemLibraries[] = {
    "libstdc++.so", "libgcc_s.so", "libm.so", "libc.so", "libpthread.so", "libdl.so", "ld-linux"};

/// The system's libraries that this process runs with.
static std::vector<std::string> loadedLibraries() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *into) {
        StringRef path = info->dlpi_name;
        for (StringRef library : kSystemLibraries)
          if (sys::path::filename(path).starts_with(library))
            static_cast<std::vector<std::string> *>(into)->push_back(path.str());
        return 0;
      },
      &paths);
  return paths;
}

static bool has(ArrayRef<std::string> paths, StringRef library) {
  return any_of(paths,
                [&](StringRef path) { return sys::path::filename(path).starts_with(library); });
}

/// The libraries that functions of C and C++ come from. A tool that has the C++ library in itself
/// finds it beside the C library, where there is one.
static Expected<std::vector<std::string>> systemLibraries() {
  std::vector<std::string> paths = loadedLibraries(), folders;
  for (StringRef path : paths)
    folders.push_back(sys::path::parent_path(path).str());
  for (const char *folder :
       {"/usr/lib64", "/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"})
    folders.push_back(folder);
  for (const char *name : {"libstdc++.so.6", "libgcc_s.so.1"})
    for (StringRef folder : folders)
      if (!has(paths, name) && sys::fs::exists(pathOf(folder, name)))
        paths.push_back(pathOf(folder, name));
  if (!has(paths, "libstdc++.so"))
    return createStringError("no libstdc++.so.6 on this machine: a shared library needs it");
  return paths;
}

Error exporter::writeSharedLibrary(StringRef folder, StringRef name) {
  auto libraries = systemLibraries();
  if (!libraries)
    return libraries.takeError();
  std::string output = pathOf(folder, "lib" + name + ".so"),
              archive = pathOf(folder, "lib" + name + ".a"), soname = ("lib" + name + ".so").str(),
              object = pathOf(folder, name + ".o");
  // Behind --as-needed stands what is used only where it is. The library stays loaded: its threads'
  // destructors and kernels outlive a dlclose.
  std::vector<const char *> arguments = {"ld.lld",
                                         "-shared",
                                         "-o",
                                         output.c_str(),
                                         "-soname",
                                         soname.c_str(),
                                         "-z",
                                         "defs",
                                         "-z",
                                         "nodelete",
                                         "-z",
                                         "relro",
                                         "-s",
                                         "-z",
                                         "now",
                                         "--gc-sections",
                                         "--exclude-libs=ALL",
                                         "--eh-frame-hdr",
                                         "--hash-style=gnu",
                                         "--build-id=none",
                                         object.c_str(),
                                         archive.c_str(),
                                         "--as-needed"};
  for (const std::string &library : *libraries)
    arguments.push_back(library.c_str());
  std::string said;
  raw_string_ostream stream(said);
  lld::Result result = lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return createStringError("the shared library cannot be linked: " + said);
  return Error::success();
}

int exporter::runLinker(ArrayRef<const char *> arguments) {
  return lld::lldMain(arguments, outs(), errs(), {{lld::Gnu, &lld::elf::link}}).retCode;
}
