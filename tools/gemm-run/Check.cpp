//===- Check.cpp - One product against its reference ----------------------===//

#include "Check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <mutex>
#include <numeric>
#include <set>

using namespace rooftile::run;

static constexpr double kFullCheckOperations = 0x1p33;
static constexpr int64_t kSample = 64;

/// Half the distance from 1 to the next number.
static double roundoff(Element element) { return element == Element::F32 ? 0x1p-24 : 0x1p-53; }

int64_t rooftile::run::exactRange(Element element, double alpha, double beta, int64_t k,
                                  int64_t most) {
  auto isQuarter = [](double x) { return std::isfinite(x) && std::floor(4 * x) == 4 * x; };
  if (!isQuarter(alpha) || !isQuarter(beta))
    return 0;
  // In quarters: 4 |alpha| K r^2 + 4 |beta| r must stay below 1 / (2 u).
  double limit = 0.5 / roundoff(element);
  for (int64_t range = most; range > 0; range /= 2)
    if (4 * (std::max(1.0, std::fabs(alpha)) * k * range * range + std::fabs(beta) * range) < limit)
      return range;
  return 0;
}

/// All indices, or `kSample` of them: both sides of tile edges, the last, and random ones.
static std::vector<int64_t> sample(int64_t size, int64_t tile, bool all, uint64_t seed) {
  std::vector<int64_t> indices(all ? size : 0);
  std::iota(indices.begin(), indices.end(), 0);
  if (all || size <= kSample) {
    indices.resize(size);
    std::iota(indices.begin(), indices.end(), 0);
    return indices;
  }
  std::set<int64_t> chosen{0, size - 1};
  int64_t tiles = (size + tile - 1) / tile;
  for (int64_t edge : {int64_t(1), tiles / 2, tiles - 1})
    for (int64_t index : {edge * tile - 1, edge * tile})
      if (index >= 0 && index < size)
        chosen.insert(index);
  for (uint64_t state = seed; int64_t(chosen.size()) < kSample;) {
    state = state * 6364136223846793005ull + 1442695040888963407ull; // Knuth's MMIX generator
    chosen.insert(int64_t((state >> 20) % uint64_t(size)));
  }
  return {chosen.begin(), chosen.end()};
}

namespace {

/// Compares blocks of one batch entry; the findings of all threads meet here.
template <typename T> class Comparison {
public:
  Comparison(const Product &product, bool exact, Finding &finding)
      : product(product), exact(exact), finding(finding) {}

  void run(int64_t batch, const std::vector<int64_t> &rows, const std::vector<int64_t> &columns) {
    Factors factors{product.element, product.a, product.b, product.left,
                    product.right,   batch,     exact};
    multiply(factors, rows, columns, [&](const DotBlock &block) { consume(batch, block); });
  }

private:
  void consume(int64_t batch, const DotBlock &block) {
    Finding part;
    for (size_t i = 0; i < block.rows.size(); ++i)
      for (size_t j = 0; j < block.columns.size(); ++j)
        check(batch, block.rows[i], block.columns[j], block.dots[i * block.columns.size() + j],
              part);
    std::lock_guard<std::mutex> lock(mutex);
    finding.compared += part.compared;
    finding.wrong += part.wrong;
    finding.ratio = std::max(finding.ratio, part.ratio);
    if (finding.first.empty())
      finding.first = part.first;
  }

  void check(int64_t batch, int64_t i, int64_t j, const Dot &dot, Finding &part) {
    int64_t at = product.result.at(batch, i, j);
    double got = static_cast<const T *>(product.after)[at];
    double c = product.beta == 0 ? 0.0 : double(static_cast<const T *>(product.before)[at]);
    double product_ = product.alpha == 0 ? 0.0 : product.alpha * dot.magnitude;
    long double expected = product.beta * (long double)c;
    if (product.alpha != 0)
      expected += product.alpha * ((long double)dot.sum + dot.rest);
    double u = roundoff(product.element);
    double bound = (product.k() + 4) * u * (std::fabs(product_) + std::fabs(product.beta * c)) +
                   u * std::fabs(double(expected)) + std::numeric_limits<T>::denorm_min();
    double error = std::fabs(double(got - expected));
    bool right = exact ? got == double(T(expected)) : error <= bound;
    part.compared += 1;
    if (!std::isfinite(
            T(expected))) { // a scalar that is no number, or overflow: no error to measure
      right = std::isnan(expected) ? std::isnan(got) : got == double(T(expected));
      error = right ? 0 : INFINITY;
      bound = 1;
    }
    part.ratio = std::max(part.ratio, std::isnan(error) ? INFINITY : error / bound);
    if (right)
      return;
    part.wrong += 1;
    if (part.first.empty())
      part.first = describe(batch, i, j, got, double(expected), error / bound);
  }

  std::string describe(int64_t batch, int64_t i, int64_t j, double got, double expected,
                       double ratio) {
    char text[160];
    std::snprintf(text, sizeof(text), "C[%lld, %lld] of batch entry %lld is %.17g, expected %.17g",
                  (long long)i, (long long)j, (long long)batch, got, expected);
    return std::string(text) + (exact ? " exactly" : ", " + std::to_string(ratio) + " x the bound");
  }

  const Product &product;
  bool exact;
  Finding &finding;
  std::mutex mutex;
};

} // namespace

/// Looks for NaN where the sample did not look.
template <typename T> static void scanForNan(const Product &product, Finding &finding) {
  const T *after = static_cast<const T *>(product.after);
  for (int64_t batch = 0; batch < product.batches(); ++batch)
    for (int64_t i = 0; i < product.result.rows; ++i)
      for (int64_t j = 0; j < product.result.columns; ++j)
        if (std::isnan(after[product.result.at(batch, i, j)]) && ++finding.wrong == 1)
          finding.first = "C[" + std::to_string(i) + ", " + std::to_string(j) +
                          "] of batch entry " + std::to_string(batch) + " is NaN";
}

template <typename T> static Finding compareAs(const Product &product, bool exact) {
  Finding finding;
  const Matrices &c = product.result;
  double operations = 2.0 * product.batches() * c.rows * c.columns * product.k();
  finding.sampled = operations > kFullCheckOperations;
  std::vector<int64_t> allRows = sample(c.rows, 1, true, 0),
                       allColumns = sample(c.columns, 1, true, 0);
  std::vector<int64_t> rows = sample(c.rows, product.tileM, !finding.sampled, product.seed);
  std::vector<int64_t> columns =
      sample(c.columns, product.tileN, !finding.sampled, product.seed + 1);
  std::vector<int64_t> entries = sample(product.batches(), 1, !finding.sampled, product.seed + 2);
  Comparison<T> comparison(product, exact, finding);
  for (int64_t batch : entries) {
    comparison.run(batch, rows, allColumns);
    if (finding.sampled)
      comparison.run(batch, allRows, columns);
  }
  if (finding.sampled)
    scanForNan<T>(product, finding);
  return finding;
}

Finding rooftile::run::compare(const Product &product, bool exact) {
  return product.element == Element::F32 ? compareAs<float>(product, exact)
                                         : compareAs<double>(product, exact);
}
