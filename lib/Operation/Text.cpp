//===- Text.cpp - The one line of an operation ----------------------------===//

#include "rooftile/Operation/Text.h"
#include "Keys.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <set>

using namespace rooftile;
using namespace rooftile::operation;

const std::vector<KeyInfo> &operation::keys() {
  // Never destroyed: destructors of static objects may compile.
  static const std::vector<KeyInfo> &all = *[] {
    auto *keys = new std::vector<KeyInfo>;
    for (const Field &field : Fields())
      keys->push_back(field.info);
    return keys;
  }();
  return all;
}

std::string operation::text(const Operation &operation) {
  std::string line = std::string(kVersion) + " " + operation.info().name;
  for (const Field &field : Fields())
    if (field.applies(operation))
      if (std::string value = field.print(operation); !value.empty())
        line += std::string(" ") + field.info.name + "=" + value;
  return line;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
struct Word {
  std::string_view text;
  size_t column; ///< From 1.
};
struct Error {
  std::string message;
  size_t column;
};
/// The words of a line, by key.
struct Line {
  Routine routine = Routine::Gemm;
  std::map<std::string_view, Word> values;
  std::vector<Word> comparisons; ///< Words of a pattern with another operator than `=`.
  bool hasWildcard = false;      ///< It ends with a wildcard.
};
} // namespace

static std::vector<Word> wordsOfLine(std::string_view line) {
  std::vector<Word> words;
  for (size_t at = line.find_first_not_of(" \t"); at != line.npos;) {
    size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back({line.substr(at, end - at), at + 1});
    at = line.find_first_not_of(" \t", end);
  }
  return words;
}

/// Letters that are inserted, removed or replaced between two words.
static size_t distance(std::string_view left, std::string_view right) {
  std::vector<size_t> row(right.size() + 1);
  for (size_t j = 0; j <= right.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= left.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= right.size(); ++j) {
      size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (left[i - 1] != right[j - 1])});
      diagonal = above;
    }
  }
  return row.back();
}

std::string operation::suggestion(std::string_view word, const std::vector<const char *> &names) {
  std::string best;
  size_t least = 3; // Further words are no slips of the pen.
  for (const char *name : names)
    if (size_t each = distance(word, name); each < least)
      least = each, best = name;
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}

static std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

std::string operation::readRoutine(std::string_view name, Operation &operation) {
  std::vector<const char *> names;
  for (const RoutineInfo &info : kRoutines)
    names.push_back(info.name);
  std::optional<Routine> routine = routineNamed(name);
  operation.routine = routine.value_or(operation.routine);
  return routine ? "" : "no routine " + quoted(name) + suggestion(name, names);
}

/// Why a key is not of this operation, where a batch would have it.
static const char *whatBatchesHave(const Field &field) {
  return field.applies == hasBatch || field.applies == hasStrides ? " without a batch" : "";
}

std::string operation::readKey(size_t index, std::string_view value, Operation &operation) {
  const Field &field = firstField()[index];
  if (!field.applies(operation))
    return std::string(operation.info().name) + " has no " + field.info.name +
           (hasBatch(operation) ? "" : whatBatchesHave(field));
  std::string expected = field.read(value, operation);
  return expected.empty() ? "" : "expected " + expected + ", not " + quoted(value);
}

static std::optional<Error> readHead(const std::vector<Word> &words, size_t end, Line &line) {
  if (words.empty())
    return Error{std::string("expected '") + kVersion + "' and a routine", 1};
  if (words[0].text != kVersion)
    return Error{std::string("expected version '") + kVersion + "', not " + quoted(words[0].text),
                 words[0].column};
  if (words.size() < 2)
    return Error{"expected a routine, such as gemm", end};
  Operation operation;
  if (std::string wrong = readRoutine(words[1].text, operation); !wrong.empty())
    return Error{wrong, words[1].column};
  line.routine = operation.routine;
  return std::nullopt;
}

/// Index of a key in keys(); an error where there is none of that name.
static std::optional<Error> findKey(const Word &word, std::string_view key, size_t &index) {
  std::vector<const char *> names;
  for (const KeyInfo &info : keys())
    names.push_back(info.name);
  index = std::find(names.begin(), names.end(), key) - names.begin();
  if (index == names.size())
    return Error{"no key " + quoted(key) + suggestion(key, names), word.column};
  return std::nullopt;
}

static std::optional<Error> readValue(const Word &word, bool isPattern, Line &line) {
  size_t equals = word.text.find_first_of("=<>!%");
  std::string_view key = word.text.substr(0, equals);
  if (equals == word.text.npos)
    return Error{"expected KEY=VALUE, not " + quoted(word.text), word.column};
  size_t index;
  if (std::optional<Error> error = findKey(word, key, index))
    return error;
  if (word.text[equals] != '=') {
    line.comparisons.push_back(word);
    return isPattern ? std::nullopt
                     : std::optional(Error{"comparisons are for patterns only", word.column});
  }
  Word value{word.text.substr(equals + 1), word.column + equals + 1};
  if (value.text == "*" && !isPattern)
    return Error{"a value of * is for patterns only", value.column};
  if (!line.values.try_emplace(key, value).second)
    return Error{"the key " + quoted(key) + " is there twice", word.column};
  return std::nullopt;
}

