//===- Plans.cpp - A user's list of plans, for programs -------------------===//

#include "rooftile/Compiler/Plans.h"
#include "CompileThread.h"
#include "rooftile/Compiler/Arguments.h"
#include "rooftile/Compiler/Nesting.h"
#include "rooftile/Planning/Search/PlanList.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::compiler;
using planning::PlanList;

/// Attributes of plans are parsed recursively: those of a line begin after its arrow.
static std::string whyNested(const std::string &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  unsigned number = 0;
  for (StringRef line : llvm::split(buffer ? (*buffer)->getBuffer() : "", '\n')) {
    ++number;
    TextPlace place;
    std::string why = whyTooDeep(line.split("->").second, Language::Mlir, place);
    if (!why.empty())
      return file + ":" + std::to_string(number) + ": " + why;
  }
  return "";
}

/// "FILE:LINE:COLUMN: message" where the position is known.
static std::string located(Diagnostic &diagnostic) {
  auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
  if (!place)
    return diagnostic.str();
  return place.getFilename().str() + ":" + std::to_string(place.getLine()) + ":" +
         std::to_string(place.getColumn()) + ": " + diagnostic.str();
}

static Plans readInContext(const std::string &file, std::string &why) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<blas::BlasDialect>();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (why.empty())
      why = located(diagnostic);
    return success();
  });
  FailureOr<Plans> plans = PlanList::read(file, &context);
  return failed(plans) ? nullptr : *plans;
}

Plans compiler::readPlans(const std::string &file, std::string &why) {
  Plans plans;
  why = whyNested(file);
  if (why.empty() && !runOnCompileThread([&] { plans = readInContext(file, why); }))
    why = kIsEnding;
  return plans;
}

const PlansOfEnvironment &compiler::plansOfEnvironment() {
  // Never destroyed: destructors of static objects may compile.
  static const PlansOfEnvironment &instance = *[] {
    auto *read = new PlansOfEnvironment;
    const char *file = std::getenv("ROOFTILE_PLANS");
    if (file && *file)
      read->plans = readPlans(file, read->why);
    if (!read->why.empty())
      read->why = "ROOFTILE_PLANS: " + read->why;
    return read;
  }();
  return instance;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static PlanLines linesOf(const Plans &plans, const PlanList::Found &found, bool areMatched) {
  PlanLines lines;
  for (const PlanList::Line *line : found.lines)
    lines.key += "\n" + line->chip + " " + line->text;
  if (!found.lines.empty())
    lines.plans = plans->only(found, areMatched);
  return lines;
}

PlanLines compiler::allLines(const Plans &plans) {
  return plans ? linesOf(plans, plans->all(), /*areMatched=*/false) : PlanLines();
}

/// Whether tile-select plans this operation, and no others.
static bool isPlannedWhole(const operation::Operation &operation) {
  bool isWhole = !planning::attributeInLists(operation.routine).empty();
  for (int index : {0, 1, 2}) // copies of matrices have other strides
    isWhole &= !operation.has(index) || !isSplit(operation.operand(index));
  return isWhole;
}

/// Lines that match an operation that is planned whole.
static PlanList::Found find(const operation::Operation &operation, const Plans &plans) {
  return plans->find({planning::asInIR(canonical(operation)), /*isWhole=*/true});
}

PlanLines compiler::linesFor(const operation::Operation &operation, const Plans &plans) {
  if (!plans)
    return {};
  bool isWhole = isPlannedWhole(operation);
  PlanList::Found found = isWhole ? find(operation, plans) : plans->all();
  llvm::erase_if(found.lines, [](const PlanList::Line *line) { return line->payload[0] == '@'; });
  return linesOf(plans, found, isWhole);
}

bool compiler::namesExactly(const operation::Operation &operation, const Plans &plans,
                            StringRef chip) {
  if (!plans || !isPlannedWhole(operation))
    return false;
  return llvm::any_of(find(operation, plans).lines, [&](const PlanList::Line *line) {
    return line->payload[0] != '@' && line->pattern.statesSizes(operation) && line->isFor(chip);
  });
}

std::string compiler::placesOf(const Plans &plans) {
  std::string places;
  if (plans)
    for (const PlanList::Line *line : plans->all().lines)
      places += "\n" + plans->placeOf(*line);
  return places;
}

static std::string chipOf(const CompilerOptions &options) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<blas::BlasDialect>();
  ScopedDiagnosticHandler unsaid(&context, [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  FailureOr<blas::TargetAttr> target = attachTarget(*module, options.chip);
  return failed(target) ? "" : (*target)->chip;
}

std::string compiler::chipOfLines(const Plans &plans, const CompilerOptions &options) {
  std::string chip;
  if (!plans || plans->whatIsLeftOut("").empty())
    return chip;
  runOnCompileThread([&] { chip = chipOf(options); });
  return chip;
}

std::string compiler::whatIsLeftOut(const Plans &plans, llvm::StringRef chip) {
  return plans && !chip.empty() ? plans->whatIsLeftOut(chip) : "";
}
