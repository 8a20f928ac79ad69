//===- Text.h - The one line of an operation --------------------*- C++ -*-===//
//
//   v1 gemm type=f32 op=nt m=4096 n=4096 k=16 ld=16/16/4096 beta=any
//
// The version, the routine, and a key with a value for each choice that differs from its default,
// in the order of keys(). Of A, B and C, values are separated by slashes, or one where all agree.
// docs/Operations.md explains the keys. The line round-trips, is the same in every process, and
// holds all that plans depend on.
//
// A pattern is such a line in which a value may be `*`, and sizes may be compared; a final `*`
// stands for all keys that are not named:
//
//   v1 gemm type=f32 m>=512 n%4=0 k=* *
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_OPERATION_TEXT_H
#define ROOFTILE_OPERATION_TEXT_H

#include "rooftile/Operation/Operation.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace rooftile::operation {

/// First word of a line. Lines of another version are refused.
inline constexpr const char *kVersion = "v1";

std::string text(const Operation &operation);

/// Outcome of parsing. Columns count from 1.
struct Parsed {
  Operation operation;
  std::string error; ///< Empty where the line is an operation.
  size_t column = 0;

  explicit operator bool() const { return error.empty(); }
};

/// The operation of a line. Errors are located and name what is expected.
Parsed parse(std::string_view line);

/// One key of a line, for documents and other spellings of it.
struct KeyInfo {
  const char *name, *values, *meaning;
};
const std::vector<KeyInfo> &keys();

/// Reads a routine, or the value of keys()[index], whose routine and values of earlier keys are
/// known. Returns why not: "gemm has no side", "expected one of left, right, not 'up'".
std::string readRoutine(std::string_view name, Operation &operation);
std::string readKey(size_t index, std::string_view value, Operation &operation);

/// "; did you mean 'ld'?" where one of `names` resembles `word`.
std::string suggestion(std::string_view word, const std::vector<const char *> &names);

enum class Comparison { Unequal, AtMost, AtLeast, Equal, Below, Above };

/// A comparison of a size, or of the remainder by `modulus`, with a number.
struct SizeCondition {
  size_t key = 0;      ///< Index in keys().
  int64_t modulus = 0; ///< 0: the size itself is compared.
  Comparison comparison = Comparison::Equal;
  int64_t number = 0;
};

/// Sizes from `least` to `most` that are multiples of `multiple`.
struct SizeRange {
  int64_t least = 0, most = INT64_MAX, multiple = 1;

  bool isBounded() const { return least > 0 || most < INT64_MAX || multiple > 1; }
  bool isEmpty() const;
};

/// Ranges of M, N and K.
struct SizeRanges {
  SizeRange m = {}, n = {}, k = {};

  bool areBounded() const { return m.isBounded() || n.isBounded() || k.isBounded(); }
};

/// A line with wildcards and comparisons.
class Pattern {
public:
  /// The pattern of a line; an error as of parse().
  static Parsed parse(std::string_view line, Pattern &pattern);
  /// A comparison of a size that each call states does not hold.
  bool matches(const Operation &operation) const;
  /// As `matches`, but comparisons of sizes that each call states need hold for some sizes only:
  /// ranges() has these.
  bool matchesSome(const Operation &operation) const;
  /// Where the comparisons of those of M, N and K hold that each call of `operation` states;
  /// nothing where no sizes are in these ranges, and where a comparison is no range: m!=5, n%4=1,
  /// or one of count.
  std::optional<SizeRanges> ranges(const Operation &operation) const;
  Routine routine() const { return ofRoutine; }
  /// Whether all keys that it does not name may have any value.
  bool hasWildcard() const { return endsInWildcard; }
  /// Whether the key `name` may have any value.
  bool isFree(std::string_view name) const;
  /// Whether it has one value for every key, or for all but `name`.
  bool statesAllBut(std::string_view name) const;
  /// Whether it has a value for every size of `operation`, which it matches.
  bool statesSizes(const Operation &operation) const;

private:
  bool keysMatch(const Operation &operation) const;

  Routine ofRoutine = Routine::Gemm;
  bool endsInWildcard = false;
  /// The text of each key, empty for its default; none: any value matches.
  std::vector<std::optional<std::string>> values;
  std::vector<SizeCondition> conditions;
};

} // namespace rooftile::operation

#endif // ROOFTILE_OPERATION_TEXT_H
