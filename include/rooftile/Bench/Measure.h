//===- Measure.h - Times of kernels and of the vendor -----------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_MEASURE_H
#define ROOFTILE_BENCH_MEASURE_H

#include "rooftile/Bench/Candidates.h"
#include "rooftile/Bench/Stopwatch.h"
#include "rooftile/Bench/Vendor.h"
#include "rooftile/Bench/VendorAlgorithms.h"

#include <functional>

namespace rooftile::bench {

struct MeasureOptions {
  double seconds = 0.3; ///< of GPU time for each kernel, and for the vendor's
  int samples = 15;     ///< at most
  bool check = true;    ///< verify results
  bool graph = false;   ///< the calls of a sample as one graph
  bool observe = false; ///< read clocks and power while samples are taken
  /// Called with the index of a kernel before it first runs.
  std::function<void(size_t kernel)> beforeCheck = {};
  std::function<void()> beforeTiming = {}; ///< Called when all have run.
};

/// One shape and the kernels for it, the first of which stands against the vendor's.
struct Job {
  Shape shape;
  std::vector<Candidate> plans; ///< an empty text: tile-select's choice
  std::vector<Kernel> kernels;  ///< one for each plan, once compiled
};

/// Times jobs on this thread's device.
class Measurement {
public:
  Measurement(const Driver &driver, const Vendor &vendor, const MeasureOptions &options);

  /// For the jobs that follow: data on the device, and clocks at their height, stay.
  void setOptions(const MeasureOptions &next) { options = next; }

  /// The vendor's time of a job is that of the best of these, where there are any for it.
  void useAlgorithms(VendorAlgorithms &given) { algorithms = &given; }

  /// One row for each kernel: verified on poisoned memory, then timed in turn with the others and
  /// the vendor's, in samples of many calls between two events.
  std::vector<Row> run(Job &job);

private:
  /// Something that can be called on a copy of the operands.
  struct Subject {
    llvm::unique_function<bool(size_t set)> call;
    Row *row = nullptr; ///< null: the vendor
    int calls = 1;      ///< of one sample
    std::vector<double> times;
    std::vector<DeviceState> states;  ///< of the device, in samples, where they are observed
    std::unique_ptr<CallGraph> graph; ///< of `calls` calls, where samples are graphs
    bool failed = false;
  };
  std::vector<Subject> subjects(Job &job, const Operands &operands, std::vector<Row> &rows);
  void check(Job &job, const Operands &operands, Subject &subject, const Pattern &pattern);
  /// Milliseconds between two events around `work` on a stream (null: the default one); NaN after
  /// an error, which fails the subject.
  double timed(Subject &subject, void *stream, llvm::function_ref<void()> work);
  void observe(Subject &subject) const;
  /// Milliseconds of one call, of `calls` in a row or replayed in the subject's graph.
  double sample(Subject &subject, int calls);
  double replay(Subject &subject);
  double time(Subject &subject) {
    return subject.graph ? replay(subject) : sample(subject, subject.calls);
  }
  void callAll(Subject &subject, int calls);
  void useStream(void *stream); ///< for the vendor's calls
  void capture(Subject &subject);
  void chooseCalls(Subject &subject);
  void warm(Subject &subject, double milliseconds);
  void alternate(std::vector<Subject> &subjects);

  const Driver &driver;
  const Vendor &vendor;
  VendorAlgorithms *algorithms = nullptr;
  MeasureOptions options;
  DeviceData data;
  Stopwatch watch;
  size_t nextSet = 0;
  bool isWarm = false, isSampling = false;
  size_t sets = 1;
};

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_MEASURE_H
