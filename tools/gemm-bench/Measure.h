//===- Measure.h - Times of kernels and of the vendor -----------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_BENCH_MEASURE_H
#define ROOFTILE_TOOLS_GEMM_BENCH_MEASURE_H

#include "Candidates.h"
#include "Vendor.h"

namespace rooftile::bench {

struct MeasureOptions {
  double seconds = 0.3; ///< of GPU time for each kernel, and for the vendor's
  int samples = 15;     ///< at most
  bool check = true;    ///< verify results
};

/// One shape and the kernels for it, the first of which stands against the vendor's.
struct Job {
  Shape shape;
  std::vector<Candidate> plans; ///< an empty text: tile-select's choice
  std::vector<Kernel> kernels;  ///< one for each plan, once compiled
};

/// Times jobs on the default device.
class Measurement {
public:
  Measurement(const CudaDriver &driver, const Vendor &vendor, const MeasureOptions &options);
  ~Measurement();

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
    bool failed = false;
  };
  std::vector<Subject> subjects(Job &job, const Operands &operands, std::vector<Row> &rows);
  void check(Job &job, const Operands &operands, Subject &subject, const Pattern &pattern);
  /// Milliseconds of one call; NaN after an error.
  double sample(Subject &subject, int calls);
  void chooseCalls(Subject &subject);
  void warm(Subject &subject, double milliseconds);
  void alternate(std::vector<Subject> &subjects);

  const CudaDriver &driver;
  const Vendor &vendor;
  MeasureOptions options;
  DeviceData data;
  void *begin = nullptr, *end = nullptr; ///< the events around a sample
  size_t nextSet = 0;
  bool isWarm = false;
  size_t sets = 1;
};

} // namespace rooftile::bench

#endif // ROOFTILE_TOOLS_GEMM_BENCH_MEASURE_H
