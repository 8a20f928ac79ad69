//===- Shape.cpp - One line of a benchmark list ---------------------------===//

#include "rooftile/Bench/Shape.h"
#include "rooftile/Operation/Text.h"
#include "rooftile/Operation/Words.h"
#include "rooftile/Verify/Cases/Case.h"
#include "rooftile/Verify/Model/OperationModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

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

/// Makes the matrices contiguous and row-major. `shared`: the operand that is one for the whole
/// batch, or none.
static void makeContiguous(operation::Operation &operation, int shared) {
  for (int index : {0, 1, 2}) {
    operation::Matrix &matrix = operation.operand(index);
    int64_t rows = operation.rows(index), columns = operation.columns(index);
    if (!operation.has(index)) {
      matrix = {};
      continue;
    }
    matrix.leading = std::max<int64_t>(1, columns);
    bool isApart = operation.batch == Batch::Strided && index != shared;
    matrix.stride = isApart ? rows * columns : 0;
    matrix.align = operation.batch == Batch::Pointers ? alignmentOf(rows * columns, matrix.element)
                                                      : operation::kMostAlign;
  }
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
  Shape &shape;
  int64_t batch = 1;
  char share = 0;
  bool byPointers = false;
};
} // namespace

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

/// `batch=3`, `share=b`, `dynamic`, `anyOrder`, `compensated`, `emulated`, `exact`, `class=square`
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
  else if (word == "exact")
    operation.dependence = operation::Dependence::Exact;
  else if (name == "share" && (value == "a" || value == "b"))
    words.share = value[0];
  else if (word == "pointers")
    words.byPointers = true;
  else if (name == "class" && !value.empty() && value.find_first_of(",\"") == StringRef::npos)
    words.shape.group = value.str();
  else if (name != "batch" || value.getAsInteger(10, words.batch) || words.batch < 1 ||
           words.batch > kMaxSize)
    return expected("batch=B, share=a, share=b, pointers, dynamic, anyOrder, compensated, "
                    "emulated, exact, class=NAME or a plan <macro = ...>",
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

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// TYPE OP MxNxK and modifiers.
static llvm::Error parseLetters(llvm::ArrayRef<StringRef> words, StringRef line, Shape &shape) {
  if (words.size() < 3)
    return expected("TYPE OP MxNxK [batch=B] [share=a|b] [pointers] [dynamic] [anyOrder] "
                    "[compensated] [emulated] [exact] [class=NAME] [PLAN], or the line of an "
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
  Words said{shape};
  for (StringRef word : words.drop_front(3))
    if (llvm::Error error = parseModifier(word, said))
      return error;
  if (llvm::Error error = checkModifiers(said, line))
    return error;
  operation.count = said.batch;
  operation.batch = said.batch == 1   ? Batch::None
                    : said.byPointers ? Batch::Pointers
                                      : Batch::Strided;
  makeContiguous(operation, said.share ? said.share - 'a' : -1);
  return llvm::Error::success();
}

/// The operation that is timed for a canonical one: of its choices those that matrices here have.
static operation::Operation timedFor(operation::Operation operation) {
  bool isShared = operation.batch == Batch::Strided && operation.routine == Routine::Gemm;
  int shared = isShared && operation.a.stride == 0   ? 0
               : isShared && operation.b.stride == 0 ? 1
                                                     : -1;
  operation.alpha = operation::Scalar::One;
  operation.beta = operation::Scalar::Zero;
  operation.epilogue = {};
  operation.alias = operation::Alias::None;
  for (int index : {0, 1, 2})
    operation.operand(index).order = operation::Order::RowMajor;
  setElement(operation, operation.c.element);
  makeContiguous(operation, shared);
  return operation;
}

/// The canonical line of an operation, and `dynamic` and `class=NAME` after it.
static llvm::Error parseCanonical(StringRef line, Shape &shape) {
  Words said{shape};
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
  operation::Operation operation = canonical(parsed.operation);
  int64_t k = operation.info().hasK() ? operation.k : 1;
  for (int64_t size : {operation.m, operation.n, k, operation.count})
    if (size < 1 || size > kMaxSize)
      return expected("sizes that are known, 1 to 2147483648 each", line);
  shape.operation = timedFor(operation);
  if (operation != shape.operation)
    return expected("contiguous row-major matrices of one type, alpha=one, beta=zero: '" +
                        text(shape.operation) + "'",
                    text(operation));
  return llvm::Error::success();
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

int64_t Shape::elements(int operand) const {
  bool isC = inPlace() && operand == source();
  if (!isC && !isArgument(operand))
    return 0;
  return isC || !operation.has(operand) ? operation.rows(2) * operation.columns(2)
                                        : operation.rows(operand) * operation.columns(operand);
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
  add(operation.dependence == operation::Dependence::Exact, " exact");
  return text;
}

std::string Shape::key() const {
  return std::string(nameOf(element())) + " " + op() + " " + sizes() + modifiers();
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

verify::Case Shape::toCase() const {
  verify::Case single = verify::defaultCase();
  const RoutineInfo &info = operation.info();
  auto set = [&](const char *key, const std::string &value) { single.values[key] = value; };
  set("routine", info.name);
  set("type", nameOf(element()));
  set("m", std::to_string(m())), set("n", std::to_string(n())), set("k", std::to_string(k()));
  set("batch", std::to_string(batch()));
  set("dynamic", isDynamic ? "1" : "0");
  set("op", {char(operation.opA), char(operation.opB)});
  set("products", operation.math == operation::Math::Emulated ? "3" : "4");
  set("summation",
      operation.rounding == operation::Rounding::Compensated ? "compensated" : "plain");
  set("share", share() ? std::string(1, share()) : "none");
  set("pointers", byPointers() ? "abc" : "none");
  if (byPointers())
    set("align",
        llvm::formatv("{0}/{1}/{2}", operation.a.align, operation.b.align, operation.c.align));
  if (info.hasSide)
    set("side", wordOf(operation.side));
  if (info.hasUplo)
    set("uplo", wordOf(operation.triangle));
  if (info.hasDiag)
    set("diag", wordOf(operation.diagonal));
  if (info.hasExact)
    set("exact", operation.dependence == operation::Dependence::Exact ? "1" : "0");
  if (info.inPlace)
    set("form", inPlace() ? "in" : "out");
  single.anyOrder = operation.summation == operation::Summation::AnyOrder;
  return single;
}

std::string Shape::module() const {
  verify::Case single = toCase();
  return verify::modelOf(single).functionOf(single, "f");
}
