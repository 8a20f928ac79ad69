//===- Sampling.h - The combinations of a line that run ---------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_CASES_SAMPLING_H
#define ROOFTILE_VERIFY_CASES_SAMPLING_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace rooftile::verify {

/// Rows of value indices, one per key with `counts[key]` values, such that every pair of values of
/// two keys stands in at least one row. Greedy (after AETG, Cohen et al. 1997), deterministic.
std::vector<std::vector<int>> pairwiseRows(const std::vector<int> &counts);

/// Rows of value indices, one per key with `counts[key]` values, as `mode` (a value of the key
/// `sample`) specifies.
std::vector<std::vector<int>> sampleRows(const std::vector<std::string> &names,
                                         const std::vector<int> &counts, llvm::StringRef mode);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_CASES_SAMPLING_H
