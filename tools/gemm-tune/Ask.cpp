//===- Ask.cpp - Candidates that another program chooses ------------------===//

#include "Commands.h"
#include "rooftile/Operation/Text.h"
#include "rooftile/Target/Chips.h"
#include "rooftile/Tuning/Search/Outside.h"
#include "rooftile/Tuning/Session/CompilerSource.h"
#include "rooftile/Tuning/Session/Session.h"
#include "rooftile/Tuning/Trial/Replay.h"
#include "llvm/Support/CommandLine.h"

#include <iostream>

using namespace rooftile;
using namespace rooftile::tuning;
namespace cl = llvm::cl;

static cl::SubCommand command("ask", "Measure the plans of an operation that another program "
                                     "requests: JSON on stdin and stdout");
static cl::OptionCategory category("gemm-tune ask");
static cl::opt<std::string> asked(cl::Positional, cl::desc("<operation, as of a list>"),
                                  cl::Required, cl::sub(command), cl::cat(category));
static cl::opt<std::string> store("store", cl::desc("The store; made where there is none"),
                                  cl::value_desc("file"), cl::sub(command), cl::cat(category));
static cl::opt<std::string> replayed("replay",
                                     cl::desc("A store in place of the GPU: its candidates, and "
                                              "their samples"),
                                     cl::value_desc("file"), cl::sub(command), cl::cat(category));
static cl::opt<std::string> chip("chip",
                                 cl::desc("Plan for this chip (default: the GPU present, or that "
                                          "of the store)"),
                                 cl::value_desc("name"), cl::sub(command), cl::cat(category));
static cl::opt<std::string> plans("plans", cl::desc("Candidates, as of search (default: all)"),
                                  cl::value_desc("which"), cl::init("all"), cl::sub(command),
                                  cl::cat(category));
static cl::opt<std::string> timeLimit("time",
                                      cl::desc("Measure nothing after 90s, 20m (default) or 2h"),
                                      cl::value_desc("time"), cl::init("20m"), cl::sub(command),
                                      cl::cat(category));
static cl::opt<int> ordinal("device", cl::desc("The GPU, as of autotune"), cl::value_desc("number"),
                            cl::init(0), cl::sub(command), cl::cat(category));
static cl::opt<std::string> workerProgram("worker", cl::Hidden, cl::sub(command),
                                          cl::cat(category));

/// Makes the strategy that `out` and stdin have.
static std::unique_ptr<Strategy> makeOutside(Space &space, const bench::Shape &shape,
                                             llvm::raw_ostream &out) {
  return std::make_unique<Outside>(space, operation::text(shape.operation), std::cin, out);
}

static int askStore(const bench::Shape &shape, llvm::raw_ostream &out) {
  llvm::Expected<ChipStore> opened = openChipStore(replayed, chip);
  if (!opened)
    return error(llvm::toString(opened.takeError()));
  std::string line = operation::text(shape.operation);
  llvm::Expected<std::vector<Measurement>> all = opened->store.read({line, opened->chip});
  if (!all)
    return error(llvm::toString(all.takeError()));
  Recording recording(*all);
  if (recording.space().size() == 0)
    return error(replayed + ": has no measurements of " + line);
  Space space = recording.space();
  Replay replay(recording);
  search(*makeOutside(space, shape, out), replay, {});
  return 0;
}

static int askDevice(const bench::Shape &shape, const CommandLine &program,
                     llvm::raw_ostream &out) {
  SessionOptions options;
  std::optional<double> seconds = secondsOf(timeLimit);
  if (!seconds)
    return error("--time needs 90s, 20m or 2h, got '" + timeLimit + "'");
  std::optional<bench::PlanQuery> query = plansToConsider(plans);
  if (!query)
    return 1;
  if (int status = chooseDevice(ordinal))
    return status;
  options.store = store, options.candidates = SIZE_MAX, options.seconds = *seconds;
  options.outside = [&](Space &space) { return makeOutside(space, shape, out); };
  options.worker = workerOf(program, workerProgram);
  std::string why;
  auto report = [&](const Found &found, size_t) { why = found.error; };
  if (llvm::Error failed = searchPlans(shape, CompilerSource(chip, *query), options, report))
    return error(llvm::toString(std::move(failed)));
  if (why.empty() && !std::cin.eof())
    why = "no time is left, of " + timeLimit;
  return why.empty() ? 0 : error(why);
}

std::optional<int> runAskCommand(const CommandLine &program) {
  if (!command)
    return std::nullopt;
  if (store.empty() == replayed.empty())
    return error("ask needs --store, or --replay");
  if (std::string why = chip.empty() ? "" : target::whyUnknown(chip); !why.empty())
    return error(why);
  llvm::Expected<bench::Shape> shape = bench::Shape::parse(asked);
  if (!shape)
    return error(llvm::toString(shape.takeError()));
  std::unique_ptr<llvm::raw_ostream> out = answers();
  return replayed.empty() ? askDevice(*shape, program, *out) : askStore(*shape, *out);
}
