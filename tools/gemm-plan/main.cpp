//===- main.cpp - gemm-plan: which plan, and why --------------------------===//

#include "rooftile/Bench/Draw.h"
#include "rooftile/Bench/IsaTable.h"
#include "rooftile/Bench/Kernel.h"
#include "rooftile/Bench/PlanTable.h"
#include "rooftile/Operation/Words.h"
#include "rooftile/Target/Chips.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace rooftile::bench;
namespace cl = llvm::cl;

static cl::OptionCategory category("gemm-plan");
static cl::list<int64_t> sizes(cl::Positional, cl::desc("<M> <N> <K>"), cl::cat(category));
static cl::opt<std::string> type("type", cl::desc("f32, f64, c64, c128, f16 or bf16 (default f32)"),
                                 cl::init("f32"), cl::cat(category));
static cl::opt<std::string> op("op",
                               cl::desc("nn, nt, tn or tt: which of A and B is transposed; or "
                                        "another routine, as in lists of gemm-bench: symm-ll, "
                                        "trsm-runu"),
                               cl::init("nn"), cl::cat(category));
static cl::opt<int64_t> batch("batch", cl::desc("Products of a batch (default 1)"), cl::init(1),
                              cl::cat(category));
static cl::opt<std::string> math(
    "math",
    cl::desc("What arithmetic is allowed: strict (default), emulated (six products of bf16 for "
             "one of f32, three real ones for a complex one) or tf32"),
    cl::init("strict"), cl::cat(category));
static cl::opt<std::string> chip("chip", cl::desc("Plan for this chip (default: the GPU present)"),
                                 cl::value_desc("name"), cl::cat(category));
static cl::opt<int> top("top", cl::desc("Plans with other tiles in the table (default 8)"),
                        cl::init(8), cl::cat(category));
static cl::opt<int> drawn("random",
                          cl::desc("No table: the picks for so many shapes of each class and "
                                   "type, drawn at random, a line each"),
                          cl::value_desc("count"), cl::init(0), cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("Of the shapes that are drawn (default 1)"),
                              cl::init(1), cl::cat(category));

static cl::opt<bool> json("json", cl::desc("The table for other programs, as JSON"),
                          cl::cat(category));
static cl::opt<bool> traffic("traffic",
                             cl::desc("Instead of times, what each plan moves through registers, "
                                      "shared memory and cache, and its relative energy"),
                             cl::cat(category));
static cl::opt<bool> isa("isa",
                         cl::desc("Instead, compile the pick for an AMD chip, and count the "
                                  "instructions of its loop beside those of the model"),
                         cl::cat(category));
static cl::opt<bool> timed("time",
                           cl::desc("With --random: the time of choosing, instead, and how long "
                                    "once more"),
                           cl::cat(category));

static const char *overview =
    "Shows which plan is chosen for a product C = op(A) op(B), and why. Needs no GPU.\n"
    "Of a routine that is split, for each of its operations.\n\n"
    "  gemm-plan 4096 4096 4096 --chip=h200            the fastest plans by the cost model\n"
    "  gemm-plan 64 64 100000 --type=f64 --op=tn --chip=h200 --top=20\n"
    "  gemm-plan 512 512 512 --op=symm-ll --chip=h200  for the operations of another routine\n"
    "  gemm-plan 4096 4096 4096 --chip=mi60 --traffic  what they move, and their energy\n"
    "  gemm-plan 4096 4096 4096 --chip=mi60 --isa      what is issued, beside what is planned\n"
    "  gemm-plan --random=11 --chip=mi300x             picks for 396 shapes\n"
    "  python3 benchmarks/draw_plans.py plans.svg 4096 4096 4096 --chip=h200\n"
    "                                                  the same table as a picture\n\n"
    "Columns: the predicted time, and how many times as long as the first it is; the time that "
    "each\n"
    "resource alone would need for all K steps; reading and writing C; launches. The resources\n"
    "overlap, so their times do not add up.\n";

static int error(const llvm::Twine &message) {
  llvm::errs() << "gemm-plan: error: " << message << '\n';
  return 1;
}

static llvm::Error run(mlir::MLIRContext &context) {
  if (drawn > 0) {
    auto shapes = drawShapes({drawn, seed, "f32,f64,c64,c128", "all"});
    if (!shapes)
      return shapes.takeError();
    return timed ? writeChoosingTimes(*shapes, chip, context, llvm::outs())
                 : writePicks(*shapes, chip, context, llvm::outs());
  }
  if (!rooftile::operation::choiceNamed<rooftile::operation::Math>(math))
    return llvm::createStringError("--math=" + math + ": expected " +
                                   rooftile::operation::wordsOf<rooftile::operation::Math>());
  std::string line = type + " " + op + " " + std::to_string(sizes[0]) + "x" +
                     std::to_string(sizes[1]) + "x" + std::to_string(sizes[2]);
  if (batch != 1)
    line += " batch=" + std::to_string(batch);
  if (math != "strict")
    line += " " + math;
  auto shape = Shape::parse(line);
  if (!shape)
    return shape.takeError();
  if (isa)
    return writeIsa(*shape, chip, context, llvm::outs());
  if (traffic)
    return writeTraffic(*shape, top, chip, context, llvm::outs());
  return json ? writeJson(*shape, top, chip, context, llvm::outs())
              : writeTable(*shape, top, chip, context, llvm::outs());
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  if (drawn <= 0 && sizes.size() != 3)
    return error("expected M, N and K; see gemm-plan --help");
  if (top < 1)
    return error("--top must be 1 or more");
  if (std::string why = chip.empty() ? "" : rooftile::target::whyUnknown(chip); !why.empty())
    return error(why);
  mlir::DialectRegistry registry;
  prepareCompiler(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  if (llvm::Error failed = run(context))
    return error(llvm::toString(std::move(failed)));
  return 0;
}
