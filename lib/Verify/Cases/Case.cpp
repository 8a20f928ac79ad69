//===- Case.cpp - Lists of execution cases --------------------------------===//

#include "rooftile/Verify/Cases/Case.h"
#include "Sampling.h"
#include "rooftile/Dialect/Blas/PlanData.h"
#include "rooftile/Verify/Model/OperationModel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/WithColor.h"

#include <list>

using namespace rooftile::verify;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// Those of all operations. The order is that from which pairwise samples are drawn. A row of kind
/// PlanValue is a plain value of a plan; those without a row come after all others.
static const Key kKeys[] = {
    {"type", "f32", ValueKind::Types},
    {"op", "nn", ValueKind::Op},
    {"m", "16", ValueKind::Number},
    {"n", "16", ValueKind::Number},
    {"k", "16", ValueKind::Number},
    {"batch", "1", ValueKind::Number},
    {"share", "none", ValueKind::Word, "none|a|b"},
    {"pointers", "none", ValueKind::Word, "none|a|b|c|ab|ac|bc|abc"},
    {"align", "0", ValueKind::Number},
    {"alpha", "none", ValueKind::Scalar},
    {"beta", "none", ValueKind::Scalar},
    {"scalars", "const", ValueKind::Word, "const|arg"},
    {"layout", "row", ValueKind::Layout},
    {"dynamic", "0", ValueKind::Number},
    {"macro", "auto", ValueKind::Sizes3},
    {"micro", "4x4", ValueKind::Sizes2},
    {"lanes", "auto", ValueKind::Sizes2},
    {"slicedK", "", ValueKind::PlanValue},
    {"depth", "", ValueKind::PlanValue},
    {"mma", "", ValueKind::PlanValue},
    {"products", "", ValueKind::PlanValue},
    {"complex", "", ValueKind::PlanValue},
    {"summation", "", ValueKind::PlanValue},
    {"promote", "", ValueKind::PlanValue},
    {"vector", "1", ValueKind::Number},
    {"load", "1", ValueKind::Number},
    {"pad", "0", ValueKind::Number},
    {"stages", "", ValueKind::PlanValue},
    {"raster", "", ValueKind::PlanValue},
    {"prefetch", "", ValueKind::PlanValue},
    {"unroll", "", ValueKind::PlanValue},
    {"copy", "register", ValueKind::Word, "register|async|a|b|bulk|tensor"},
    {"via", "shared", ValueKind::Word, "shared|a|b|both"},
    {"scalar", "none", ValueKind::Word, "none|a|b"},
    {"swizzle", "0", ValueKind::Number},
    {"across", "0", ValueKind::Number},
    {"pack", "none", ValueKind::Word, "none|a|b|both"},
    {"major", "none", ValueKind::Word, "none|a|b|both"},
    {"planar", "none", ValueKind::Word, "none|a|b|both"},
    {"flat", "none", ValueKind::Word, "none|a|b|both"},
    {"out", "register", ValueKind::Word, "register|shared|flat"},
    {"reduction", "", ValueKind::PlanValue},
    {"splits", "", ValueKind::PlanValue},
    {"tail", "", ValueKind::PlanValue},
    {"epilogue", "none", ValueKind::Word,
     "none|relu|clamp|row|column|residual|scale|row+relu|column+scale+residual|row+gelu|erf|exp"},
    {"plans", "one", ValueKind::Word, "one|set"},
    {"shift", "0", ValueKind::Shift},
    {"math", "strict", ValueKind::Word, "strict|tf32"},
};

/// Values of a plan that a line names in other words: fragment reads are wishes, and C has a key
/// for both ways out.
static constexpr StringRef kRenamedPlanKeys[] = {"vector", "c", "flat"};

llvm::ArrayRef<Key> rooftile::verify::plainPlanKeys() {
  using rooftile::blas::KeyInfo;
  static std::list<std::string> texts; // what the keys point to
  auto keep = [](std::string text) { return texts.emplace_back(std::move(text)).c_str(); };
  static const std::vector<Key> keys = [&] {
    std::vector<Key> keys;
    for (const KeyInfo &key : rooftile::blas::planKeys()) {
      bool plain = key.kind == KeyInfo::Kind::Integer || key.kind == KeyInfo::Kind::Word;
      if (!plain || llvm::is_contained(kRenamedPlanKeys, key.name))
        continue;
      // Most cases are about one tile, for which one stage does.
      std::string fallback = key.name == "stages" ? "1" : key.byDefault;
      keys.push_back({keep(key.name.str()), keep(fallback),
                      key.words.empty() ? ValueKind::Number : ValueKind::Word,
                      keep(llvm::join(key.words, "|"))});
    }
    return keys;
  }();
  return keys;
}

