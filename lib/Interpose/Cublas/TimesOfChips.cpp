//===- TimesOfChips.cpp - The files of times that are built in ------------===//

#include "Options.h"
#include "Times.h"

#include <mutex>

using namespace rooftile::cublas;

/// Texts of Chips/*.csv, by CMakeLists.txt.
static constexpr std::string_view kFiles[] = {
#include "Chips.inc"
};

static std::string_view chipOf(std::string_view csv) {
  constexpr std::string_view kKey = "# chip: ";
  if (csv.substr(0, kKey.size()) != kKey)
    return "";
  return csv.substr(kKey.size(), csv.find('\n') - kKey.size());
}

static const Times *make(const std::string &chip) {
  Times times;
  std::string error;
  for (std::string_view csv : kFiles)
    if (chipOf(csv) == chip && error.empty())
      error = times.read(csv);
  if (times.chip() != chip)
    return nullptr;
  if (error.empty())
    error = times.finish();
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
