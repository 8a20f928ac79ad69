//===- GaussianProcess.cpp - Residuals of a model -------------------------===//

#include "rooftile/Tuning/Search/GaussianProcess.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

using namespace rooftile::tuning;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Values of r that are compared.
static constexpr double kCorrelations[] = {0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98};
/// Deviation of residuals at least, the model's usual error (median of 781 trials on an H200): a
/// few candidates that are alike do not show it.
static constexpr double kDeviation = 0.06;

struct GaussianProcess::Fit {
  double correlation = kCorrelations[0], variance = kDeviation * kDeviation;
  double likelihood = -std::numeric_limits<double>::infinity(); ///< Logarithm of it.
  Eigen::LLT<MatrixXd> covariance;                              ///< Over the variance.
  double mean = 0;  ///< Common residual: the model is too fast or too slow.
  VectorXd weights; ///< Covariance^-1 (residuals - mean).
};

GaussianProcess::~GaussianProcess() = default;
GaussianProcess::GaussianProcess(GaussianProcess &&) = default;
double GaussianProcess::correlation() const { return fit->correlation; }

GaussianProcess::GaussianProcess(std::vector<Residual> given, Distance of)
    : residuals(std::move(given)), distance(std::move(of)), fit(std::make_unique<Fit>()) {
  Eigen::Index count = Eigen::Index(residuals.size());
  VectorXd values(count), noise(count);
  MatrixXd distances(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    values[i] = residuals[i].value, noise[i] = residuals[i].noise;
    for (Eigen::Index j = 0; j < count; ++j)
      distances(i, j) = distance(residuals[i].candidate, residuals[j].candidate);
  }
  for (double correlation : kCorrelations) {
    Fit tried;
    tried.correlation = correlation;
    MatrixXd kernel = distances.unaryExpr([&](double d) { return std::pow(correlation, d); });
    // Noise is known, the variance follows: one step from the variance of residuals that few have.
    kernel.diagonal() += noise / (kDeviation * kDeviation);
    tried.covariance.compute(kernel);
    if (tried.covariance.info() != Eigen::Success)
      continue;
    VectorXd ones = VectorXd::Ones(count), solved = tried.covariance.solve(ones);
    tried.mean = count ? solved.dot(values) / solved.dot(ones) : 0;
    VectorXd rest = values - tried.mean * ones;
    tried.weights = tried.covariance.solve(rest);
    double variance = rest.dot(tried.weights) / double(std::max<Eigen::Index>(count - 1, 1));
    tried.variance = std::max(variance, kDeviation * kDeviation);
    double logDeterminant = 0;
    for (Eigen::Index i = 0; i < count; ++i)
      logDeterminant += 2 * std::log(tried.covariance.matrixLLT()(i, i));
    tried.likelihood = -double(count) * std::log(tried.variance) - logDeterminant -
                       rest.dot(tried.weights) / tried.variance;
    if (tried.likelihood > fit->likelihood)
      *fit = std::move(tried);
  }
}

Posterior GaussianProcess::at(size_t candidate) const {
  if (residuals.empty())
    return {0, kDeviation};
  VectorXd kernel(Eigen::Index(residuals.size()));
  for (size_t i = 0; i < residuals.size(); ++i)
    kernel[Eigen::Index(i)] =
        std::pow(fit->correlation, distance(candidate, residuals[i].candidate));
  VectorXd half = fit->covariance.matrixL().solve(kernel);
  double rest = std::max(1 - half.squaredNorm(), 0.0);
  return {fit->mean + kernel.dot(fit->weights), std::sqrt(fit->variance * rest)};
}

double rooftile::tuning::expectedImprovement(double best, Posterior posterior) {
  double gain = best - posterior.mean;
  if (posterior.deviation <= 0)
    return std::max(gain, 0.0);
  double z = gain / posterior.deviation;
  double density = std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
  return gain * std::erfc(-z / std::sqrt(2.0)) / 2 + posterior.deviation * density;
}
