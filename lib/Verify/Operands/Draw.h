//===- Draw.h - Random values -----------------------------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_OPERANDS_DRAW_H
#define ROOFTILE_VERIFY_OPERANDS_DRAW_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rooftile::verify {

/// Random values; the same seed gives the same ones everywhere (SplitMix64 of Steele, Lea and
/// Flood, 2014).
class Draw {
public:
  explicit Draw(uint64_t seed) : state(seed * 0x2545F4914F6CDD1Dull + 1) {}

  /// 0 .. count - 1.
  uint64_t below(uint64_t count) {
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return (z ^ (z >> 31)) % count;
  }
  bool chance(int percent) { return int(below(100)) < percent; }
  template <typename T> const T &of(const std::vector<T> &values) {
    return values[below(values.size())];
  }

  /// Matrix instructions that drawn plans may have, by name; else those of mma.sync.
  std::optional<std::vector<std::string>> instructions;

private:
  uint64_t state;
};

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_OPERANDS_DRAW_H
