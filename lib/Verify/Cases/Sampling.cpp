//===- Sampling.cpp - The combinations of a line that run -----------------===//

#include "Sampling.h"
#include "Operands/Draw.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <tuple>

using namespace rooftile::verify;

namespace {

/// Pairs of values that no row has yet: (key, value, later key, value).
using Pairs = std::set<std::tuple<int, int, int, int>>;

std::tuple<int, int, int, int> pairOf(int key, int value, int other, int otherValue) {
  return key < other ? std::tuple(key, value, other, otherValue)
                     : std::tuple(other, otherValue, key, value);
}

/// The value of `key` that makes most new pairs with what the row has already (-1: not yet).
int bestValue(const Pairs &missing, const std::vector<int> &row, int key, int count, int turn) {
  int best = turn % count, bestGain = -1;
  for (int step = 0; step < count; ++step) {
    int value = (turn + step) % count, gain = 0;
    for (int other = 0; other < int(row.size()); ++other)
      if (row[other] >= 0)
        gain += missing.count(pairOf(key, value, other, row[other]));
    if (gain > bestGain) {
      bestGain = gain;
      best = value;
    }
  }
  return best;
}

} // namespace

std::vector<std::vector<int>> rooftile::verify::pairwiseRows(const std::vector<int> &counts) {
  Pairs missing;
  int keys = counts.size();
  for (int key = 0; key < keys; ++key)
    for (int other = key + 1; other < keys; ++other)
      for (int value = 0; counts[key] > 1 && counts[other] > 1 && value < counts[key]; ++value)
        for (int otherValue = 0; otherValue < counts[other]; ++otherValue)
          missing.insert({key, value, other, otherValue});
  std::vector<std::vector<int>> rows;
  while (!missing.empty() || rows.empty()) {
    std::vector<int> row(keys, -1);
    if (!missing.empty()) {
      auto [key, value, other, otherValue] = *missing.begin();
      row[key] = value;
      row[other] = otherValue;
    }
    for (int key = 0; key < keys; ++key)
      if (row[key] < 0)
        row[key] = bestValue(missing, row, key, counts[key], rows.size());
    for (int key = 0; key < keys; ++key)
      for (int other = key + 1; other < keys; ++other)
        missing.erase({key, row[key], other, row[other]});
    rows.push_back(row);
  }
  // A single key with several values has no pairs: all its values.
  for (int key = 0; key < keys; ++key)
    for (int value = 0; value < counts[key]; ++value) {
      bool there = false;
      for (const std::vector<int> &row : rows)
        there |= row[key] == value;
      if (!there) {
        rows.push_back(rows[0]);
        rows.back()[key] = value;
      }
    }
  return rows;
}

/// All rows of value indices.
static std::vector<std::vector<int>> allRows(const std::vector<int> &counts) {
  std::vector<std::vector<int>> rows{{}};
  for (int count : counts) {
    std::vector<std::vector<int>> next;
    for (const std::vector<int> &row : rows)
      for (int value = 0; value < count; ++value) {
        next.push_back(row);
        next.back().push_back(value);
      }
    rows = std::move(next);
  }
  return rows;
}

/// Rows over the kernel's keys by pairs, joined with all rows over the keys given at run time.
static std::vector<std::vector<int>> kernelRows(const std::vector<std::string> &names,
                                                const std::vector<int> &counts) {
  std::vector<int> compiled = counts, given(counts.size(), 1);
  for (size_t key = 0; key < counts.size(); ++key)
    if (llvm::is_contained({"m", "n", "k", "alpha", "beta", "shift"}, names[key]))
      std::swap(compiled[key], given[key]);
  std::vector<std::vector<int>> rows;
  for (const std::vector<int> &left : pairwiseRows(compiled))
    for (const std::vector<int> &right : allRows(given)) {
      rows.push_back(left);
      for (size_t key = 0; key < counts.size(); ++key)
        rows.back()[key] += right[key];
    }
  return rows;
}

/// `number` rows at random, always the same.
static std::vector<std::vector<int>> randomRows(const std::vector<int> &counts, int64_t number) {
  Draw draw(number);
  std::vector<std::vector<int>> rows(number);
  for (std::vector<int> &row : rows)
    for (int count : counts)
      row.push_back(draw.below(count));
  return rows;
}

std::vector<std::vector<int>> rooftile::verify::sampleRows(const std::vector<std::string> &names,
                                                           const std::vector<int> &counts,
                                                           llvm::StringRef mode) {
  int64_t number;
  if (!mode.getAsInteger(10, number))
    return randomRows(counts, number);
  return mode == "pairwise"  ? pairwiseRows(counts)
         : mode == "kernels" ? kernelRows(names, counts)
                             : allRows(counts);
}
