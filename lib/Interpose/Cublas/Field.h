//===- Field.h - Factors between products that were measured ----*- C++ -*-===//
//
// A factor, such as measured time over a simple estimate, is known of some
// products, and asked for of others. It is interpolated between the nearest
// ones, on a logarithmic scale of sizes, and comes with the deviation that the
// neighbours show. How far that is to be believed, the known products say: each
// is judged by all the others.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_FIELD_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_FIELD_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rooftile::cublas {

enum class Routine : uint8_t { Gemm, Trsm, Trmm };
enum class Form : uint8_t { One, Strided, Pointers };

/// A product, column-major as cuBLAS has it, as far as its time may depend on it. Of a triangular
/// routine K is the order of A, and transB says that A is on the right.
struct Product {
  Routine routine = Routine::Gemm;
  char type = 's';       ///< s, d, c, z
  bool isGemm3m = false; ///< three real products for a complex one
  Form form = Form::One;
  bool transA = false, transB = false;
  int64_t m = 1, n = 1, k = 1, count = 1;
  int64_t lda = 1, ldb = 1;
};

/// Bytes of an element; floating-point operations of a multiplication and an addition.
double bytesOf(char type);
double flopsOf(char type);
/// Those of the whole product.
double flopsOf(const Product &product);
double bytesOf(const Product &product);

/// Estimate of the logarithm of a factor, which is taken to be normally distributed.
struct Estimate {
  double mean, deviation;
};

class Field {
public:
  /// `leastDeviation`: of the logarithm, where all neighbours agree.
  explicit Field(double leastDeviation) : leastDeviation(leastDeviation) {}

  void add(const Product &product, double logarithm);
  /// Judges every product by the others; after the last one was added.
  void judge();

  /// Whether there are enough for an estimate.
  bool isUseful() const;
  Estimate estimate(const Product &product) const;
  /// By how many deviations the lowest and the highest of 10 products are off.
  double lowest() const { return lowQuantile; }
  double highest() const { return highQuantile; }

  /// The factor by which a product is missed: in the median, and by the worst of 10.
  struct Validation {
    size_t count;
    double median, most;
  };
  Validation validate() const;

private:
  /// A product as a place: logarithms of its sizes, and choices.
  struct Place {
    std::array<float, 4> sizes;  ///< log2 of M, N, K and the matrices of a batch
    std::array<bool, 8> choices; ///< transposed A, B; aligned A, B; M, N, K of 1; three products
    Form form;
  };
  struct Point {
    Place place;
    double logarithm;
  };

  static Place placeOf(const Product &product);
  static float distance(const Place &x, const Place &y);
  Estimate interpolate(const Place &place, const Point *without) const;

  double leastDeviation;
  std::vector<Point> points;
  Estimate all = {0, 0}; ///< of all points
  double lowQuantile = 0, highQuantile = 0;
};

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_FIELD_H
