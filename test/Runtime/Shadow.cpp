//===- Shadow.cpp - Shadow memory beside a list of all accesses -----------===//

#include "lib/Runtime/Cpu/Shadow.h"
#include "Kernels.h"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

using namespace rooftile::cpu;

namespace {

constexpr int64_t kBytes = 48, kGranule = 2;
constexpr uint32_t kBlocks = 2, kThreads = 3;

/// Two blocks of a cluster access the memory of one, with barriers between; all accesses are kept.
class Program {
public:
  Program() : shadow(kBytes, kGranule, clock) {
    clock.start = clock.meet();
    meet();
    step({0, kBytes, {epochs[0], 0, 1}, true});
    meet();
  }

  /// Random steps up to the first race. Returns whether both found the same ones.
  bool run(std::mt19937 &random) {
    auto draw = [&](int count) { return int64_t(random() % count); };
    for (int steps = 0; steps < 30; ++steps) {
      if (int64_t what = draw(8); what < 2)
        meet();
      else if (what < 6)
        epochs[what % kBlocks] = clock.next();
      int64_t bytes = kGranule << draw(4), rank = draw(kBlocks);
      // Threads have places of their own more often than not.
      uint32_t thread = draw(kThreads), area = draw(6) == 0 ? draw(kThreads) : thread;
      int64_t byte = area * (kBytes / kThreads) + draw(16 / bytes) * bytes;
      bool writes = draw(4) == 0;
      Record next{byte, bytes, {epochs[rank], Access::pack(rank, thread), 1}, writes};
      bool isRace = races(next);
      found += isRace;
      if (step(next) != isRace)
        return false;
      if (isRace)
        return true;
    }
    return true;
  }
  int getRaces() const { return found; }

private:
  struct Record {
    int64_t byte, bytes;
    Access access;
    bool writes;
  };

  void meet() { epochs.fill(clock.meet()); }

  bool step(const Record &next) {
    all.push_back(next);
    auto [byte, bytes, access, writes] = next;
    Conflict conflict =
        writes ? shadow.write(byte, bytes, access) : shadow.read(byte, bytes, access);
    return conflict.kind == Conflict::Race;
  }

  bool races(const Record &next) const {
    return std::any_of(all.begin(), all.end(), [&](const Record &earlier) {
      const Access &one = earlier.access, &other = next.access;
      bool isOrdered =
          one.epoch < clock.meeting || (one.rank() == other.rank() && one.epoch < other.epoch);
      return (earlier.writes || next.writes) && one.who != other.who && !isOrdered &&
             earlier.byte < next.byte + next.bytes && next.byte < earlier.byte + earlier.bytes;
    });
  }

  Clock clock;
  std::array<uint32_t, kBlocks> epochs{};
  Shadow shadow;
  std::vector<Record> all;
  int found = 0;
};

} // namespace

void testShadow() {
  std::mt19937 random(7);
  int programs = 20000, alike = 0, races = 0;
  for (int program = 0; program < programs; ++program) {
    Program one;
    alike += one.run(random);
    races += one.getRaces();
  }
  expect("shadow memory finds the races of a list of all accesses", alike == programs);
  expect("races and none", races > programs / 4 && races < programs);
}
