//===- main.cpp - gemm-run: runs blas operations and verifies them --------===//

#include "rooftile/InitAll.h"
#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Target/Chips.h"
#include "rooftile/Verify/Engine/Report.h"
#include "rooftile/Verify/Functions/Against.h"
#include "rooftile/Verify/Functions/ArgumentSizes.h"
#include "rooftile/Verify/Runs/Fuzz.h"
#include "rooftile/Verify/Runs/Picks.h"
#include "rooftile/Verify/Runs/Runner.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdlib>

using namespace rooftile::verify;
using rooftile::DeviceKind;
using rooftile::Driver;
namespace cl = llvm::cl;

static cl::OptionCategory category("gemm-run");
static cl::opt<std::string> file(cl::Positional, cl::desc("FILE.mlir|FILE.cases"),
                                 cl::cat(category));
static cl::opt<std::string> entry("entry", cl::desc("Run this function only"),
                                  cl::value_desc("function"), cl::cat(category));
static cl::opt<std::string> deviceName("device",
                                       cl::desc("auto (cuda if there is a GPU, else cpu), cpu, "
                                                "cuda, hip, or amd-emulator: AMD code objects, "
                                                "executed without a GPU (default chip gfx90a)"),
                                       cl::init("auto"), cl::value_desc("device"),
                                       cl::cat(category));
static cl::opt<Form>
    form("form", cl::desc("What host code becomes"), cl::init(Form::Object), cl::cat(category),
         cl::values(clEnumValN(Form::Object, "object", "machine code, as gemm-opt makes it"),
                    clEnumValN(Form::Executable, "executable",
                               "data, as librooftile.so makes it; with --device=cpu")));
static cl::opt<std::string> chip("chip",
                                 cl::desc("Plan for this chip (default: the module's target, "
                                          "else the GPU present, else h200)"),
                                 cl::value_desc("name"), cl::cat(category));
static cl::opt<rooftile::Format> format("format", cl::desc("How kernels reach the driver"),
                                        cl::init(rooftile::Format::Auto), rooftile::nvvmFormats(),
                                        cl::cat(category));
static cl::opt<std::string> plans("plans", cl::desc("A list of your own plans and kernels"),
                                  cl::value_desc("file"), cl::cat(category));
static cl::opt<int64_t> repeat("repeat",
                               cl::desc("Timed runs after verification (default 5; 0 for cases)"),
                               cl::init(-1), cl::value_desc("n"), cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("Seed of the data and of the CPU's thread order"),
                              cl::init(1), cl::value_desc("number"), cl::cat(category));
static cl::opt<double>
    constant("fill",
             cl::desc("A and B of products hold this number, no integers, where "
                      "results must be equal; K must be so small that sums are exact"),
             cl::value_desc("number"), cl::cat(category));
static cl::opt<bool> graph("graph",
                           cl::desc("Also capture each call into a CUDA graph and replay it, on "
                                    "other data: the bytes must be those of a plain call"),
                           cl::cat(category));
static cl::opt<int64_t> orders("orders",
                               cl::desc("Also call so many times in other orders of threads and "
                                        "workgroups: the results must be the same to the bit"),
                               cl::init(0), cl::value_desc("n"), cl::cat(category));
static cl::opt<bool> json("json", cl::desc("One JSON object per operation"), cl::cat(category));
static cl::opt<std::string>
    against("against",
            cl::desc("loops: compare whole functions with upstream MLIR's loops on the CPU instead "
                     "of each operation; a file may hold several modules, between lines // -----"),
            cl::value_desc("how"), cl::cat(category));
static cl::opt<std::string>
    sizes("sizes",
          cl::desc("Sizes of memref arguments in order, as 512x64,64x128 (default: "
                   "rooftile.sizes of the argument, else what fits, 256 where anything does)"),
          cl::value_desc("list"), cl::cat(category));
static cl::opt<std::string> oneCase("case",
                                    cl::desc("Run one line of a case list instead of a file"),
                                    cl::value_desc("line"), cl::cat(category));
static cl::opt<std::string>
    sample("sample", cl::desc("Which cases of every line: all, pairwise, kernels or a number"),
           cl::value_desc("how"), cl::cat(category));
static cl::opt<std::string> part("part",
                                 cl::desc("Run only each N-th kernel of a list, from the I-th on: "
                                          "lists in parts on several devices"),
                                 cl::value_desc("I/N"), cl::cat(category));
