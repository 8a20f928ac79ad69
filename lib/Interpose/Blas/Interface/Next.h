//===- Next.h - The BLAS behind this one ------------------------*- C++ -*-===//
//
// ROOFTILE_BLAS_NEXT names it. Else it is what the loader would have found without this library,
// else libblas.so.3 or libopenblas.so.0. It is opened when it is first needed.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_NEXT_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_NEXT_H

#include "../Calls/Call.h"

#include <atomic>

namespace rooftile::interpose {

/// The address of a name in the next BLAS; null where it has none. Never one of this library.
void *findNext(const char *name);

/// As findNext, kept. Each exported function has one of itself.
struct NextSymbol {
  const char *name;
  std::atomic<void *> address{nullptr};

  void *find() {
    void *known = address.load(std::memory_order_acquire);
    if (!known && (known = findNext(name)))
      address.store(known, std::memory_order_release);
    return known;
  }
};

/// Whether callNext can run the call.
bool hasNext(const Call &call);
/// Runs a call by the Fortran routine of the next BLAS: that of its width, else one of the other
/// width where the sizes fit. Ends the program, with a message, where there is none.
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
