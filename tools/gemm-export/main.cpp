//===- main.cpp - gemm-export: libraries compiled ahead of time -----------===//

#include "rooftile/Conversion/LaneToRocdl/CodeObject.h"
#include "rooftile/Export/Export.h"
#include "rooftile/Operation/Text.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace rooftile;
using namespace rooftile::exporter;
namespace cl = llvm::cl;

/// As its first argument makes a linker of this program, which links code objects so.
static constexpr const char *kLinker = "ld.lld";

static cl::OptionCategory category("gemm-export");
static cl::opt<std::string> path(cl::Positional, cl::desc("SPEC.yaml|MODULE.mlir"), cl::Required,
                                 cl::cat(category));
static cl::opt<std::string> folder("o",
                                   cl::desc("Folder of the library: one that does not exist, "
                                            "an empty one, or that of an earlier export"),
                                   cl::value_desc("DIR"), cl::Required, cl::cat(category));
static cl::list<std::string> chips("chip", cl::CommaSeparated,
                                   cl::desc("GPUs that a module is compiled for"),
                                   cl::value_desc("name,.."), cl::cat(category));
static cl::opt<std::string> library("library",
                                    cl::desc("Name of a module's library (default: the file's)"),
                                    cl::value_desc("name"), cl::cat(category));
static cl::opt<std::string> plans("plans",
                                  cl::desc("List of plans that kernels have, such as gemm-tune "
                                           "select writes (default: that of the file, or none)"),
                                  cl::value_desc("FILE"), cl::cat(category));
static cl::opt<unsigned> threads("j", cl::desc("Threads that compile (default: all)"), cl::init(0),
                                 cl::cat(category));

static const char *overview =
    "Compiles BLAS operations ahead of time to a library for programs in C and C++, for GPUs "
    "of NVIDIA and AMD.\n"
    "Needs no GPU and no C compiler; with ptxas NVIDIA's kernels are cubins, else PTX, which the\n"
    "driver compiles when they are first called.\n\n"
    "  gemm-export products.yaml -o build/products\n\n"
    "products.yaml:\n\n"
    "  library: products             # libproducts.a, libproducts.so, products.h, products.json\n"
    "  integers: 64                  # bits of sizes, leading dimensions and strides: 64, 32\n"
    "  plans: measured.plans         # list of plans of gemm-tune select, beside this file\n"
    "  chips: [h200, a100, mi300x]   # code for each; a program uses that of its GPU\n"
    "  operations:\n"
    "    - {name: dgemm_nt, type: f64, op: nt, alpha: any, beta: any}\n"
    "    - {name: half_nn, type: [f16, f16, f32], order: row, m: 4096, n: 4096, k: any}\n"
    "    - {name: solve, routine: trsm, type: f64, side: left, uplo: lower, op: n}\n\n"
    "A module of one's own: each public function becomes one of C, with memrefs as structs\n"
    "and scalars by their address:\n\n"
    "  gemm-export layers.mlir --chip=h200,a100 -o build/layers\n\n"
    "A program:\n\n"
    "  #include \"products.h\"\n"
    "  if (dgemm_nt(m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc, stream))\n"
    "    puts(products_message());\n\n"
    "shared, static, and by CMake (-rpath: where the library is found when the program runs):\n\n"
    "  cc program.c -Ibuild/products -Lbuild/products -lproducts -Wl,-rpath,$PWD/build/products\n"
    "  cc program.c -Ibuild/products build/products/libproducts.a -lstdc++ -lpthread -ldl -lm\n"
    "  find_package(products CONFIG), targets products::products and products::static\n\n"
    "An operation is its name, and the line of a call, as ROOFTILE_LOG=calls prints it:\n\n"
    "    - {name: first, operation: v1 gemm type=f32 op=nt m=4096 n=any k=16 ld=any}\n\n"
    "or routine (gemm) and the keys of such lines. Where they are missing, a file has order: "
    "column\n"
    "and leading dimensions, strides and alignment of any value. A list stands for A, B and C:\n\n";

/// The table of keys after the overview.
static std::string helpText() {
  std::string text = overview;
  for (const operation::KeyInfo &key : operation::keys())
    text += llvm::formatv("  {0,-11} {1}\n", key.name, key.meaning).str() +
            llvm::formatv("  {0,-11}   {1}\n", "", key.values).str();
  return text;
}

static int error(llvm::Error failed) {
  std::string message = llvm::toString(std::move(failed));
  // A location in the file stands first, as editors expect it.
  if (llvm::StringRef(message).starts_with(path + ":"))
    llvm::errs() << message << '\n';
  else
    llvm::errs() << "gemm-export: error: " << message << '\n';
  return 1;
}

/// One line that is written over: what was compiled last, and the time of the rest.
static void showProgress(size_t done, size_t all, const std::string &what) {
  using Clock = std::chrono::steady_clock;
  static const Clock::time_point start = Clock::now();
  double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  int left = int(seconds / double(done) * double(all - done) + 0.5);
  llvm::errs() << llvm::formatv("\r\033[K[{0}/{1}] {2}, {3} s left", done, all, what, left);
  if (done == all)
    llvm::errs() << "\r\033[K";
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (argc > 1 && llvm::StringRef(argv[1]) == kLinker)
    return runLinker({argv + 1, argv + argc});
  rooftile::setLinker(
      llvm::sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&showProgress)), kLinker);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, helpText());
  bool isModule = llvm::StringRef(path).ends_with(".mlir");
  if (!isModule && (!chips.empty() || !library.empty()))
    return error(llvm::createStringError("--chip and --library are of a module: a spec has keys "
                                         "for them"));
  if (library.empty())
    library = llvm::sys::path::stem(path).str();
  auto spec =
      isModule ? readModuleFile(path, library, std::vector<std::string>(chips.begin(), chips.end()))
               : readSpecFile(path);
  if (!spec)
    return error(spec.takeError());
  ExportOptions options;
  options.folder = folder;
  options.threads = threads;
  if (!plans.empty()) {
    llvm::Expected<compiler::Plans> list = readPlanFile(plans);
    if (!list)
      return error(list.takeError());
    options.plans = *list;
  }
  if (llvm::errs().is_displayed())
    options.progress = showProgress;
  if (llvm::Error failed = exportLibrary(*spec, options, llvm::outs()))
    return error(std::move(failed));
  return 0;
}
