//===- Products.h - Products that run on while threads do -------*- C++ -*-===//
//
// The hardware may read the factors of an asynchronous product, and write its sums, at any time
// between its start and the wait for its group. Here it is computed at that wait; until then its
// sums are indices of those that the runtime keeps, as NaN: whoever uses them before they are
// finished has no result. Reads of the factors are recorded at both times.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_RUNTIME_CPU_PRODUCTS_H
#define ROOFTILE_LIB_RUNTIME_CPU_PRODUCTS_H

#include "rooftile/Runtime/Cpu/Cpu.h"
#include <vector>

namespace rooftile::cpu {

/// Forgets what `thread` has on its way. Returns whether that is any product.
bool dropProducts(Thread &thread);

/// Whether a kernel with that report has asynchronous products.
bool multipliesLater(const Record &record);

/// Which bytes of shared memory threads wrote and did not fence: asynchronous products read them by
/// another way.
class Fences {
public:
  void setUp(int64_t bytes, int64_t threads);
  void write(int64_t byte, int64_t bytes, int64_t thread);
  /// Written in a way that needs no fence.
  void arrive(int64_t byte, int64_t bytes);
  void fence(int64_t thread);
  /// The thread whose write to one of these bytes is not fenced; -1 for none.
  int64_t unfenced(int64_t byte, int64_t bytes) const;

private:
  struct Cell {
    int64_t thread = -1, fences = 0; ///< who wrote last, after so many of its fences
  };
  std::vector<Cell> cells;
  std::vector<int64_t> fences; ///< of each thread
};

} // namespace rooftile::cpu

#endif // ROOFTILE_LIB_RUNTIME_CPU_PRODUCTS_H
