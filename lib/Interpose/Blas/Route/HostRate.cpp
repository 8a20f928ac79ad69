//===- HostRate.cpp - How fast the next BLAS is ---------------------------===//

#include "HostRate.h"
#include "../Next/Next.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

using namespace rooftile;
using namespace rooftile::interpose;

/// Squares, each twice as large as the one before, until one lasts a millisecond: then threads have
/// long begun, and a slow BLAS has not been kept for long.
static double measure(Call call) {
  constexpr int64_t kFirst = 64, kLast = 2048;
  constexpr double kEnough = 1e-3;
  double best = 0;
  for (int64_t size = kFirst; size <= kLast; size *= 2) {
    int64_t bytes = size * size * bytesOf(call.element());
    std::vector<char> memory(size_t(3 * bytes)); // Zeros: no denormal values.
    call.operation.m = call.operation.n = call.operation.k = size;
    for (int index : {0, 1, 2})
      call.setOperand(index, memory.data() + index * bytes, size);
    auto begin = std::chrono::steady_clock::now();
    callNext(call);
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    best = std::max(best, flops(call.operation) / std::max(seconds, 1e-9));
    if (seconds >= kEnough)
      break;
  }
  return best;
}

namespace {
/// Rate of one routine, in whatever library; a list of all that were asked for.
struct Rate {
  const void *routine;
  std::atomic<double> flops{-1};
  Rate *next = nullptr;
};
} // namespace

static Rate &rateOf(const void *routine) {
  static std::atomic<Rate *> rates{nullptr};
  Rate *first = rates.load();
  for (Rate *rate = first; rate; rate = rate->next)
    if (rate->routine == routine)
      return *rate;
  Rate *rate = new Rate;
  rate->routine = routine, rate->next = first;
  while (!rates.compare_exchange_weak(rate->next, rate))
    ;
  return *rate;
}

/// Without a lock: a process may fork at any time. Threads that ask at once all measure, and the
/// first result stays.
static double measureOnce(const Call &call) {
  Call product = callOf(operation::Routine::Gemm, call.element());
  product.setScalars(Number::of(call.element(), 1), Number::of(call.element(), 0));
  product.width = call.width;
  // Seen from there, the product is that of the library that has the function, whose name may be
  // C's.
  const CallSite &given = *call.site;
  CallSite site(fortranName(product, product.width).c_str(),
                given.function ? given.function : given.caller);
  product.site = &site;
  const void *routine = routineOf(product);
  if (!routine)
    return 0;
  Rate &rate = rateOf(routine);
  double known = rate.flops.load();
  if (known >= 0)
    return known;
  double measured = measure(product);
  return rate.flops.compare_exchange_strong(known, measured) ? measured : known;
}

double rooftile::interpose::hostFlops(const Call &call) {
  std::atomic<double> &flops = call.site->hostFlops;
  double known = flops.load(std::memory_order_relaxed);
  if (known >= 0)
    return known;
  double measured = measureOnce(call);
  flops.store(measured, std::memory_order_relaxed);
  return measured;
}
