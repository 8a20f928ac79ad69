//===- Commands.cpp - What gemm-tune does ---------------------------------===//

#include "Commands.h"
#include "rooftile/Bench/Draw.h"
#include "rooftile/Bench/Kernel.h"
#include "rooftile/Bench/Predictions.h"
#include "rooftile/Bench/Probe.h"
#include "rooftile/Bench/Session.h"
#include "rooftile/Target/Chips.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <set>

using namespace rooftile::bench;
namespace cl = llvm::cl;

static cl::SubCommand probeCommand("probe", "Measure the figures of the GPU at hand");
static cl::OptionCategory probeCategory("gemm-tune probe");
static cl::opt<std::string> probeName("name",
                                      cl::desc("What the chip is to be called (default: as it is "
                                               "known, or as its driver calls it)"),
                                      cl::value_desc("name"), cl::sub(probeCommand),
                                      cl::cat(probeCategory));

static cl::SubCommand sampleCommand("sample", "Time plans of shapes drawn at random");
static cl::OptionCategory category("gemm-tune sample");
static cl::opt<std::string> csvFile("csv",
                                    cl::desc("Write results to this file; what it has of an "
                                             "earlier run is kept and not timed again"),
                                    cl::value_desc("file"), cl::sub(sampleCommand),
                                    cl::cat(category));
static cl::opt<int> perClass("per-class", cl::desc("Shapes of each class and type (default 4)"),
                             cl::init(4), cl::sub(sampleCommand), cl::cat(category));
static cl::opt<int> plans("plans", cl::desc("Plans of each shape, at most (default 24)"),
                          cl::init(24), cl::sub(sampleCommand), cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("Of the shapes that are drawn (default 1)"),
                              cl::init(1), cl::sub(sampleCommand), cl::cat(category));
static cl::opt<std::string> classes("class", cl::desc("Classes of shapes (default: all)"),
                                    cl::value_desc("names"), cl::init("all"),
                                    cl::sub(sampleCommand), cl::cat(category));
static cl::opt<std::string> types("type", cl::desc("Element types (default: f32,f64,c64,c128)"),
                                  cl::value_desc("names"), cl::init("f32,f64,c64,c128"),
                                  cl::sub(sampleCommand), cl::cat(category));
static cl::opt<std::string> chip("chip", cl::desc("Plan for this chip (default: the GPU present)"),
                                 cl::value_desc("name"), cl::sub(sampleCommand), cl::cat(category));
static cl::opt<double> timeLimit("time-limit",
                                 cl::desc("Begin no shape after this many seconds (default 840)"),
                                 cl::value_desc("seconds"), cl::init(840), cl::sub(sampleCommand),
                                 cl::cat(category));
static cl::opt<bool> dryRun("dry-run", cl::desc("List shapes and plans; needs no GPU"),
                            cl::sub(sampleCommand), cl::cat(category));

static cl::SubCommand predictCommand("predict",
                                     "Predict the plans of samples by calibrations from stdin");
static cl::list<std::string> samples(cl::Positional, cl::desc("<chip>=<sample file> ..."),
                                     cl::OneOrMore, cl::sub(predictCommand));

static cl::SubCommand fitCommand("fit", "Fit the calibration of a chip to samples (in Python, with "
                                        "SciPy)");

static const char *overview =
    "Fits the cost model to a chip, and measures plans. All at once:\n\n"
    "  gemm-tune autotune mychip/                   20 minutes; again: goes on\n\n"
    "Step by step, a new chip needs three commands:\n\n"
    "  gemm-tune probe > mychip.target              its figures, measured in seconds\n"
    "  gemm-tune sample --chip=mychip.target --csv=mychip.csv\n"
    "                                               plans of random shapes, under 15 minutes; "
    "again:\n"
    "                                               goes on where it was cut off\n"
    "  gemm-tune fit mychip.target=mychip.csv --write mychip.target\n"
    "                                               the costs of its kernels, with errors\n\n"
    "Then every tool accepts --chip=mychip.target. What the model cannot know is measured:\n\n"
    "  gemm-tune search list.txt --store=mychip.store\n"
    "                                               plans of your operations; again: goes on\n"
    "  gemm-tune select mychip.store -o mychip.plans\n"
    "                                               the fastest, as a list that every tool reads\n"
    "  gemm-tune ask \"f32 nn 1000x1000x1000\" --store=mychip.store\n"
    "                                               plans that another program chooses\n"
    "  gemm-tune report mychip.store                how well the model ranked them\n"
    "  gemm-tune refit mychip.store -o mychip.target\n"
    "                                               the costs of its kernels, by these samples\n"
    "  gemm-tune export mychip.store                all that was measured, as JSON\n\n"
    "Where there is a GPU but no compiler, plans are measured that were compiled elsewhere:\n\n"
    "  gemm-tune pack list.txt --chip=h200 -o h200.pack\n"
    "                                               elsewhere: needs no GPU\n"
    "  gemm-tune measure h200.pack --store=h200.store\n"
    "                                               beside the GPU, as search; again: goes on\n\n"
    "Without a GPU:\n\n"
    "  gemm-tune sample --dry-run --per-class=1     shapes and plans\n";

int error(const llvm::Twine &message) {
  llvm::errs() << "gemm-tune: error: " << message << '\n';
  return 1;
}

void printLine(llvm::json::Object object) {
  llvm::outs() << llvm::json::Value(std::move(object)) << '\n';
  llvm::outs().flush();
}

