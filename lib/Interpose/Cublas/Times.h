//===- Times.h - What a product is expected to take -------------*- C++ -*-===//
//
// Of one chip: times of cuBLAS over a spread of products, by
// benchmarks/cublas_times.py, and times of ours beside those that the cost
// model predicts and cuBLAS takes, by benchmarks/model_times.py. docs/Cublas.md explains both.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_TIMES_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_TIMES_H

#include "Field.h"

#include <map>
#include <string>
#include <string_view>

namespace rooftile::cublas {

/// What two libraries are expected to take for a product, in seconds.
struct Comparison {
  double cublas, ours;
  /// The gain below which ours may be the slower one: errors of both, each as large as that of the
  /// most unfortunate of 10 products.
  double margin;
};

class Times {
public:
  /// Reads a file of either kind. Empty, or which line is wrong.
  std::string read(std::string_view csv);
  /// Makes use of what was read. Empty, or what is missing.
  std::string finish();

  const std::string &chip() const { return name; }
  /// `predicted` is what the cost model says of ours. False where nothing is known of the type.
  bool compare(const Product &product, double predicted, Comparison &comparison) const;

  std::string types() const;
  const Field &cublas(char type) const { return kinds.at(type).cublas; }
  const Field &model(char type) const { return kinds.at(type).model; }

private:
  struct OfType {
    Field cublas{/*leastDeviation=*/0.1}; ///< measured / its roofline
    Field model{/*leastDeviation=*/0.05}; ///< measured / predicted
    double least = 0;                     ///< seconds: the shortest product
    double flops = 0;                     ///< a second
  };
  struct Row {
    Product product;
    double seconds;
  };

  bool readComment(std::string_view line);
  bool readCublas(std::string_view line);
  bool readModel(std::string_view line);
  double roofline(const OfType &type, const Product &product) const;

  std::string name;
  double bandwidth = 0; ///< bytes a second
  std::map<char, OfType> kinds;
  std::vector<Row> rows; ///< of cuBLAS, until they are finished
};

/// Those of the GPU that the driver calls `chip`; null where none were measured.
const Times *timesOf(const std::string &chip);

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_TIMES_H
