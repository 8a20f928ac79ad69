//===- Autotune.cpp - From a GPU to a list of plans -----------------------===//

#include "Commands.h"
#include "rooftile/Bench/Draw.h"
#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Target/Chips.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cmath>
#include <cstdlib>

using namespace rooftile;
using namespace rooftile::tuning;
namespace cl = llvm::cl;

static cl::SubCommand command("autotune",
                              "Describe the GPU present if nobody has, search plans of a "
                              "list, and write the fastest");
static cl::OptionCategory category("gemm-tune autotune");
static cl::opt<std::string> folder(cl::Positional, cl::desc("<folder of all results>"),
                                   cl::Required, cl::sub(command), cl::cat(category));
static cl::opt<std::string> list("list",
                                 cl::desc("Operations to search (default: operations.txt of the "
                                          "folder, which begins as 108 of all types and classes)"),
                                 cl::value_desc("file"), cl::sub(command), cl::cat(category));
static cl::opt<std::string> timeLimit("time",
                                      cl::desc("Time for all: 90s, 20m (default) or 2h; samples of "
                                               "a GPU that is not known get half of it"),
                                      cl::value_desc("time"), cl::init("20m"), cl::sub(command),
                                      cl::cat(category));
static cl::opt<std::string> like("like",
                                 cl::desc("Search the operations of this log, as of search"),
                                 cl::value_desc("file"), cl::sub(command), cl::cat(category));
static cl::opt<std::string> ofChip("chip",
                                   cl::desc("Plan for this chip, and describe none (default: the "
                                            "GPU present)"),
                                   cl::value_desc("name"), cl::sub(command), cl::cat(category));
static cl::opt<int> ordinal("device",
                            cl::desc("GPU that is tuned for: its number among those that the "
                                     "driver shows (default 0)"),
                            cl::value_desc("number"), cl::init(0), cl::sub(command),
                            cl::cat(category));
static cl::opt<bool> asJson("json", cl::desc("Print results as lines of JSON"), cl::sub(command),
                            cl::cat(category));
static cl::opt<bool> describes("describe",
                               cl::desc("Measure the figures of a GPU that is known, too"),
                               cl::sub(command), cl::cat(category));
static cl::opt<std::string> workerProgram("worker", cl::Hidden, cl::sub(command),
                                          cl::cat(category));

namespace {
/// Runs commands of this program one after the other. What an earlier run has made is kept.
class Autotune {
public:
  explicit Autotune(CommandLine program) : program(std::move(program)) {}
  int run();

private:
  std::string file(const llvm::Twine &name) const {
    llvm::SmallString<128> path(folder.getValue());
    llvm::sys::path::append(path, name);
    return path.str().str();
  }
  /// The list that is searched.
  std::string operations() const { return list.empty() ? file("operations.txt") : list.getValue(); }
  int step(const std::string &what, std::vector<std::string> arguments,
           const std::string &output = "");
  void announce(llvm::StringRef what) const;
  int checkOptions();
  int describe();
  int writeOperations();
  int search();
  int report();
  void print(const Selection &selection, const std::string &plans) const;
  void printJson(const Selection &selection, const std::string &plans) const;

  CommandLine program;
  std::string chip;   ///< A name, or the path of a target.
  DeviceFacts facts;  ///< The GPU.
  double seconds = 0; ///< For the search.
};
} // namespace

void Autotune::announce(llvm::StringRef what) const {
  if (asJson)
    printLine(llvm::json::Object{{"step", what}});
  else
    llvm::outs() << "== " << what << '\n';
  llvm::outs().flush();
}

/// Runs a command; its output goes to the file `output`, whole or not at all, if that is named.
int Autotune::step(const std::string &what, std::vector<std::string> arguments,
                   const std::string &output) {
  announce(what);
  std::vector<llvm::StringRef> all(program.begin(), program.end());
  llvm::append_range(all, arguments);
  std::string partial = output + ".partial", why;
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(partial),
                                                std::nullopt};
  llvm::ArrayRef<std::optional<llvm::StringRef>> used;
  if (!output.empty())
    used = redirects;
  int status = llvm::sys::ExecuteAndWait(program.front(), all, std::nullopt, used, 0, 0, &why);
  if (!why.empty())
    return error("cannot run " + program.front() + ": " + why);
  if (status == 0 && !output.empty())
    if (std::error_code code = llvm::sys::fs::rename(partial, output))
      return error("cannot write " + output + ": " + code.message());
  if (status && !output.empty())
    llvm::sys::fs::remove(partial);
  return status;
}

/// A GPU that nobody has described: its figures, samples, and the calibration that they give.
int Autotune::describe() {
  std::string target = file("gpu.target"), samples = file("samples.csv"), done = file("fitted");
  chip = target;
  if (!llvm::sys::fs::exists(target))
    if (int status = step("figures of the GPU", {"probe"}, target))
      return status;
  if (llvm::sys::fs::exists(done))
    return 0;
  seconds /= 2;
  std::string limit = llvm::formatv("{0:f0}", seconds);
  if (int status = step("samples of plans", {"sample", "--chip=" + target, "--csv=" + samples,
                                             "--time-limit=" + limit}))
    return status;
  if (int status = step("calibration", {"fit", target + "=" + samples, "--write", target}))
    return status;
  std::error_code code;
  llvm::raw_fd_ostream(done, code) << "The calibration of gpu.target is fitted.\n";
  return code ? error("cannot write " + done + ": " + code.message()) : 0;
}

