//===- VendorAlgorithms.h - Algorithms of cuBLASLt --------------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_VENDORALGORITHMS_H
#define ROOFTILE_BENCH_VENDORALGORITHMS_H

#include "rooftile/Bench/Operands.h"

#include <memory>

namespace rooftile::bench {

/// cuBLASLt without its headers: the algorithms that its heuristic lists for a product, the best
/// guess first, each of which can be called.
class VendorAlgorithms {
public:
  VendorAlgorithms();
  ~VendorAlgorithms();
  VendorAlgorithms(const VendorAlgorithms &) = delete;
  /// `why` receives the reason when it fails.
  bool open(const Driver &driver, std::string &why);
  explicit operator bool() const { return handle; }
  /// Calls use this stream from now on (null: the default one).
  void useStream(void *next) { stream = next; }
  /// Lists those for `shape`: their number, 0 where there is no such product.
  size_t list(const Shape &shape);
  /// The operation of the last `list`, by one of its algorithms, on a copy of its operands.
  bool call(const Shape &shape, const Operands &operands, size_t set, size_t algorithm) const;

private:
  struct Product;
  void *library = nullptr, *handle = nullptr, *workspace = nullptr, *stream = nullptr;
  std::unique_ptr<Product> product;
};

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_VENDORALGORITHMS_H
