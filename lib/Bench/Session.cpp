//===- Session.cpp - A run over many shapes -------------------------------===//

#include "rooftile/Bench/Session.h"
#include "rooftile/Runtime/Threads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace rooftile;
using namespace rooftile::bench;
using llvm::formatv;
using Clock = std::chrono::steady_clock;

/// Kernels that are compiled before the first of them is timed: all cores busy, then none.
static constexpr size_t kKernelsAtOnce = 64;

namespace {
/// One context for each thread: they share nothing.
class Contexts {
public:
  Contexts() {
    prepareCompiler(registry);
    for (unsigned thread = 0; thread < hostThreads(); ++thread)
      contexts.push_back(
          std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED));
  }
  mlir::MLIRContext &operator[](unsigned thread) { return *contexts[thread]; }

private:
  mlir::DialectRegistry registry;
  std::vector<std::unique_ptr<mlir::MLIRContext>> contexts;
};
} // namespace

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Consecutive shapes that differ in their plans alone make one job.
static std::vector<Job> jobsOf(const std::vector<Shape> &shapes, const SessionOptions &options,
                               Contexts &contexts) {
  std::vector<Job> jobs;
  bool alone = options.plans.kind == PlanQuery::Pick;
  for (const Shape &shape : shapes) {
    bool same = !jobs.empty() && jobs.back().shape.key() == shape.key() &&
                jobs.back().shape.group == shape.group && alone;
    if (!same)
      jobs.push_back({shape, {}, {}});
    jobs.back().plans.push_back({shape.plan, 0});
  }
  if (alone)
    return jobs;
  forEachOnThreads(jobs.size(), [&](int64_t index, unsigned thread) {
    Job &job = jobs[index];
    std::string why; // compiling the only plan reports it again
    auto all = candidatesOf(job.shape, options.plans, contexts[thread], options.kernel, why);
    if (job.shape.plan.empty() && !all.empty())
      job.plans = std::move(all);
  });
  return jobs;
}

/// Compiles the kernels of jobs[begin, end) on all cores.
static void compileJobs(std::vector<Job> &jobs, size_t begin, size_t end, Contexts &contexts,
                        const KernelOptions &options) {
  std::vector<std::pair<Job *, size_t>> work;
  for (size_t job = begin; job < end; ++job) {
    jobs[job].kernels.resize(jobs[job].plans.size());
    for (size_t plan = 0; plan < jobs[job].plans.size(); ++plan)
      work.push_back({&jobs[job], plan});
  }
  forEachOnThreads(work.size(), [&](int64_t index, unsigned thread) {
    auto [job, plan] = work[index];
    job->kernels[plan] = compile(job->shape, job->plans[plan].plan, contexts[thread], options);
  });
}

/// The end of the jobs from `begin` on that are compiled together.
static size_t endOfChunk(const std::vector<Job> &jobs, size_t begin) {
  size_t end = begin, kernels = 0;
  while (end < jobs.size() && (end == begin || kernels + jobs[end].plans.size() <= kKernelsAtOnce))
    kernels += jobs[end++].plans.size();
  return end;
}

static Header headerOf(const Driver &driver, const Vendor &vendor, const std::string &whyNoVendor) {
  DeviceFacts facts;
  driver.ask(driver.device(), facts);
  return {{"chip", facts.name},
          {"date", today()},
          {"vendor", vendor ? "cuBLAS " + vendor.version() : "none (" + whyNoVendor + ")"},
          {"driver", driver.version()},
          {"compiler", compilerVersion()}};
}

