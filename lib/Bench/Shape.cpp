//===- Shape.cpp - One line of a benchmark list ---------------------------===//

#include "rooftile/Bench/Shape.h"
#include "rooftile/Operation/Text.h"
#include "rooftile/Operation/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/WithColor.h"

#include <map>

using namespace rooftile;
using namespace rooftile::bench;
using llvm::StringRef;
using operation::Batch;
using operation::RoutineInfo;
using operation::Sizes;

/// Sizes up to this keep every product of two of them within 64 bits.
static constexpr int64_t kMaxSize = int64_t(1) << 31;

static llvm::Error expected(const llvm::Twine &what, StringRef got) {
  return llvm::createStringError("expected " + what + ", got '" + got + "'");
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Bytes that contiguous matrices of a batch by pointers are aligned to.
static int32_t alignmentOf(int64_t elements, Element element) {
  int64_t bytes = elements * bytesOf(element), align = operation::kMostAlign;
  while (bytes % align != 0)
    align /= 2;
  return int32_t(align);
}

/// Leaves no gaps, as far as `key` (ld, stride, align) decides that. `shared`: the operand that is
/// one for the whole batch, or none.
static void setDense(StringRef key, operation::Operation &operation, int shared) {
  for (int index : {0, 1, 2}) {
    operation::Matrix &matrix = operation.operand(index);
    if (!operation.has(index))
      matrix = {};
    else if (key == "ld")
      matrix.leading = std::max<int64_t>(1, operation.vectorLength(index));
    else if (key == "stride")
      matrix.stride = operation.batch == Batch::Strided && index != shared
                          ? matrix.leading * operation.vectors(index)
                          : 0;
    else if (key == "align")
      matrix.align = operation.batch == Batch::Pointers
                         ? alignmentOf(matrix.leading * operation.vectors(index), matrix.element)
                         : operation::kMostAlign;
  }
}

static void makeContiguous(operation::Operation &operation, int shared) {
  for (StringRef key : {"ld", "stride", "align"})
    setDense(key, operation, shared);
}

static void setElement(operation::Operation &operation, Element element) {
  for (int index : {0, 1, 2})
    operation.operand(index).element = element;
}

Shape rooftile::bench::productOf(operation::Operation operation, std::string group) {
  operation.batch = operation.count > 1 ? Batch::Strided : Batch::None;
  makeContiguous(operation, /*shared=*/-1);
  Shape shape;
  shape.operation = operation;
  shape.group = std::move(group);
  return shape;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Words of a line beside the type, the sizes and the choices of the routine.
namespace {
struct Words {
  explicit Words(Shape &shape) : shape(shape) {}

  Shape &shape;
  int64_t batch = 1;
  char share = 0;
  bool byPointers = false;
  std::map<std::string, StringRef> values; ///< Values by keys of the operation's line.

  int shared() const { return share ? share - 'a' : -1; }
};
} // namespace

/// Keys of an operation's line that lines here have as they are.
static constexpr StringRef kOwnKeys[] = {"order", "ld",   "stride",     "align", "alpha",
                                         "beta",  "bias", "activation", "alias"};

/// "4096x4096x16". Sizes that the routine does not have follow from the others.
static bool parseSizes(StringRef text, int64_t (&sizes)[3]) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, 'x');
  if (parts.size() != 3)
    return false;
  for (int i : {0, 1, 2})
    if (parts[i].getAsInteger(10, sizes[i]) || sizes[i] < 1 || sizes[i] > kMaxSize)
      return false;
  return true;
}