/// Removes the shapes that `file` has rows of; false with a message where it is no result file.
static bool dropMeasured(std::vector<Shape> &shapes, llvm::StringRef file) {
  llvm::Expected<Results> old = readResults(file);
  if (!old) {
    error(llvm::toString(old.takeError()));
    return false;
  }
  std::set<std::string> measured;
  for (const Row &row : old->rows)
    measured.insert(row.group + " " + row.key());
  llvm::erase_if(shapes, [&](const Shape &shape) {
    return measured.count(shape.group + " " + shape.key()) > 0;
  });
  return true;
}

/// The mean plan is timed for 15 ms: a few samples of each of many plans are worth more than many
/// of few.
static SessionOptions sessionOptions() {
  SessionOptions options;
  options.plans = {PlanQuery::Sample, size_t(plans)};
  options.kernel = {chip, rooftile::Format::Auto, dryRun};
  options.measure.seconds = 0.01;
  options.measure.samples = 5;
  options.timeLimit = timeLimit;
  options.vendor = false;
  return options;
}

/// Prints the #blas.target of the GPU at hand.
static int printTarget() {
  mlir::DialectRegistry registry;
  prepareCompiler(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto figures = probe(probeName, context);
  if (!figures)
    return error(llvm::toString(figures.takeError()));
  figures->print(llvm::outs());
  return 0;
}

static int sample() {
  if (perClass < 1 || plans < 1 || !(timeLimit >= 0))
    return error("--per-class and --plans need 1 or more, --time-limit 0 or more");
  if (std::string why = chip.empty() ? "" : rooftile::target::whyUnknown(chip); !why.empty())
    return error(why);
  auto shapes = drawShapes({perClass, seed, types, classes});
  if (!shapes)
    return error(llvm::toString(shapes.takeError()));
  SessionOptions options = sessionOptions();
  if (dryRun)
    return listCases(*shapes, options);
  if (csvFile.empty())
    return error("no --csv file to write to");
  // A run that found no GPU leaves an empty file.
  uint64_t bytes = 0;
  options.append = !llvm::sys::fs::file_size(csvFile, bytes) && bytes > 0;
  if (options.append && !dropMeasured(*shapes, csvFile))
    return 1;
  std::error_code code;
  llvm::raw_fd_ostream csv(csvFile, code, llvm::sys::fs::OF_Append);
  if (code)
    return error("cannot write '" + csvFile + "': " + code.message());
  auto results = runCases(*shapes, options, csv);
  if (!results)
    return error(llvm::toString(results.takeError()));
  int64_t failed = llvm::count_if(results->rows, [](const Row &row) { return row.failed(); });
  llvm::outs() << results->rows.size() << " plans timed, " << failed << " failed\n";
  return failed > 0;
}

/// Serves scripts/fit_calibration.py: the coefficients, the rows, then answers.
static int predict() {
  mlir::DialectRegistry registry;
  prepareCompiler(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  Predictions predictions;
  for (llvm::StringRef sample : samples) {
    auto [name, file] = sample.split('=');
    if (std::string why = rooftile::target::whyUnknown(name); !why.empty())
      return error(why);
    auto results = readResults(file);
    if (!results)
      return error(llvm::toString(results.takeError()));
    if (llvm::Error failed = predictions.add(*results, name, context))
      return error(llvm::toString(std::move(failed)));
  }
  predictions.writeCoefficients(llvm::outs());
  predictions.writeRows(llvm::outs());
  llvm::outs() << '\n';
  llvm::outs().flush();
  answerCalibrations(predictions, stdin, llvm::outs());
  return 0;
}

int runScript(llvm::StringRef name, llvm::StringRef needs, std::vector<std::string> arguments) {
  std::string script = (ROOFTILE_SCRIPTS "/" + name).str();
  if (!llvm::sys::fs::exists(script))
    return error("scripts/" + name + " of the project is not at " + script);
  const char *wanted = std::getenv("PYTHON");
  auto python = llvm::sys::findProgramByName(wanted && *wanted ? wanted : "python3");
  if (!python)
    return error("scripts/" + name + " needs " + needs);
  std::vector<llvm::StringRef> all = {*python, script};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::string why;
  int status = llvm::sys::ExecuteAndWait(*python, all, std::nullopt, {}, 0, 0, &why);
  return why.empty() ? status : error("cannot run " + script + ": " + why);
}

/// Hands the arguments on to the script.
static int fit(const std::string &tool, llvm::ArrayRef<const char *> arguments) {
  std::vector<std::string> all = {"--tool", tool};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return runScript("fit_calibration.py", kFitNeeds, all);
}

int runGemmTune(llvm::ArrayRef<const char *> arguments, const CommandLine &program) {
  if (arguments.size() > 1 && arguments[1] == fitCommand.getName())
    return fit(program.front(), arguments.drop_front(2));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(int(arguments.size()), arguments.data(), overview);
  if (probeCommand)
    return printTarget();
  if (sampleCommand)
    return sample();
  if (predictCommand)
    return predict();
  if (std::optional<int> status = runAskCommand(program))
    return *status;
  if (std::optional<int> status = runAutotuneCommand(program))
    return *status;
  if (std::optional<int> status = runSearchCommand(program))
    return *status;
  if (std::optional<int> status = runPackCommand())
    return *status;
  if (std::optional<int> status = runStoreCommand())
    return *status;
  if (std::optional<int> status = runReportCommand(program))
    return *status;
  return error("no command; gemm-tune --help lists them");
}