/// "[12/98] f32 nn 1024x1024x1024: 34.8 TFLOP/s, vendor 34.8, ratio 1.00, 2m10s left"
static void printProgress(size_t done, size_t total, const std::vector<Row> &rows, double elapsed) {
  const Row &row = rows.front();
  double left = elapsed / done * (total - done);
  llvm::errs() << formatv("[{0}/{1}] {2} {3}: ", done, total, row.group, row.key());
  if (!row.status.empty())
    llvm::errs() << row.status;
  else
    llvm::errs() << formatv("{0:f4} ms, {1:f2} TFLOP/s, {2:f0} GB/s", row.oursMs,
                            row.tflops(row.oursMs), row.gbytesPerSecond(row.oursMs));
  if (row.vendorMs > 0)
    llvm::errs() << formatv(", vendor {0:f4} ms, ratio {1:f2}", row.vendorMs, row.ratio());
  if (rows.size() > 1)
    llvm::errs() << formatv(", {0} plans", rows.size());
  llvm::errs() << formatv(", {0}m{1:02}s left\n", int(left) / 60, int(left) % 60);
}

/// The driver, whose device is in use, or the reason why not.
static llvm::Expected<const Driver *> openDriver() {
  const Driver &driver = Driver::of(DeviceKind::Cuda);
  std::string why;
  if (!driver.open(why))
    return llvm::createStringError("no GPU to measure on: " + why +
                                   "; --dry-run lists cases, plans and predictions without one");
  if (driver.waitForDevice())
    return &driver;
  return llvm::createStringError(takeError());
}

llvm::Expected<Results> rooftile::bench::runCases(const std::vector<Shape> &shapes,
                                                  const SessionOptions &options,
                                                  llvm::raw_ostream &csv) {
  llvm::Expected<const Driver *> driver = openDriver();
  if (!driver)
    return driver.takeError();
  Vendor vendor;
  std::string whyNoVendor = "not asked for";
  VendorAlgorithms algorithms;
  if (options.vendor && vendor.open(**driver, whyNoVendor) && options.bestOfVendor &&
      !algorithms.open(**driver, whyNoVendor))
    return llvm::createStringError(whyNoVendor);
  Contexts contexts;
  std::vector<Job> jobs = jobsOf(shapes, options, contexts);
  Results results;
  results.header = headerOf(**driver, vendor, whyNoVendor);
  if (options.measure.graph)
    results.header.push_back({"calls", "those of a sample replayed as one CUDA graph"});
  if (algorithms)
    results.header.push_back({"algorithm", "the fastest that cuBLASLt lists"});
  llvm::append_range(results.header, ceilings(contexts[0], options.kernel));
  if (!options.append)
    writeHeader(csv, results.header);
  Measurement measurement(**driver, vendor, options.measure);
  if (algorithms)
    measurement.useAlgorithms(algorithms);
  auto start = Clock::now();
  auto late = [&] { return options.timeLimit > 0 && secondsSince(start) > options.timeLimit; };
  size_t done = 0;
  while (done < jobs.size() && !late()) {
    size_t end = endOfChunk(jobs, done);
    compileJobs(jobs, done, end, contexts, options.kernel);
    for (; done < end && !late(); ++done) {
      std::vector<Row> rows = measurement.run(jobs[done]);
      for (const Row &row : rows)
        writeRow(csv, row); // and flushes: what was measured stays, whatever comes
      printProgress(done + 1, jobs.size(), rows, secondsSince(start));
      llvm::append_range(results.rows, rows);
    }
  }
  if (done < jobs.size())
    csv << formatv("# cut short: {0} of {1} cases in the time limit\n", done, jobs.size());
  return results;
}

int rooftile::bench::listCases(const std::vector<Shape> &shapes, const SessionOptions &options) {
  Contexts contexts;
  std::vector<Job> jobs = jobsOf(shapes, options, contexts);
  compileJobs(jobs, 0, jobs.size(), contexts, options.kernel);
  bool good = true;
  for (const Job &job : jobs)
    for (auto [kernel, plan] : llvm::zip(job.kernels, job.plans)) {
      Row row = rowOf(job.shape, kernel, plan.rank);
      good &= !row.failed();
      llvm::outs() << row.key() << " class=" << row.group << " ";
      if (!row.status.empty())
        llvm::outs() << (row.failed() ? "error: " : "") << row.status << '\n';
      else
        llvm::outs() << row.plan
                     << (std::isnan(row.predictedMs)
                             ? "\n"
                             : formatv(" # {0:f4} ms predicted\n", row.predictedMs).str());
    }
  return good ? 0 : 1;
}
