//===- Vendor.h - cuBLAS, opened at run time --------------------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_VENDOR_H
#define ROOFTILE_BENCH_VENDOR_H

#include "rooftile/Bench/Operands.h"

namespace rooftile::bench {

/// cuBLAS without its headers. Absent: `open` reports it, and ours is timed alone.
class Vendor {
public:
  /// `why` receives the reason when it fails.
  bool open(const Driver &driver, std::string &why);
  explicit operator bool() const { return handle; }
  /// "13.1.0", or "absent"
  std::string version() const;
  /// Calls use this stream from now on (null: the default one).
  void useStream(void *stream) const;
  /// The operation of `shape`, row-major, on copy `set` of its operands. False when the library
  /// refuses, or has none.
  bool call(const Shape &shape, const Operands &operands, size_t set) const;

private:
  bool gemm(const Shape &shape, const OperandSet &operands) const;
  bool triangular(const Shape &shape, const OperandSet &operands) const;
  bool rankUpdate(const Shape &shape, const OperandSet &operands) const;
  bool symmetricProduct(const Shape &shape, const OperandSet &operands) const;
  bool solveBatch(const Shape &shape, const OperandSet &pointers) const;

  void *library = nullptr, *handle = nullptr;
  void *workspace = nullptr;
};

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_VENDOR_H
