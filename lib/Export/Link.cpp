//===- Link.cpp - An object, and the runtime, as libraries ----------------===//
//
// By LLVM's archive writer, objcopy and lld, which are in the tool: no compiler and no binutils are
// needed. A static library is one object that shows the functions of the library: two of them, of
// different versions, may be in one program.
//
//===----------------------------------------------------------------------===//

#include "Link.h"
#include "Folder.h"
#include "RuntimeArchive.h"
#include "rooftile/Export/Export.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/Binary.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
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

//===----------------------------------------------------------------------===//
// Static
//===----------------------------------------------------------------------===//

static Error linkObjects(ArrayRef<const char *> arguments, const Twine &what) {
  std::string said;
  raw_string_ostream stream(said);
  lld::Result result = lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  return result.retCode == 0 ? Error::success()
                             : createStringError(what + " cannot be linked: " + said);
}

/// `object`, in which `names` are all that other objects see. No groups of sections may be left: a
/// linker selects one of those of a name, and local symbols cannot refer to another's.
static Expected<std::string> hideOthers(MemoryBufferRef object, ArrayRef<std::string> names) {
  auto binary = object::createBinary(object);
  if (!binary)
    return binary.takeError();
  objcopy::ConfigManager config;
  for (const std::string &name : names) {
    auto matcher = objcopy::NameOrPattern::create(name, objcopy::MatchStyle::Literal,
                                                  [](Error error) { return error; });
    if (!matcher)
      return matcher.takeError();
    if (Error error = config.Common.SymbolsToKeepGlobal.addMatcher(std::move(matcher)))
      return error;
  }
  SmallString<0> hidden;
  raw_svector_ostream stream(hidden);
  if (Error error = objcopy::executeObjcopyOnBinary(config, **binary, stream))
    return error;
  return hidden.str().str();
}

Error exporter::writeStaticLibrary(StringRef folder, StringRef name, ArrayRef<std::string> names) {
  std::string object = pathOf(folder, name + ".o"), runtime = pathOf(folder, name + ".runtime.a"),
              joined = pathOf(folder, name + ".joined.o");
  FileRemover removeRuntime(runtime), removeJoined(joined);
  if (Error error = writeFile(runtime, runtimeArchive()))
    return error;
  if (Error error = linkObjects({"ld.lld", "-r", "--force-group-allocation", "--build-id=none",
                                 "-o", joined.c_str(), object.c_str(), runtime.c_str()},
                                "the object of the library"))
    return error;
  auto file = MemoryBuffer::getFile(joined);
  if (!file)
    return createStringError("'" + joined + "': " + file.getError().message());
  auto hidden = hideOthers((*file)->getMemBufferRef(), names);
  if (!hidden)
    return hidden.takeError();
  std::string member = (name + ".o").str();
  std::vector<NewArchiveMember> members;
  members.emplace_back(MemoryBufferRef(*hidden, member));
  auto archive = writeArchiveToBuffer(members, SymtabWritingMode::NormalSymtab,
                                      object::Archive::K_GNU, /*Deterministic=*/true,
                                      /*Thin=*/false);
  if (!archive)
    return archive.takeError();
  return writeFile(pathOf(folder, "lib" + name + ".a"), (*archive)->getBuffer());
}

//===----------------------------------------------------------------------===//
// Shared
//===----------------------------------------------------------------------===//

/// Names before their versions: libpthread and libdl are part of libc from glibc 2.34 on.
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

/// Functions that a shared library defines.
static Error addDefined(StringRef path, StringSet<> &names) {
  auto file = object::ObjectFile::createObjectFile(path);
  if (!file)
    return file.takeError();
  auto *elf = dyn_cast<object::ELFObjectFileBase>(file->getBinary());
  if (!elf)
    return Error::success(); // a script of the linker
  return exporter::addNames(
      elf->getDynamicSymbolIterators(),
      [](uint32_t flags) { return !(flags & object::SymbolRef::SF_Undefined); }, names);
}

Expected<StringSet<>> exporter::namesOfLibraries() {
  auto names = namesOfRuntime();
  auto libraries = systemLibraries();
  if (!libraries)
    return libraries.takeError();
  for (const std::string &library : *libraries)
    if (names)
      if (Error error = addDefined(library, *names))
        return error;
  return names;
}

Error exporter::writeSharedLibrary(StringRef folder, StringRef name) {
  auto libraries = systemLibraries();
  if (!libraries)
    return libraries.takeError();
  std::string output = pathOf(folder, "lib" + name + ".so"),
              archive = pathOf(folder, "lib" + name + ".a"), soname = ("lib" + name + ".so").str();
  // After --as-needed come libraries that are linked only if used. The library stays loaded: its
  // threads' destructors and kernels outlive a dlclose.
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
                                         "--eh-frame-hdr",
                                         "--hash-style=gnu",
                                         "--build-id=none",
                                         "--whole-archive",
                                         archive.c_str(),
                                         "--no-whole-archive",
                                         "--as-needed"};
  for (const std::string &library : *libraries)
    arguments.push_back(library.c_str());
  return linkObjects(arguments, "the shared library");
}

int exporter::runLinker(ArrayRef<const char *> arguments) {
  return lld::lldMain(arguments, outs(), errs(), {{lld::Gnu, &lld::elf::link}}).retCode;
}
