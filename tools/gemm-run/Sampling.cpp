//===- Sampling.cpp - Which combinations of a line are run ----------------===//

#include "Cases.h"
#include "Draw.h"

#include "llvm/ADT/STLExtras.h"

using namespace rooftile::run;

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

std::vector<std::vector<int>> rooftile::run::sampleRows(const std::vector<std::string> &names,
                                                        const std::vector<int> &counts,
                                                        llvm::StringRef mode) {
  int64_t number;
  if (!mode.getAsInteger(10, number))
    return randomRows(counts, number);
  return mode == "pairwise"  ? pairwiseRows(counts)
         : mode == "kernels" ? kernelRows(names, counts)
                             : allRows(counts);
}