static cl::opt<bool> onlyFitting(
    "only-fitting",
    cl::desc(
        "Leave out cases whose plans do not fit the chip, and count them: for lists whose plans "
        "are those of another one"),
    cl::cat(category));
static cl::opt<int64_t> fuzzCount("fuzz", cl::desc("Run this many random cases instead of a file"),
                                  cl::init(0), cl::value_desc("n"), cl::cat(category));
static cl::opt<int64_t> pickCount("picks",
                                  cl::desc("Run this many random operations of real sizes with "
                                           "the plans for the chips in turn (--chip: for one)"),
                                  cl::init(0), cl::value_desc("n"), cl::cat(category));
static cl::opt<double> work("work",
                            cl::desc("On the CPU run only some tiles of a product of more "
                                     "multiply-adds (default: all; with --picks 4e6)"),
                            cl::value_desc("number"), cl::cat(category));
static cl::opt<bool> verbose("verbose", cl::desc("Print every case, not only failures"),
                             cl::cat(category));
static cl::opt<Mutation> mutation(
    "mutate", cl::desc("Put a defect into kernels, to test verification"), cl::Hidden,
    cl::values(clEnumValN(Mutation::Barrier, "barrier", "delete a barrier"),
               clEnumValN(Mutation::Race, "race", "move a barrier by one access"),
               clEnumValN(Mutation::Guard, "guard", "store one row and column too many"),
               clEnumValN(Mutation::Slice, "slice", "leave out a step of K"),
               clEnumValN(Mutation::Wait, "wait", "delete a wait for copies"),
               clEnumValN(Mutation::Cluster, "cluster", "delete a barrier of the cluster"),
               clEnumValN(Mutation::Split, "split", "leave out a partial sum"),
               clEnumValN(Mutation::Extra, "extra", "read extra operands one further"),
               clEnumValN(Mutation::Rounding, "rounding", "drop the compensation of sums"),
               clEnumValN(Mutation::Fence, "fence", "delete a fence before products"),
               clEnumValN(Mutation::Products, "products", "delete a wait for products"),
               clEnumValN(Mutation::Release, "release", "delete the barrier after that wait"),
               clEnumValN(Mutation::Finish, "finish", "use sums that are not finished")),
    cl::init(Mutation::None), cl::cat(category));

static const char *overview =
    "Compiles the blas (or linalg) operations of a file, runs every public function and verifies\n"
    "each operation on its own operands: once with small integers (results must be equal), once\n"
    "with uniform data against |C - Cref| <= (K+4) u (|alpha||A||B| + |beta||C|) + u |C|.\n"
    "Memory around every operand is poisoned and watched. Exit status 1: a wrong result, bad\n"
    "input, or no operation that ran.\n\n"
    "  gemm-run examples/mlp.mlir                   GPU if there is one, else the CPU\n"
    "  gemm-run gemm.mlir --device=cpu --json       the same kernels as coroutines of the CPU\n"
    "  gemm-run gemm.mlir --sizes=512x64,64x128,512x128\n"
    "  gemm-run model.mlir --against=loops          whole functions beside upstream's loops\n"
    "  gemm-run test/Execution/tails.cases          a list of cases (Case.h says how to write "
    "one)\n";

static int error(const llvm::Twine &message) {
  llvm::errs() << "gemm-run: error: " << message << '\n';
  return 1;
}

/// Architecture of a chip that is known: gfx90a of mi250x.
static std::string architectureOf(llvm::StringRef chip) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<rooftile::blas::BlasDialect>();
  auto report = [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); };
  rooftile::blas::TargetAttr target = rooftile::target::lookupChip(&context, chip, report);
  return target ? target->arch : "";
}

/// Has the emulator, a library of the folder beside this program's, in place of AMD's driver; false
/// after an error. Without --chip it is a gfx90a.
static bool useEmulator() {
  void *here = reinterpret_cast<void *>(&useEmulator);
  llvm::SmallString<128> library(llvm::sys::fs::getMainExecutable(nullptr, here));
  llvm::sys::path::remove_filename(library);
  llvm::sys::path::append(library, "..", "lib", "librooftile_amd_emulator.so");
  if (!llvm::sys::fs::exists(library))
    return error("--device=amd-emulator: there is no " + library), false;
  if (chip.empty())
    chip = "gfx90a";
  setenv("ROOFTILE_HIP", library.c_str(), /*overwrite=*/1);
  setenv("ROOFTILE_EMULATED_CHIP", architectureOf(chip).c_str(), /*overwrite=*/1);
  return true;
}