static std::optional<Error> readLine(std::string_view text, bool isPattern, Line &line) {
  std::vector<Word> words = wordsOfLine(text);
  if (isPattern && words.size() > 2 && words.back().text == "*") {
    line.hasWildcard = true;
    words.pop_back();
  }
  if (std::optional<Error> error = readHead(words, text.size() + 1, line))
    return error;
  for (size_t i = 2; i < words.size(); ++i)
    if (std::optional<Error> error = readValue(words[i], isPattern, line))
      return error;
  return std::nullopt;
}

/// Defaults of matrices: addresses are aligned, and there are no gaps.
static void setDense(std::string_view key, Operation &operation) {
  for (int index : {0, 1, 2}) {
    Matrix &matrix = operation.operand(index);
    if (!operation.has(index))
      continue;
    if (key == "ld")
      matrix.leading = denseLeading(operation, index);
    else if (key == "stride")
      matrix.stride = operation.batch == Batch::Strided ? denseStride(operation, index) : 0;
    else if (key == "align")
      matrix.align = kMostAlign;
  }
  if (key == "count")
    operation.count = operation.batch == Batch::None ? 1 : kAnySize;
}

/// Reads the values in the order of the keys, since defaults depend on those before.
static std::optional<Error> readValues(const Line &line, Operation &operation) {
  operation.routine = line.routine;
  for (const Field &field : Fields()) {
    auto value = line.values.find(field.info.name);
    bool isStated = value != line.values.end() && value->second.text != "*";
    if (!isStated) {
      setDense(field.info.name, operation);
      continue;
    }
    const Word &word = value->second;
    if (std::string wrong = readKey(&field - firstField(), word.text, operation); !wrong.empty())
      return Error{wrong, word.column};
  }
  return std::nullopt;
}

static Parsed failed(const Error &error) { return {{}, error.message, error.column}; }

