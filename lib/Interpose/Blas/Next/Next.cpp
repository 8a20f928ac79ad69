//===- Next.cpp - The BLAS after this one ---------------------------------===//

#include "Next.h"
#include "../../Arguments.h"
#include "../Calls/Settings.h"
#include "Scope.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <utility>

using namespace rooftile;
using namespace rooftile::interpose;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// This library itself is found where it stands in for libblas.so.3.
static void *unlessOwn(void *address) { return isOwn(address) ? nullptr : address; }

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

void *rooftile::interpose::findNext(const char *name, const void *caller) {
  if (settings().next) {
    static void *const named = openNamed();
    return named ? unlessOwn(dlsym(named, name)) : nullptr;
  }
  if (void *address = findInScope(caller, name))
    return address;
  if (void *address = unlessOwn(dlsym(RTLD_NEXT, name)))
    return address;
  for (const char *library :
       {"libblas.so.3", "libopenblas.so.0", "libopenblas64_.so.0", "libblas64.so.3"})
    if (void *address = findIn(library, name))
      return address;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Call sites
//===----------------------------------------------------------------------===//

/// Threads that are here at once may both make one for the same caller: they are alike.
CallSite &NextSymbol::add(std::atomic<CallSite *> &list, CallSite *first, const void *caller) {
  auto *site = new CallSite(name, caller, first);
  while (!list.compare_exchange_weak(site->next, site, std::memory_order_acq_rel))
    ;
  return *site;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Read at every call, so without a function that finds it.
static thread_local bool isInNext __attribute__((tls_model("initial-exec"))) = false;

NextScope::NextScope() : wasInside(isInNext) { isInNext = true; }
NextScope::~NextScope() { isInNext = wasInside; }
bool NextScope::isInside() { return isInNext; }

std::string rooftile::interpose::fortranName(const Call &call, Width width) {
  return nameOf(call) + (width == Width::Lp64 ? "_" : "_64_");
}

static bool fits(const Call &call) {
  const operation::Operation &of = call.operation;
  int64_t most = std::max({of.m, of.n, of.k, of.a.leading, of.b.leading, of.c.leading});
  return most <= INT32_MAX;
}

static void *findRoutine(const Call &call, Width width) {
  std::atomic<void *> &known = call.site->routines[size_t(call.operation.routine)][size_t(width)];
  void *address = known.load(std::memory_order_acquire);
  if (!address && (address = findNext(fortranName(call, width).c_str(), call.site->caller)))
    known.store(address, std::memory_order_release);
  return address;
}

/// The routine of the next BLAS and the width of its integers; null where there is none.
static void *findRoutine(const Call &call, Width *width) {
  *width = call.width;
  if (void *address = findRoutine(call, *width))
    return address;
  *width = call.width == Width::Lp64 ? Width::Ilp64 : Width::Lp64;
  return *width == Width::Lp64 && !fits(call) ? nullptr : findRoutine(call, *width);
}

const void *rooftile::interpose::routineOf(const Call &call) {
  Width width;
  return findRoutine(call, &width);
}

namespace {
/// Arguments of a Fortran routine, which are addresses, and then the lengths of its letters: words
/// of one size. Those after the last one of a routine are not read by it.
struct Words {
  static constexpr int kMost = 15;
  uintptr_t words[kMost] = {};
  int count = 0;

  void add(const void *address) { words[count++] = reinterpret_cast<uintptr_t>(address); }
  template <int... index> void call(void *routine, std::integer_sequence<int, index...>) const {
    using Routine = void(decltype(uintptr_t(index))...);
    reinterpret_cast<Routine *>(routine)(words[index]...);
  }
};
} // namespace

template <typename Int> static void callFortran(void *address, const Call &call) {
  const operation::Operation &of = call.operation;
  std::string letters = lettersOf(of);
  Int m = Int(of.m), n = Int(of.n), k = Int(of.k);
  Int leading[] = {Int(of.a.leading), Int(of.b.leading), Int(of.c.leading)};
  Words words;
  for (const char &letter : letters)
    words.add(&letter);
  if (of.info().hasM())
    words.add(&m);
  words.add(&n);
  if (of.info().hasK())
    words.add(&k);
  words.add(call.alpha.bytes);
  for (int index : {0, 1, 2}) {
    if (!of.has(index))
      continue;
    if (index == 2 && of.info().beta != operation::ScalarType::None)
      words.add(call.beta.bytes);
    words.add(call.addresses[index]);
    words.add(&leading[index]);
  }
  for (size_t i = 0; i < letters.size(); ++i)
    words.words[words.count++] = 1;
  words.call(address, std::make_integer_sequence<int, Words::kMost>());
}

void rooftile::interpose::callNext(const Call &call) {
  Width width;
  void *address = findRoutine(call, &width);
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
