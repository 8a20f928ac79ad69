//===- LaunchList.cpp - Launches that follow each other -------------------===//

#include "rooftile/Runtime/Device/LaunchList.h"

#include <algorithm>
#include <cstring>

using namespace rooftile;

static size_t wordsOf(uint32_t bytes) { return (size_t(bytes) + 7) / 8; }

void LaunchList::add(const Function &function, const KernelLaunch &launch) {
  entries.push_back({function, launch, starts.size()});
  for (size_t i = 0; i < launch.parameterCount; ++i) {
    uint32_t size = launch.parameterBytes[i];
    starts.push_back(words.size());
    bytes.push_back(size);
    words.resize(words.size() + wordsOf(size));
    std::memcpy(&words[starts.back()], launch.parameters[i], size);
  }
}

void LaunchList::clear() {
  entries.clear();
  words.clear();
  starts.clear();
  bytes.clear();
}

KernelLaunch LaunchList::at(size_t number) const {
  const Entry &entry = entries[number];
  KernelLaunch launch = entry.launch;
  places.resize(starts.size());
  for (size_t i = 0; i < launch.parameterCount; ++i)
    places[entry.firstParameter + i] =
        const_cast<uint64_t *>(&words[starts[entry.firstParameter + i]]);
  launch.parameters = places.data() + entry.firstParameter;
  launch.parameterBytes = bytes.data() + entry.firstParameter;
  return launch;
}

static bool haveEqualSizes(const int64_t (&left)[3], const int64_t (&right)[3]) {
  return std::equal(left, left + 3, right);
}

bool LaunchList::hasKernelsOf(const LaunchList &other) const {
  auto match = [](const Entry &left, const Entry &right) {
    return left.function.handle == right.function.handle &&
           haveEqualSizes(left.launch.block, right.launch.block) &&
           haveEqualSizes(left.launch.cluster, right.launch.cluster) &&
           left.launch.sharedBytes == right.launch.sharedBytes;
  };
  return std::equal(entries.begin(), entries.end(), other.entries.begin(), other.entries.end(),
                    match);
}

bool LaunchList::equals(const LaunchList &other, size_t number) const {
  const Entry &left = entries[number], &right = other.entries[number];
  auto wordsFrom = [number](const LaunchList &list) {
    size_t next = number + 1, parameters = list.starts.size();
    auto startOf = [&](size_t parameter) {
      return parameter < parameters ? list.starts[parameter] : list.words.size();
    };
    size_t end = next < list.size() ? list.entries[next].firstParameter : parameters;
    auto first = list.words.begin();
    return std::pair(first + startOf(list.entries[number].firstParameter), first + startOf(end));
  };
  auto [leftWords, leftEnd] = wordsFrom(*this);
  auto [rightWords, rightEnd] = wordsFrom(other);
  return haveEqualSizes(left.launch.grid, right.launch.grid) &&
         std::equal(leftWords, leftEnd, rightWords, rightEnd);
}
