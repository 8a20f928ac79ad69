//===- BankConflicts.cpp - Shared accesses that meet in one bank ----------===//

#include "rooftile/Dialect/Tile/BankConflicts.h"

#include <array>
#include <vector>

using namespace rooftile;
using namespace rooftile::tile;

static constexpr int64_t kBankBytes = 4;
static constexpr size_t kMaxBanks = 64, kMaxWords = 64;

namespace {
/// The threads of an access one after the other; no division on the way, for planning counts
/// thousands of accesses.
class Walk {
public:
  Walk(const SharedAccess &access, int64_t thread)
      : access(access),
        period(BufferType::getSwizzlePeriod(
            access.swizzle, std::max(access.strides[0], access.strides[1]), access.elementBytes)) {
    for (const Mode &mode : access.threads) {
      digits.push_back(thread % mode.size);
      step(mode, digits.back());
      thread /= mode.size;
    }
  }
  void next() {
    for (auto [mode, digit] : llvm::zip_equal(access.threads, digits)) {
      if (++digit < mode.size)
        return step(mode, 1);
      step(mode, 1 - mode.size);
      digit = 0;
    }
  }
  /// First byte that the thread accesses.
  int64_t address() const;

private:
  void step(const Mode &mode, int64_t times) {
    place[0] += times * mode.row;
    place[1] += times * mode.column;
  }

  const SharedAccess &access;
  BufferType::SwizzlePeriod period;
  llvm::SmallVector<int64_t, 4> digits;
  std::array<int64_t, 2> place{0, 0};
};
} // namespace

int64_t Walk::address() const {
  std::array<int64_t, 2> moved = place;
  if (access.swizzle != 0) {
    int inner = access.strides[0] == 1 ? 0 : 1;
    int64_t group = moved[1 - inner] / period.vectors % period.ways;
    moved[inner] ^= access.swizzle * group & -access.elements; // a run keeps its order
  }
  return (moved[0] * access.strides[0] + moved[1] * access.strides[1]) * access.elementBytes;
}

/// Clocks for `count` lanes that are served together: the most different words of one bank.
static int64_t clocksOf(const SharedAccess &access, const Banks &banks, Walk &lane, int64_t count) {
  std::array<std::array<int64_t, kMaxWords>, kMaxBanks> words; // of each bank, `used` of them
  std::array<uint8_t, kMaxBanks> used{};
  int64_t most = 1, mask = llvm::isPowerOf2_64(banks.count) ? banks.count - 1 : 0;
  int64_t length = llvm::divideCeil(access.elements * access.elementBytes, kBankBytes);
  for (int64_t served = 0; served < count; ++served, lane.next()) {
    int64_t begin = lane.address() / kBankBytes;
    for (int64_t word = begin; word < begin + length; ++word) {
      size_t bank = mask ? word & mask : word % banks.count;
      auto end = words[bank].begin() + used[bank];
      if (used[bank] == kMaxWords || std::find(words[bank].begin(), end, word) != end)
        continue;
      *end = word;
      most = std::max<int64_t>(most, ++used[bank]);
    }
  }
  return most;
}

/// Clocks of the subgroup that begins at `first`, and the fewest that are possible.
static std::pair<int64_t, int64_t> clocksOfSubgroup(const SharedAccess &access, const Banks &banks,
                                                    int64_t first, int64_t threads) {
  int64_t bytes = access.elements * access.elementBytes;
  int64_t together = std::max<int64_t>(1, banks.count * kBankBytes / std::max(bytes, kBankBytes));
  std::pair<int64_t, int64_t> clocks(0, 0);
  int64_t end = std::min(first + banks.subgroup, threads);
  Walk walk(access, first);
  for (int64_t lane = first; lane < end; lane += together) {
    clocks.first += clocksOf(access, banks, walk, std::min(together, end - lane));
    ++clocks.second;
  }
  return clocks;
}

static int64_t threadsOf(const SharedAccess &access) {
  int64_t count = 1;
  for (const Mode &mode : access.threads)
    count *= mode.size;
  return count;
}

int64_t tile::bankConflicts(const SharedAccess &access, const Banks &banks) {
  int64_t excess = 0, threads = threadsOf(access);
  for (int64_t first = 0; first < threads; first += banks.subgroup) {
    auto [clocks, fewest] = clocksOfSubgroup(access, banks, first, threads);
    excess += clocks - fewest;
  }
  return excess;
}

namespace {
/// Answers that were given: planning asks about few different accesses, thousands of times.
class Answers {
public:
  /// The entry of a question, and whether it has an answer.
  std::pair<int64_t *, bool> find(const SharedAccess &access, const Banks &banks);

private:
  static constexpr size_t kPlaces = 1024, kMostModes = 4;
  using Question = std::array<int64_t, 3 * kMostModes + 8>;
  struct Place {
    Question question{};
    int64_t answer = 0;
  };
  std::vector<Place> places = std::vector<Place>(kPlaces);
  Place uncommon;
};
} // namespace

std::pair<int64_t *, bool> Answers::find(const SharedAccess &access, const Banks &banks) {
  if (access.threads.size() > kMostModes)
    return {&uncommon.answer, false};
  Question question{int64_t(access.threads.size()),
                    access.strides[0],
                    access.strides[1],
                    access.elements,
                    access.elementBytes,
                    access.swizzle,
                    banks.count,
                    banks.subgroup};
  size_t at = 8;
  for (const Mode &mode : access.threads)
    for (int64_t value : {mode.size, mode.row, mode.column})
      question[at++] = value;
  size_t hash = 0;
  for (int64_t value : question)
    hash = hash * 0x9E3779B97F4A7C15ull + value;
  Place &place = places[(hash ^ (hash >> 32)) % kPlaces];
  bool known = place.question == question;
  place.question = question;
  return {&place.answer, known};
}

int64_t tile::wavefronts(const SharedAccess &access, const Banks &banks) {
  static thread_local Answers answers;
  auto [answer, known] = answers.find(access, banks);
  if (!known)
    *answer = clocksOfSubgroup(access, banks, 0, threadsOf(access)).first;
  return *answer;
}
