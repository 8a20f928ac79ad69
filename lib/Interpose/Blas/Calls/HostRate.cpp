//===- HostRate.cpp - How fast the next BLAS is ---------------------------===//

#include "HostRate.h"
#include "../Interface/Next.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

using namespace rooftile::interpose;

/// Squares, each twice as large as the one before, until one takes a millisecond: then threads have
/// long begun, and a slow BLAS has not been kept for long.
static double measure(Type type) {
  constexpr int64_t kFirst = 64, kLast = 2048;
  constexpr double kEnough = 1e-3;
  const float single[2] = {1, 0}, nothing[4] = {};
  const double twice[2] = {1, 0};
  bool isSingle = type == Type::F32 || type == Type::C64;
  double best = 0;
  for (int64_t size = kFirst; size <= kLast; size *= 2) {
    std::vector<char> memory(
        size_t(3 * size * size * bytesOf(type))); // Zeros: no denormal numbers.
    Call call;
    call.type = type;
    call.m = call.n = call.k = size;
    call.alpha = isSingle ? static_cast<const void *>(single) : twice;
    call.beta = nothing;
    char *start = memory.data();
    int64_t bytes = size * size * bytesOf(type);
    call.a = {start, size}, call.b = {start + bytes, size}, call.c = {start + 2 * bytes, size};
    auto begin = std::chrono::steady_clock::now();
    callNext(call);
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    best = std::max(best, flopsOf(call) / std::max(seconds, 1e-9));
    if (seconds >= kEnough)
      break;
  }
  return best;
}

/// Without a lock: a process may fork at any time. Threads that ask at once all measure, and the
/// first result stays.
double rooftile::interpose::hostFlops(Type type) {
  static std::atomic<double> rates[4] = {-1, -1, -1, -1};
  std::atomic<double> &rate = rates[int(type)];
  double known = rate.load(std::memory_order_relaxed);
  if (known >= 0)
    return known;
  Call call;
  call.type = type;
  double measured = hasNext(call) ? measure(type) : 0;
  return rate.compare_exchange_strong(known, measured) ? measured : known;
}
