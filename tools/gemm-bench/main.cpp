//===- main.cpp - gemm-bench: our kernels and cuBLAS in one process -------===//

#include "rooftile/Bench/Classes.h"
#include "rooftile/Bench/Session.h"
#include "rooftile/Target/Chips.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"

using namespace rooftile::bench;
namespace cl = llvm::cl;

static cl::OptionCategory category("gemm-bench");
static cl::opt<std::string> listFile("list", cl::desc("Time the shapes (and plans) of this file"),
                                     cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string> classes("class",
                                    cl::desc("Classes to time, comma-separated (default: all)"),
                                    cl::value_desc("names"), cl::init("all"), cl::cat(category));
static cl::opt<std::string> types("type", cl::desc("Element types to time (default: f32,f64)"),
                                  cl::value_desc("names"), cl::init("f32,f64"), cl::cat(category));
static cl::opt<std::string> plans(
    "plans",
    cl::desc("pick: tile-select's choice; top:K: the model's K fastest plans; spread:K: K plans "
             "of different tiles, up to 1.5 times as slow by the model; sample:K: half of them "
             "so, half at random; all (default: pick, or what a list names)"),
    cl::value_desc("which"), cl::init("pick"), cl::cat(category));
static cl::opt<std::string> chip("chip", cl::desc("Plan for this chip (default: the GPU present)"),
                                 cl::value_desc("name"), cl::cat(category));
static cl::opt<rooftile::Format> format("format", cl::desc("How kernels reach the driver"),
                                        cl::init(rooftile::Format::Auto), rooftile::nvvmFormats(),
                                        cl::cat(category));
static cl::opt<std::string> csvFile("csv", cl::desc("Write rows to this file (default: to stdout)"),
                                    cl::value_desc("file"), cl::init("-"), cl::cat(category));
static cl::opt<double> timeLimit("time-limit", cl::desc("Begin no case after this many seconds"),
                                 cl::value_desc("seconds"), cl::init(0), cl::cat(category));
static cl::opt<double> seconds("seconds", cl::desc("GPU time for each kernel (default 0.3)"),
                               cl::value_desc("seconds"), cl::init(0.3), cl::cat(category));
static cl::opt<int> samples("samples", cl::desc("Samples for each kernel, at most (default 15)"),
                            cl::value_desc("n"), cl::init(15), cl::cat(category));
static cl::opt<bool> graph("graph",
                           cl::desc("Replay the calls of a sample as one CUDA graph: times without "
                                    "what launches cost the host"),
                           cl::cat(category));
static cl::opt<bool> noVendor("no-vendor", cl::desc("Time ours alone"), cl::cat(category));
static cl::opt<bool> bestOfVendor("vendor-best",
                                  cl::desc("Compare with the best algorithm that cuBLASLt lists, "
                                           "not with the one that cuBLAS picks"),
                                  cl::cat(category));
static cl::opt<bool> dryRun("dry-run",
                            cl::desc("List cases with plans and predictions; needs no GPU"),
                            cl::cat(category));

static const char *overview =
    "Times our kernels and cuBLAS (where it is found) in one process: operands uniform in [-1, 1]\n"
    "and rotated over more than twice the L2 cache, samples of many calls in turn, medians, every\n"
    "result verified. Prints a row for each; benchmarks/summary.py sums rows up and compares "
    "them.\n\n"
    "  gemm-bench --csv=h200.csv                    all classes, f32 and f64\n"
    "  gemm-bench --class=square,odd --type=f32     some of them\n"
    "  gemm-bench --class=square --plans=top:20     is the model's choice the best one?\n"
    "  gemm-bench --list=shapes.txt                 lines such as: f32 nt 4096x4096x64 [PLAN],\n"
    "                                               f64 symm-ll 512x512x512, or the canonical\n"
    "                                               line of an operation: v1 trtri type=f32 n=512\n"
    "  gemm-bench --dry-run                         cases, plans and predictions; needs no GPU\n\n"
    "Exit status: 0; 1: a wrong result, a kernel that does not run, or bad input.\n\n"
    "Classes:\n";

static int error(const llvm::Twine &message) {
  llvm::errs() << "gemm-bench: error: " << message << '\n';
  return 1;
}

/// The values of the options, or why they make no sense.
static std::string badOption() {
  if (!(timeLimit >= 0) || !(seconds > 0) || samples < 1)
    return "--time-limit is 0 or more, --seconds and --samples are more than 0";
  if (!listFile.empty() && classes.getNumOccurrences())
    return "--list and --class exclude each other";
  return chip.empty() ? "" : rooftile::target::whyUnknown(chip);
}

static int runBench() {
  SessionOptions options;
  std::optional<PlanQuery> query = PlanQuery::parse(plans);
  if (!query)
    return error("unknown --plans '" + plans + "'; pick, top:K, spread:K, sample:K or all");
  options.plans = *query;
  options.kernel = {chip, format, dryRun};
  options.measure.seconds = seconds;
  options.measure.graph = graph;
  options.measure.samples = samples;
  options.timeLimit = timeLimit;
  options.vendor = !noVendor, options.bestOfVendor = bestOfVendor;
  auto shapes = listFile.empty() ? shapesOf(classes, types) : readList(listFile);
  if (!shapes)
    return error(llvm::toString(shapes.takeError()));
  if (dryRun)
    return listCases(*shapes, options);
  std::error_code code;
  llvm::raw_fd_ostream csv(csvFile, code); // "-" is stdout
  if (code)
    return error("cannot write '" + csvFile + "': " + code.message());
  auto results = runCases(*shapes, options, csv);
  if (!results)
    return error(llvm::toString(results.takeError()));
  return llvm::any_of(results->rows, [](const Row &row) { return row.failed(); });
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  std::string text = overview;
  for (const ShapeClass &shapeClass : shapeClasses())
    text += "  " + std::string(shapeClass.name) + ": " + shapeClass.meaning + "\n";
  cl::ParseCommandLineOptions(argc, argv, text);
  if (std::string bad = badOption(); !bad.empty())
    return error(bad);
  return runBench();
}
