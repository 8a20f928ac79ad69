//===- Next.h - The BLAS after this one -------------------------*- C++ -*-===//
//
// ROOFTILE_BLAS_NEXT names it. Else it is the BLAS that the caller brings along (Scope.h), what the
// loader would have found without this library, or libblas.so.3, libopenblas.so.0. Libraries of one
// process may have several, so each call site has its own, which is looked up at its first call.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_NEXT_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_NEXT_H

#include "../Calls/Call.h"

#include <atomic>
#include <iterator>

namespace rooftile::interpose {

/// The address of a name in the next BLAS of the code at `caller`; null where it has none. Never
/// one of this library.
void *findNext(const char *name, const void *caller);

/// Code that calls a name of BLAS. It stays once it is made, and threads share it.
class CallSite {
public:
  CallSite(const char *name, const void *caller, CallSite *next = nullptr)
      : caller(caller), function(findNext(name, caller)), next(next) {}

  const void *const caller; ///< The return address.
  void *const function;     ///< The function of that name in the next BLAS; null where it has none.
  CallSite *next;           ///< In a list.
  /// Fortran's routines by the width of integers, once they were needed: parts of a rank update are
  /// products.
  std::atomic<void *> routines[std::size(operation::kRoutines)][2] = {};
  /// A second, of products; negative until it is known (HostRate.h).
  std::atomic<double> hostFlops{-1};
};

/// A name of this library and who calls it. Each exported function has one of itself.
class NextSymbol {
public:
  constexpr explicit NextSymbol(const char *name) : name(name) {}

  /// That of a return address.
  CallSite &at(const void *caller) {
    std::atomic<CallSite *> &list = lists[hash(caller)];
    CallSite *first = list.load(std::memory_order_acquire);
    for (CallSite *site = first; site; site = site->next)
      if (site->caller == caller)
        return *site;
    return add(list, first, caller);
  }

private:
  static constexpr unsigned kListBits = 6;
  /// Fibonacci hashing: addresses of calls differ in their lower bits.
  static unsigned hash(const void *caller) {
    return unsigned(reinterpret_cast<uintptr_t>(caller) * 0x9e3779b97f4a7c15u >> (64 - kListBits));
  }
  CallSite &add(std::atomic<CallSite *> &list, CallSite *first, const void *caller);

  const char *name;
  std::atomic<CallSite *> lists[1 << kListBits] = {};
};

/// "dgemm_", "dgemm_64_".
std::string fortranName(const Call &call, Width width);

/// The Fortran routine of the next BLAS for a call: that of its width, else one of the other width
/// where the sizes fit; null where there is none.
const void *routineOf(const Call &call);
inline bool hasNext(const Call &call) { return routineOf(call); }
/// Runs a call by that routine. Ends the program, with a message, where there is none.
void callNext(const Call &call);

/// While one lives, this thread is in the next BLAS, whose own calls of BLAS are not looked at.
class NextScope {
public:
  NextScope();
  ~NextScope();
  static bool isInside();

private:
  bool wasInside;
};

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_NEXT_H
