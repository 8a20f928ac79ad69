//===- Spec.cpp - What a library is to have in it -------------------------===//

#include "rooftile/Export/Spec.h"
#include "Chips.h"
#include "Names.h"
#include "rooftile/Compiler/Nesting.h"
#include "rooftile/Operation/Words.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
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
/// A number, or `any`.
struct Size {
  int64_t value = kAnySize;
};

/// One type, or those of A, B and C.
struct Types {
  std::vector<Element> elements;
};

/// Where a mapping was written that no key accepts.
struct NoMapping {};

/// Value of `op`: a letter for each operand.
struct Letters {
  std::string text;
};

struct OperationName {
  std::string text;
};

struct LibraryName {
  std::string text;
};

/// An operation as it is written. Keys that only some routines have are optional.
struct Entry {
  OperationName name;
  Types types;
  Routine routine = Routine::Gemm;
  std::optional<Letters> op;
  Order order = Order::ColumnMajor;
  std::optional<Size> m, n, k;
  std::optional<Scalar> alpha, beta;
  Batch batch = Batch::None;
  std::optional<Side> side;
  std::optional<Triangle> triangle;
  std::optional<Diagonal> diagonal;
  Place place;
};

/// The bits of integers of C.
struct Integers {
  int64_t bits = 64;
};

struct File {
  LibraryName library;
  Integers integers;
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

private:
  StringRef text;
  std::vector<size_t> starts = {0};
};

/// Input of reading beside the file, and its messages.
struct Reading {
  Lines lines;
  const llvm::StringSet<> &taken;
  llvm::StringSet<> names, chips;
  const char *keys;    ///< Keys of the mapping that was read last.
  std::string message; ///< Owner of the text that a trait returns.
  std::string error;   ///< The first one, with its location.
  Place place;
};
} // namespace

static constexpr const char *kLibraryKeys = "library, integers, chips, operations";
static constexpr const char *kOperationKeys =
    "name, types, routine, op, order, m, n, k, alpha, beta, batch, side, triangle, diagonal";

static Reading &readingOf(void *context) { return *static_cast<Reading *>(context); }

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A choice, or an element type or a routine, by its name.
template <typename T> static std::optional<T> valueNamed(StringRef text) {
  std::string_view word(text.data(), text.size());
  if constexpr (std::is_same_v<T, Element>)
    return elementNamed(word);
  else if constexpr (std::is_same_v<T, Routine>)
    return routineNamed(word);
  else
    return choiceNamed<T>(word);
}

/// "left, right": the names that a file may have.
template <typename T> static std::string namesOf() {
  std::vector<const char *> names;
  if constexpr (std::is_same_v<T, Element>)
    for (const ElementInfo &info : kElements)
      names.push_back(info.name);
  else if constexpr (std::is_same_v<T, Routine>)
    for (const RoutineInfo &info : kRoutines)
      names.push_back(info.name);
  else
    for (const char *word : Words<T>::list)
      names.push_back(word);
  if constexpr (std::is_same_v<T, Scalar> || std::is_same_v<T, Batch>)
    names.pop_back(); // Scalars in memory, and pointers, are of C.
  return llvm::join(names, ", ");
}

/// A value of a list of names.
template <typename T> static StringRef readChoice(StringRef text, void *context, T &value) {
  std::optional<T> known = valueNamed<T>(text);
  bool isOfC = false;
  if constexpr (std::is_same_v<T, Scalar> || std::is_same_v<T, Batch>)
    isOfC = known == T(std::size(Words<T>::list) - 1);
  if (known && !isOfC) {
    value = *known;
    return "";
  }
  std::string &message = readingOf(context).message;
  message = formatv("expected {0}, not '{1}'", namesOf<T>(), text);
  return message;
}

static StringRef readSize(StringRef text, void *context, Size &size) {
  if (text == "any" || (!text.getAsInteger(10, size.value) && size.value >= 0)) {
    size.value = text == "any" ? kAnySize : size.value;
    return "";
  }
  std::string &message = readingOf(context).message;
  message = formatv("expected a size of 0 or more, or 'any', not '{0}'", text);
  return message;
}

static StringRef readIntegers(StringRef text, void *context, Integers &integers) {
  if (!text.getAsInteger(10, integers.bits) && (integers.bits == 32 || integers.bits == 64))
    return "";
  std::string &message = readingOf(context).message;
  message = formatv("expected 32, 64: the bits of an integer, not '{0}'", text);
  return message;
}

