//===- PlanList.cpp - A user's own tiles ----------------------------------===//

#include "rooftile/Transforms/Plan/PlanList.h"
#include "mlir/AsmParser/AsmParser.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Operation/Element.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Where the plan or the kernel of a line begins; the line's end if it has neither.
static size_t payloadOf(StringRef line) {
  size_t at = std::min(line.find("#blas.plan"), line.find("kernel @"));
  // `<` begins a plan where it is a word's start: conditions have it inside.
  for (size_t place = line.find('<'); place < at; place = line.find('<', place + 1))
    if (place == 0 || line[place - 1] == ' ')
      at = place;
  return std::min(at, line.size());
}

/// The line without its comment. A `#` that begins a plan's name is no comment.
static StringRef withoutComment(StringRef line) {
  size_t at = line.find('#');
  while (at != StringRef::npos && line.substr(at).starts_with("#blas."))
    at = line.find('#', at + 1);
  return line.substr(0, at).trim();
}

/// One of the types that matrices hold, or three with slashes.
static bool isTypes(StringRef word) {
  SmallVector<StringRef> parts;
  word.split(parts, '/');
  return (parts.size() == 1 || parts.size() == 3) &&
         llvm::all_of(parts, [](StringRef part) { return operation::elementNamed(part); });
}

/// The attribute `prefix` + `text`; errors are emitted in the line of `place`, where `text` begins
/// in `column`.
static Attribute parseAt(StringRef prefix, StringRef text, FileLineColLoc place, unsigned column) {
  MLIRContext *context = place.getContext();
  std::string error;
  Attribute attribute;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      if (!error.empty())
        return success();
      error = diagnostic.str();
      if (auto within = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
        column += std::max<int64_t>(0, int64_t(within.getColumn()) - 1 - int64_t(prefix.size()));
      return success();
    });
    attribute = parseAttribute((prefix + text).str(), context);
  }
  if (!attribute)
    emitError(FileLineColLoc::get(place.getFilename(), place.getLine(), column)) << error;
  return attribute;
}

/// In the order in which they are looked for: `<=` before `<`.
static constexpr std::pair<StringLiteral, bool (*)(int64_t, int64_t)> kComparisons[] = {
    {"!=", [](int64_t size, int64_t number) { return size != number; }},
    {"<=", [](int64_t size, int64_t number) { return size <= number; }},
    {">=", [](int64_t size, int64_t number) { return size >= number; }},
    {"=", [](int64_t size, int64_t number) { return size == number; }},
    {"<", [](int64_t size, int64_t number) { return size < number; }},
    {">", [](int64_t size, int64_t number) { return size > number; }}};

/// "m>=1024", "n%4=0", "batch=1"
bool PlanList::parseCondition(StringRef word, Line &line) {
  Condition condition;
  condition.size = word.empty() ? ' ' : word.front();
  bool known = word.consume_front("batch") || word.consume_front("m") || word.consume_front("n") ||
               word.consume_front("k");
  if (!known)
    return false;
  if (word.consume_front("%") &&
      (word.consumeInteger(10, condition.modulus) || condition.modulus < 1))
    return false;
  for (auto [text, compare] : kComparisons)
    if (word.consume_front(text)) {
      condition.compare = compare;
      line.conditions.push_back(condition);
      return !word.getAsInteger(10, line.conditions.back().number);
    }
  return false;
}

