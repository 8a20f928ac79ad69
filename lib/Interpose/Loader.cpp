//===- Loader.cpp - librooftile.so, opened when it is first needed --------===//

#include "Loader.h"

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <vector>

using namespace rooftile::interpose;

/// The folder of this library, with a slash at its end; empty where it is not known.
static std::string ownFolder() {
  Dl_info info;
  static const char here = 0;
  if (!dladdr(&here, &info) || !info.dli_fname)
    return "";
  std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1); // npos + 1 is 0.
}

static std::vector<std::string> candidates() {
  if (const char *named = std::getenv("ROOFTILE_LIBRARY"))
    return {named};
  std::string folder = ownFolder();
  std::vector<std::string> paths;
  for (const char *name : {"librooftile.so.0", "librooftile.so"}) {
    if (!folder.empty())
      paths.push_back(folder + name);
    paths.push_back(name);
  }
  return paths;
}

/// The first that can be opened. The loader's message about the first one that was tried: the
/// others are names that nobody need have.
static void *openFirst(const std::vector<std::string> &paths, std::string &why) {
  for (const std::string &path : paths) {
    if (void *opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
      return opened;
    const char *said = dlerror();
    if (why.empty())
      why = said ? said : path + " cannot be opened";
  }
  return nullptr;
}

static Loaded load() {
  static Library library;
  Loaded loaded;
  void *opened = openFirst(candidates(), loaded.why);
  if (!opened)
    return loaded;
  loaded.why.clear();
#define ROOFTILE_FIND(name)                                                                        \
  library.name = reinterpret_cast<decltype(library.name)>(dlsym(opened, "rooftile_" #name));       \
  if (!library.name && loaded.why.empty())                                                         \
    loaded.why = "librooftile.so has no function rooftile_" #name;
  ROOFTILE_LOADED_FUNCTIONS(ROOFTILE_FIND)
#undef ROOFTILE_FIND
  if (loaded.why.empty())
    loaded.library = &library;
  return loaded;
}

const Loaded &rooftile::interpose::loadRooftile() {
  // Never destroyed: threads may call while the process ends.
  static const Loaded &loaded = *new Loaded(load());
  return loaded;
}

std::string rooftile::interpose::firstWarning(const Library &library, rooftile_handle handle) {
  static std::atomic<bool> hasWarned{false};
  std::string warning = library.warning(handle);
  return warning.empty() || hasWarned.exchange(true) ? "" : warning;
}