/// `batch=3`, `share=b`, `dynamic`, `anyOrder`, `compensated`, `emulated`, `tf32`,
/// `exact`, `class=square`
static llvm::Error parseModifier(StringRef word, Words &words) {
  if (StringRef now = operation::currentWord(word); now != word) {
    llvm::WithColor::note() << "'" << word << "' is called '" << now << "' now\n";
    word = now;
  }
  auto [name, value] = word.split('=');
  operation::Operation &operation = words.shape.operation;
  if (word == "dynamic")
    words.shape.isDynamic = true;
  else if (word == "anyOrder")
    operation.summation = operation::Summation::AnyOrder;
  else if (word == "compensated")
    operation.rounding = operation::Rounding::Compensated;
  else if (word == "emulated")
    operation.math = operation::Math::Emulated;
  else if (word == "tf32")
    operation.math = operation::Math::Tf32;
  else if (word == "exact")
    operation.dependence = operation::Dependence::Exact;
  else if (name == "share" && (value == "a" || value == "b"))
    words.share = value[0];
  else if (word == "pointers")
    words.byPointers = true;
  else if (llvm::is_contained(kOwnKeys, name) && !value.empty())
    words.values[name.str()] = value;
  else if (name == "class" && !value.empty() && value.find_first_of(",\"") == StringRef::npos)
    words.shape.group = value.str();
  else if (name != "batch" || value.getAsInteger(10, words.batch) || words.batch < 1 ||
           words.batch > kMaxSize)
    return expected("batch=B, share=a, share=b, pointers, dynamic, anyOrder, compensated, "
                    "emulated, tf32, exact, class=NAME, a key of docs/Operations.md (" +
                        llvm::join(std::begin(kOwnKeys), std::end(kOwnKeys), "=, ") +
                        "=) or a plan <macro = ...>",
                    word);
  return llvm::Error::success();
}

/// Reads letters of a word one by one; false once one is not as it must be.
namespace {
class Letters {
public:
  explicit Letters(StringRef text) : text(text) {}

  template <typename Choice> void choose(bool has, const char *letters, Choice &choice) {
    if (has)
      choice = Choice(next(letters));
  }
  void readOp(const char *letters, operation::Op &op) {
    size_t at = next(letters);
    op = isGood ? operation::Op(letters[at]) : op;
  }
  bool atEnd() const { return isGood && text.empty(); }

private:
  /// The position of the next letter among `letters`.
  size_t next(const char *letters) {
    size_t at = text.empty() ? StringRef::npos : StringRef(letters).find(text.front());
    isGood &= at != StringRef::npos;
    text = text.drop_front(isGood);
    return isGood ? at : 0;
  }

  StringRef text;
  bool isGood = true;
};
} // namespace

/// "nt", "trsm-llnn", "herk-lc"
static bool parseOp(StringRef word, operation::Operation &operation) {
  auto [name, own] = word.split('-');
  std::optional<Routine> routine = operation::routineNamed(name);
  bool isProduct = !word.contains('-');
  if (!isProduct && (!routine || *routine == Routine::Gemm))
    return false;
  operation.routine = isProduct ? Routine::Gemm : *routine;
  const RoutineInfo &info = operation.info();
  Letters letters(isProduct ? word : own);
  letters.choose(info.hasSide, "lr", operation.side);
  letters.choose(info.hasUplo, "lu", operation.triangle);
  if (*info.ops)
    letters.readOp(info.ops, operation.opA);
  if (info.hasOpB)
    letters.readOp(info.ops, operation.opB);
  letters.choose(info.hasDiag, "nu", operation.diagonal);
  return letters.atEnd();
}

/// "nn, nt, .. or the like of trmm-llnn, ..": every routine once.
static std::string knownOps() {
  std::string text = "an op of nn, nt, tn, tt, or the like of ";
  for (const RoutineInfo &info : llvm::drop_begin(operation::kRoutines)) {
    text += std::string(info.routine == Routine::Trmm ? "" : ", ") + info.name + "-";
    text += info.hasSide ? "l" : "";
    text += info.hasUplo ? "l" : "";
    text += *info.ops ? "n" : "";
    text += info.hasDiag ? "n" : "";
  }
  return text;
}

/// Sizes, of which those that follow from others must agree with these.
static llvm::Error setSizes(operation::Operation &operation, StringRef text) {
  int64_t sizes[3];
  if (!parseSizes(text, sizes))
    return expected("sizes such as 512x512x64, 1 to 2147483648 each", text);
  const RoutineInfo &info = operation.info();
  operation.m = sizes[0], operation.n = sizes[1];
  if (!info.hasM() && operation.m != operation.n)
    return expected(llvm::Twine("M = N of ") + info.name, text);
  if (info.hasK())
    operation.k = sizes[2];
  else if (sizes[2] != operation.order())
    return expected("K equal to A's order: M on the left, N on the right", text);
  return llvm::Error::success();
}

/// Modifiers of a batch, and of numerical freedom, must be those of the routine.
static llvm::Error checkModifiers(const Words &words, StringRef line) {
  const operation::Operation &operation = words.shape.operation;
  bool isProduct = operation.routine == Routine::Gemm;
  if (operation.dependence == operation::Dependence::Exact && !operation.info().hasExact)
    return expected("exact of trmm or trsm alone", line);
  if (words.share && (words.batch == 1 || !isProduct))
    return expected("share= with a batch=B of products", line);
  if (words.byPointers && (words.batch == 1 || !isProduct || words.share || words.shape.isDynamic))
    return expected("pointers with a batch=B of products of known sizes, all of their own", line);
  return llvm::Error::success();
}