/// Sets `device`; returns false after an error.
static bool chooseDevice(DeviceKind &device) {
  std::string why;
  if (deviceName == "amd-emulator" && !useEmulator())
    return false;
  if (deviceName == "amd-emulator" || deviceName == "hip") {
    device = DeviceKind::Hip;
    if (Driver::of(device).open(why))
      return true;
    return error("--device=" + deviceName + ": " + why), false;
  }
  bool present = deviceName != "cpu" && Driver::of(DeviceKind::Cuda).open(why);
  if (deviceName != "auto" && deviceName != "cpu" && deviceName != "cuda")
    return error("unknown device '" + deviceName +
                 "'; devices are auto, cpu, cuda, hip, amd-emulator"),
           false;
  if (deviceName == "cuda" && !present)
    return error("--device=cuda: " + why + "; --device=cpu runs the same kernels on the CPU"),
           false;
  device = present ? DeviceKind::Cuda : DeviceKind::Cpu;
  return true;
}

/// "2/4": its numbers, the first from 0 on; false, with an error, for other text.
static bool parsePart(CaseOptions &options) {
  if (part.empty())
    return true;
  auto [first, all] = llvm::StringRef(part).split('/');
  int64_t index, parts;
  if (first.getAsInteger(10, index) || all.getAsInteger(10, parts) || index < 1 || index > parts)
    return error("--part needs I/N with 1 <= I <= N, as 2/4: got '" + part + "'"), false;
  options.part = index - 1, options.parts = parts;
  return true;
}

/// "512x64,64x128"
static bool parseSizes(std::vector<std::vector<int64_t>> &lists) {
  if (sizes.empty())
    return true;
  for (llvm::StringRef item : llvm::split(sizes, ',')) {
    auto &list = lists.emplace_back();
    for (llvm::StringRef size : llvm::split(item, 'x'))
      if (size.getAsInteger(10, list.emplace_back()) || list.back() < 0)
        return error("--sizes: '" + item + "' is not a list of sizes such as 512x64"), false;
  }
  return true;
}

/// Products that convert-linalg-to-blas left alone, with the reasons.
static std::vector<std::string> leftAlone;

/// Why no operation ran.
static std::string whyNothingRan(const Program &program) {
  if (size_t count = program.sites.size())
    return llvm::formatv("none of the {0} operations was reached by the calls", count);
  std::string why = "it holds no product of linalg or blas";
  if (!leftAlone.empty())
    why = leftAlone.front();
  if (leftAlone.size() > 1)
    why += llvm::formatv(" (and {0} more)", leftAlone.size() - 1);
  return why;
}

/// Runs the functions of one module. Returns the exit status.
static int runModule(mlir::ModuleOp module, const CompileOptions &compileOptions,
                     const InvokeOptions &options, Report &report) {
  std::vector<std::vector<int64_t>> given;
  if (!parseSizes(given))
    return 1;
  hideOtherFunctions(module, entry);
  if (mlir::failed(noteArgumentSizes(module, given)))
    return 1;
  auto program = compile(module, compileOptions);
  if (mlir::failed(program))
    return 1;
  bool found = false, right = true, ran = false;
  for (const Signature &signature : (*program)->functions) {
    found = true;
    auto call = callOf(signature, given);
    if (!call)
      return error(llvm::toString(call.takeError()));
    Session session(options.device, (*program)->sites, (*program)->plans, options.seed);
    invoke(**program, signature, *call, options, session);
    bool passed = report.add(**program, *call, session, false);
    right &= passed;
    ran |= !passed || !session.getOutcomes().empty();
    if (passed && session.getOutcomes().empty())
      llvm::errs() << "gemm-run: note: function '" << signature.name << "' ran no blas operation\n";
  }
  if (!found)
    return error(entry.empty() ? "the file has no public function to run"
                               : "no public function '" + entry + "'");
  if (!ran)
    return error("nothing was verified: " + whyNothingRan(**program));
  return right ? 0 : 1;
}

