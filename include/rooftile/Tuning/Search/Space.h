//===- Space.h - Plans that a search chooses from ---------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_SEARCH_SPACE_H
#define ROOFTILE_TUNING_SEARCH_SPACE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <functional>
#include <optional>
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
  /// Rank among those that the planner lists, 0 for its pick; none: it does not list it, or
  /// that is unknown.
  std::optional<int64_t> rank = {};
};

/// Makes the plans beside a plan, those with one other value.
using Neighbours = std::function<std::vector<Candidate>(const std::string &plan)>;

/// The candidates of one operation, by predicted time and rank, and those beside them that were
/// added. Each plan is there once, and is known by its index.
class Space {
public:
  explicit Space(std::vector<Candidate> candidates, Neighbours neighbours = nullptr);

  size_t size() const { return candidates.size(); }
  /// Candidates that it began with.
  size_t listed() const { return began; }
  /// Adds the plans beside a candidate that it does not have.
  void growAt(size_t index);
  const Candidate &operator[](size_t index) const { return candidates[index]; }
  /// Keys in which two candidates differ.
  int distance(size_t left, size_t right) const;
  /// At most `count` candidates that differ as much as possible, as far as `reach` times the
  /// predicted time of the first: the first, then always the one with the largest shares of the
  /// values of keys that none before it has, and of these the one farthest from all before.
  std::vector<size_t> spread(size_t count, double reach) const;
  /// At most `count` candidates to begin with: by turns the fastest by the model and those that
  /// differ most, up to 1.5 times as slow.
  std::vector<size_t> mixture(size_t count) const;

private:
  void add(Candidate candidate);
  int valueOf(size_t candidate, size_t column) const;

  std::vector<Candidate> candidates;
  Neighbours neighbours;
  size_t began = 0;
  llvm::StringSet<> plans, grown; ///< All plans, and those beside which there are others.
  /// For each candidate the number of its value for each key; 0, and beyond its end: it has none.
  std::vector<std::vector<int>> values;
  llvm::StringMap<size_t> columns;            ///< Index of a key in `values`.
  std::vector<llvm::StringMap<int>> valuesOf; ///< For each key the numbers of its values.
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_SEARCH_SPACE_H
