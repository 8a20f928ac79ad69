//===- Packing.cpp - Candidates are compiled for another machine ----------===//

#include "rooftile/Tuning/Pack/Packing.h"
#include "rooftile/Runtime/Threads.h"
#include "rooftile/Tuning/Pack/Pack.h"
#include "rooftile/Tuning/Trial/Job.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <mutex>

using namespace rooftile;
using namespace rooftile::tuning;

using Report = llvm::function_ref<void(const Packed &, const PackProgress &)>;

namespace {
/// An operation, and its candidates by predicted time.
struct Planned {
  const bench::Shape *shape = nullptr;
  std::vector<Candidate> candidates;
  Packed packed;
};

/// A candidate that one thread compiles.
struct Task {
  size_t operation = 0, candidate = 0;
};

/// Compiles on one thread; the context of the compiler is that of one operation.
struct OwnCompiler {
  const Planned *planned = nullptr;
  std::unique_ptr<KernelSource> kernels;
};

class Packing {
public:
  Packing(const CompilerSource &source, PackWriter &writer, Report report)
      : source(source), writer(writer), report(report) {}

  /// Plans all shapes, each once, and reports those that have no plan.
  void plan(llvm::ArrayRef<bench::Shape> shapes, size_t candidates);
  llvm::Error compile();

private:
  void planOne(Planned &planned, size_t candidates) const;
  /// Writes the kernel of a task, after those of all tasks before it.
  llvm::Error write(size_t task, PlanKernel kernel);
  llvm::Error writeNext(const PlanKernel &kernel);

  const CompilerSource &source;
  PackWriter &writer;
  Report report;
  std::vector<Planned> operations; ///< Those that have candidates.
  std::vector<Task> tasks;
  std::map<size_t, PlanKernel> waiting; ///< Kernels of tasks that are not written.
  PackProgress progress;
};
} // namespace

void Packing::planOne(Planned &planned, size_t candidates) const {
  planned.packed.operation = planned.shape->key();
  llvm::Expected<Candidates> all = source.candidatesOf(*planned.shape);
  if (!all) {
    planned.packed.error = llvm::toString(all.takeError());
    return;
  }
  planned.packed.of = all->space.size();
  std::vector<size_t> chosen = all->space.mixture(candidates);
  llvm::sort(chosen);
  for (size_t index : chosen)
    planned.candidates.push_back(all->space[index]);
}

void Packing::plan(llvm::ArrayRef<bench::Shape> shapes, size_t candidates) {
  std::vector<Planned> all;
  for (const bench::Shape &shape : shapes)
    all.push_back({&shape, {}, {}});
  progress.allOperations = all.size();
  forEachOnThreads(int64_t(all.size()),
                   [&](int64_t index, unsigned) { planOne(all[size_t(index)], candidates); });
  for (Planned &planned : all) {
    if (planned.candidates.empty()) {
      ++progress.operations;
      report(planned.packed, progress);
      continue;
    }
    for (size_t candidate = 0; candidate < planned.candidates.size(); ++candidate)
      tasks.push_back({operations.size(), candidate});
    operations.push_back(std::move(planned));
  }
  progress.allCandidates = tasks.size();
}

llvm::Error Packing::writeNext(const PlanKernel &kernel) {
  const Task &task = tasks[progress.candidates++];
  Planned &planned = operations[task.operation];
  Packed &packed = planned.packed;
  if (task.candidate == 0) {
    if (llvm::Error failed = writer.addOperation(*planned.shape))
      return failed;
    if (!kernel.reason.empty())
      packed.error = "the model's plan has no kernel: " + kernel.reason;
  }
  ++(kernel.reason.empty() ? packed.kernels : packed.refused);
  if (llvm::Error failed = writer.add(planned.candidates[task.candidate], kernel))
    return failed;
  if (task.candidate + 1 == planned.candidates.size()) {
    ++progress.operations;
    report(packed, progress);
  }
  return llvm::Error::success();
}

llvm::Error Packing::write(size_t task, PlanKernel kernel) {
  waiting.emplace(task, std::move(kernel));
  while (!waiting.empty() && waiting.begin()->first == progress.candidates) {
    PlanKernel next = std::move(waiting.begin()->second);
    waiting.erase(waiting.begin());
    if (llvm::Error failed = writeNext(next))
      return failed;
  }
  return llvm::Error::success();
}

llvm::Error Packing::compile() {
  std::vector<OwnCompiler> compilers(hostThreads());
  std::mutex mutex; // For what follows, and `write`.
  std::string error;
  forEachOnThreads(int64_t(tasks.size()), [&](int64_t index, unsigned thread) {
    const Task &task = tasks[size_t(index)];
    const Planned &planned = operations[task.operation];
    OwnCompiler &own = compilers[thread];
    if (own.planned != &planned)
      own = {&planned, source.kernelsOf(*planned.shape)};
    {
      std::lock_guard lock(mutex);
      if (!error.empty())
        return;
    }
    llvm::Expected<PlanKernel> kernel =
        own.kernels->kernelOf(planned.candidates[task.candidate].plan);
    std::lock_guard lock(mutex);
    llvm::Error failed = kernel ? write(size_t(index), std::move(*kernel)) : kernel.takeError();
    if (failed)
      error = llvm::toString(std::move(failed));
  });
  return error.empty() ? llvm::Error::success() : llvm::createStringError(error);
}

llvm::Error rooftile::tuning::packCandidates(llvm::ArrayRef<bench::Shape> shapes,
                                             const CompilerSource &source,
                                             const PackOptions &options, Report report) {
  llvm::Expected<Environment> environment = source.environment();
  if (!environment)
    return environment.takeError();
  llvm::Expected<std::string> architecture = source.architecture();
  if (!architecture)
    return architecture.takeError();
  llvm::Expected<PackWriter> writer =
      PackWriter::create(options.file, {std::move(*environment), std::move(*architecture)});
  if (!writer)
    return writer.takeError();
  Packing packing(source, *writer, report);
  packing.plan(shapes, options.candidates);
  if (llvm::Error failed = packing.compile())
    return failed;
  return writer->finish();
}
