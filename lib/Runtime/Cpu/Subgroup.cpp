//===- Subgroup.cpp - What the lanes of a subgroup do together ------------===//
//
// A subgroup goes from one matrix instruction to the next by itself; only barriers hold the
// whole block. An instruction orders no access to shared memory: what lanes of one
// subgroup do to it between two barriers may still race.
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include <algorithm>
#include <cmath>
#include <utility>

using namespace rooftile::cpu;

/// sums += A * B for the operands as matrices, row by row, one after the other: A, B, C.
static void multiplyAdd(const MatrixInstruction &instruction, double *operands) {
  auto [m, n, k] = std::tuple(instruction.m, instruction.n, instruction.k);
  const double *a = operands, *b = a + m * k;
  double *c = operands + m * k + k * n;
  for (int64_t row = 0; row < m; ++row)
    for (int64_t depth = 0; depth < k; ++depth)
      for (int64_t column = 0; column < n; ++column)
        c[row * n + column] =
            std::fma(a[row * k + depth], b[depth * n + column], c[row * n + column]);
}

/// Calls `visit` with every register of the lanes and its element of the operands.
template <typename Visit>
static void forEachRegister(const MatrixInstruction &instruction, Visit visit) {
  const int64_t sizes[] = {instruction.m * instruction.k, instruction.k * instruction.n, 0};
  const int64_t *place = instruction.places;
  int64_t before = 0, registersBefore = 0;
  for (int operand = 0; operand < 3; ++operand) {
    int64_t count = instruction.registers[operand];
    for (int64_t lane = 0; lane < instruction.lanes; ++lane)
      for (int64_t index = 0; index < count; ++index)
        visit(lane, registersBefore + index, before + *place++, /*sum=*/operand == 2);
    before += sizes[operand];
    registersBefore += count;
  }
}

bool Block::multiply(size_t first) {
  const MatrixInstruction &instruction = *threads[first].instruction;
  size_t lanes = instruction.lanes, begin = first / lanes * lanes;
  for (size_t lane = begin; lane < begin + lanes; ++lane) {
    bool exists = lane < threads.size();
    if (exists && placeOf(lane) == placeOf(first))
      continue;
    launch.fail(id, "divergence at a matrix instruction: thread " + std::to_string(first) + " " +
                        describe(placeOf(first)) + ", thread " + std::to_string(lane) + " " +
                        (exists ? describe(placeOf(lane)) : "does not exist"));
    return false;
  }
  operands.resize(instruction.m * instruction.k + instruction.k * instruction.n +
                  instruction.m * instruction.n);
  forEachRegister(instruction, [&](int64_t lane, int64_t index, int64_t element, bool) {
    operands[element] = threads[begin + lane].registers[index];
  });
  multiplyAdd(instruction, operands.data());
  forEachRegister(instruction, [&](int64_t lane, int64_t index, int64_t element, bool sum) {
    if (sum)
      threads[begin + lane].registers[index] = operands[element];
  });
  return true;
}

bool Block::isHeld(size_t begin, size_t lanes) const {
  for (size_t lane = begin; lane < std::min(begin + lanes, threads.size()); ++lane)
    if (waitsForArrival(placeOf(lane)))
      return true;
  return false;
}

bool Block::multiply() {
  bool any = false;
  for (size_t thread = 0; thread < threads.size();) {
    if (ended(thread) || threads[thread].collective == 0) {
      ++thread;
      continue;
    }
    size_t lanes = threads[thread].instruction->lanes, begin = thread / lanes * lanes;
    size_t first = std::exchange(thread, begin + lanes);
    if (isHeld(begin, lanes))
      continue;
    if (!multiply(first))
      return false;
    any = true;
    std::fill(released.begin() + begin, released.begin() + begin + lanes, true);
  }
  return any;
}
