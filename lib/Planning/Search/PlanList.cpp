//===- PlanList.cpp - A user's own plans ----------------------------------===//

#include "rooftile/Planning/Search/PlanList.h"
#include "mlir/AsmParser/AsmParser.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "rooftile/Planning/Problem/OperationOf.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The line without its comment. A `#` that begins an attribute's name is no comment.
static StringRef withoutComment(StringRef line) {
  size_t at = line.find('#');
  while (at != StringRef::npos && line.substr(at).starts_with("#blas."))
    at = line.find('#', at + 1);
  return line.substr(0, at).trim();
}

/// The attribute `text`; errors are emitted in the line of `place`, where `text` begins in
/// `column`.
static Attribute parseAt(StringRef text, FileLineColLoc place, unsigned column) {
  MLIRContext *context = place.getContext();
  std::string error;
  Attribute attribute;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      if (!error.empty())
        return success();
      error = diagnostic.str();
      if (auto within = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
        column += within.getColumn() - 1;
      return success();
    });
    attribute = parseAttribute(text, context);
  }
  if (!attribute)
    emitError(FileLineColLoc::get(place.getFilename(), place.getLine(), column)) << error;
  return attribute;
}

StringRef planning::attributeInLists(operation::Routine routine) {
  if (routine == operation::Routine::Gemm)
    return "#blas.plan";
  return operation::infoOf(routine).a == operation::Structure::Triangle ? "#blas.blocks" : "";
}

/// Routines whose plans are in lists, and what these are.
static bool fits(Attribute what, operation::Routine routine) {
  return attributeInLists(routine) == (isa<blas::BlocksAttr>(what) ? "#blas.blocks" : "#blas.plan");
}

namespace {
/// One line of a file, and where errors of it are.
struct Reader {
  StringRef whole;
  FileLineColLoc begin;

  InFlightDiagnostic error(StringRef at, size_t offset = 0) const {
    unsigned column = at.data() - whole.data() + offset + 1;
    return emitError(FileLineColLoc::get(begin.getFilename(), begin.getLine(), column));
  }
  FailureOr<operation::Pattern> readPattern(StringRef text) const;
  /// A plan, blocks or a symbol for operations of `routine`; null after an error.
  Attribute readPayload(StringRef text, operation::Routine routine) const;
};
} // namespace

/// Present spelling of a line of the former format, whose words are those of a pattern without
/// keys; empty where `text` begins no such line.
static std::string newSpelling(StringRef text) {
  SmallVector<StringRef> words;
  llvm::SplitString(text.take_until([](char each) { return each == '#' || each == '@'; }), words);
  std::string routine = "gemm", keys;
  for (StringRef word : words) {
    if (word.starts_with("<") || word == "kernel" || word == "->")
      break;
    StringRef first = word.take_until([](char each) { return each == '/'; });
    if (word == "trmm" || word == "trsm" || word == "gemm")
      routine = word.str();
    else if (operation::elementNamed(first))
      keys += (" type=" + word).str();
    else if (word.size() == 2 && word.find_first_not_of("ntcj") == StringRef::npos)
      keys += (" op=" + word).str();
    else if (word.find_first_of("=<>%") != StringRef::npos)
      keys += (" " + word).str();
    else
      return "";
  }
  return std::string(operation::kVersion) + " " + routine + keys + " *";
}

FailureOr<operation::Pattern> Reader::readPattern(StringRef text) const {
  operation::Pattern pattern;
  operation::Parsed parsed = operation::Pattern::parse({text.data(), text.size()}, pattern);
  if (parsed)
    return pattern;
  InFlightDiagnostic diagnostic = error(text, parsed.column - 1) << parsed.error;
  if (std::string now = newSpelling(text); !text.starts_with(operation::kVersion) && !now.empty())
    diagnostic << "; an operation is written as '" << now << "'";
  return diagnostic;
}

Attribute Reader::readPayload(StringRef text, operation::Routine routine) const {
  Attribute what = parseAt(text, begin, text.data() - whole.data() + 1);
  if (!what)
    return {};
  if (!isa<blas::PlanAttr, blas::BlocksAttr, SymbolRefAttr>(what)) {
    error(text) << what << " is no plan, no blocks and no kernel";
    return {};
  }
  if (fits(what, routine))
    return what;
  InFlightDiagnostic diagnostic = error(text);
  const char *name = operation::infoOf(routine).name;
  if (routine == operation::Routine::Gemm)
    diagnostic << "#blas.blocks is of trmm and trsm: a gemm needs a #blas.plan or a kernel";
  else if (operation::infoOf(routine).a == operation::Structure::Triangle)
    diagnostic << name << " needs #blas.blocks: plans and kernels are of gemm";
  else
    diagnostic << name << " has no plan of its own: it becomes products, which are gemm";
  return {};
}