/// Matrices without gaps, but for what keys state, in the order of the line of an operation:
/// defaults depend on those before.
static llvm::Error setMatrices(operation::Operation &operation, const Words &words) {
  const std::vector<operation::KeyInfo> &keys = operation::keys();
  for (size_t index = 0; index < keys.size(); ++index) {
    setDense(keys[index].name, operation, words.shared());
    auto value = words.values.find(keys[index].name);
    if (value == words.values.end())
      continue;
    if (std::string why = operation::readKey(index, value->second, operation); !why.empty())
      return llvm::createStringError(std::string(keys[index].name) + ": " + why);
  }
  return llvm::Error::success();
}

/// Whether this can be timed: sizes are known, the types are one, C is row-major.
static llvm::Error checkTimed(const operation::Operation &operation) {
  if (operation::Wrong wrong = operation::whatIsWrong(operation);
      wrong.kind == operation::Wrong::Invalid)
    return llvm::createStringError(wrong.message);
  std::string line = operation::text(operation);
  for (int index : {0, 1})
    if (operation.has(index) && operation.operand(index).element != operation.c.element)
      return expected("matrices of one type", line);
  if (operation.c.order != operation::Order::RowMajor)
    return expected("a row-major C", line);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// TYPE OP MxNxK and modifiers.
static llvm::Error parseLetters(llvm::ArrayRef<StringRef> words, StringRef line, Shape &shape) {
  if (words.size() < 3)
    return expected(
        "TYPE OP MxNxK [batch=B] [share=a|b] [pointers] [dynamic] [anyOrder] "
        "[compensated] [emulated] [tf32] [exact] [class=NAME] [PLAN], or the line of an "
        "operation",
        line);
  std::optional<Element> element = operation::elementNamed(words[0]);
  if (!element)
    return expected("a type of f32, f64, c64, c128, f16, bf16", words[0]);
  operation::Operation &operation = shape.operation;
  if (!parseOp(words[1], operation))
    return expected(knownOps(), words[1]);
  const RoutineInfo &info = operation.info();
  if (!isComplex(*element) && !llvm::any_of(operation::kElements, [&](const auto &each) {
        return !isComplex(each.element) && hasKernels(info, each.element);
      }))
    return expected(llvm::Twine("c64 or c128 for ") + info.name, words[0]);
  setElement(operation, *element);
  if (llvm::Error error = setSizes(operation, words[2]))
    return error;
  Words said(shape);
  for (StringRef word : words.drop_front(3))
    if (llvm::Error error = parseModifier(word, said))
      return error;
  if (llvm::Error error = checkModifiers(said, line))
    return error;
  operation.count = said.batch;
  operation.batch = said.batch == 1   ? Batch::None
                    : said.byPointers ? Batch::Pointers
                                      : Batch::Strided;
  if (llvm::Error error = setMatrices(operation, said))
    return error;
  return checkTimed(operation);
}

/// The canonical line of an operation, and `dynamic` and `class=NAME` after it.
static llvm::Error parseCanonical(StringRef line, Shape &shape) {
  Words said(shape);
  line = line.rtrim();
  for (StringRef last = line.rsplit(' ').second; last == "dynamic" || last.starts_with("class=");
       last = line.rsplit(' ').second) {
    if (llvm::Error error = parseModifier(last, said))
      return error;
    line = line.drop_back(last.size()).rtrim();
  }
  operation::Parsed parsed = operation::parse(line);
  if (!parsed)
    return llvm::createStringError("column " + llvm::Twine(parsed.column) + ": " + parsed.error);
  const operation::Operation &operation = shape.operation = canonical(parsed.operation);
  int64_t k = operation.info().hasK() ? operation.k : 1;
  for (int64_t size : {operation.m, operation.n, k, operation.count})
    if (size < 1 || size > kMaxSize)
      return expected("sizes that are known, 1 to 2147483648 each", line);
  if (shape.isDynamic && operation.batch == Batch::Pointers)
    return expected("known sizes with pointers", line);
  return checkTimed(operation);
}

llvm::Expected<Shape> Shape::parse(StringRef line) {
  Shape shape;
  size_t planAt = std::min(line.find("#blas."), line.find('<'));
  StringRef stated = line.substr(0, planAt);
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(stated, words);
  bool isCanonical = !words.empty() && words[0] == operation::kVersion;
  llvm::Error error =
      isCanonical ? parseCanonical(stated, shape) : parseLetters(words, line, shape);
  if (error)
    return error;
  if (planAt != StringRef::npos)
    shape.plan = line.substr(planAt).trim().str();
  return shape;
}

//===----------------------------------------------------------------------===//
// Properties of a shape
//===----------------------------------------------------------------------===//

int64_t Shape::k() const { return operation.info().hasK() ? operation.k : operation.order(); }

int64_t Shape::batch() const { return operation.batch == Batch::None ? 1 : operation.count; }

char Shape::share() const {
  if (operation.batch != Batch::Strided || operation.routine != Routine::Gemm)
    return 0;
  return operation.a.stride == 0 ? 'a' : operation.b.stride == 0 ? 'b' : 0;
}

operation::Operation Shape::compiled() const {
  return isDynamic ? operation::withAnySizes(operation) : operation;
}

int64_t Shape::elements(int operand) const {
  bool isOther = operand == 1 && operation.alias == operation::Alias::AB;
  if (!operation.has(operand) || isOther)
    return 0;
  int64_t vectors = operation.vectors(operand);
  return (vectors - 1) * operation.operand(operand).leading + operation.vectorLength(operand);
}

int64_t Shape::step(int operand) const {
  const operation::Matrix &matrix = operation.operand(operand);
  if (!byPointers())
    return matrix.stride;
  int64_t align = std::max<int64_t>(1, matrix.align / bytesOf(matrix.element));
  return llvm::alignTo(elements(operand), align);
}

std::string Shape::op() const {
  const RoutineInfo &info = operation.info();
  std::string text = info.routine == Routine::Gemm ? "" : std::string(info.name) + "-";
  if (info.hasSide)
    text += isRight() ? 'r' : 'l';
  if (info.hasUplo)
    text += isUpper() ? 'u' : 'l';
  if (*info.ops)
    text += char(operation.opA);
  if (info.hasOpB)
    text += char(operation.opB);
  if (info.hasDiag)
    text += isUnit() ? 'u' : 'n';
  return text;
}

std::string Shape::sizes() const { return llvm::formatv("{0}x{1}x{2}", m(), n(), k()); }

/// The keys of the line of an operation that stand in lines here as they are, where they differ
/// from the defaults.
static std::string ownKeys(const Shape &shape) {
  operation::Operation stated = shape.operation, dense = stated;
  setDense("align", dense, /*shared=*/-1);
  bool isAligned = true; // As without a key.
  std::string aligns;
  for (int index : {0, 1, 2}) {
    operation::Matrix &matrix = stated.operand(index), &base = dense.operand(index);
    isAligned &= matrix.align == base.align;
    if (stated.has(index))
      aligns += (aligns.empty() ? "" : "/") +
                (matrix.align ? std::to_string(matrix.align) : std::string("any"));
    matrix.align = operation::kMostAlign; // Written below.
    if (shape.share() && matrix.stride == 0)
      matrix.stride = matrix.leading * stated.vectors(index);
  }
  llvm::SmallVector<StringRef> words;
  std::string line = operation::text(stated), text;
  llvm::SplitString(line, words);
  for (StringRef word : words)
    if (llvm::is_contained(kOwnKeys, word.split('=').first))
      text += " " + word.str();
  return isAligned ? text : text + " align=" + aligns;
}

std::string Shape::modifiers() const {
  std::string text;
  if (batch() > 1)
    text += " batch=" + std::to_string(batch());
  if (char shared = share())
    text += std::string(" share=") + shared;
  if (byPointers())
    text += " pointers";
  auto add = [&](bool holds, const char *word) { text += holds ? word : ""; };
  add(isDynamic, " dynamic");
  add(operation.summation == operation::Summation::AnyOrder, " anyOrder");
  add(operation.rounding == operation::Rounding::Compensated, " compensated");
  add(operation.math == operation::Math::Emulated, " emulated");
  add(operation.math == operation::Math::Tf32, " tf32");
  add(operation.dependence == operation::Dependence::Exact, " exact");
  return text + ownKeys(*this);
}

std::string Shape::key() const {
  return std::string(nameOf(element())) + " " + op() + " " + sizes() + modifiers();
}
