//===- Pack.cpp - The command that compiles for another machine -----------===//

#include "Commands.h"
#include "OperationOptions.h"
#include "rooftile/Target/Chips.h"
#include "rooftile/Tuning/Pack/Packing.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace rooftile;
using namespace rooftile::tuning;
namespace cl = llvm::cl;

static cl::SubCommand command("pack", "Compile candidates of operations into one file, for "
                                      "gemm-tune measure on a machine with the GPU");
static cl::OptionCategory category("gemm-tune pack");
static OperationOptions operations(command, category);
static cl::opt<std::string> chip("chip", cl::desc("Compile for this chip: a name, or its .target"),
                                 cl::value_desc("name"), cl::Required, cl::sub(command),
                                 cl::cat(category));
static cl::opt<unsigned>
    candidates("candidates",
               cl::desc("Plans of each operation that are compiled, at most: the fastest by the "
                        "model, and those that differ most (default 48; 0: all)"),
               cl::init(48), cl::sub(command), cl::cat(category));
static cl::opt<std::string> output("o", cl::desc("The pack"), cl::value_desc("file.pack"),
                                   cl::Required, cl::sub(command), cl::cat(category));

static void print(const Packed &packed, const PackProgress &progress, double elapsed) {
  llvm::outs() << llvm::formatv("[{0}/{1}] {2}: ", progress.operations, progress.allOperations,
                                packed.operation);
  if (packed.kernels == 0)
    llvm::outs() << "error: " << packed.error;
  else
    llvm::outs() << llvm::formatv("{0} of {1} plans have a kernel, of {2}", packed.kernels,
                                  packed.kernels + packed.refused, packed.of)
                 << (packed.error.empty() ? "" : "; error: " + packed.error);
  double candidates = double(std::max<size_t>(progress.candidates, 1));
  double left = double(progress.allCandidates - progress.candidates) * elapsed / candidates;
  llvm::outs() << ", " << timeLeft(left) << '\n';
  llvm::outs().flush();
}

static int pack() {
  auto shapes = operations.read();
  if (!shapes)
    return error(llvm::toString(shapes.takeError()));
  if (std::string why = target::whyUnknown(chip); !why.empty())
    return error(why);
  std::optional<bench::PlanQuery> query = operations.plansToConsider();
  if (!query)
    return 1;
  PackOptions options{output, candidates ? candidates : SIZE_MAX};
  auto begin = std::chrono::steady_clock::now();
  size_t failed = 0;
  auto report = [&](const Packed &packed, const PackProgress &progress) {
    auto elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin);
    print(packed, progress, elapsed.count());
    failed += !packed.error.empty();
  };
  if (llvm::Error why = packCandidates(*shapes, CompilerSource(chip, *query), options, report))
    return error(llvm::toString(std::move(why)));
  return failed > 0 ? kSomeFailed : 0;
}

std::optional<int> runPackCommand() {
  if (command)
    return pack();
  return std::nullopt;
}
