//===- Space.h - Plans that a search chooses from ---------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_SEARCH_SPACE_H
#define ROOFTILE_TUNING_SEARCH_SPACE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>
#include <vector>

namespace rooftile::tuning {

/// The keys of the text of a plan with their values, those of a path by its name, elements of an
/// array by their index: ("macro.0", "64"), ("a.copy", "async"). The operations of a routine that
/// is split are counted before the key: ("1:stages", "4").
std::vector<std::pair<std::string, std::string>> keysOf(llvm::StringRef plan);

/// A plan, with the time that the model predicts. Times are milliseconds of one call.
struct Candidate {
  std::string plan;
  double predicted = 0;
  /// Predicted time that each resource alone would need.
  std::vector<std::pair<std::string, double>> resources = {};
};

/// The candidates of one operation, by predicted time. Each is known by its index.
class Space {
public:
  explicit Space(std::vector<Candidate> candidates);

  size_t size() const { return candidates.size(); }
  const Candidate &operator[](size_t index) const { return candidates[index]; }
  /// Keys in which two candidates differ.
  int distance(size_t left, size_t right) const;
  /// Candidates that differ in one key from one, fastest by the model first.
  std::vector<size_t> neighbours(size_t index) const;
  /// At most `count` candidates that differ as much as possible, as far as `reach` times the
  /// predicted time of the first: the first, then always the one with the largest shares of the
  /// values of keys that none before it has, and of these the one farthest from all before.
  std::vector<size_t> spread(size_t count, double reach) const;

private:
  std::vector<Candidate> candidates;
  /// For each candidate the number of its value for each key; 0: it has none.
  std::vector<std::vector<int>> values;
  llvm::StringMap<size_t> columns; ///< Index of a key in `values`.
  std::vector<int> valuesOf;       ///< Number of different values of each key.
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_SEARCH_SPACE_H