/// Remarks (why a plan was chosen) are gemm-opt's business; those on what is no product are kept.
static void muteRemarks(mlir::MLIRContext &context) {
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &diagnostic) {
    bool isRemark = diagnostic.getSeverity() == mlir::DiagnosticSeverity::Remark;
    std::string text = isRemark ? diagnostic.str() : "";
    if (llvm::StringRef(text).contains(" stays: ")) {
      if (auto place = llvm::dyn_cast<mlir::FileLineColLoc>(diagnostic.getLocation()))
        text = llvm::formatv("{0}:{1}:{2}: {3}", place.getFilename().getValue(), place.getLine(),
                             place.getColumn(), text);
      leftAlone.push_back(text);
    }
    return mlir::success(isRemark);
  });
}

static int run(DeviceKind device) {
  mlir::DialectRegistry registry;
  rooftile::registerAllDialects(registry);
  registerEngine(registry);
  registerLoops(registry);
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  bool isList = fuzzCount > 0 || pickCount > 0 || !oneCase.empty() ||
                llvm::StringRef(file).ends_with(".cases");
  CompileOptions compileOptions{device, form, chip, format, mutation, plans};
  compileOptions.effort = isList ? Effort::Quick : Effort::Full;
  compileOptions.isEmulated = deviceName == "amd-emulator";
  InvokeOptions options{device, repeat >= 0 ? repeat : isList ? 0 : 5, seed, graph, orders};
  if (constant.getNumOccurrences() > 0)
    options.fill = constant;
  if (work.getNumOccurrences() > 0)
    options.work = work;
  else if (pickCount > 0 && device == DeviceKind::Cpu)
    options.work = kWorkOfPick;
  Report report(json, device);
  if (fuzzCount > 0) {
    muteRemarks(context);
    return fuzz(context, fuzzCount, {compileOptions, options, "", true});
  }
  if (pickCount > 0) {
    muteRemarks(context);
    return runPicks(context, pickCount, {compileOptions, options, "", !verbose}, report);
  }
  llvm::SourceMgr sources;
  if (oneCase.empty()) {
    auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file);
    if (!buffer)
      return error("cannot read '" + file + "': " + buffer.getError().message());
    if (!against.empty()) {
      AgainstOptions comparison{compileOptions, seed, entry, {}, json};
      return !parseSizes(comparison.sizes) ||
             !runAgainstLoops(context, std::move(*buffer), comparison);
    }
    sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  }
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  muteRemarks(context);
  if (isList) {
    std::string text = oneCase.empty() ? sources.getMemoryBuffer(1)->getBuffer().str() : oneCase;
    CaseOptions cases{compileOptions, options, sample, !verbose && oneCase.empty(), onlyFitting};
    if (!parsePart(cases))
      return 1;
    return runCases(context, oneCase.empty() ? llvm::StringRef(file) : "--case", text, cases,
                    report);
  }
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  return module ? runModule(*module, compileOptions, options, report) : 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  DeviceKind device;
  if (fuzzCount.getNumOccurrences() && fuzzCount < 1)
    return error("--fuzz needs 1 or more cases");
  if (pickCount.getNumOccurrences() && pickCount < 1)
    return error("--picks needs 1 or more operations");
  if (work.getNumOccurrences() && !(work > 0))
    return error("--work needs a positive number of multiply-adds");
  if (int inputs = !file.empty() + !oneCase.empty() + (fuzzCount > 0) + (pickCount > 0);
      inputs != 1)
    return error(inputs ? "give one of FILE, --case, --fuzz and --picks"
                        : "no file given; see gemm-run --help");
  if (repeat.getNumOccurrences() && repeat < 0)
    return error("--repeat needs 0 or more runs");
  if (!sample.empty() && !isSample(sample))
    return error("unknown --sample '" + sample + "'; all, pairwise, kernels or a number");
  if (!against.empty() && against != "loops")
    return error("unknown --against '" + against + "'; loops is what there is");
  if (!against.empty() && (file.empty() || llvm::StringRef(file).ends_with(".cases") || graph))
    return error("--against needs a FILE.mlir, without --graph");
  if (std::string why = chip.empty() ? "" : rooftile::target::whyUnknown(chip); !why.empty())
    return error(why);
  if (!chooseDevice(device))
    return 1;
  if (graph && device != DeviceKind::Cuda)
    return error("--graph needs --device=cuda");
  if (form == Form::Executable && device != DeviceKind::Cpu)
    return error("--form=executable needs --device=cpu");
  std::optional<rooftile::DeviceScope> scope;
  if (device == DeviceKind::Hip)
    scope.emplace(rooftile::Device{device, 0});
  rooftileCpuSeed(seed);
  Buffer::isFenced = !mutation.getNumOccurrences();
  return run(device);
}
