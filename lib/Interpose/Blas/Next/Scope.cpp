//===- Scope.cpp - The libraries that a caller brings along ---------------===//

#include "Scope.h"

#include <algorithm>
#include <dlfcn.h>
#include <link.h>
#include <vector>

using namespace rooftile::interpose;

/// The library that an address lies in; null for memory of no library.
static link_map *libraryOf(const void *address) {
  Dl_info info;
  void *map = nullptr;
  bool isKnown = address && dladdr1(address, &info, &map, RTLD_DL_LINKMAP);
  return isKnown ? static_cast<link_map *>(map) : nullptr;
}

bool rooftile::interpose::isOwn(const void *address) {
  static link_map *const own = libraryOf(reinterpret_cast<const void *>(&isOwn));
  return address && libraryOf(address) == own;
}

//===----------------------------------------------------------------------===//
// Needs of a library
//===----------------------------------------------------------------------===//

/// A handle of a library that is loaded; null where none of that name is.
static void *openLoaded(const char *name) { return dlopen(name, RTLD_LAZY | RTLD_NOLOAD); }

/// An entry of the dynamic section. The loader has made addresses of most offsets there.
static ElfW(Addr) addressIn(const link_map &library, ElfW(Addr) value) {
  return value < library.l_addr ? library.l_addr + value : value;
}

static std::vector<link_map *> neededBy(const link_map &library) {
  const char *strings = nullptr;
  for (const ElfW(Dyn) *entry = library.l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB)
      strings = reinterpret_cast<const char *>(addressIn(library, entry->d_un.d_ptr));
  std::vector<link_map *> needed;
  for (const ElfW(Dyn) *entry = library.l_ld; strings && entry->d_tag != DT_NULL; ++entry) {
    void *handle = entry->d_tag == DT_NEEDED ? openLoaded(strings + entry->d_un.d_val) : nullptr;
    link_map *map = nullptr;
    if (handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0)
      needed.push_back(map);
    if (handle)
      dlclose(handle); // `library` holds it.
  }
  return needed;
}

/// The library and all that it needs, breadth first, each once: the order in which the loader
/// looks.
static std::vector<link_map *> scopeOf(link_map *library) {
  std::vector<link_map *> scope = {library};
  for (size_t i = 0; i < scope.size(); ++i)
    for (link_map *needed : neededBy(*scope[i]))
      if (std::find(scope.begin(), scope.end(), needed) == scope.end())
        scope.push_back(needed);
  return scope;
}

static bool cameWithProgram(link_map *library) {
  static const auto &program = *[library] {
    link_map *first = library;
    while (first->l_prev)
      first = first->l_prev;
    return new std::vector<link_map *>(scopeOf(first));
  }();
  return std::find(program.begin(), program.end(), library) != program.end();
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

/// The library's own definition. The library stays loaded where there is one.
static void *definedIn(link_map *library, const char *name) {
  void *handle = openLoaded(library->l_name);
  void *address = handle ? dlsym(handle, name) : nullptr;
  if (address && libraryOf(address) == library)
    return address;
  if (handle)
    dlclose(handle);
  return nullptr;
}

void *rooftile::interpose::findInScope(const void *caller, const char *name) {
  link_map *library = libraryOf(caller);
  if (!library || cameWithProgram(library))
    return nullptr;
  // A wrapper that stands before this library and calls what is next must not be called again.
  const void *wrapper = dlsym(RTLD_DEFAULT, name);
  for (link_map *next : scopeOf(library))
    if (void *address = definedIn(next, name))
      if (address != wrapper && !isOwn(address))
        return address;
  return nullptr;
}
