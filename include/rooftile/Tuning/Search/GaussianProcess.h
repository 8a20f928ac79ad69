//===- GaussianProcess.h - Residuals of a model -----------------*- C++ -*-===//
//
// A measured time differs from the predicted one by a residual, the logarithm of their ratio.
// Residuals have a common mean m (the model is too fast or too slow for the operation), and those
// of two candidates have the covariance
//
//   k(x, y) = s^2 r^d(x, y)
//
// with d the number of keys in which they differ (Rasmussen and Williams, Gaussian Processes for
// Machine Learning, 2006, chapters 2 and 5). r is the one of a few values for which the measured
// residuals are most likely; m and s^2 follow from it.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TUNING_SEARCH_GAUSSIANPROCESS_H
#define ROOFTILE_TUNING_SEARCH_GAUSSIANPROCESS_H

#include <functional>
#include <memory>
#include <vector>

namespace rooftile::tuning {

/// Residual of one candidate, and the variance of the noise in it.
struct Residual {
  size_t candidate = 0;
  double value = 0, noise = 0;
};

/// Mean and standard deviation of a residual that was not measured.
struct Posterior {
  double mean = 0, deviation = 0;
};

class GaussianProcess {
public:
  using Distance = std::function<int(size_t left, size_t right)>;

  /// Conditions on `residuals`, one of each candidate at most.
  GaussianProcess(std::vector<Residual> residuals, Distance distance);
  ~GaussianProcess();
  GaussianProcess(GaussianProcess &&);

  Posterior at(size_t candidate) const;
  /// Correlation of candidates that differ in one key.
  double correlation() const;

private:
  struct Fit;
  std::vector<Residual> residuals;
  Distance distance;
  std::unique_ptr<Fit> fit;
};

/// Expected improvement over `best` of a value with that mean and deviation, where less is better
/// (Jones, Schonlau and Welch, 1998).
double expectedImprovement(double best, Posterior posterior);

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_SEARCH_GAUSSIANPROCESS_H
