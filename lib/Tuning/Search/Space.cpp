//===- Space.cpp - Plans that a search chooses from -----------------------===//

#include "rooftile/Tuning/Search/Space.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <climits>
#include <set>

using namespace rooftile::tuning;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

using Keys = std::vector<std::pair<std::string, std::string>>;

/// The text up to the next comma outside of brackets, which is dropped from `rest` with the comma.
static StringRef nextItem(StringRef &rest) {
  int depth = 0;
  size_t end = 0;
  for (; end < rest.size() && (depth > 0 || rest[end] != ','); ++end)
    depth += StringRef("<[{").contains(rest[end])   ? 1
             : StringRef(">]}").contains(rest[end]) ? -1
                                                    : 0;
  StringRef item = rest.take_front(end).trim();
  rest = rest.drop_front(std::min(end + 1, rest.size()));
  return item;
}

static void addKeys(StringRef text, const std::string &before, Keys &keys);

/// A value, or the elements of one in brackets.
static void addValue(StringRef value, const std::string &key, Keys &keys) {
  if (value.consume_front("[")) {
    value.consume_back("]");
    for (size_t index = 0; !value.empty(); ++index)
      addValue(nextItem(value), key + "." + std::to_string(index), keys);
  } else if (value.consume_front("<")) {
    value.consume_back(">");
    addKeys(value, key + ".", keys);
  } else {
    keys.push_back({key, value.str()});
  }
}

static void addKeys(StringRef text, const std::string &before, Keys &keys) {
  while (!text.empty()) {
    auto [key, value] = nextItem(text).split('=');
    addValue(value.trim(), before + key.trim().str(), keys);
  }
}

Keys rooftile::tuning::keysOf(StringRef plan) {
  Keys keys;
  llvm::SmallVector<StringRef> operations;
  plan.split(operations, " + ");
  for (size_t index = 0; index < operations.size(); ++index) {
    StringRef text = operations[index].trim();
    text = text.drop_front(std::min(text.find('<'), text.size())); // #blas.plan, #blas.blocks
    text.consume_front("<");
    text.consume_back(">");
    addKeys(text, operations.size() > 1 ? std::to_string(index) + ":" : "", keys);
  }
  return keys;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

Space::Space(std::vector<Candidate> all, Neighbours neighbours)
    : neighbours(std::move(neighbours)) {
  llvm::sort(all, [](const Candidate &left, const Candidate &right) {
    auto key = [](const Candidate &each) {
      return std::tuple(each.predicted, each.rank.value_or(INT64_MAX), llvm::StringRef(each.plan));
    };
    return key(left) < key(right);
  });
  for (Candidate &candidate : all)
    if (!plans.contains(candidate.plan)) // Some plans are reached in two ways.
      add(std::move(candidate));
  began = size();
}

void Space::add(Candidate candidate) {
  std::vector<int> row;
  for (const auto &[key, value] : keysOf(candidate.plan)) {
    size_t column = columns.try_emplace(key, columns.size()).first->second;
    valuesOf.resize(columns.size());
    row.resize(columns.size());
    llvm::StringMap<int> &known = valuesOf[column];
    row[column] = known.try_emplace(value, known.size() + 1).first->second;
  }
  values.push_back(std::move(row));
  plans.insert(candidate.plan);
  candidates.push_back(std::move(candidate));
}

void Space::growAt(size_t index) {
  std::string plan = candidates[index].plan;
  if (!neighbours || !grown.insert(plan).second)
    return;
  for (Candidate &candidate : neighbours(plan))
    if (!plans.contains(candidate.plan))
      add(std::move(candidate));
}

int Space::valueOf(size_t candidate, size_t column) const {
  return column < values[candidate].size() ? values[candidate][column] : 0;
}

int Space::distance(size_t left, size_t right) const {
  size_t count = std::max(values[left].size(), values[right].size());
  int different = 0;
  for (size_t column = 0; column < count; ++column)
    different += valueOf(left, column) != valueOf(right, column);
  return different;
}

std::vector<size_t> Space::spread(size_t count, double reach) const {
  size_t reached = 0;
  while (reached < began && candidates[reached].predicted <= reach * candidates[0].predicted)
    ++reached;
  std::vector<size_t> chosen;
  std::vector<int> nearest(reached, INT_MAX); // Distance from the chosen ones.
  std::set<std::pair<size_t, int>> seen;      // Values of columns.
  // Shares of the values of keys that a candidate has and no chosen one.
  auto unseen = [&](size_t candidate) {
    double share = 0;
    for (size_t column = 0; column < columns.size(); ++column)
      if (!seen.count({column, valueOf(candidate, column)}))
        share += 1.0 / valuesOf[column].size();
    return share;
  };
  for (size_t next = 0; chosen.size() < std::min(count, reached);) {
    chosen.push_back(next);
    for (size_t column = 0; column < columns.size(); ++column)
      seen.insert({column, valueOf(next, column)});
    std::pair<double, int> most{-1, 0};
    size_t last = next;
    for (size_t other = 0; other < reached; ++other) {
      nearest[other] = std::min(nearest[other], distance(last, other));
      std::pair<double, int> score{nearest[other] ? unseen(other) : -1, nearest[other]};
      if (score > most)
        most = score, next = other;
    }
  }
  return chosen;
}

std::vector<size_t> Space::mixture(size_t count) const {
  constexpr double kReach = 1.5;
  std::vector<size_t> chosen, different = spread(count, kReach);
  auto add = [&](size_t candidate) {
    if (chosen.size() < count && !llvm::is_contained(chosen, candidate))
      chosen.push_back(candidate);
  };
  for (size_t next = 0; chosen.size() < count && next < began; ++next) {
    add(next);
    if (next < different.size())
      add(different[next]);
  }
  return chosen;
}
