//===- Spec.cpp - What a library is to have in it -------------------------===//

#include "rooftile/Export/Spec.h"
#include "Chips.h"
#include "Names.h"
#include "rooftile/Compiler/Nesting.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/YAMLTraits.h"

using namespace rooftile;
using namespace rooftile::exporter;
using namespace rooftile::compiler;
using llvm::formatv;
using llvm::StringRef;
using llvm::yaml::IO;

//===----------------------------------------------------------------------===//
// What a file holds
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

/// Where a mapping was written that no key takes.
struct NoMapping {};

/// What `op` says: a letter for each operand.
struct Letters {
  std::string text;
};

struct OperationName {
  std::string text;
};

struct LibraryName {
  std::string text;
};

/// An operation as it is written. What one routine only has is left open.
struct Entry {
  OperationName name;
  Types types;
  Routine routine = Routine::Gemm;
  std::optional<Letters> op;
  Order order = Order::ColumnMajor;
  std::optional<Size> m, n, k;
  Scalar alpha = Scalar::One;
  std::optional<Scalar> beta;
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

/// What reading needs beside the file, and what it says.
struct Reading {
  Lines lines;
  const llvm::StringSet<> &taken;
  llvm::StringSet<> names, chips;
  const char *keys;    ///< Of the mapping that was read last.
  std::string message; ///< What a trait returns refers to it.
  std::string error;   ///< The first one, with its place.
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

namespace {
template <typename T> using Names = std::vector<std::pair<StringRef, T>>;
} // namespace

static const Names<Routine> &namesOf(Routine) {
  static const Names<Routine> names = {
      {"gemm", Routine::Gemm}, {"trmm", Routine::Trmm}, {"trsm", Routine::Trsm}};
  return names;
}
static const Names<Order> &namesOf(Order) {
  static const Names<Order> names = {{"row", Order::RowMajor}, {"column", Order::ColumnMajor}};
  return names;
}
static const Names<Scalar> &namesOf(Scalar) {
  static const Names<Scalar> names = {
      {"one", Scalar::One}, {"zero", Scalar::Zero}, {"any", Scalar::AtRunTime}};
  return names;
}
static const Names<Batch> &namesOf(Batch) {
  static const Names<Batch> names = {{"none", Batch::None}, {"strided", Batch::Strided}};
  return names;
}
static const Names<Side> &namesOf(Side) {
  static const Names<Side> names = {{"left", Side::Left}, {"right", Side::Right}};
  return names;
}
static const Names<Triangle> &namesOf(Triangle) {
  static const Names<Triangle> names = {{"lower", Triangle::Lower}, {"upper", Triangle::Upper}};
  return names;
}
static const Names<Diagonal> &namesOf(Diagonal) {
  static const Names<Diagonal> names = {{"nonunit", Diagonal::NonUnit}, {"unit", Diagonal::Unit}};
  return names;
}
static const Names<Element> &namesOf(Element) {
  static const Names<Element> names = [] {
    Names<Element> all;
    for (Element element :
         {Element::F16, Element::BF16, Element::F32, Element::F64, Element::C64, Element::C128})
      all.push_back({nameOf(element), element});
    return all;
  }();
  return names;
}

/// A value of a list of names.
template <typename T> static StringRef readChoice(StringRef text, void *context, T &value) {
  std::vector<StringRef> known;
  for (auto &[name, choice] : namesOf(T())) {
    known.push_back(name);
    if (name == text) {
      value = choice;
      return "";
    }
  }
  std::string &message = readingOf(context).message;
  message = formatv("expected {0}, not '{1}'", llvm::join(known, ", "), text);
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

/// What does not go together, with what is expected.
std::string llvm::yaml::MappingTraits<Entry>::validate(IO &, Entry &entry) {
  bool isGemm = entry.routine == Routine::Gemm;
  size_t types = entry.types.elements.size();
  if (types != 1 && !(isGemm && types == 3))
    return isGemm ? "expected one type, or three: [A, B, C]"
                  : "expected one type: triangular operations have no others";
  bool isNarrow = types == 1 && bytesOf(entry.types.elements[0]) < 4;
  if (entry.routine == Routine::Trsm && isNarrow)
    return "expected f32, f64, c64 or c128: a trsm of others has no kernels";
  if (entry.op && entry.op->text.size() != (isGemm ? 2 : 1))
    return isGemm ? "expected two letters of op for a gemm, such as nt"
                  : "expected one letter of op, that of the triangle";
  if (isGemm && (entry.side || entry.triangle || entry.diagonal))
    return "side, triangle and diagonal are of trmm and trsm: a gemm has none";
  if (!isGemm && (entry.k || entry.beta))
    return "k and beta are of gemm: triangular operations have none";
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
  if (entry.op) {
    operation.opA = Op(entry.op->text.front());
    operation.opB = operation.isTriangular() ? Op::N : Op(entry.op->text.back());
  }
  Matrix *matrices[] = {&operation.a, &operation.b, &operation.c};
  for (size_t i = 0; i < 3; ++i) {
    const std::vector<Element> &elements = entry.types.elements;
    matrices[i]->element = elements.size() == 3 ? elements[i] : elements[0];
    matrices[i]->order = entry.order;
  }
  operation.m = entry.m.value_or(Size()).value;
  operation.n = entry.n.value_or(Size()).value;
  operation.k = entry.k.value_or(Size()).value;
  operation.batch = entry.batch;
  operation.alpha = entry.alpha;
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
    if (std::string why = whyInvalid(operation); !why.empty())
      return errorAt(spec, entry.place, why);
    spec.operations.push_back({entry.name.text, operation, entry.place});
  }
  return spec;
}
