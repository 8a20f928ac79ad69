//===- TimesOfChips.cpp - The times that are built in ---------------------===//

#include "Options.h"
#include "Times.h"

#include <mutex>

using namespace rooftile::cublas;
using namespace rooftile::operation;

// Written by MakeTable from benchmarks/cublas: kParts.
#include "Chips.inc"

static const Times *make(const std::string &chip) {
  Times times;
  for (const ChipTimes &part : kParts)
    if (part.chip == chip)
      times.add(part);
  if (times.chip() != chip)
    return nullptr;
  std::string error = times.finish();
  if (error.empty())
    return new Times(std::move(times)); // Never destroyed.
  say("times of cuBLAS on " + chip + ": " + error);
  return nullptr;
}

const Times *rooftile::cublas::timesOf(const std::string &chip) {
  static std::mutex &mutex = *new std::mutex;
  static auto &all = *new std::map<std::string, const Times *>;
  std::lock_guard<std::mutex> lock(mutex);
  auto [place, isNew] = all.try_emplace(chip, nullptr);
  if (isNew) // Some milliseconds.
    place->second = make(chip);
  return place->second;
}
