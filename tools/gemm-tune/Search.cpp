//===- Search.cpp - Commands that measure plans ---------------------------===//

#include "Commands.h"
#include "OperationOptions.h"
#include "rooftile/Bench/Classes.h"
#include "rooftile/Target/Chips.h"
#include "rooftile/Tuning/Pack/Pack.h"
#include "rooftile/Tuning/Session/CompilerSource.h"
#include "rooftile/Tuning/Session/Session.h"
#include "rooftile/Tuning/Trial/Job.h"
#include "rooftile/Tuning/Trial/Serve.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <iostream>
#include <poll.h>
#include <thread>
#include <unistd.h>

using namespace rooftile;
using namespace rooftile::tuning;
namespace cl = llvm::cl;

static cl::SubCommand searchCommand("search",
                                    "Measure plans of operations, and keep all in a store");
static cl::SubCommand measureCommand("measure",
                                     "Measure the candidates of a pack: compiles nothing");

static cl::OptionCategory category("gemm-tune search and measure");
static OperationOptions operations(searchCommand, category);
static cl::opt<std::string> chip("chip", cl::desc("Plan for this chip (default: the GPU present)"),
                                 cl::value_desc("name"), cl::sub(searchCommand), cl::cat(category));
static cl::opt<std::string> packFile(cl::Positional, cl::desc("<pack, from gemm-tune pack>"),
                                     cl::Required, cl::sub(measureCommand), cl::cat(category));
static cl::opt<std::string> part(cl::Positional,
                                 cl::desc("[<list of those of its operations that are measured>]"),
                                 cl::sub(measureCommand), cl::cat(category));
static cl::opt<bool> dryRun("dry-run",
                            cl::desc("Print the operations as a list, and what a pack has of them; "
                                     "needs no GPU"),
                            cl::sub(searchCommand), cl::sub(measureCommand), cl::cat(category));

static cl::opt<std::string> store("store", cl::desc("The store; made where there is none"),
                                  cl::value_desc("file"), cl::sub(searchCommand),
                                  cl::sub(measureCommand), cl::cat(category));
static cl::opt<std::string> strategy("strategy",
                                     cl::desc("guided (default), ranked, random or exhaustive"),
                                     cl::value_desc("name"), cl::init("guided"),
                                     cl::sub(searchCommand), cl::sub(measureCommand),
                                     cl::cat(category));
static cl::opt<unsigned>
    candidates("candidates", cl::desc("Plans of each operation, at most (default 48; 0: all)"),
               cl::init(48), cl::sub(searchCommand), cl::sub(measureCommand), cl::cat(category));
static cl::opt<std::string> timeLimit("time", cl::desc("Time for all: 90s, 20m (default) or 2h"),
                                      cl::value_desc("time"), cl::init("20m"),
                                      cl::sub(searchCommand), cl::sub(measureCommand),
                                      cl::cat(category));
static cl::opt<bool> asJson("json", cl::desc("Print results as lines of JSON"),
                            cl::sub(searchCommand), cl::sub(measureCommand), cl::cat(category));
static cl::opt<std::string> workerProgram("worker",
                                          cl::desc("Run this program in place of gemm-tune worker"),
                                          cl::value_desc("path"), cl::Hidden,
                                          cl::sub(searchCommand), cl::sub(measureCommand),
                                          cl::cat(category));

static cl::SubCommand workerCommand("worker", "Run the jobs of another gemm-tune: JSON on stdin");

std::optional<double> secondsOf(llvm::StringRef text) {
  double unit = text.consume_back("h") ? 3600 : text.consume_back("m") ? 60 : 1, number = 0;
  text.consume_back("s");
  if (text.getAsDouble(number) || !(number > 0))
    return std::nullopt;
  return number * unit;
}

std::string timeLeft(double seconds) {
  return llvm::formatv("{0}m{1:02}s left", int(seconds) / 60, int(seconds) % 60);
}

namespace {
/// A result, and what there is still to do.
struct Result {
  const Found &found;
  size_t done, all;
  double left; ///< Seconds.
};
} // namespace

static void print(const Result &result) {
  auto [found, done, all, left] = result;
  llvm::outs() << llvm::formatv("[{0}/{1}] {2}: ", done, all, found.operation);
  if (found.plan.empty() && found.error.empty())
    llvm::outs() << "no time was left; the next search goes on with it";
  else if (found.plan.empty())
    llvm::outs() << "error: " << found.error;
  else
    llvm::outs() << llvm::formatv(
                        "{0} of {1} plans, {2:f4} ms, {3:f3} times as fast as the model's",
                        found.tried, found.of, found.milliseconds, found.gain)
                 << (found.error.empty() ? "" : "; " + found.error);
  llvm::outs() << ", " << timeLeft(left) << '\n';
}

static void printJson(const Result &result) {
  const Found &found = result.found;
  llvm::json::Object object{{"operation", found.operation},  {"done", int64_t(result.done)},
                            {"of", int64_t(result.all)},     {"secondsLeft", result.left},
                            {"tried", int64_t(found.tried)}, {"plans", int64_t(found.of)}};
  if (!found.plan.empty()) {
    object["milliseconds"] = found.milliseconds;
    object["gain"] = found.gain;
  }
  if (!found.error.empty())
    object["error"] = found.error;
  printLine(std::move(object));
}

