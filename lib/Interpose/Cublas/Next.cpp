//===- Next.cpp - The functions of the real cuBLAS ------------------------===//

#include "Next.h"
#include "Options.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace rooftile::cublas;

// Their types are in Entries.cpp; here only the addresses count.
#define ROOFTILE_FUNCTION(name) extern "C" void name();
#include "Functions.inc"

namespace {
struct Entry {
  const char *name;
  void (*interposed)();
  std::atomic<void *> next;
};
} // namespace

static Entry entries[] = {
#define ROOFTILE_FUNCTION(name) {#name, &name, {nullptr}},
#include "Functions.inc"
};

static Entry &entryOf(Function function) { return entries[int32_t(function)]; }

const char *rooftile::cublas::nameOf(Function function) { return entryOf(function).name; }

void *rooftile::cublas::interposed(const char *name, Function &function) {
  if (std::strncmp(name, "cublas", 6) != 0)
    return nullptr;
  for (int32_t i = 0; i < int32_t(Function::Count); ++i)
    if (std::strcmp(entries[i].name, name) == 0) {
      function = Function(i);
      return reinterpret_cast<void *>(entries[i].interposed);
    }
  return nullptr;
}

bool rooftile::cublas::keepNext(Function function, void *address) {
  void *kept = nullptr;
  return entryOf(function).next.compare_exchange_strong(kept, address) || kept == address;
}

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

FindSymbol rooftile::cublas::realDlsym() noexcept {
  static const FindSymbol found = [] {
    // The C library's versions: since 2.34, and before on x86-64 and on AArch64.
    for (const char *version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"})
      if (void *address = dlvsym(RTLD_NEXT, "dlsym", version))
        return reinterpret_cast<FindSymbol>(address);
    std::abort(); // Not glibc: no program could find anything.
  }();
  return found;
}

/// A cuBLAS that is loaded where RTLD_NEXT does not look, as by Python's modules; else the one that
/// the user names. Null where there is neither.
static void *openLoaded() {
  for (const char *name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"})
    if (void *loaded = dlopen(name, RTLD_NOLOAD | RTLD_LAZY))
      return loaded;
  const char *named = std::getenv("ROOFTILE_CUBLAS_NEXT");
  return named ? dlopen(named, RTLD_LAZY | RTLD_LOCAL) : nullptr;
}

void *rooftile::cublas::findInNext(const char *name) {
  if (void *found = realDlsym()(RTLD_NEXT, name))
    return found;
  // Not kept where there is none: it may be loaded later.
  static std::atomic<void *> library{nullptr};
  void *opened = library.load();
  if (!opened)
    library.store(opened = openLoaded());
  return opened ? realDlsym()(opened, name) : nullptr;
}

static void sayThatNoneIsThere(const char *name) {
  static std::atomic<bool> isSaid{false};
  if (!isSaid.exchange(true))
    say(std::string(name) + ": no cuBLAS is loaded; ROOFTILE_CUBLAS_NEXT can name one");
}

void *rooftile::cublas::nextOf(Function function) {
  Entry &entry = entryOf(function);
  if (void *kept = entry.next.load(std::memory_order_acquire))
    return kept;
  void *found = findInNext(entry.name);
  if (!found) {
    sayThatNoneIsThere(entry.name);
    return nullptr;
  }
  keepNext(function, found);
  return entry.next.load();
}
