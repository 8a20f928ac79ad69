//===- Fuzz.cpp - Random cases, and what they find ------------------------===//

#include "rooftile/Verify/Runs/Fuzz.h"
#include "Cases/RandomPlans.h"
#include "Errors.h"
#include "RandomCases.h"
#include "rooftile/Runtime/Runtime.h"
#include "rooftile/Verify/Model/OperationModel.h"
#include "rooftile/Verify/Runs/Progress.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>

using namespace rooftile::verify;
using namespace mlir;
using namespace rooftile;

static constexpr size_t kLettersCompared = 48;

namespace {
/// A defect of a case; an empty message for none.
struct Defect {
  enum Kind { Right, Wrong, Uncompiled, Unrefused } kind = Right;
  std::string message;

  /// Whether the other is of the same kind and begins with the same words, values apart.
  bool isLike(const Defect &other) const;
};
} // namespace

static std::string words(llvm::StringRef message) {
  std::string text;
  for (char letter : message)
    if (!llvm::isDigit(letter) && text.size() < kLettersCompared)
      text += letter;
  return text;
}

bool Defect::isLike(const Defect &other) const {
  return kind == other.kind && words(message) == words(other.message);
}

/// Whether an operation was not launched for the sake of a pointer.
static bool wasRefused(const Session &session) {
  return llvm::any_of(session.getOutcomes(), [](const Outcome &each) { return each.refused; });
}

/// Whether the error of an operation that was not launched is true.
static bool isTrue(const Case &single, const std::string &error) {
  char operand;
  unsigned long long address;
  long long multiple;
  if (std::sscanf(error.c_str(),
                  "operand %c is at address 0x%llx, but the kernel's accesses need a multiple of "
                  "%lld bytes: not launched",
                  &operand, &address, &multiple) != 3 ||
      operand < 'A' || operand > 'C')
    return false;
  int64_t bytes = bytesOf(single.element(operand - 'A'));
  return multiple > 0 && address % multiple != 0 &&
         single.shift(operand - 'A') * bytes % multiple == int64_t(address % multiple);
}

/// Defect of the outcome of a case. Not to launch is right where the operand that the
/// error names is in fact misaligned, nothing of C was written, and the case leaves no other plan
/// to run: with dynamic sizes there is one that accepts any pointer.
static Defect defectOf(const Case &single, const Session &session) {
  for (const Outcome &outcome : session.getOutcomes())
    if (!outcome.failure.empty() &&
        !(outcome.refused && !single.flag("dynamic") && isTrue(single, outcome.failure)))
      return {Defect::Wrong, outcome.failure};
  if (!session.getFailures().empty())
    return {Defect::Wrong, session.getFailures()[0]};
  return {};
}

static constexpr int kMaxShrinks = 200, kMaxReported = 20;

namespace {

class Fuzzer {
public:
  Fuzzer(MLIRContext &context, const CaseOptions &options, int64_t count)
      : context(context), options(options), count(count), draw(options.invoke.seed) {}
  int run();

private:
  void drawInstructionsOfChip();
  bool fits(const Case &single);
  void checkRefusal(const Case &single);
  void runGroup(llvm::ArrayRef<Kernel> group);
  Defect tryCase(const Case &single);
  void report(Case single, Defect defect);
  void showProgress();

  MLIRContext &context;
  CaseOptions options;
  int64_t count;
  Draw draw;
  int64_t done = 0, kernels = 0, refused = 0, notLaunched = 0, failed = 0;
  Progress progress{"fuzz", count};
};

} // namespace

void Fuzzer::showProgress() {
  progress.show(done, failed, [&] {
    return llvm::formatv(", {0} kernels, {1} plans refused", kernels, refused).str();
  });
}

bool Fuzzer::fits(const Case &single) {
  Errors errors(context);
  return planFits(context, single, options);
}

/// Compiles and runs one case alone.
Defect Fuzzer::tryCase(const Case &single) {
  llvm::PrettyStackTraceString trace(reproducer(single, options).c_str());
  Errors errors(context);
  Defect defect;
  auto look = [&](const Case &, const Program &, const Call &, const Session &session) {
    defect = defectOf(single, session);
  };
  if (!runKernels(context, Kernel{"f", {single}}, options, look))
    defect = {Defect::Uncompiled, errors.first};
  rooftileClearError();
  return defect;
}

