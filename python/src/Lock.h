//===- Lock.h - The lock of the interpreter ---------------------*- C++ -*-===//
//
// A thread that asks for the lock while the interpreter ends, as daemon threads do, never gets it.
// Python up to 3.13 ends that thread by unwinding its stack, and what is noexcept on the way, as
// destructors are, would end the process. So it waits for the end of the process, as from 3.14 on.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PYTHON_LOCK_H
#define ROOFTILE_PYTHON_LOCK_H

#include "nanobind/nanobind.h"

#include <unistd.h>

namespace rooftile::python {

/// Acquires the lock by `take`.
template <typename Take> auto takeLock(const Take &take) noexcept {
  try {
    return take();
  } catch (...) { // Not an exception: the thread is being ended.
    while (true)
      pause();
  }
}

/// The lock is free while one lives.
class Unlocked {
public:
  Unlocked() : state(PyEval_SaveThread()) {}
  ~Unlocked() {
    takeLock([&] { PyEval_RestoreThread(state); });
  }
  Unlocked(const Unlocked &) = delete;
  Unlocked &operator=(const Unlocked &) = delete;

private:
  PyThreadState *state;
};

/// This thread, whatever it is, holds the lock while one lives.
class Locked {
public:
  Locked() : state(takeLock([] { return PyGILState_Ensure(); })) {}
  ~Locked() { PyGILState_Release(state); }
  Locked(const Locked &) = delete;
  Locked &operator=(const Locked &) = delete;

private:
  PyGILState_STATE state;
};

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_LOCK_H
