//===- Operands.h - Random data on the device, and where it lies -*- C++ -*-===//
//
// A and B of every problem are windows into one device array of random values,
// uniform in [-1, 1], which repeats after a prime number of elements: nothing is
// filled or copied per problem, and the host has every element. C has memory of its own; where it
// is read, it begins as such a window. A triangular A (of trtri C) has memory of its own, too: the
// identity and off its diagonal the same values by its order, so that results stay bounded when
// solved, or multiplied, again and again. Copies of the operands rotate over more than twice the L2
// cache.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_BENCH_OPERANDS_H
#define ROOFTILE_BENCH_OPERANDS_H

#include "rooftile/Bench/Shape.h"
#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/Runtime.h"

#include <array>
#include <map>

namespace rooftile::bench {

/// Elements after which the random values repeat (a prime).
inline constexpr int64_t kPeriod = 16777213;

/// The random values of one type on the host, kPeriod elements.
class Pattern {
public:
  explicit Pattern(Element element);
  /// Their bytes; complex elements are pairs.
  const std::vector<char> &bytes() const { return data; }
  /// Element `index` of the array as real elements.
  template <typename Real> Real at(int64_t index) const {
    return reinterpret_cast<const Real *>(data.data())[index % kPeriod];
  }

private:
  std::vector<char> data;
};

/// One copy of the operands of a problem: device addresses of A, B and C.
using OperandSet = std::array<uint64_t, 3>;

/// alpha and beta of calls: real and imaginary components.
struct Scalars {
  double alpha[2] = {1, 0}, beta[2] = {0, 0};
};

/// Where calls state alpha, a number of absolute value 1 in place, so that results stay bounded.
Scalars scalarsOf(const Shape &shape);

/// The operands of one problem.
struct Operands {
  std::vector<OperandSet> sets;
  /// Elements from the pattern's start: of A and B in set 0, of what C is before, and of the bias.
  int64_t firstA = 0, firstB = 0, firstC = 0, firstBias = 0;
  std::vector<char> triangle; ///< All matrices that are triangular: not of the pattern.
  /// For each set of a batch of solves, or of one by pointers: device arrays of the addresses of
  /// every A, B and C.
  std::vector<OperandSet> pointers;
  size_t bytesC = 0;
  uint64_t initialC = 0;        ///< Address of what C is before, where it is read.
  uint64_t bias = 0;            ///< Address of a bias.
  uint64_t alpha = 0, beta = 0; ///< Addresses of scalars, where they are in memory.
};

/// The registers of arguments of the function of `shape.compiled()`, for each copy of the operands.
std::vector<std::vector<uint64_t>> argumentsOf(const Shape &shape, const Operands &operands);

/// The arrays of the device, which grow as problems ask for it.
class DeviceData {
public:
  explicit DeviceData(const Driver &driver);
  ~DeviceData();

  /// Lays out the operands of `shape`; an error when they do not fit in memory.
  llvm::Expected<Operands> place(const Shape &shape);
  const Pattern &pattern(Element element);

private:
  struct Array {
    uint64_t address = 0;
    size_t bytes = 0;
  };
  bool grow(Array &array, size_t bytes);
  bool copy(uint64_t to, uint64_t from, size_t bytes) const;
  /// Puts copies of triangular matrices, each `stride` bytes long, into every set.
  bool placeTriangles(const Shape &shape, Operands &operands, size_t stride);
  /// Puts what it is before into C of every set.
  bool fillC(const Operands &operands);
  bool placeScalars(const Shape &shape, Operands &operands);
  /// Makes the arrays of addresses of all matrices.
  bool placePointers(const Shape &shape, Operands &operands);
  /// Repeats the pattern of `element` over at least `bytes` bytes.
  bool growRandom(Element element, size_t bytes);

  const Driver &driver;
  size_t rotatedBytes; ///< a lower bound of the bytes of all copies of a problem's operands
  std::map<Element, Pattern> patterns;
  std::map<Element, Array> random;
  Array outputs, triangles, pointers, scalars;
};

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_OPERANDS_H