static const Key *keyIn(llvm::ArrayRef<Key> keys, StringRef name) {
  const Key *key = llvm::find_if(keys, [&](const Key &each) { return name == each.name; });
  return key == keys.end() ? nullptr : key;
}

/// gemm|trmm|trsm
static std::string routines() {
  std::string names;
  for (const OperationModel *model : operationModels())
    if (model->hasCases())
      names += (names.empty() ? "" : "|") + std::string(model->name());
  return names;
}

llvm::ArrayRef<Key> rooftile::verify::caseKeys() {
  static const std::string names = routines();
  static const std::vector<Key> all = [] {
    const char *first = operationModels().front()->name();
    std::vector<Key> keys{{"routine", first, ValueKind::Word, names.c_str()}};
    for (const Key &key : kKeys)
      keys.push_back(key.kind == ValueKind::PlanValue ? *keyIn(plainPlanKeys(), key.name) : key);
    auto addNew = [&](llvm::ArrayRef<Key> more) {
      for (const Key &key : more)
        if (!keyIn(keys, key.name))
          keys.push_back(key);
    };
    addNew(plainPlanKeys());
    for (const OperationModel *model : operationModels())
      addNew(model->keys());
    keys.push_back({"sample", "all", ValueKind::Sample});
    return keys;
  }();
  return all;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static constexpr int64_t kMaxCasesPerLine = 1000000;

Case rooftile::verify::defaultCase() {
  Case single;
  for (const Key &key : caseKeys())
    single.values[key.name] = key.fallback;
  return single;
}

/// Names that keys and values had in older lists.
static constexpr std::pair<StringRef, StringRef> kOlderNames[] = {{"mask_a", "maskA"},
                                                                  {"mask_b", "maskB"},
                                                                  {"lines", "workgroupVectors"},
                                                                  {"threadLines", "threadVectors"},
                                                                  {"non_unit", "nonunit"}};

/// The present name of a `kind`, "key" or "value".
static StringRef currentName(StringRef kind, StringRef name) {
  for (auto [older, now] : kOlderNames)
    if (name == older) {
      llvm::WithColor::note() << kind << " '" << older << "' is called '" << now << "' now\n";
      return now;
    }
  return name;
}

static const Key *findKey(StringRef name) { return keyIn(caseKeys(), currentName("key", name)); }

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
  return (parts.size() == 1 || parts.size() == 3 || parts.size() == 4) &&
         llvm::all_of(parts,
                      [](StringRef part) { return rooftile::operation::elementNamed(part); });
}

/// "2.5", or "2:-1" for 2 - i.
static bool isScalar(StringRef value) {
  auto [re, im] = value.split(':');
  double number;
  return value == "none" ||
         (!re.getAsDouble(number) && (!value.contains(':') || !im.getAsDouble(number)));
}

bool rooftile::verify::isSample(StringRef value) {
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
  case ValueKind::PlanValue:
    break;
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
      value = currentName("value", value);
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

llvm::Expected<std::vector<Case>> rooftile::verify::expandCases(StringRef line, StringRef sample) {
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

//===----------------------------------------------------------------------===//
// Meaning of the values of a case
//===----------------------------------------------------------------------===//

int64_t Case::number(const std::string &key) const { return std::stoll((*this)[key]); }

std::vector<int64_t> Case::sizes(const std::string &key) const {
  std::vector<int64_t> numbers;
  for (StringRef part : llvm::split((*this)[key], 'x'))
    numbers.push_back(std::stoll(part.str()));
  return numbers;
}

/// One value for all operands, or one for each.
static std::string valueOf(StringRef values, int operand) {
  llvm::SmallVector<StringRef> parts;
  values.split(parts, '/');
  return parts[parts.size() == 1 ? 0 : operand].str();
}

Element Case::element(int operand) const {
  llvm::SmallVector<StringRef> parts;
  StringRef((*this)["type"]).split(parts, '/');
  size_t part = parts.size() == 1 ? 0 : std::min<size_t>(operand, parts.size() - 1);
  Element element = *rooftile::operation::elementNamed(parts[part]);
  bool isSum = operand == 3 && parts.size() != 4;
  return isSum && bytesOf(element) < 4 ? Element::F32 : element;
}

bool Case::isTransposed(int operand) const {
  char op = (*this)["op"][operand];
  return op == 't' || op == 'c';
}

Scalar Case::scalar(const std::string &key) const {
  auto [re, im] = StringRef((*this)[key]).split(':');
  bool isReal = im.empty() || componentsOf(element(3)) == 1;
  return {std::stod(re.str()), isReal ? 0 : std::stod(im.str())};
}

std::string Case::layout(int operand) const { return valueOf((*this)["layout"], operand); }

int64_t Case::align(int operand) const { return std::stoll(valueOf((*this)["align"], operand)); }

int64_t Case::shift(int operand) const { return std::stoll(valueOf((*this)["shift"], operand)); }