static StringRef readLetters(StringRef text, void *context, Letters &letters) {
  letters.text = text.str();
  if (!text.empty() && text.size() <= 2 && text.find_first_not_of("ntcj") == StringRef::npos)
    return "";
  std::string &message = readingOf(context).message;
  message = formatv("expected a letter for each operand that op is for, each n (as stored), t "
                    "(transposed), c (adjoint) or j (conjugated), such as nt, not '{0}'",
                    text);
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
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(Element)

namespace llvm::yaml {
#define SCALAR(Type, read)                                                                         \
  template <> struct ScalarTraits<Type> {                                                          \
    static void output(const Type &, void *, raw_ostream &) {}                                     \
    static StringRef input(StringRef text, void *context, Type &value) {                           \
      return read(text, context, value);                                                           \
    }                                                                                              \
    static QuotingType mustQuote(StringRef) { return QuotingType::None; }                          \
  };
SCALAR(Routine, readChoice)
SCALAR(Order, readChoice)
SCALAR(Scalar, readChoice)
SCALAR(Batch, readChoice)
SCALAR(Side, readChoice)
SCALAR(Triangle, readChoice)
SCALAR(Diagonal, readChoice)
SCALAR(Element, readChoice)
SCALAR(Size, readSize)
SCALAR(Integers, readIntegers)
SCALAR(Letters, readLetters)
SCALAR(OperationName, readName)
SCALAR(LibraryName, readLibrary)
SCALAR(Chip, readChip)
#undef SCALAR

template <> struct MappingTraits<NoMapping> {
  static void mapping(IO &io, NoMapping &) { io.setError("expected a type, or [A, B, C]"); }
};

template <> struct PolymorphicTraits<Types> {
  static NodeKind getKind(const Types &) { return NodeKind::Sequence; }
  static Element &getAsScalar(Types &types) { return types.elements.emplace_back(Element::F32); }
  static std::vector<Element> &getAsSequence(Types &types) { return types.elements; }
  static NoMapping &getAsMap(Types &) {
    static NoMapping none;
    return none;
  }
};

template <> struct MappingTraits<Entry> {
  static void mapping(IO &io, Entry &entry);
  static std::string validate(IO &io, Entry &entry);
};

template <> struct MappingTraits<File> {
  static void mapping(IO &io, File &file);
  static std::string validate(IO &io, File &file);
};
} // namespace llvm::yaml

void llvm::yaml::MappingTraits<Entry>::mapping(IO &io, Entry &entry) {
  Reading &reading = readingOf(io.getContext());
  auto &input = static_cast<Input &>(io);
  entry.place = reading.lines.placeOf(input.getCurrentNode()->getSourceRange().Start.getPointer());
  io.mapRequired("name", entry.name);
  io.mapRequired("types", entry.types);
  io.mapOptional("routine", entry.routine);
  io.mapOptional("op", entry.op);
  io.mapOptional("order", entry.order);
  io.mapOptional("m", entry.m);
  io.mapOptional("n", entry.n);
  io.mapOptional("k", entry.k);
  io.mapOptional("alpha", entry.alpha);
  io.mapOptional("beta", entry.beta);
  io.mapOptional("batch", entry.batch);
  io.mapOptional("side", entry.side);
  io.mapOptional("triangle", entry.triangle);
  io.mapOptional("diagonal", entry.diagonal);
  reading.keys = kOperationKeys;
}

/// Keys that are stated and that the routine does not have: "side and diagonal".
static std::string keysOfOthers(const Entry &entry, const RoutineInfo &info) {
  std::pair<const char *, bool> keys[] = {{"op", entry.op && !*info.ops},
                                          {"m", entry.m && !info.hasM()},
                                          {"k", entry.k && !info.hasK()},
                                          {"alpha", entry.alpha && info.alpha == ScalarType::None},
                                          {"beta", entry.beta && info.beta == ScalarType::None},
                                          {"side", entry.side && !info.hasSide},
                                          {"triangle", entry.triangle && !info.hasUplo},
                                          {"diagonal", entry.diagonal && !info.hasDiag}};
  std::vector<std::string> wrong;
  for (auto [name, isWrong] : keys)
    if (isWrong)
      wrong.push_back(name);
  return llvm::join(wrong, " and ");
}

/// Keys that do not go together, with what is expected.
std::string llvm::yaml::MappingTraits<Entry>::validate(IO &, Entry &entry) {
  const RoutineInfo &info = infoOf(entry.routine);
  size_t types = entry.types.elements.size(), letters = info.hasOpB ? 2 : 1;
  if (types != 1 && !(info.hasMixedC && types == 3))
    return info.hasMixedC
               ? "expected one type, or three: [A, B, C]"
               : formatv("expected one type: {0} has one for all matrices", info.name).str();
  if (std::string keys = keysOfOthers(entry, info); !keys.empty())
    return formatv("{0} has no {1}", info.name, keys);
  if (entry.op && entry.op->text.size() != letters)
    return letters == 2 ? "expected two letters of op for a gemm, such as nt"
                        : "expected one letter of op, that of A";
  return "";
}

void llvm::yaml::MappingTraits<File>::mapping(IO &io, File &file) {
  io.mapRequired("library", file.library);
  io.mapOptional("integers", file.integers);
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
// To operations
//===----------------------------------------------------------------------===//

static Operation operationOf(const Entry &entry) {
  Operation operation;
  operation.routine = entry.routine;
  const RoutineInfo &info = operation.info();
  if (entry.op) {
    operation.opA = Op(entry.op->text.front());
    operation.opB = info.hasOpB ? Op(entry.op->text.back()) : Op::N;
  }
  for (int index : {0, 1, 2}) {
    const std::vector<Element> &elements = entry.types.elements;
    if (!operation.has(index))
      continue;
    operation.operand(index).element = elements.size() == 3 ? elements[index] : elements[0];
    operation.operand(index).order = entry.order;
  }
  operation.n = entry.n.value_or(Size()).value;
  operation.m = info.hasM() ? entry.m.value_or(Size()).value : operation.n;
  operation.k = entry.k.value_or(Size()).value;
  operation.batch = entry.batch;
  operation.alpha = entry.alpha.value_or(Scalar::One);
  operation.beta = entry.beta.value_or(Scalar::Zero);
  operation.side = entry.side.value_or(Side::Left);
  operation.triangle = entry.triangle.value_or(Triangle::Lower);
  operation.diagonal = entry.diagonal.value_or(Diagonal::NonUnit);
  return operation;
}

/// Keeps the first message of the parser, with the keys that are known where it was an unknown one.
static void keepMessage(const llvm::SMDiagnostic &diagnostic, void *context) {
  Reading &reading = readingOf(context);
  if (!reading.error.empty() || diagnostic.getKind() != llvm::SourceMgr::DK_Error)
    return;
  reading.error = diagnostic.getMessage().str();
  StringRef error = reading.error;
  if (error.starts_with("unknown key"))
    reading.error += formatv(": expected one of {0}", reading.keys);
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
    return errorAt(
        spec, reading.lines.placeOf(input.getCurrentNode()->getSourceRange().Start.getPointer()),
        "a second document: expected one for each file");
  if (input.error() || !reading.error.empty())
    return errorAt(spec, reading.place.line ? reading.place : Place(),
                   reading.error.empty() ? input.error().message() : reading.error);
  return llvm::Error::success();
}

llvm::Expected<Spec> exporter::readSpec(StringRef text, StringRef path,
                                        const llvm::StringSet<> &taken) {
  Spec spec;
  spec.path = path.str();
  TextPlace deep;
  if (std::string why = whyTooDeep(text, Language::Yaml, deep); !why.empty())
    return errorAt(spec, {deep.line, deep.column}, why);
  Reading reading{Lines(text), taken, {}, {}, kLibraryKeys, "", "", {0, 0}};
  File file;
  llvm::yaml::Input input(text, &reading, keepMessage, &reading);
  if (llvm::Error error = readFile(input, spec, reading, file))
    return error;
  spec.library = file.library.text;
  spec.integerBits = file.integers.bits;
  spec.chips = file.chips;
  for (const Entry &entry : file.operations) {
    Operation operation = operationOf(entry);
    if (Wrong wrong = whatIsWrong(operation))
      return errorAt(spec, entry.place, wrong.message);
    spec.operations.push_back({entry.name.text, operation, entry.place});
  }
  return spec;
}
