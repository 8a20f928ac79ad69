//===- Serve.cpp - The inside of a worker ---------------------------------===//

#include "rooftile/Tuning/Trial/Serve.h"
#include "rooftile/Bench/Measure.h"
#include "rooftile/Tuning/Trial/Job.h"
#include "llvm/Support/MemoryBuffer.h"

#include <optional>

using namespace rooftile;
using namespace rooftile::tuning;

static constexpr int kBadJob = 1, kLostDevice = 3;

/// The kernel of a file; with an error where there is none.
static bench::Kernel loadKernel(const std::string &file) {
  bench::Kernel kernel;
  auto buffer =
      llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    kernel.error = "cannot read " + file + ": " + buffer.getError().message();
    return kernel;
  }
  std::unique_ptr<ExecutableData> data = readExecutable((*buffer)->getBuffer(), kernel.error);
  if (data)
    kernel.executable = Executable::load(std::move(*data), kernel.error);
  return kernel;
}

namespace {
/// Jobs of one process: data on the device is placed once.
class Server {
public:
  explicit Server(llvm::raw_ostream &out) : out(out) {}

  llvm::Error run(const Job &job);
  /// Whether the device still answers.
  bool isAlive() const { return driver.waitForDevice(); }

private:
  void say(const Answer &answer) {
    out << toJson(answer) << '\n';
    out.flush();
  }

  llvm::raw_ostream &out;
  const Driver &driver = Driver::of(DeviceKind::Cuda);
  bench::Vendor vendor; // None is opened.
  std::optional<bench::Measurement> measurement;
};
} // namespace

llvm::Error Server::run(const Job &job) {
  auto shape = bench::Shape::parse(job.shape);
  if (!shape)
    return shape.takeError();
  std::string why;
  if (!driver.open(why))
    return llvm::createStringError(why);
  bench::MeasureOptions options;
  options.seconds = job.seconds, options.samples = job.samples;
  options.observe = true;
  options.beforeCheck = [&](size_t kernel) { say({Answer::Checking, kernel, {}, {}, {}}); };
  options.beforeTiming = [&] { say({Answer::Timing, 0, {}, {}, {}}); };
  if (!measurement)
    measurement.emplace(driver, vendor, options);
  measurement->setOptions(options);
  bench::Job own{*shape, {}, {}};
  for (const std::string &file : job.kernels) {
    own.plans.emplace_back();
    own.kernels.push_back(loadKernel(file));
  }
  std::vector<bench::Row> rows = measurement->run(own);
  for (size_t kernel = 0; kernel < rows.size(); ++kernel) {
    Answer answer{Answer::Result,     kernel, {}, rows[kernel].status, rows[kernel].samples,
                  rows[kernel].device};
    if (!rows[kernel].verified.empty())
      answer.verified = rows[kernel].verified == "yes";
    say(answer);
  }
  return llvm::Error::success();
}

int rooftile::tuning::serveJobs(std::istream &in, llvm::raw_ostream &out) {
  Server server(out);
  for (std::string line; std::getline(in, line);) {
    llvm::Expected<Job> job = jobFromJson(line);
    llvm::Error error = job ? server.run(*job) : job.takeError();
    if (error) {
      llvm::errs() << "gemm-tune: error: " << llvm::toString(std::move(error)) << '\n';
      return kBadJob;
    }
    if (!server.isAlive())
      return kLostDevice;
    out << toJson(Answer()) << '\n';
    out.flush();
  }
  return 0;
}
