//===- OperationOptions.cpp - Which operations a command is for -----------===//

#include "OperationOptions.h"
#include "Commands.h"
#include "rooftile/Bench/Classes.h"
#include "rooftile/Bench/Draw.h"
#include "rooftile/Tuning/Trial/Job.h"
#include "llvm/Support/FormatVariadic.h"

using namespace rooftile;
using namespace rooftile::tuning;
namespace cl = llvm::cl;

using Shapes = std::vector<bench::Shape>;

OperationOptions::OperationOptions(cl::SubCommand &command, cl::OptionCategory &category)
    : list(cl::Positional, cl::desc("<list of operations, as of gemm-bench>"), cl::sub(command),
           cl::cat(category)),
      like("like",
           cl::desc("The operations of this log, which a program writes with ROOFTILE_LOG=calls, "
                    "in place of a list"),
           cl::value_desc("file"), cl::sub(command), cl::cat(category)),
      plans("plans",
            cl::desc("Plans that are considered: all (default), top:K, spread:K or sample:K, as of "
                     "gemm-bench"),
            cl::value_desc("which"), cl::init("all"), cl::sub(command), cl::cat(category)),
      random("random",
             cl::desc("So many operations of all types and classes, drawn at random, in place of a "
                      "list"),
             cl::value_desc("number"), cl::sub(command), cl::cat(category)),
      seed("seed", cl::desc("Of the operations that are drawn (default 1)"), cl::init(1),
           cl::sub(command), cl::cat(category)) {}

llvm::Expected<Shapes> listedIn(const std::string &list) {
  llvm::Expected<Shapes> shapes = bench::readList(list);
  return shapes ? withoutRepeats(std::move(*shapes)) : std::move(shapes);
}

llvm::Expected<Shapes> OperationOptions::read(Report report) const {
  bool isDrawn = random.getNumOccurrences() > 0;
  if (int(!list.empty()) + int(!like.empty()) + int(isDrawn) != 1)
    return llvm::createStringError("expected a list, --like=FILE with the log of a program, or "
                                   "--random=N");
  if (isDrawn)
    return draw();
  return like.empty() ? listedIn(list) : readLog(report);
}

llvm::Expected<Shapes> OperationOptions::draw() const {
  if (random == 0)
    return llvm::createStringError("--random needs a number of operations from 1");
  // As many of each class and type as make the number; of these the first.
  Shapes shapes;
  bench::DrawOptions options;
  options.seed = seed, options.types = "all", options.triangular = true;
  for (options.perClass = 1; shapes.size() < random; ++options.perClass) {
    llvm::Expected<Shapes> drawn = bench::drawShapes(options);
    if (!drawn)
      return drawn.takeError();
    shapes = withoutRepeats(std::move(*drawn));
  }
  shapes.resize(random, shapes.front());
  return shapes;
}

llvm::Expected<Shapes> OperationOptions::readLog(Report report) const {
  llvm::Expected<bench::CallLog> log = bench::readCallLog(like);
  if (!log)
    return log.takeError();
  Shapes shapes;
  int64_t calls = 0;
  for (bench::CallLog::Call &call : log->calls) {
    calls += call.count;
    shapes.push_back(std::move(call.shape));
  }
  const char *begin = report == Report::Comments ? "# " : "";
  if (report != Report::Json)
    llvm::outs() << begin
                 << llvm::formatv("{0}: {1} calls of {2} operations\n", like.getValue(), calls,
                                  shapes.size());
  for (const auto &[operation, why] : log->left)
    report == Report::Json
        ? printLine(llvm::json::Object{{"leftOut", operation}, {"error", why}})
        : void(llvm::outs() << begin << "left out: " << operation << ": " << why << '\n');
  return shapes;
}

std::optional<bench::PlanQuery> OperationOptions::plansToConsider() const {
  return ::plansToConsider(plans);
}