FailureOr<PlanList> PlanList::parse(StringRef text, StringRef file, MLIRContext *context) {
  PlanList list;
  unsigned number = 0;
  for (StringRef whole : llvm::split(text, '\n')) {
    auto place = FileLineColLoc::get(context, file, ++number, 1);
    StringRef rest = withoutComment(whole);
    if (rest.empty())
      continue;
    Line line{place, "", "", {}, {}, {}};
    size_t payload = payloadOf(rest);
    SmallVector<StringRef> words;
    llvm::SplitString(rest.take_front(payload), words);
    for (StringRef word : words) {
      if (isTypes(word))
        line.type = word.str();
      else if (word.size() == 2 && word.find_first_not_of("nt") == StringRef::npos)
        line.op = word.str();
      else if (!parseCondition(word, line))
        return emitError(place) << "'" << word
                                << "' is no condition: f32, f64, c64, c128, f16, bf16, nn, nt, tn, "
                                   "tt, or the like of "
                                   "m>=1024 and n%4=0 on m, n, k, batch";
    }
    StringRef what = rest.drop_front(payload);
    if (what.empty())
      return emitError(place) << "expected a plan, <macro = ...>, or kernel @module::@function";
    bool isKernel = what.consume_front("kernel ");
    what.consume_front("#blas.plan");
    Attribute attribute =
        parseAt(isKernel ? "" : "#blas.plan", what, place, what.data() - whole.data() + 1);
    if (!attribute)
      return failure();
    line.kernel = dyn_cast<SymbolRefAttr>(attribute);
    if (auto plan = dyn_cast<blas::PlanAttr>(attribute))
      line.plan = *plan;
    list.lines.push_back(line);
  }
  if (list.lines.empty())
    return emitError(FileLineColLoc::get(context, file, 1, 1)) << "the list of plans is empty";
  return list;
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

bool PlanList::Condition::holds(blas::Level3OpInterface op) const {
  int64_t value = size == 'm'   ? op.getM()
                  : size == 'n' ? op.getN()
                  : size == 'k' ? op.getK()
                                : op.getBatch();
  if (ShapedType::isDynamic(value))
    return false;
  return compare(modulus ? value % modulus : value, number);
}

/// f32; of operands of different types those of A, B and C: f16/f16/f32.
static std::string typesOf(blas::Level3OpInterface op) {
  auto word = [](Value matrix) {
    return wordOf(cast<ShapedType>(matrix.getType()).getElementType());
  };
  std::string a = word(op.getMatrixA()), b = word(op.getMatrixB()), c = word(op.getMatrixC());
  return a == c && b == c ? c : a + "/" + b + "/" + c;
}

bool PlanList::Line::matches(blas::Level3OpInterface operation) const {
  std::string transposes = {blas::isTransposed(operation.getTransposeA()) ? 't' : 'n',
                            blas::isTransposed(operation.getTransposeB()) ? 't' : 'n'};
  return (type.empty() || type == typesOf(operation)) && (op.empty() || op == transposes) &&
         llvm::all_of(conditions, [&](const Condition &one) { return one.holds(operation); });
}

/// "tiles.txt:3"
static std::string textOf(Location place) {
  auto file = cast<FileLineColLoc>(place);
  return (file.getFilename().getValue() + ":" + Twine(file.getLine())).str();
}

PlanList::Selection PlanList::select(blas::Level3OpInterface op, const Problem &problem,
                                     blas::TargetAttr target) const {
  Selection selection;
  std::vector<Ranked> fitting; // with the numbers of their lines
  for (auto [number, line] : llvm::enumerate(lines)) {
    if (!line.matches(op))
      continue;
    ++selection.lines;
    if (line.kernel) {
      selection.kernel = line.kernel;
      selection.from = textOf(line.place);
      return selection;
    }
    if (auto violation = check(problem, line.plan, target))
      selection.violations.push_back({line.place, describe(*violation, target)});
    else
      fitting.push_back({line.plan, estimate(problem, line.plan, target), int64_t(number)});
  }
  if (fitting.empty())
    return selection;
  llvm::sort(fitting, [](const Ranked &one, const Ranked &other) {
    return std::pair(one.estimate.seconds, one.place) <
           std::pair(other.estimate.seconds, other.place);
  });
  Choice &choice = selection.choice.emplace();
  choice.best = fitting.front();
  if (fitting.size() > 1)
    choice.runnerUp = fitting[1];
  choice.evaluated = fitting.size();
  choice.rejected = selection.violations.size();
  selection.from = textOf(lines[choice.best.place].place);
  return selection;
}
