//===- Vendor.h - cuBLAS, opened at run time --------------------*- C++ -*-===//
#ifndef ROOFTILE_BENCHMARKS_VENDOR_H
#define ROOFTILE_BENCHMARKS_VENDOR_H

#include "Problem.h"

namespace rooftile::bench {

/// cuBLAS without its headers. Absent: `open` says so and ours is timed alone.
class Vendor {
public:
  bool open();
  explicit operator bool() const { return handle; }
  int version() const;
  /// C = op(A) op(B), row-major, on the default stream.
  bool gemm(const Problem &problem, uint64_t a, uint64_t b, uint64_t c) const;

private:
  void *library = nullptr, *handle = nullptr;
};

} // namespace rooftile::bench

#endif // ROOFTILE_BENCHMARKS_VENDOR_H
