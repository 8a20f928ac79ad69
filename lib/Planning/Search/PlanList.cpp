//===- PlanList.cpp - A user's own plans ----------------------------------===//

#include "rooftile/Planning/Search/PlanList.h"
#include "mlir/AsmParser/AsmParser.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

/// First word of a line that names the chip of those after it.
static constexpr llvm::StringLiteral kChip("chip");
/// The key that is free in lines of measured plans: no time depends on it.
static constexpr std::string_view kAlpha = "alpha";

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

/// One line of a file, and where errors of it are.
struct PlanList::Reader {
  StringRef whole;
  FileLineColLoc begin;

  InFlightDiagnostic error(StringRef at, size_t offset = 0) const {
    unsigned column = at.data() - whole.data() + offset + 1;
    return emitError(FileLineColLoc::get(begin.getFilename(), begin.getLine(), column));
  }
  /// The name in a line `chip NAME`; nothing in other lines.
  FailureOr<std::optional<std::string>> readChip(StringRef text) const;
  LogicalResult readPattern(StringRef text, Line &line) const;
  /// Checks a plan, blocks or a symbol for operations of `routine`.
  LogicalResult checkPayload(StringRef text, operation::Routine routine) const;
  LogicalResult readLine(StringRef text, Line &line) const;
};

FailureOr<std::optional<std::string>> PlanList::Reader::readChip(StringRef text) const {
  SmallVector<StringRef> words;
  llvm::SplitString(text, words);
  if (words[0] != kChip)
    return std::optional<std::string>();
  if (words.size() == 2)
    return std::optional(words[1] == "*" ? std::string() : words[1].str());
  StringRef at = words.size() > 2 ? words[2] : text.drop_front(text.size());
  return error(at) << "expected '" << kChip << "' and one name, or * for all chips";
}

/// Text by which an operation is found, where alpha is as stated, or any.
static std::string keyOf(const operation::Operation &stated, bool anyAlpha) {
  operation::Operation operation = asInIR(stated);
  if (anyAlpha)
    operation.alpha = operation::Scalar::One;
  return operation::text(operation) + (anyAlpha ? " alpha=*" : "");
}

LogicalResult PlanList::Reader::readPattern(StringRef text, Line &line) const {
  operation::Parsed parsed = operation::Pattern::parse({text.data(), text.size()}, line.pattern);
  if (parsed && line.pattern.statesAllBut(kAlpha))
    line.key = keyOf(parsed.operation, line.pattern.isFree(kAlpha));
  if (parsed)
    return success();
  InFlightDiagnostic diagnostic = error(text, parsed.column - 1) << parsed.error;
  if (std::string now = newSpelling(text); !text.starts_with(operation::kVersion) && !now.empty())
    diagnostic << "; an operation is written as '" << now << "'";
  return diagnostic;
}

LogicalResult PlanList::Reader::checkPayload(StringRef text, operation::Routine routine) const {
  Attribute what = parseAt(text, begin, text.data() - whole.data() + 1);
  if (!what)
    return failure();
  if (!isa<blas::PlanAttr, blas::BlocksAttr, SymbolRefAttr>(what))
    return error(text) << what << " is no plan, no blocks and no kernel";
  if (fits(what, routine))
    return success();
  const char *name = operation::infoOf(routine).name;
  if (routine == operation::Routine::Gemm)
    return error(text) << "#blas.blocks is of trmm and trsm: a gemm needs a #blas.plan or a kernel";
  if (operation::infoOf(routine).a == operation::Structure::Triangle)
    return error(text) << name << " needs #blas.blocks: plans and kernels are of gemm";
  return error(text) << name << " has no plan of its own: it becomes products, which are gemm";
}

LogicalResult PlanList::Reader::readLine(StringRef text, Line &line) const {
  static constexpr llvm::StringLiteral kArrow("->");
  size_t arrow = text.find(kArrow);
  if (failed(readPattern(text.take_front(arrow).rtrim(), line)))
    return failure();
  StringRef payload =
      arrow == StringRef::npos ? text.take_back(0) : text.drop_front(arrow + kArrow.size()).ltrim();
  if (payload.empty())
    return error(text, text.size())
           << "expected -> and #blas.plan<...>, #blas.blocks<...> or @module::@function";
  line.number = begin.getLine(), line.text = text.str(), line.payload = payload.str();
  return checkPayload(payload, line.pattern.routine());
}

