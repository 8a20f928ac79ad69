//===- Spec.cpp - What a library is to have in it -------------------------===//

#include "rooftile/Export/Spec.h"
#include "Chips.h"
#include "Names.h"
#include "rooftile/Compiler/Nesting.h"
#include "rooftile/Operation/Text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/YAMLTraits.h"

using namespace rooftile;
using namespace rooftile::exporter;
using namespace rooftile::compiler;
using namespace rooftile::operation;
using llvm::formatv;
using llvm::StringRef;
using llvm::yaml::IO;

//===----------------------------------------------------------------------===//
// Content of a file
//===----------------------------------------------------------------------===//

namespace {
/// Where a mapping was written that no key accepts.
struct NoMapping {};

/// A scalar, and where it is written.
struct Word {
  std::string text;
  Place place;
};

/// The value of a key of operations: a word, or one for each matrix.
struct KeyValue {
  std::vector<Word> words;
  bool isStated = false;
};

struct OperationName {
  std::string text;
};

struct LibraryName {
  std::string text;
};

/// A function of the library.
struct Entry {
  OperationName name;
  Operation operation;
  Place place;
};

/// The bits of integers of C.
struct Integers {
  int64_t bits = 64;
};

struct File {
  LibraryName library;
  Integers integers;
  std::string plans;
  std::vector<Chip> chips;
  std::vector<Entry> operations;
};

/// Where the lines of a text begin.
class Lines {
public:
  explicit Lines(StringRef text) : text(text) {
    for (size_t end = text.find('\n'); end != StringRef::npos; end = text.find('\n', end + 1))
      starts.push_back(end + 1);
  }
  Place placeOf(const char *at) const {
    size_t offset = at - text.begin();
    auto next = llvm::upper_bound(starts, offset);
    return {unsigned(next - starts.begin()), unsigned(offset - *(next - 1)) + 1};
  }
  char at(Place place) const { return text[starts[place.line - 1] + place.column - 1]; }

private:
  StringRef text;
  std::vector<size_t> starts = {0};
};

/// Input of reading beside the file, and its messages.
struct Reading {
  Lines lines;
  const llvm::StringSet<> &taken;
  llvm::StringSet<> names, chips;
  std::vector<const char *> keys; ///< Those of the mapping that was read last.
  llvm::yaml::Input *input = nullptr;
  std::string message; ///< Owner of the text that a trait returns.
  std::string error;   ///< The first one, with its location.
  Place place;
};
} // namespace

static const std::vector<const char *> kLibraryKeys = {"library", "integers", "plans", "chips",
                                                       "operations"};

/// Names of keys in older files, and what they are in lines of operations.
static constexpr std::pair<const char *, const char *> kOlderNames[] = {
    {"types", "type"}, {"triangle", "uplo"}, {"diagonal", "diag"}};

/// The first key of an entry is its name; the second one excludes all others.
static constexpr const char *kName = "name", *kLine = "operation", *kRoutine = "routine";

static Reading &readingOf(void *context) { return *static_cast<Reading *>(context); }

