//===- Next.cpp - The BLAS behind this one --------------------------------===//

#include "Next.h"
#include "../Calls/Settings.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>

using namespace rooftile::interpose;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static void *baseOf(const void *address) {
  Dl_info info;
  return address && dladdr(address, &info) ? info.dli_fbase : nullptr;
}

/// This library itself is found where it stands in for libblas.so.3.
static void *unlessOwn(void *address) {
  static void *const own = baseOf(reinterpret_cast<const void *>(&hasNext));
  return baseOf(address) == own ? nullptr : address;
}

/// The library that ROOFTILE_BLAS_NEXT names; null, with a message, where it cannot be opened.
static void *openNamed() {
  void *library = dlopen(settings().next, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    say("ROOFTILE_BLAS_NEXT: %s", dlerror());
  return library;
}

/// The name in a library that is opened for it. One that is in the process is found again.
static void *findIn(const char *libraryName, const char *name) {
  void *library = dlopen(libraryName, RTLD_LAZY | RTLD_LOCAL);
  void *address = library ? unlessOwn(dlsym(library, name)) : nullptr;
  if (library && !address)
    dlclose(library);
  return address;
}

void *rooftile::interpose::findNext(const char *name) {
  if (settings().next) {
    static void *const named = openNamed();
    return named ? unlessOwn(dlsym(named, name)) : nullptr;
  }
  if (void *address = unlessOwn(dlsym(RTLD_NEXT, name)))
    return address;
  for (const char *library :
       {"libblas.so.3", "libopenblas.so.0", "libopenblas64_.so.0", "libblas64.so.3"})
    if (void *address = findIn(library, name))
      return address;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static thread_local bool isInNext = false;

NextScope::NextScope() : wasInside(isInNext) { isInNext = true; }
NextScope::~NextScope() { isInNext = wasInside; }
bool NextScope::isInside() { return isInNext; }

static std::string fortranName(const Call &call, Width width) {
  return nameOf(call) + (width == Width::Lp64 ? "_" : "_64_");
}

static bool fits(const Call &call) {
  int64_t most = std::max({call.m, call.n, call.k, call.a.leading, call.b.leading, call.c.leading});
  return most <= INT32_MAX;
}

/// The routine of the next BLAS and the width of its integers; null where there is none.
static void *findRoutine(const Call &call, Width &width) {
  width = call.width;
  if (void *address = findNext(fortranName(call, width).c_str()))
    return address;
  width = call.width == Width::Lp64 ? Width::Ilp64 : Width::Lp64;
  if (width == Width::Lp64 && !fits(call))
    return nullptr;
  return findNext(fortranName(call, width).c_str());
}

bool rooftile::interpose::hasNext(const Call &call) {
  Width width;
  return findRoutine(call, width);
}

template <typename Int> static void callFortran(void *address, const Call &call) {
  Int m = Int(call.m), n = Int(call.n), k = Int(call.k);
  Int lda = Int(call.a.leading), ldb = Int(call.b.leading), ldc = Int(call.c.leading);
  using Text = const char *;
  using Number = const Int *;
  if (isTriangular(call)) {
    using Routine = void(Text, Text, Text, Text, Number, Number, const void *, const void *, Number,
                         void *, Number, size_t, size_t, size_t, size_t);
    reinterpret_cast<Routine *>(address)(&call.side, &call.uplo, &call.opA, &call.diag, &m, &n,
                                         call.alpha, call.a.address, &lda, call.c.address, &ldc, 1,
                                         1, 1, 1);
    return;
  }
  using Routine = void(Text, Text, Number, Number, Number, const void *, const void *, Number,
                       const void *, Number, const void *, void *, Number, size_t, size_t);
  reinterpret_cast<Routine *>(address)(&call.opA, &call.opB, &m, &n, &k, call.alpha, call.a.address,
                                       &lda, call.b.address, &ldb, call.beta, call.c.address, &ldc,
                                       1, 1);
}

void rooftile::interpose::callNext(const Call &call) {
  Width width;
  void *address = findRoutine(call, width);
  if (!address) {
    say("%s: there is no other BLAS for this call: name one by ROOFTILE_BLAS_NEXT=/path/to/it.so",
        describe(call).c_str());
    std::abort();
  }
  NextScope inside;
  if (width == Width::Lp64)
    callFortran<int32_t>(address, call);
  else
    callFortran<int64_t>(address, call);
}
