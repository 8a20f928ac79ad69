//===- OfThread.h - Objects of threads, after main too ----------*- C++ -*-===//
//
// Programs call from destructors of static objects, which run when the thread_local objects of the
// main thread are gone.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_RUNTIME_OFTHREAD_H
#define ROOFTILE_RUNTIME_OFTHREAD_H

namespace rooftile {

/// This thread's T, one for each `Tag`, which is destroyed with the thread_local objects. Who asks
/// after that gets another one, which stays.
template <typename T, typename Tag> T &ofThread() {
  static thread_local T *object = nullptr; // Nothing that is destroyed.
  struct Owner {
    ~Owner() {
      delete object;
      object = nullptr;
    }
  };
  static thread_local Owner owner;
  if (!object)
    object = new T;
  return *object;
}

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_OFTHREAD_H
