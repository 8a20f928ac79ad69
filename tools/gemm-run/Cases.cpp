//===- Cases.cpp - Lists of execution cases -------------------------------===//

#include "Cases.h"
#include "CaseKeys.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace rooftile::run;
using llvm::StringRef;

static constexpr int64_t kMaxCasesPerLine = 1000000;

Case rooftile::run::defaultCase() {
  Case single;
  for (const Key &key : caseKeys())
    single.values[key.name] = key.fallback;
  return single;
}

static const Key *findKey(StringRef name) {
  for (const Key &key : caseKeys())
    if (name == key.name)
      return &key;
  return nullptr;
}

static bool isSizes(StringRef value, size_t count) {
  llvm::SmallVector<StringRef> parts;
  value.split(parts, 'x');
  int64_t number;
  return parts.size() == count && llvm::all_of(parts, [&](StringRef part) {
           return !part.getAsInteger(10, number) && number > 0 && number <= (1 << 20);
         });
}

static bool isLayout(StringRef value) {
  llvm::SmallVector<StringRef> parts;
  value.split(parts, '/');
  return (parts.size() == 1 || parts.size() == 3) && llvm::all_of(parts, [](StringRef part) {
           return llvm::StringSwitch<bool>(part)
               .Cases({"row", "col", "gap", "wide", "colgap", "strided", "flip"}, true)
               .Default(false);
         });
}

/// One number, or three.
static bool isShift(StringRef value) {
  llvm::SmallVector<StringRef> parts;
  value.split(parts, '/');
  int64_t number;
  return (parts.size() == 1 || parts.size() == 3) && llvm::all_of(parts, [&](StringRef part) {
           return !part.getAsInteger(10, number) && number >= 0 && number <= 64;
         });
}

/// One type, three or four.
static bool isTypes(StringRef value) {
  llvm::SmallVector<StringRef> parts;
  value.split(parts, '/');
  Element element;
  return (parts.size() == 1 || parts.size() == 3 || parts.size() == 4) &&
         llvm::all_of(parts, [&](StringRef part) { return elementNamed(part.str(), element); });
}

/// "2.5", or "2:-1" for 2 - i.
static bool isScalar(StringRef value) {
  auto [re, im] = value.split(':');
  double number;
  return value == "none" ||
         (!re.getAsDouble(number) && (!value.contains(':') || !im.getAsDouble(number)));
}

bool rooftile::run::isSample(StringRef value) {
  int64_t number;
  return value == "all" || value == "pairwise" || value == "kernels" ||
         (!value.getAsInteger(10, number) && number > 0 && number <= kMaxCasesPerLine);
}

static bool isValue(const Key &key, StringRef value) {
  int64_t number;
  llvm::SmallVector<StringRef> words;
  switch (key.kind) {
  case ValueKind::Word:
    StringRef(key.words).split(words, '|');
    return llvm::is_contained(words, value);
  case ValueKind::Number:
    return !value.getAsInteger(10, number) && number >= 0 && number <= (1 << 24);
  case ValueKind::Order:
    return value == "auto" ||
           (!value.getAsInteger(10, number) && number >= 0 && number <= (1 << 20));
  case ValueKind::Types:
    return isTypes(value);
  case ValueKind::Op:
    return value.size() == 2 && value.find_first_not_of("ntcj") == StringRef::npos;
  case ValueKind::Scalar:
    return isScalar(value);
  case ValueKind::Sizes3:
  case ValueKind::Sizes2:
    return value == "auto" || isSizes(value, key.kind == ValueKind::Sizes3 ? 3 : 2);
  case ValueKind::Layout:
    return isLayout(value);
  case ValueKind::Shift:
    return isShift(value);
  case ValueKind::Sample:
    return isSample(value);
  }
  return false;
}

std::string Case::text() const {
  std::string line;
  for (const Key &key : caseKeys())
    if (StringRef(key.name) != "sample" && (*this)[key.name] != key.fallback)
      line += (line.empty() ? "" : " ") + std::string(key.name) + "=" + (*this)[key.name];
  return line.empty() ? "m=16" : line;
}

/// Keys whose values are given when the function is called.
static bool atRunTime(const Case &single, StringRef key) {
  if (llvm::is_contained({"m", "n", "k"}, key))
    return single.flag("dynamic");
  if (key == "shift")
    return true;
  return llvm::is_contained({"alpha", "beta"}, key) && single["scalars"] == "arg" &&
         single[key.str()] != "none";
}

std::string Case::kernelKey() const {
  std::string text;
  for (const Key &key : caseKeys())
    text += (atRunTime(*this, key.name) ? std::string("run") : (*this)[key.name]) + " ";
  return text;
}

using Lists = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Splits a line into keys and their values; every key is there.
static llvm::Expected<Lists> parseLine(StringRef line) {
  std::map<std::string, std::vector<std::string>> named;
  for (StringRef token : llvm::split(line.split('#').first, ' ')) {
    token = token.trim();
    if (token.empty())
      continue;
    auto [name, values] = token.split('=');
    const Key *key = findKey(name);
    if (!key)
      return llvm::createStringError(
          "unknown key '" + name + "'; keys are " +
          llvm::join(
              llvm::map_range(caseKeys(), [](const Key &key) { return std::string(key.name); }),
              ", "));
    for (StringRef value : llvm::split(values, ',')) {
      if (!isValue(*key, value))
        return llvm::createStringError("'" + value + "' is not a value of key '" + name + "'");
      named[key->name].push_back(value.str());
    }
  }
  Lists lists;
  if (!named.empty())
    for (const Key &key : caseKeys())
      lists.push_back({key.name, named.count(key.name) ? named[key.name]
                                                       : std::vector<std::string>{key.fallback}});
  return lists;
}

llvm::Expected<std::vector<Case>> rooftile::run::expandCases(StringRef line, StringRef sample) {
  llvm::Expected<Lists> lists = parseLine(line);
  std::vector<Case> cases;
  if (!lists)
    return lists.takeError();
  if (lists->empty())
    return cases;
  std::string mode = sample.empty() ? lists->back().second[0] : sample.str();
  std::vector<std::string> names;
  std::vector<int> counts;
  double product = 1;
  for (auto &[name, values] : *lists) {
    names.push_back(name);
    counts.push_back(values.size());
    product *= values.size();
  }
  if (product > kMaxCasesPerLine && (mode == "all" || mode == "kernels"))
    return llvm::createStringError("the line stands for more than a million cases");
  for (const std::vector<int> &row : sampleRows(names, counts, mode)) {
    Case &single = cases.emplace_back();
    for (size_t key = 0; key < row.size(); ++key)
      single.values[(*lists)[key].first] = (*lists)[key].second[row[key]];
  }
  return cases;
}
