//===- Subgroup.cpp - Matrix instructions of the CPU scheduler ------------===//

#include "Kernels.h"

#include <vector>

using rooftile::cpu::MatrixInstruction;

namespace {

/// 2 x 2 x 2 by four lanes, each with one element of every operand: lane = 2 row + column.
const int64_t kNumbers[] = {4, 2, 2, 2, 1, 1, 1, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
const auto *kInstruction = reinterpret_cast<const MatrixInstruction *>(kNumbers);

std::suspend_always multiply(Thread *thread, int64_t id, double a, double b, double c) {
  thread->registers[0] = a, thread->registers[1] = b, thread->registers[2] = c;
  thread->instruction = kInstruction;
  thread->collective = id;
  return {};
}

/// Subgroup s multiplies [1 2; 3 4] + s by [1 1; 1 2], s + 1 times, and meets the others; then
/// once more. Sums stay in the registers.
Coroutine powersBody(void **params, Thread *thread) {
  auto *out = *static_cast<double **>(params[0]);
  int64_t lane = thread->threadId % 4, subgroup = thread->threadId / 4;
  double a = 1 + lane + subgroup, b = lane == 3 ? 2 : 1, sum = 0;
  for (int64_t time = 0; time <= subgroup; ++time) {
    co_await multiply(thread, 1, a, b, sum);
    sum = thread->registers[2];
  }
  co_await barrier(thread, 2);
  co_await multiply(thread, 3, a, b, sum);
  out[thread->threadId] = thread->registers[2];
}
void *powers(void **params, Thread *thread) { return powersBody(params, thread).handle.address(); }

/// Lane 2 of the second subgroup does something else.
enum class Defect { Leaves, Waits, Elsewhere };
Coroutine brokenBody(void **params, Thread *thread) {
  auto defect = *static_cast<Defect *>(params[0]);
  bool odd = thread->threadId == 6;
  if (odd && defect == Defect::Leaves)
    co_return;
  if (odd && defect == Defect::Waits)
    co_await barrier(thread, 5);
  co_await multiply(thread, odd ? 4 : 3, 1, 1, 1);
}
void *broken(void **params, Thread *thread) { return brokenBody(params, thread).handle.address(); }

void launch(const char *name, rooftile::cpu::Kernel kernel, int64_t threads, void **params,
            const char *text) {
  rooftileClearError();
  rooftileCpuLaunch(name, kernel, 1, threads, 1, 8, params, nullptr, 0);
  expectError(name, text);
}

} // namespace

void testSubgroups() {
  std::vector<double> out(12);
  double *data = out.data();
  void *params[] = {&data};
  bool right = true;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    rooftileCpuSeed(seed);
    launch("powers", powers, 12, params, "");
    for (int64_t subgroup = 0; subgroup < 3; ++subgroup) {
      double s = subgroup, times = subgroup + 2;
      const double once[] = {3 + 2 * s, 5 + 3 * s, 7 + 2 * s, 11 + 3 * s};
      for (int64_t lane = 0; lane < 4; ++lane)
        right &= out[4 * subgroup + lane] == times * once[lane];
    }
  }
  expect("sums", right);
  for (auto [defect, text] :
       {std::pair(Defect::Leaves, "thread 4 waits at matrix instruction 3, thread 6 has ended"),
        std::pair(Defect::Waits,
                  "thread 4 waits at matrix instruction 3, thread 6 waits at barrier 5"),
        std::pair(Defect::Elsewhere, "thread 4 waits at matrix instruction 3, thread 6 waits at "
                                     "matrix instruction 4")}) {
    Defect own = defect;
    void *ofDefect[] = {&own};
    launch("broken subgroup", broken, 8, ofDefect, text);
  }
  launch("half a subgroup", powers, 10, params,
         "divergence at a matrix instruction: thread 8 waits at matrix instruction 1, thread 10 "
         "does not exist");
}