/// A plan that breaks a rule is an error at the operation, and nothing worse.
void Fuzzer::checkRefusal(const Case &single) {
  ++refused;
  Errors errors(context);
  llvm::PrettyStackTraceString trace(reproducer(single, options).c_str());
  bool planned = false; // an operation that folds away needs no plan
  auto look = [&](const Case &, const Program &, const Call &, const Session &session) {
    for (const Outcome &outcome : session.getOutcomes())
      planned |= !outcome.plans.empty();
  };
  bool compiled = runKernels(context, Kernel{"f", {single}}, options, look);
  if (compiled && planned)
    report(single, {Defect::Unrefused, "a plan that does not fit was compiled"});
  else if (!compiled && !errors.located)
    report(single, {Defect::Unrefused, "refused without an error at the operation"});
  rooftileClearError();
}

/// Makes the case simpler as long as it fails in the same way, and prints it.
void Fuzzer::report(Case single, Defect defect) {
  if (++failed > kMaxReported)
    return;
  int64_t tries = 0;
  for (bool simpler = defect.kind != Defect::Unrefused; simpler;) {
    simpler = false;
    for (const Case &other : simplerCases(single)) {
      if (++tries > kMaxShrinks || (other["macro"] != "auto" && !fits(other)))
        continue;
      Defect next = tryCase(other);
      if (!next.isLike(defect))
        continue;
      single = other, defect = next, simpler = true;
      break;
    }
  }
  llvm::outs() << "FAIL " << single.text() << "\n     " << defect.message
               << "\n     reproduce: " << reproducer(single, options) << '\n';
  llvm::outs().flush();
}

void Fuzzer::runGroup(llvm::ArrayRef<Kernel> group) {
  std::vector<std::pair<Case, Defect>> found;
  bool compiled;
  {
    std::string commands;
    for (const Kernel &kernel : group)
      commands += reproducer(kernel.cases[0], options) + "\n";
    llvm::PrettyStackTraceString trace(commands.c_str());
    Errors errors(context);
    auto look = [&](const Case &single, const Program &, const Call &, const Session &session) {
      ++done;
      showProgress();
      notLaunched += wasRefused(session);
      if (Defect defect = defectOf(single, session); defect.kind != Defect::Right)
        found.push_back({single, defect});
    };
    compiled = runKernels(context, group, options, look);
    // Passes may have rules of their own for plans that fit the chip: by their errors.
    if (!compiled && group.size() == 1 && errors.located &&
        llvm::StringRef(errors.first).contains("op plan: "))
      ++refused;
    else if (!compiled && group.size() == 1)
      found.push_back({group[0].cases[0], {Defect::Uncompiled, errors.first}});
  }
  rooftileClearError();
  for (auto &[single, defect] : found)
    report(single, defect);
  if (compiled)
    kernels += group.size();
  else if (group.size() == 1)
    done += group[0].cases.size();
  else
    for (llvm::ArrayRef<Kernel> half :
         {group.take_front(group.size() / 2), group.drop_front(group.size() / 2)})
      runGroup(half);
}

int Fuzzer::run() {
  drawInstructionsOfChip();
  while (done < count) {
    std::vector<Kernel> group;
    int64_t planned = done;
    while (group.size() < kFunctionsPerModule && planned < count) {
      Kernel kernel = drawKernel(draw, "f" + std::to_string(group.size()));
      if (!fits(kernel.cases[0])) {
        checkRefusal(kernel.cases[0]);
        continue;
      }
      planned += kernel.cases.size();
      group.push_back(std::move(kernel));
    }
    runGroup(group);
  }
  llvm::outs() << "fuzz seed " << options.invoke.seed << ": " << done << " cases, " << kernels
               << " kernels, " << refused << " plans refused, " << notLaunched
               << " misaligned calls refused, " << failed << " failed\n";
  llvm::errs() << llvm::formatv("fuzz: {0:f0} s\n", progress.seconds());
  return failed != 0;
}

/// Draws matrix instructions that the chip has.
void Fuzzer::drawInstructionsOfChip() {
  FailureOr<blas::TargetAttr> target = targetOf(context, options.compile.chip);
  if (succeeded(target))
    draw.instructions = instructionsOf(
        [&](const tile::Instruction &own) { return (*target)->gflopsOf(own.machine) > 0; });
}

int rooftile::verify::fuzz(MLIRContext &context, int64_t count, const CaseOptions &options) {
  return Fuzzer(context, options, count).run();
}