FailureOr<PlanList> PlanList::parse(StringRef text, StringRef file, MLIRContext *context) {
  PlanList list;
  list.name = file.str();
  unsigned number = 0;
  for (StringRef whole : llvm::split(text, '\n')) {
    Reader reader{whole, FileLineColLoc::get(context, file, ++number, 1)};
    StringRef rest = withoutComment(whole);
    if (rest.empty())
      continue;
    FailureOr<std::optional<std::string>> chip = reader.readChip(rest);
    if (failed(chip))
      return failure();
    if (*chip) {
      list.sections.push_back({number, **chip, 0});
      continue;
    }
    Line line;
    if (failed(reader.readLine(rest, line)))
      return failure();
    if (!list.sections.empty()) {
      line.chip = list.sections.back().chip;
      ++list.sections.back().lines;
    }
    list.add(std::move(line));
  }
  if (list.lines.empty() && list.sections.empty())
    return emitError(FileLineColLoc::get(context, file, 1, 1)) << "the list of plans is empty";
  return list;
}

FailureOr<std::shared_ptr<const PlanList>> PlanList::read(StringRef file, MLIRContext *context) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return emitError(UnknownLoc::get(context))
           << "cannot read the list of plans '" << file << "': " << buffer.getError().message();
  FailureOr<PlanList> list = parse((*buffer)->getBuffer(), file, context);
  if (failed(list))
    return failure();
  return std::make_shared<const PlanList>(std::move(*list));
}

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

void PlanList::add(Line line) {
  if (line.key.empty())
    patterns.push_back(lines.size());
  else
    byKey[line.key].push_back(lines.size());
  lines.push_back(std::move(line));
}

/// A pattern that does not end in `*` is a whole operation: one of which a line states
/// only some keys does not match.
static bool matches(const operation::Pattern &pattern, const StatedOperation &stated) {
  return (stated.isWhole || pattern.hasWildcard()) && pattern.matchesSome(stated.operation);
}

PlanList::Found PlanList::find(const StatedOperation &stated) const {
  Found found;
  if (areMatched) {
    found = all();
    llvm::erase_if(found.lines, [&](const Line *line) {
      return line->pattern.routine() != stated.operation.routine;
    });
    return found;
  }
  SmallVector<size_t> numbers;
  for (bool anyAlpha : {false, true}) {
    if (!stated.isWhole || byKey.empty())
      continue;
    auto same = byKey.find(keyOf(stated.operation, anyAlpha));
    if (same != byKey.end())
      llvm::append_range(numbers, same->second);
  }
  found.compared = numbers.size() + patterns.size();
  for (size_t number : patterns)
    if (matches(lines[number].pattern, stated))
      numbers.push_back(number);
  llvm::sort(numbers);
  for (size_t number : numbers)
    found.lines.push_back(&lines[number]);
  return found;
}

PlanList::Found PlanList::all() const {
  Found found;
  for (const Line &line : lines)
    found.lines.push_back(&line);
  return found;
}

std::shared_ptr<const PlanList> PlanList::only(const Found &found, bool areMatched) const {
  auto list = std::make_shared<PlanList>();
  list->name = name;
  list->areMatched = areMatched;
  for (const Line *line : found.lines)
    list->add(*line);
  return list;
}

std::string PlanList::placeOf(const Line &line) const {
  return name + ":" + std::to_string(line.number);
}

/// Whether lines of a list for `chip` are for the chip of this name; an empty one is for all.
static bool isFor(StringRef chip, StringRef target) {
  return chip.empty() || chip.equals_insensitive(target);
}

bool PlanList::Line::isFor(StringRef target) const { return ::isFor(chip, target); }