/// Measures candidates of operations, which the options bound.
static int runSession(llvm::ArrayRef<bench::Shape> shapes, const CandidateSource &source,
                      const CommandLine &program) {
  std::optional<double> seconds = secondsOf(timeLimit);
  if (!seconds)
    return error("--time needs 90s, 20m or 2h, got '" + timeLimit + "'");
  if (store.empty())
    return error("--store=FILE is missing: where results are kept");
  SessionOptions options;
  options.store = store, options.strategy = strategy;
  options.candidates = candidates ? candidates : SIZE_MAX;
  options.seconds = *seconds;
  options.worker = workerOf(program, workerProgram);
  auto begin = std::chrono::steady_clock::now();
  size_t failed = 0;
  bool throttled = false;
  auto report = [&](const Found &found, size_t done) {
    auto elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin);
    double left = elapsed.count() / double(done) * double(shapes.size() - done);
    (asJson ? printJson : print)({found, done, shapes.size(), left});
    llvm::outs().flush();
    failed += !found.error.empty();
    if (found.throttled && !std::exchange(throttled, true))
      llvm::errs() << "gemm-tune: warning: " << found.operation
                   << ": the GPU lowered its clocks, by heat or by its limit of power; the store "
                      "marks such samples\n";
  };
  if (llvm::Error why = searchPlans(shapes, source, options, report))
    return error(llvm::toString(std::move(why)));
  return failed > 0 ? kSomeFailed : 0;
}

static int searchList(const CommandLine &program) {
  using Report = OperationOptions::Report;
  auto shapes = operations.read(dryRun ? Report::Comments : asJson ? Report::Json : Report::Text);
  if (!shapes)
    return error(llvm::toString(shapes.takeError()));
  if (std::string why = chip.empty() ? "" : target::whyUnknown(chip); !why.empty())
    return error(why);
  std::optional<bench::PlanQuery> query = operations.plansToConsider();
  if (query && dryRun) {
    for (const bench::Shape &shape : *shapes)
      llvm::outs() << lineOf(shape) << '\n';
    return 0;
  }
  return query ? runSession(*shapes, CompilerSource(chip, *query), program) : 1;
}

std::optional<bench::PlanQuery> plansToConsider(const std::string &text) {
  std::optional<bench::PlanQuery> query = bench::PlanQuery::parse(text);
  if (query && query->kind != bench::PlanQuery::Pick)
    return query;
  error("--plans needs all, top:K, spread:K or sample:K, got '" + text + "'");
  return std::nullopt;
}

/// Prints a list, with what the pack has in comments.
static int listPack(const PackHead &head, llvm::ArrayRef<PackedOperation> operations) {
  llvm::outs() << "# for " << head.environment.chip << ", " << head.architecture << ", by "
               << head.environment.compiler << '\n';
  for (const PackedOperation &each : operations)
    llvm::outs() << lineOf(each.shape) << " # candidates: " << each.candidates
                 << ", with a kernel: " << each.kernels << '\n';
  return 0;
}

/// Those of the pack's operations that the list has, in its order.
static llvm::Expected<std::vector<PackedOperation>>
operationsIn(const std::string &list, llvm::ArrayRef<PackedOperation> operations) {
  llvm::Expected<std::vector<bench::Shape>> shapes = listedIn(list);
  if (!shapes)
    return shapes.takeError();
  std::vector<PackedOperation> chosen;
  for (const bench::Shape &shape : *shapes) {
    auto *found = llvm::find_if(operations, [line = lineOf(shape)](const PackedOperation &each) {
      return lineOf(each.shape) == line;
    });
    if (found == operations.end())
      return llvm::createStringError(packFile + ": has no candidates of " + lineOf(shape));
    chosen.push_back(*found);
  }
  return chosen;
}

static int measurePack(const CommandLine &program) {
  llvm::Expected<std::unique_ptr<Pack>> pack = Pack::open(packFile);
  if (!pack)
    return error(llvm::toString(pack.takeError()));
  llvm::Expected<std::vector<PackedOperation>> operations = (*pack)->operations();
  if (operations && !part.empty())
    operations = operationsIn(part, *operations);
  if (!operations)
    return error(llvm::toString(operations.takeError()));
  if (dryRun)
    return listPack((*pack)->head(), *operations);
  std::vector<bench::Shape> shapes;
  for (PackedOperation &each : *operations)
    shapes.push_back(std::move(each.shape));
  return runSession(shapes, **pack, program);
}

/// Ends this process when the one that started it has ended: a kernel that hangs would hold the
/// device, and nobody is left who sees to its time.
static void endWithParent() {
  std::thread([parent = getppid()] {
    pollfd jobs{STDIN_FILENO, 0, 0};
    poll(&jobs, 1, /*timeout=*/-1); // Until nobody writes jobs any more.
    while (getppid() == parent)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    _exit(1);
  }).detach();
}

CommandLine workerOf(const CommandLine &program, const std::string &stated) {
  CommandLine own = program;
  own.push_back("worker");
  return stated.empty() ? own : CommandLine{stated};
}

std::unique_ptr<llvm::raw_ostream> answers() {
  int output = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return std::make_unique<llvm::raw_fd_ostream>(output, /*shouldClose=*/true);
}

std::optional<int> runSearchCommand(const CommandLine &program) {
  if (searchCommand)
    return searchList(program);
  if (measureCommand)
    return measurePack(program);
  if (workerCommand) {
    endWithParent();
    return serveJobs(std::cin, *answers());
  }
  return std::nullopt;
}