FailureOr<PlanList> PlanList::parse(StringRef text, StringRef file, MLIRContext *context) {
  static constexpr llvm::StringLiteral kArrow("->");
  PlanList list;
  unsigned number = 0;
  for (StringRef whole : llvm::split(text, '\n')) {
    Reader reader{whole, FileLineColLoc::get(context, file, ++number, 1)};
    StringRef rest = withoutComment(whole);
    if (rest.empty())
      continue;
    size_t arrow = rest.find(kArrow);
    FailureOr<operation::Pattern> pattern = reader.readPattern(rest.take_front(arrow).rtrim());
    if (failed(pattern))
      return failure();
    StringRef payload = arrow == StringRef::npos ? rest.take_back(0)
                                                 : rest.drop_front(arrow + kArrow.size()).ltrim();
    if (payload.empty())
      return reader.error(rest, rest.size())
             << "expected -> and #blas.plan<...>, #blas.blocks<...> or @module::@function";
    Attribute what = reader.readPayload(payload, pattern->routine());
    if (!what)
      return failure();
    list.lines.push_back({reader.begin, *pattern, what});
  }
  if (list.lines.empty())
    return emitError(FileLineColLoc::get(context, file, 1, 1)) << "the list of plans is empty";
  return list;
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// A pattern that does not end in `*` is a whole operation: one of which a line states
/// only some keys does not match.
static bool matches(const operation::Pattern &pattern, const StatedOperation &stated) {
  return (stated.isWhole || pattern.hasWildcard()) && pattern.matches(stated.operation);
}

/// "tiles.txt:3"
static std::string textOf(LocationAttr place) {
  auto file = cast<FileLineColLoc>(place);
  return (file.getFilename().getValue() + ":" + Twine(file.getLine())).str();
}

void PlanList::offerPlans(ArrayRef<const Line *> matching, const PlanRequest &request,
                          PlanOffer &offer) const {
  const Problem &problem = *request.product;
  std::vector<Ranked> fitting; // with the numbers of their lines
  for (auto [number, line] : llvm::enumerate(matching)) {
    auto plan = dyn_cast<blas::PlanAttr>(line->what);
    if (!plan)
      continue;
    if (auto violation = check(problem, *plan, request.target))
      offer.misfits.push_back({line->place, describe(*violation, request.target)});
    else
      fitting.push_back({*plan, estimate(problem, *plan, request.target), int64_t(number)});
  }
  if (fitting.empty())
    return;
  llvm::sort(fitting, [](const Ranked &one, const Ranked &other) {
    return std::pair(one.estimate.seconds, one.place) <
           std::pair(other.estimate.seconds, other.place);
  });
  Choice &choice = offer.choice.emplace();
  choice.best = fitting.front();
  if (fitting.size() > 1)
    choice.runnerUp = fitting[1];
  choice.evaluated = fitting.size();
  choice.rejected = offer.misfits.size();
  offer.from = textOf(matching[choice.best.place]->place);
}

void PlanList::offerBlocks(ArrayRef<const Line *> matching, const PlanRequest &request,
                           PlanOffer &offer) const {
  for (const Line *line : matching) {
    auto plan = cast<blas::BlocksAttr>(line->what);
    if (std::string why = whyBlocksDoNotFit(plan, request.target); !why.empty()) {
      offer.misfits.push_back({line->place, why});
      continue;
    }
    Blocks blocks = priced(*request.triangle, Blocks(plan), request.target);
    if (!offer.blocks || blocks.seconds() < offer.blocks->seconds())
      offer.blocks = blocks, offer.from = textOf(line->place);
  }
}

std::optional<PlanOffer> PlanList::offer(const PlanRequest &request) const {
  std::optional<StatedOperation> stated = statedOperationOf(request.op);
  SmallVector<const Line *> matching;
  for (const Line &line : lines)
    if (stated && matches(line.pattern, *stated))
      matching.push_back(&line);
  PlanOffer offer;
  for (const Line *line : matching)
    if (auto kernel = dyn_cast<SymbolRefAttr>(line->what)) {
      offer.kernel = kernel, offer.from = textOf(line->place);
      return offer;
    }
  if (request.triangle)
    offerBlocks(matching, request, offer);
  else
    offerPlans(matching, request, offer);
  return offer.fits() || !offer.misfits.empty() ? std::optional(offer) : std::nullopt;
}