/// Where the value that is being read is written.
static Place placeOf(const Reading &reading) {
  return reading.lines.placeOf(
      reading.input->getCurrentNode()->getSourceRange().Start.getPointer());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static StringRef readWord(StringRef text, void *context, Word &word) {
  word = {text.str(), placeOf(readingOf(context))};
  return "";
}

static StringRef readIntegers(StringRef text, void *context, Integers &integers) {
  if (!text.getAsInteger(10, integers.bits) && (integers.bits == 32 || integers.bits == 64))
    return "";
  std::string &message = readingOf(context).message;
  message = formatv("expected 32, 64: the bits of an integer, not '{0}'", text);
  return message;
}

static StringRef readName(StringRef text, void *context, OperationName &name) {
  Reading &reading = readingOf(context);
  name.text = text.str();
  reading.message = whyNoName(text);
  if (!reading.message.empty())
    reading.message += formatv(", not '{0}'", text);
  else if (reading.taken.contains(text) || text.starts_with("rooftile"))
    reading.message = formatv(
        "the name '{0}' is taken: this library, or one of C or C++, has such a function", text);
  else if (!reading.names.insert(text).second)
    reading.message =
        formatv("the name '{0}' is there twice: expected one for each operation", text);
  return reading.message;
}

static StringRef readLibrary(StringRef text, void *context, LibraryName &name) {
  name.text = text.str();
  std::string &message = readingOf(context).message;
  message = whyNoLibrary(text);
  if (!message.empty())
    message += formatv(", not '{0}'", text);
  return message;
}

static StringRef readChip(StringRef text, void *context, Chip &chip) {
  Reading &reading = readingOf(context);
  reading.message.clear();
  chip = findChip(text, reading.message);
  if (reading.message.empty() && !reading.chips.insert(chip.label).second)
    reading.message = formatv("chip '{0}' is there twice", chip.label);
  return reading.message;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

LLVM_YAML_IS_SEQUENCE_VECTOR(Entry)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(Chip)
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(Word)

namespace llvm::yaml {
#define SCALAR(Type, read)                                                                         \
  template <> struct ScalarTraits<Type> {                                                          \
    static void output(const Type &, void *, raw_ostream &) {}                                     \
    static StringRef input(StringRef text, void *context, Type &value) {                           \
      return read(text, context, value);                                                           \
    }                                                                                              \
    static QuotingType mustQuote(StringRef) { return QuotingType::None; }                          \
  };
SCALAR(Word, readWord)
SCALAR(Integers, readIntegers)
SCALAR(OperationName, readName)
SCALAR(LibraryName, readLibrary)
SCALAR(Chip, readChip)
#undef SCALAR

template <> struct MappingTraits<NoMapping> {
  static void mapping(IO &io, NoMapping &) {
    io.setError("expected a value, or a list of those of A, B and C");
  }
};

template <> struct PolymorphicTraits<KeyValue> {
  static NodeKind getKind(const KeyValue &) { return NodeKind::Sequence; }
  static Word &getAsScalar(KeyValue &value) { return getAsSequence(value).emplace_back(); }
  static std::vector<Word> &getAsSequence(KeyValue &value) {
    value.isStated = true;
    return value.words;
  }
  static NoMapping &getAsMap(KeyValue &) {
    static NoMapping none;
    return none;
  }
};

template <> struct MappingTraits<Entry> {
  static void mapping(IO &io, Entry &entry);
};

template <> struct MappingTraits<File> {
  static void mapping(IO &io, File &file);
  static std::string validate(IO &io, File &file);
};
} // namespace llvm::yaml

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Reasons against an operation that only calls of C state; empty: it can be exported.
static const char *whyNotExported(const Operation &operation) {
  if (operation.batch == Batch::Pointers)
    return "exported functions have no batch=pointers: expected none or strided";
  bool hasMemory = operation.alpha == Scalar::InMemory || operation.beta == Scalar::InMemory;
  return hasMemory ? "exported functions read alpha and beta in host memory: expected one, zero "
                     "or any, not 'memory'"
                   : "";
}

/// The key, by its name or the one of older files; not stated where there is none.
static KeyValue valueOf(IO &io, const char *name) {
  KeyValue value;
  io.mapOptional(name, value);
  for (auto [older, newer] : kOlderNames) {
    if (StringRef(newer) != name)
      continue;
    KeyValue other;
    io.mapOptional(older, other);
    if (other.isStated && value.isStated)
      io.setError(formatv("expected {0} or {1}, which is its older name, not both", newer, older));
    if (other.isStated)
      return other;
  }
  return value;
}

/// The first error stands.
static void refuse(IO &io, Place place, const llvm::Twine &why) {
  Reading &reading = readingOf(io.getContext());
  if (reading.place.line == 0)
    reading.place = place;
  io.setError(why);
}

/// Reads the line of an operation. Columns count within the scalar, which may have a quote.
static void readOperation(IO &io, const Word &line, Operation &operation) {
  Parsed parsed = parse(line.text);
  const char *why = whyNotExported(parsed.operation);
  if (parsed && !*why) {
    operation = parsed.operation;
    return;
  }
  Place place = line.place;
  char first = readingOf(io.getContext()).lines.at(place);
  bool isQuoted = first == '"' || first == '\'';
  if (!parsed)
    place.column += parsed.column - 1 + isQuoted;
  refuse(io, place, parsed ? why : parsed.error);
}

/// Reads a value of keys(), of which matrices may have one each.
static void readValue(IO &io, size_t index, const KeyValue &value, Place entry,
                      Operation &operation) {
  std::vector<std::string> words;
  for (const Word &word : value.words)
    words.push_back(word.text);
  std::string why = readKey(index, llvm::join(words, "/"), operation);
  if (why.empty())
    why = whyNotExported(operation);
  if (!why.empty())
    refuse(io, value.words.empty() ? entry : value.words.front().place, why);
}

/// Keys of an entry: its own, and those of lines of operations.
static std::vector<const char *> keysOfEntry() {
  std::vector<const char *> names{kName, kLine, kRoutine};
  for (const KeyInfo &key : keys())
    names.push_back(key.name);
  return names;
}

void llvm::yaml::MappingTraits<Entry>::mapping(IO &io, Entry &entry) {
  Reading &reading = readingOf(io.getContext());
  entry.place = placeOf(reading);
  io.mapRequired(kName, entry.name);
  KeyValue line, routine;
  io.mapOptional(kLine, line);
  io.mapOptional(kRoutine, routine);
  Operation &operation = entry.operation;
  for (Matrix *matrix : {&operation.a, &operation.b, &operation.c})
    matrix->order = Order::ColumnMajor;
  if (line.isStated && line.words.size() != 1)
    io.setError("expected one line of an operation");
  else if (line.isStated)
    readOperation(io, line.words[0], operation);
  if (routine.isStated && !routine.words.empty())
    if (std::string why = readRoutine(routine.words[0].text, operation); !why.empty())
      refuse(io, routine.words[0].place, why);
  bool hasKeys = routine.isStated, hasType = false;
  for (size_t index = 0; index < keys().size(); ++index) {
    KeyValue value = valueOf(io, keys()[index].name);
    hasKeys |= value.isStated;
    hasType |= value.isStated && index == 0;
    if (value.isStated && !line.isStated)
      readValue(io, index, value, entry.place, operation);
  }
  if (line.isStated && hasKeys)
    io.setError("expected operation, which states everything, or keys of it, not both");
  else if (!line.isStated && !hasType)
    io.setError("missing required key 'type', or 'operation'");
  reading.keys = keysOfEntry();
}

void llvm::yaml::MappingTraits<File>::mapping(IO &io, File &file) {
  io.mapRequired("library", file.library);
  io.mapOptional("integers", file.integers);
  io.mapOptional("plans", file.plans);
  io.mapRequired("chips", file.chips);
  io.mapRequired("operations", file.operations);
  readingOf(io.getContext()).keys = kLibraryKeys;
}

std::string llvm::yaml::MappingTraits<File>::validate(IO &io, File &file) {
  Reading &reading = readingOf(io.getContext());
  if (file.chips.empty() || file.operations.empty())
    return "expected at least one chip and one operation";
  for (const Entry &entry : file.operations)
    if (StringRef(entry.name.text).starts_with(file.library.text + "_") &&
        isOwnName(StringRef(entry.name.text).drop_front(file.library.text.size() + 1))) {
      reading.place = entry.place;
      return formatv("the name '{0}' is taken: the library needs it", entry.name.text);
    }
  return "";
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// "; did you mean 'op'?: expected one of name, operation, ...".
static std::string textOfKeys(StringRef error, const std::vector<const char *> &names) {
  StringRef unknown = error.split('\'').second.split('\'').first;
  std::string all = suggestion({unknown.data(), unknown.size()}, names);
  return formatv("{0} expected one of {1}", all.empty() ? ":" : all, llvm::join(names, ", "));
}

/// Keeps the first message of the parser, with the keys that are known where it was an unknown one.
static void keepMessage(const llvm::SMDiagnostic &diagnostic, void *context) {
  Reading &reading = readingOf(context);
  if (!reading.error.empty() || diagnostic.getKind() != llvm::SourceMgr::DK_Error)
    return;
  reading.error = diagnostic.getMessage().str();
  StringRef error = reading.error;
  if (error.starts_with("unknown key"))
    reading.error += textOfKeys(reading.error, reading.keys);
  else if (error == "not a sequence")
    reading.error = "expected a list: [..], or lines with '-'";
  else if (error == "not a mapping")
    reading.error = "expected keys with values";
  if (reading.place.line == 0)
    reading.place = {unsigned(std::max(1, diagnostic.getLineNo())),
                     unsigned(std::max(0, diagnostic.getColumnNo())) + 1};
}

llvm::Error exporter::errorAt(const Spec &spec, Place place, const llvm::Twine &message) {
  return llvm::createStringError(
      llvm::formatv("{0}:{1}:{2}: {3}", spec.path, place.line, place.column, message.str()));
}

/// Reads the one document of a file.
static llvm::Error readFile(llvm::yaml::Input &input, const Spec &spec, Reading &reading,
                            File &file) {
  llvm::yaml::EmptyContext empty;
  if (input.setCurrentDocument()) // else the file is empty
    llvm::yaml::yamlize(input, file, /*Required=*/true, empty);
  else if (reading.error.empty() && !input.error())
    return errorAt(spec, Place(), "expected library, chips and operations");
  bool isRead = !input.error() && reading.error.empty();
  if (isRead && input.nextDocument() && input.setCurrentDocument())
    return errorAt(spec, placeOf(reading), "a second document: expected one for each file");
  if (input.error() || !reading.error.empty())
    return errorAt(spec, reading.place.line ? reading.place : Place(),
                   reading.error.empty() ? input.error().message() : reading.error);
  return llvm::Error::success();
}

/// The file `name`, which is in the folder of the file at `path` where it is relative.
static std::string besideFile(StringRef path, StringRef name) {
  llvm::SmallString<128> file;
  if (!name.empty() && !llvm::sys::path::is_absolute(name))
    file = llvm::sys::path::parent_path(path);
  llvm::sys::path::append(file, name);
  return std::string(file);
}

llvm::Expected<Spec> exporter::readSpec(StringRef text, StringRef path,
                                        const llvm::StringSet<> &taken) {
  Spec spec;
  spec.path = path.str();
  TextPlace deep;
  if (std::string why = whyTooDeep(text, Language::Yaml, deep); !why.empty())
    return errorAt(spec, {deep.line, deep.column}, why);
  Reading reading{Lines(text), taken, {}, {}, kLibraryKeys, nullptr, "", "", {0, 0}};
  File file;
  llvm::yaml::Input input(text, &reading, keepMessage, &reading);
  reading.input = &input;
  if (llvm::Error error = readFile(input, spec, reading, file))
    return error;
  spec.library = file.library.text;
  spec.integerBits = file.integers.bits;
  spec.plans = besideFile(path, file.plans);
  spec.chips = file.chips;
  for (const Entry &entry : file.operations) {
    if (Wrong wrong = whatIsWrong(entry.operation))
      return errorAt(spec, entry.place, wrong.message);
    spec.operations.push_back({entry.name.text, entry.operation, entry.place});
  }
  return spec;
}
