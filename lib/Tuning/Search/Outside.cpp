//===- Outside.cpp - A search by another program --------------------------===//

#include "rooftile/Tuning/Search/Outside.h"

using namespace rooftile::tuning;
namespace json = llvm::json;
using llvm::StringRef;

/// Samples of a request that states none, and of one at most.
static constexpr int64_t kSamples = 10, kMostSamples = 1000;

Outside::Outside(Space &space, std::string operation, std::istream &in, llvm::raw_ostream &out)
    : Strategy(space), operation(std::move(operation)), in(in), out(out) {
  list(0);
}

void Outside::write(json::Object object) {
  out << json::Value(std::move(object)) << '\n';
  out.flush();
}

void Outside::list(size_t first) {
  for (size_t candidate = first; candidate < space.size(); ++candidate) {
    json::Object keys;
    for (auto &[key, value] : keysOf(space[candidate].plan))
      keys[key] = value;
    out << json::Value(json::Object{{"candidate", int64_t(candidate)},
                                    {"plan", space[candidate].plan},
                                    {"predicted", space[candidate].predicted},
                                    {"keys", std::move(keys)}})
        << '\n';
  }
  write(json::Object{{"operation", operation}, {"candidates", int64_t(space.size())}});
}

/// Index of a plan; nothing where the space does not have it.
static std::optional<size_t> find(const Space &space, StringRef plan) {
  for (size_t candidate = 0; candidate < space.size(); ++candidate)
    if (space[candidate].plan == plan)
      return candidate;
  return std::nullopt;
}

void Outside::tell(size_t candidate, const TrialResult &result) {
  json::Object answer{{"candidate", int64_t(candidate)}};
  Strategy::tell(candidate, result);
  if (!result.samples.empty()) {
    double ratio = history.milliseconds(candidate) / space[0].predicted;
    baselineMs = std::isnan(baselineMs) ? result.baselineMs : baselineMs;
    answer["gain"] = 1 / ratio, answer["milliseconds"] = ratio * baselineMs;
    answer["samples"] = int64_t(history.count(candidate));
  } else if (std::optional<size_t> other = find(space, result.sameAs)) {
    answer["sameAs"] = int64_t(*other);
  } else {
    answer["error"] = result.sameAs.empty() ? result.why : "has the kernel of " + result.sameAs;
  }
  write(std::move(answer));
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static llvm::Error checkRange(StringRef name, int64_t value, int64_t first, int64_t last) {
  if (value >= first && value <= last)
    return llvm::Error::success();
  return llvm::createStringError(name + " is " + llvm::Twine(value) + ", not " +
                                 llvm::Twine(first) + " to " + llvm::Twine(last));
}

llvm::Expected<std::vector<Trial>> Outside::measure(llvm::ArrayRef<int64_t> candidates,
                                                    int64_t samples) const {
  if (llvm::Error wrong = checkRange("samples", samples, 1, kMostSamples))
    return wrong;
  std::vector<Trial> trials;
  for (int64_t candidate : candidates) {
    if (llvm::Error wrong = checkRange("candidate", candidate, 0, int64_t(space.size()) - 1))
      return wrong;
    trials.push_back({size_t(candidate), int(samples)});
  }
  return trials;
}

llvm::Error Outside::addNeighbours(int64_t candidate) {
  if (llvm::Error wrong = checkRange("neighbours", candidate, 0, int64_t(space.size()) - 1))
    return wrong;
  size_t before = space.size();
  space.growAt(size_t(candidate));
  history.resize(space.size());
  list(before);
  return llvm::Error::success();
}

llvm::Expected<std::vector<Trial>> Outside::read(StringRef line) {
  llvm::Expected<json::Value> value = json::parse(line);
  if (!value)
    return value.takeError();
  json::Path::Root root("request");
  json::ObjectMapper map(*value, root);
  std::vector<int64_t> candidates;
  std::optional<int64_t> beside;
  int64_t samples = kSamples;
  if (!map || !map.mapOptional("measure", candidates) || !map.map("neighbours", beside) ||
      !map.mapOptional("samples", samples))
    return root.getError();
  if (beside) {
    if (llvm::Error wrong = addNeighbours(*beside))
      return wrong;
    return std::vector<Trial>();
  }
  if (candidates.empty())
    return llvm::createStringError("a request needs `measure`, a list of candidates, or "
                                   "`neighbours`, a candidate");
  return measure(candidates, samples);
}

std::vector<Trial> Outside::ask() {
  for (std::string line; std::getline(in, line);) {
    llvm::Expected<std::vector<Trial>> trials = read(line);
    if (!trials)
      write(json::Object{{"error", llvm::toString(trials.takeError())}});
    else if (!trials->empty())
      return std::move(*trials);
  }
  return {};
}