Parsed operation::parse(std::string_view text) {
  Line line;
  Parsed parsed;
  if (std::optional<Error> error = readLine(text, /*isPattern=*/false, line))
    return failed(*error);
  if (std::optional<Error> error = readValues(line, parsed.operation))
    return failed(*error);
  if (Wrong wrong = whatIsWrong(parsed.operation))
    return failed({wrong.message, 1});
  return parsed;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// In the order in which they are looked for: `<=` before `<`.
static constexpr std::pair<std::string_view, Comparison> kComparisons[] = {
    {"!=", Comparison::Unequal}, {"<=", Comparison::AtMost}, {">=", Comparison::AtLeast},
    {"=", Comparison::Equal},    {"<", Comparison::Below},   {">", Comparison::Above}};

static bool compare(int64_t size, Comparison comparison, int64_t number) {
  switch (comparison) {
  case Comparison::Unequal:
    return size != number;
  case Comparison::AtMost:
    return size <= number;
  case Comparison::AtLeast:
    return size >= number;
  case Comparison::Equal:
    return size == number;
  case Comparison::Below:
    return size < number;
  case Comparison::Above:
    return size > number;
  }
  return false;
}

/// Reads a number from the begin of `text`, and drops it there.
static bool consumeNumber(std::string_view &text, int64_t &number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(end - text.data());
  return error == std::errc();
}

/// Reads m>=1024 or n%4=0, of an operation that has this size.
static std::optional<Error> readComparison(const Word &word, Operation operation,
                                           SizeCondition &condition) {
  size_t length = word.text.find_first_of("<>!%");
  std::string_view key = word.text.substr(0, length), rest = word.text.substr(length);
  if (std::optional<Error> error = findKey(word, key, condition.key))
    return error;
  const Field &field = firstField()[condition.key];
  operation.batch = Batch::Strided; // A batch is for the operation that is matched to have.
  if (!field.size)
    return Error{std::string(key) + " is no size to compare: m, n, k or count", word.column};
  if (!field.applies(operation))
    return Error{std::string(operation.info().name) + " has no " + field.info.name, word.column};
  if (rest[0] == '%') {
    rest.remove_prefix(1);
    if (!consumeNumber(rest, condition.modulus) || condition.modulus < 1)
      return Error{"expected a divisor of 1 or more after " + std::string(key) + "%", word.column};
  }
  for (auto [text, comparison] : kComparisons) {
    if (rest.substr(0, text.size()) != text)
      continue;
    rest.remove_prefix(text.size());
    condition.comparison = comparison;
    if (consumeNumber(rest, condition.number) && rest.empty())
      return std::nullopt;
    break;
  }
  return Error{"expected a comparison by =, !=, <, <=, > or >= with a number, not " +
                   quoted(word.text),
               word.column};
}

Parsed Pattern::parse(std::string_view text, Pattern &pattern) {
  Line line;
  Parsed parsed;
  pattern = {};
  if (std::optional<Error> error = readLine(text, /*isPattern=*/true, line))
    return failed(*error);
  if (std::optional<Error> error = readValues(line, parsed.operation))
    return failed(*error);
  pattern.ofRoutine = line.routine;
  pattern.endsInWildcard = line.hasWildcard;
  std::set<size_t> compared;
  for (const Word &word : line.comparisons) {
    SizeCondition &condition = pattern.conditions.emplace_back();
    if (std::optional<Error> error = readComparison(word, parsed.operation, condition))
      return failed(*error);
    compared.insert(condition.key);
  }
  for (const Field &field : Fields()) {
    auto value = line.values.find(field.info.name);
    bool isStated = value != line.values.end();
    bool isFree = isStated ? value->second.text == "*"
                           : line.hasWildcard || compared.count(&field - firstField());
    bool isPrinted = !isFree && field.applies(parsed.operation);
    pattern.values.push_back(isFree      ? std::nullopt
                             : isPrinted ? std::optional(field.print(parsed.operation))
                                         : std::optional(std::string()));
  }
  return parsed;
}

/// Whether the operation has the size of a comparison, and each call states it.
static bool isOpen(const SizeCondition &condition, const Operation &operation) {
  const Field &field = firstField()[condition.key];
  return field.applies(operation) && operation.*field.size == kAnySize;
}

static bool holds(const SizeCondition &condition, const Operation &operation) {
  const Field &field = firstField()[condition.key];
  int64_t size = operation.*field.size;
  if (!field.applies(operation) || size == kAnySize)
    return false;
  return compare(condition.modulus ? size % condition.modulus : size, condition.comparison,
                 condition.number);
}

bool SizeRange::isEmpty() const {
  return least > most || (most - most % multiple) < least || most < 1;
}

/// Leaves of `range` what a comparison is true for; false where that is no range.
static bool narrow(SizeRange &range, const SizeCondition &condition) {
  int64_t number = condition.number;
  if (condition.modulus) {
    range.multiple = std::lcm(range.multiple, condition.modulus);
    return condition.comparison == Comparison::Equal && number == 0;
  }
  switch (condition.comparison) {
  case Comparison::Unequal:
    return false;
  case Comparison::Equal:
    range.least = std::max(range.least, number), range.most = std::min(range.most, number);
    return true;
  case Comparison::AtMost:
    range.most = std::min(range.most, number);
    return true;
  case Comparison::Below:
    range.most = std::min(range.most, number - 1);
    return true;
  case Comparison::AtLeast:
    range.least = std::max(range.least, number);
    return true;
  case Comparison::Above:
    range.least = std::max(range.least, number + 1);
    return true;
  }
  return false;
}

std::optional<SizeRanges> Pattern::ranges(const Operation &operation) const {
  SizeRanges ranges;
  for (const SizeCondition &condition : conditions) {
    if (!isOpen(condition, operation))
      continue;
    std::string_view name = keys()[condition.key].name;
    SizeRange *range = name == "m"   ? &ranges.m
                       : name == "n" ? &ranges.n
                       : name == "k" ? &ranges.k
                                     : nullptr;
    if (!range || !narrow(*range, condition))
      return std::nullopt;
  }
  if (ranges.m.isEmpty() || ranges.n.isEmpty() || ranges.k.isEmpty())
    return std::nullopt;
  return ranges;
}

bool Pattern::isFree(std::string_view name) const {
  for (size_t i = 0; i < values.size(); ++i)
    if (keys()[i].name == name)
      return !values[i];
  return false;
}

bool Pattern::statesAllBut(std::string_view name) const {
  for (size_t i = 0; i < values.size(); ++i)
    if (!values[i] && keys()[i].name != name)
      return false;
  return conditions.empty() && !endsInWildcard;
}

bool Pattern::statesSizes(const Operation &operation) const {
  for (size_t i = 0; i < values.size(); ++i) {
    const Field &field = firstField()[i];
    if (field.size && field.applies(operation) && !values[i])
      return false;
  }
  return true;
}

bool Pattern::keysMatch(const Operation &operation) const {
  for (size_t i = 0; i < values.size(); ++i) {
    const Field &field = firstField()[i];
    if (values[i] && *values[i] != (field.applies(operation) ? field.print(operation) : ""))
      return false;
  }
  return !values.empty();
}

bool Pattern::matches(const Operation &operation) const {
  auto isTrue = [&](const SizeCondition &condition) { return holds(condition, operation); };
  return operation.routine == ofRoutine &&
         std::all_of(conditions.begin(), conditions.end(), isTrue) && keysMatch(operation);
}

bool Pattern::matchesSome(const Operation &operation) const {
  auto mayBeTrue = [&](const SizeCondition &condition) {
    return isOpen(condition, operation) || holds(condition, operation);
  };
  return operation.routine == ofRoutine &&
         std::all_of(conditions.begin(), conditions.end(), mayBeTrue) && keysMatch(operation) &&
         ranges(operation);
}