int Autotune::writeOperations() {
  if (!list.empty() || !like.empty() || llvm::sys::fs::exists(operations()))
    return 0;
  llvm::Error failed = llvm::writeToOutput(operations(), [](llvm::raw_ostream &out) {
    out << "# Operations that gemm-tune autotune searches: add yours, or remove some.\n";
    for (const bench::Shape &shape : bench::defaultOperations())
      out << shape.key() << " class=" << shape.group << '\n';
    return llvm::Error::success();
  });
  return failed ? error(llvm::toString(std::move(failed))) : 0;
}

int Autotune::search() {
  std::vector<std::string> arguments = {"search", like.empty() ? operations() : "--like=" + like,
                                        "--store=" + file("plans.store"),
                                        llvm::formatv("--time={0:f0}s", std::ceil(seconds))};
  if (asJson)
    arguments.push_back("--json");
  if (!chip.empty())
    arguments.push_back("--chip=" + chip);
  if (!workerProgram.empty())
    arguments.push_back("--worker=" + workerProgram);
  // Operations whose plans fail are in the store, and reported: the others count all the same.
  int status = step("search", arguments);
  return status == kSomeFailed ? 0 : status;
}

void Autotune::print(const Selection &selection, const std::string &plans) const {
  llvm::outs() << llvm::formatv("{0} of {1} operations have a plan that is faster than the "
                                "model's, {2:f3} times on average.\n",
                                selection.faster.size(), selection.operations, selection.gain())
               << "They are in " << plans << "; ";
  if (!chip.empty() && llvm::sys::fs::exists(chip))
    llvm::outs() << "the GPU is described in " << chip << "; ";
  llvm::outs() << "docs/Tuning.md tells how programs use them.\n";
}

void Autotune::printJson(const Selection &selection, const std::string &plans) const {
  llvm::json::Array faster;
  for (const Selected &each : selection.faster)
    faster.push_back(llvm::json::Object{
        {"operation", each.operation}, {"gain", each.gain}, {"milliseconds", each.milliseconds}});
  printLine(llvm::json::Object{{"list", plans},
                               {"store", file("plans.store")},
                               {"chip", chip.empty() ? selection.chip : chip},
                               {"operations", int64_t(selection.operations)},
                               {"gain", selection.gain()},
                               {"faster", std::move(faster)}});
}

int Autotune::report() {
  std::string plans = file("plans.txt");
  std::string name = chip.empty() ? target::chipOfDevice(facts.name).str() : nameOfChip(chip);
  announce("the fastest plans");
  llvm::Expected<ChipStore> opened = openChipStore(file("plans.store"), name);
  if (!opened)
    return error(llvm::toString(opened.takeError()));
  llvm::Expected<Selection> selection = writeSelection(*opened, plans);
  if (!selection)
    return error(llvm::toString(selection.takeError()));
  asJson ? printJson(*selection, plans) : print(*selection, plans);
  return 0;
}

int chooseDevice(int ordinal) {
  const char *shown = std::getenv("CUDA_VISIBLE_DEVICES");
  std::string chosen = std::to_string(ordinal);
  if (ordinal == 0)
    return 0;
  if (shown && *shown) {
    llvm::SmallVector<llvm::StringRef> names;
    llvm::StringRef(shown).split(names, ',');
    if (ordinal < 0 || size_t(ordinal) >= names.size())
      return error("--device=" + chosen + ": CUDA_VISIBLE_DEVICES has " +
                   llvm::Twine(names.size()) + " devices");
    chosen = names[size_t(ordinal)].trim().str();
  }
  setenv("CUDA_VISIBLE_DEVICES", chosen.c_str(), /*overwrite=*/1);
  return 0;
}

int Autotune::checkOptions() {
  std::optional<double> limit = secondsOf(timeLimit);
  if (!limit)
    return error("--time needs 90s, 20m or 2h, got '" + timeLimit + "'");
  seconds = *limit;
  if (!list.empty() && !like.empty())
    return error("--list and --like exclude each other");
  chip = ofChip;
  if (std::string why = chip.empty() ? "" : target::whyUnknown(chip); !why.empty())
    return error(why);
  return chooseDevice(ordinal);
}

int Autotune::run() {
  if (int status = checkOptions())
    return status;
  const Driver &driver = Driver::of(DeviceKind::Cuda);
  std::string why;
  if (!driver.open(why))
    return error("no GPU to tune for: " + why);
  driver.ask(driver.device(), facts);
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return error("cannot make the folder " + folder + ": " + code.message());
  if (!llvm::sys::fs::is_directory(folder))
    return error(folder + " is no folder");
  bool isKnown = !chip.empty() || !target::chipOfDevice(facts.name).empty();
  if (!asJson)
    llvm::outs() << facts.name << (isKnown ? ", a known chip" : ", a chip that is not known")
                 << '\n';
  if (!isKnown || describes)
    if (int status = describe())
      return status;
  if (int status = writeOperations())
    return status;
  if (int status = search())
    return status;
  return report();
}

std::optional<int> runAutotuneCommand(const CommandLine &program) {
  if (!command)
    return std::nullopt;
  return Autotune(program).run();
}
