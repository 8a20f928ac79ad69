//===- Text.h - The one line of an operation --------------------*- C++ -*-===//
//
//   v1 gemm type=f32 op=nt m=4096 n=4096 k=16 ld=16/16/4096 beta=any
//
// The version, the routine, and a key with a value for each choice that differs from its default,
// in the order of keys(). Of A, B and C, values are separated by slashes, or one where all agree.
// docs/Operations.md explains the keys. The line round-trips, is the same in every process, and
// holds all that plans depend on.
//
// A pattern is such a line in which a value may be `*`; a final `*` stands for all keys that are
// not named.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_OPERATION_TEXT_H
#define ROOFTILE_OPERATION_TEXT_H

#include "rooftile/Operation/Operation.h"

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

/// A line with wildcards.
class Pattern {
public:
  /// The pattern of a line; an error as of parse().
  static Parsed parse(std::string_view line, Pattern &pattern);
  bool matches(const Operation &operation) const;

private:
  Routine routine = Routine::Gemm;
  /// The text of each key, empty for its default; none: any value matches.
  std::vector<std::optional<std::string>> values;
};

} // namespace rooftile::operation

#endif // ROOFTILE_OPERATION_TEXT_H
