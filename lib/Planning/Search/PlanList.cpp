//===- PlanList.cpp - A user's own plans ----------------------------------===//

#include "rooftile/Planning/Search/PlanList.h"
#include "mlir/AsmParser/AsmParser.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Where the plan, the blocks or the kernel of a line begins; the line's end if it has none.
static size_t payloadOf(StringRef line) {
  size_t at = std::min(line.find("#blas."), line.find("kernel @"));
  // `<` begins a plan where it is a word's start: conditions have it inside.
  for (size_t place = line.find('<'); place < at; place = line.find('<', place + 1))
    if (place == 0 || line[place - 1] == ' ')
      at = place;
  return std::min(at, line.size());
}

/// The line without its comment. A `#` that begins an attribute's name is no comment.
static StringRef withoutComment(StringRef line) {
  size_t at = line.find('#');
  while (at != StringRef::npos && line.substr(at).starts_with("#blas."))
    at = line.find('#', at + 1);
  return line.substr(0, at).trim();
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

/// The plan, the blocks or the symbol that `text` is, or null with an error at `place`.
static Attribute parsePayload(StringRef text, StringRef whole, FileLineColLoc place) {
  if (text.empty()) {
    emitError(place) << "expected a plan, <macro = ...>, #blas.blocks<...>, or kernel "
                        "@module::@function";
    return {};
  }
  bool hasName = text.consume_front("kernel ") || text.starts_with("#blas.");
  Attribute attribute =
      parseAt(hasName ? "" : "#blas.plan", text, place, text.data() - whole.data() + 1);
  if (attribute && !isa<blas::PlanAttr, blas::BlocksAttr, SymbolRefAttr>(attribute)) {
    emitError(place) << attribute << " is no plan, no blocks and no kernel";
    return {};
  }
  return attribute;
}

FailureOr<PlanList> PlanList::parse(StringRef text, StringRef file, MLIRContext *context) {
  PlanList list;
  unsigned number = 0;
  for (StringRef whole : llvm::split(text, '\n')) {
    auto place = FileLineColLoc::get(context, file, ++number, 1);
    StringRef rest = withoutComment(whole);
    if (rest.empty())
      continue;
    Line line{place, {}, {}};
    size_t payload = payloadOf(rest);
    SmallVector<StringRef> words;
    llvm::SplitString(rest.take_front(payload), words);
    for (StringRef word : words) {
      std::optional<KeyCondition> condition = KeyCondition::parse(word);
      if (!condition)
        return emitError(place)
               << "'" << word
               << "' is no condition: f32, f64, c64, c128, f16, bf16, nn, nt, tn, tt, gemm, trmm, "
                  "trsm, or the like of side=left and uplo=*, m>=1024 and n%4=0 on m, n, k, batch";
      line.conditions.push_back(*condition);
    }
    line.what = parsePayload(rest.drop_front(payload), whole, place);
    if (!line.what)
      return failure();
    list.lines.push_back(line);
  }
  if (list.lines.empty())
    return emitError(FileLineColLoc::get(context, file, 1, 1)) << "the list of plans is empty";
  return list;
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

bool PlanList::Line::appliesTo(const PlanRequest &request) const {
  if (isa<blas::BlocksAttr>(what) != request.triangle.has_value())
    return false; // kernels and plans are of products
  std::vector<OperationKey> keys = keysOf(request.op);
  return llvm::all_of(conditions, [&](const KeyCondition &each) { return each.holds(keys); });
}

/// "tiles.txt:3"
static std::string textOf(LocationAttr place) {
  auto file = cast<FileLineColLoc>(place);
  return (file.getFilename().getValue() + ":" + Twine(file.getLine())).str();
}

void PlanList::offerPlans(const PlanRequest &request, PlanOffer &offer) const {
  const Problem &problem = *request.product;
  std::vector<Ranked> fitting; // with the numbers of their lines
  for (auto [number, line] : llvm::enumerate(lines)) {
    auto plan = dyn_cast<blas::PlanAttr>(line.what);
    if (!plan || !line.appliesTo(request))
      continue;
    if (auto violation = check(problem, *plan, request.target))
      offer.misfits.push_back({line.place, describe(*violation, request.target)});
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
  offer.from = textOf(lines[choice.best.place].place);
}

void PlanList::offerBlocks(const PlanRequest &request, PlanOffer &offer) const {
  for (const Line &line : lines) {
    auto plan = dyn_cast<blas::BlocksAttr>(line.what);
    if (!plan || !line.appliesTo(request))
      continue;
    if (std::string why = whyBlocksDoNotFit(plan, request.target); !why.empty()) {
      offer.misfits.push_back({line.place, why});
      continue;
    }
    Blocks blocks = priced(*request.triangle, Blocks(plan), request.target);
    if (!offer.blocks || blocks.seconds() < offer.blocks->seconds())
      offer.blocks = blocks, offer.from = textOf(line.place);
  }
}

std::optional<PlanOffer> PlanList::offer(const PlanRequest &request) const {
  PlanOffer offer;
  for (const Line &line : lines) {
    auto kernel = dyn_cast<SymbolRefAttr>(line.what);
    if (!kernel || !line.appliesTo(request))
      continue;
    offer.kernel = kernel, offer.from = textOf(line.place);
    return offer;
  }
  if (request.triangle)
    offerBlocks(request, offer);
  else
    offerPlans(request, offer);
  return offer.fits() || !offer.misfits.empty() ? std::optional(offer) : std::nullopt;
}