std::string PlanList::whatIsLeftOut(StringRef chip) const {
  SmallVector<std::string> texts;
  for (const Section &section : sections)
    if (!isFor(section.chip, chip) && section.lines)
      texts.push_back(name + ":" + std::to_string(section.number) + ": " +
                      std::to_string(section.lines) +
                      (section.lines == 1 ? " line is" : " lines are") + " for chip '" +
                      section.chip + "', left out for '" + chip.str() + "'");
  return llvm::join(texts, "; ");
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// The place of a line, for notes.
static LocationAttr locationOf(const PlanList &list, const PlanList::Line &line,
                               MLIRContext *context) {
  return FileLineColLoc::get(context, list.file(), line.number, 1);
}

void ListedPlans::offerPlans(ArrayRef<Match> matches, const PlanRequest &request,
                             PlanOffer &offer) const {
  const Problem &problem = *request.product;
  std::vector<Ranked> fitting; // with the numbers of their lines
  for (auto [number, match] : llvm::enumerate(matches)) {
    auto plan = dyn_cast<blas::PlanAttr>(match.what);
    if (!plan)
      continue;
    if (auto violation = check(problem, *plan, request.target))
      offer.misfits.push_back({match.place, describe(*violation, request.target)});
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
  offer.from = matches[choice.best.place].from;
}

void ListedPlans::offerBlocks(ArrayRef<Match> matches, const PlanRequest &request,
                              PlanOffer &offer) const {
  for (const Match &match : matches) {
    auto plan = cast<blas::BlocksAttr>(match.what);
    if (std::string why = whyBlocksDoNotFit(plan, request.target); !why.empty()) {
      offer.misfits.push_back({match.place, why});
      continue;
    }
    Blocks blocks = priced(*request.triangle, Blocks(plan), request.target);
    if (!offer.blocks || blocks.seconds() < offer.blocks->seconds())
      offer.blocks = blocks, offer.from = match.from;
  }
}

void ListedPlans::offerCases(ArrayRef<Match> ranged, const PlanRequest &request,
                             PlanOffer &offer) const {
  std::string from;
  for (const Match &match : ranged) {
    std::optional<Violation> why;
    std::vector<PlanCase> cases = casesFor(match.ranges, *cast<blas::PlanAttr>(match.what),
                                           *request.product, request.target, why);
    if (cases.empty() && why)
      offer.misfits.push_back({match.place, describe(*why, request.target)});
    size_t before = offer.set.size();
    for (PlanCase &each : cases)
      each.name = match.from;
    append(offer.set, std::move(cases));
    if (offer.set.size() > before)
      from += (from.empty() ? "" : ", ") + match.from;
  }
  if (offer.set.empty())
    return;
  if (offer.choice) {
    append(offer.set, {{offer.from, {}, *request.product, offer.choice->best, {}}});
    offer.choice.reset();
    from += ", else " + offer.from;
  }
  offer.from = from;
}

ListedPlans::Matches ListedPlans::matchesOf(const PlanRequest &request) const {
  Matches matches;
  std::optional<StatedOperation> stated = statedOperationOf(request.op);
  if (!stated)
    return matches;
  MLIRContext *context = request.target.getContext();
  for (const PlanList::Line *line : list->find(*stated).lines) {
    if (!line->isFor(request.target->chip))
      continue;
    std::optional<operation::SizeRanges> ranges = line->pattern.ranges(stated->operation);
    if (!ranges)
      continue;
    Match match{locationOf(*list, *line, context), parseAttribute(line->payload, context),
                list->placeOf(*line), *ranges};
    if (!ranges->areBounded())
      matches.always.push_back(std::move(match));
    else if (request.needsSet() && isa<blas::PlanAttr>(match.what))
      matches.ranged.push_back(std::move(match));
  }
  return matches;
}

std::optional<PlanOffer> ListedPlans::offer(const PlanRequest &request) const {
  Matches matches = matchesOf(request);
  PlanOffer offer;
  for (const Match &match : matches.always)
    if (auto kernel = dyn_cast<SymbolRefAttr>(match.what)) {
      offer.kernel = kernel, offer.from = match.from;
      return offer;
    }
  if (request.triangle) {
    offerBlocks(matches.always, request, offer);
  } else {
    offerPlans(matches.always, request, offer);
    offerCases(matches.ranged, request, offer);
  }
  return offer.fits() || !offer.misfits.empty() ? std::optional(offer) : std::nullopt;
}
