//===- Compare.cpp - One product against its reference --------------------===//

#include "rooftile/Verify/Reference/Compare.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <mutex>
#include <numeric>
#include <set>

using namespace rooftile::verify;

static constexpr double kFullCheckOperations = 0x1p33;
static constexpr int64_t kSample = 64;

int64_t rooftile::verify::exactRange(Element element, Scalar alpha, Scalar beta, int64_t terms,
                                     int64_t most) {
  auto isQuarter = [](double x) { return std::isfinite(x) && std::floor(4 * x) == 4 * x; };
  for (Scalar scalar : {alpha, beta})
    if (!isQuarter(scalar.real()) || !isQuarter(scalar.imag()))
      return 0;
  // In quarters: 4 |alpha| K r^2 + 4 |beta| r must stay below 1 / (2 u).
  double limit = 0.5 / roundoff(element);
  for (int64_t range = most; range > 0; range /= 2)
    if (4 * (std::max(1.0, magnitudeOf(alpha)) * terms * range * range +
             magnitudeOf(beta) * range) <
        limit)
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

/// Whether an element of C holds what it did before, or no number: where only some tiles ran,
/// partial sums of the others are NaN.
template <typename T> static bool isUnwritten(const Product &product, int64_t element) {
  int64_t parts = componentsOf(product.element), at = element * parts;
  const T *before = static_cast<const T *>(product.before) + at,
          *after = static_cast<const T *>(product.after) + at;
  return std::memcmp(before, after, parts * sizeof(T)) == 0 || std::isnan(double(after[0])) ||
         std::isnan(double(after[parts - 1]));
}

namespace {

/// Compares blocks of one batch entry; the findings of all threads meet here.
template <typename T> class Comparison {
public:
  Comparison(const Product &product, bool exact, Finding &finding)
      : product(product), exact(exact), finding(finding),
        factors{product.left, product.right, 0, realOf(product.sum) == Element::F64 && !exact} {}

  void run(int64_t batch, const std::vector<int64_t> &rows, const std::vector<int64_t> &columns) {
    factors.batch = batch;
    multiply(factors, rows, columns, [&](const DotBlock &block) { consume(batch, block); });
  }

  /// Blocks of elements that were written.
  void runWritten(int64_t batch) {
    const Matrices &c = product.result;
    for (int64_t row = 0; row < c.rows; row += kSample)
      for (int64_t column = 0; column < c.columns; column += kSample) {
        std::vector<int64_t> rows = range(row, c.rows), columns = range(column, c.columns);
        bool any = llvm::any_of(rows, [&](int64_t i) {
          return llvm::any_of(columns, [&](int64_t j) { return isCompared(batch, i, j); });
        });
        if (any)
          run(batch, rows, columns);
      }
  }

private:
  /// kSample indices from `begin` on, or as many as there are.
  static std::vector<int64_t> range(int64_t begin, int64_t size) {
    std::vector<int64_t> indices(std::min(kSample, size - begin));
    std::iota(indices.begin(), indices.end(), begin);
    return indices;
  }

  bool isCompared(int64_t batch, int64_t i, int64_t j) const {
    return belongs(product.part, i, j) &&
           !(product.onlyWritten && isUnwritten<T>(product, product.result.at(batch, i, j)));
  }

  void consume(int64_t batch, const DotBlock &block) {
    Finding part;
    int64_t parts = componentsOf(product.element);
    for (size_t i = 0; i < block.rows.size(); ++i)
      for (size_t j = 0; j < block.columns.size(); ++j)
        if (isCompared(batch, block.rows[i], block.columns[j]))
          check(batch, block.rows[i], block.columns[j],
                &block.dots[(i * block.columns.size() + j) * parts], part);
    std::lock_guard<std::mutex> lock(mutex);
    finding.compared += part.compared;
    finding.wrong += part.wrong;
    finding.ratio = std::max(finding.ratio, part.ratio);
    finding.ulps = std::max(finding.ulps, part.ulps);
    finding.unbounded += part.unbounded;
    if (finding.first.empty())
      finding.first = part.first;
  }

  /// Component `part` of scalar * value, and the sum of the absolute terms; nothing where the
  /// scalar is 0.
  static long double scaled(Scalar scalar, const long double *number, int64_t parts, int64_t part,
                            long double &magnitude, const double *magnitudes) {
    if (scalar == 0.0)
      return 0;
    long double value = scalar.real() * number[part];
    magnitude += std::fabs(scalar.real()) * magnitudes[part];
    if (parts == 2) {
      value += (part == 0 ? -scalar.imag() : scalar.imag()) * number[1 - part];
      magnitude += std::fabs(scalar.imag()) * magnitudes[1 - part];
    }
    return value;
  }

  void check(int64_t batch, int64_t i, int64_t j, const Dot *dots, Finding &finding) {
    int64_t parts = componentsOf(product.element), at = product.result.at(batch, i, j) * parts;
    long double sums[2] = {}, old[2] = {};
    double sumMagnitudes[2] = {}, oldMagnitudes[2] = {};
    bool whole = product.emulated && parts == 2, real = product.realDiagonal && i == j;
    for (int64_t part = 0; part < parts; ++part) {
      sums[part] = (long double)dots[part].sum + dots[part].rest;
      sumMagnitudes[part] = dots[part].magnitude + (whole ? dots[1 - part].magnitude : 0);
      if (product.beta == 0.0 || (real && part == 1))
        continue;
      old[part] = double(static_cast<const T *>(product.before)[at + part]);
      oldMagnitudes[part] = std::fabs(double(old[part]));
    }
    std::vector<Interval> intervals, points; // of the accumulators, where an epilogue follows
    const T *after = static_cast<const T *>(product.after) + at;
    for (int64_t part = 0; part < parts; ++part) {
      long double magnitude = 0;
      long double expected = scaled(product.beta, old, parts, part, magnitude, oldMagnitudes) +
                             scaled(product.k() == 0 ? 0 : product.alpha, sums, parts, part,
                                    magnitude, sumMagnitudes); // no terms: 0, whatever alpha is
      if (real && part == 1)
        expected = magnitude = 0;
      if (product.epilogue) {
        intervals.push_back(around(expected, magnitude));
        points.push_back(rounded(Interval::point(double(expected)), product.sum));
      } else {
        judge({batch, i, j, part}, after[part], expected, magnitude, finding);
      }
    }
    if (!product.epilogue)
      return;
    intervals = applyEpilogue(product, batch, i, j, std::move(intervals));
    points = exact ? intervals : applyEpilogue(product, batch, i, j, std::move(points));
    for (int64_t part = 0; part < parts; ++part)
      judge({batch, i, j, part}, after[part], intervals[part], points[part], finding);
  }

  /// Roundoffs of a sum of absolute terms: one for each term, and of the products of parts that
  /// math<emulated> leaves out 2^-21 of each; of tf32 both factors lose 2^-10.
  double roundoffs() const {
    int64_t parts = componentsOf(product.element);
    double ofTf32 = product.tf32 && product.sum == Element::F32 ? 0x1p15 + 0x1p4 : 0;
    bool inParts = product.emulated && bytesOfComponent(product.sum) == 4;
    return product.terms() + 4 * parts + (inParts ? 9 * parts : 0) + ofTf32;
  }

  /// Where a sum may lie, as a number of its type.
  Interval around(long double expected, double magnitude) const {
    double u = roundoff(product.sum);
    double error = exact ? 0 : roundoffs() * u * magnitude;
    Interval sum{double(expected - error), double(expected + error)};
    return exact ? rounded(sum, product.sum) : sum;
  }

  struct Place {
    int64_t batch, i, j, part;
  };

  void judge(const Place &place, double got, long double expected, double magnitude,
             Finding &part) {
    double v = roundoff(product.element);
    double bound = roundoffs() * roundoff(product.sum) * magnitude * (1 + v) +
                   (product.roundings - 1) * v * magnitude + v * std::fabs(double(expected)) +
                   std::numeric_limits<T>::denorm_min();
    double error = std::fabs(double(got - expected)), rounded = double(T(double(expected)));
    bool right = exact ? got == rounded : error <= bound;
    part.compared += place.part == 0;
    if (!std::isfinite(rounded)) { // a scalar that is no number, or overflow: no error to measure
      right = std::isnan(rounded) ? std::isnan(got) : got == rounded;
      error = right ? 0 : INFINITY;
      bound = 1;
    }
    part.ratio = std::max(part.ratio, std::isnan(error) ? INFINITY : error / bound);
    part.ulps = std::max(part.ulps, ulpsBetween<T>(got, rounded));
    if (right)
      return;
    part.wrong += 1;
    if (part.first.empty())
      part.first = describe(place, got, double(expected), error / bound);
  }

  /// The result of an epilogue lies where it may. `ideal` is what it is of the exact sum: a number,
  /// or a few for functions that are approximated. The error is the distance from it, the bound the
  /// largest distance that the sum's own bound allows.
  void judge(const Place &place, double got, Interval expected, Interval ideal, Finding &part) {
    double wanted = got < ideal.low ? ideal.low : got > ideal.high ? ideal.high : got;
    double error = std::fabs(got - wanted),
           bound = std::max(wanted - expected.low, expected.high - wanted);
    bool right = expected.holds(got), isBounded = std::isfinite(bound);
    double ratio = !right ? INFINITY : bound > 0 && isBounded ? error / bound : 0;
    part.compared += place.part == 0;
    part.unbounded += !isBounded && !expected.isNan();
    part.ratio = std::max(part.ratio, ratio);
    if (isBounded)
      part.ulps = std::max(part.ulps, ulpsBetween<T>(got, wanted));
    if (right)
      return;
    part.wrong += 1;
    if (part.first.empty())
      part.first = describe(place, got, wanted, bound > 0 ? error / bound : INFINITY);
  }

  std::string describe(const Place &place, double got, double expected, double ratio) {
    const char *name = componentsOf(product.element) == 1 ? "" : place.part == 0 ? ".re" : ".im";
    char text[160];
    std::snprintf(
        text, sizeof(text), "C[%lld, %lld]%s of batch entry %lld is %.17g, expected %.17g",
        (long long)place.i, (long long)place.j, name, (long long)place.batch, got, expected);
    return std::string(text) + (exact ? " exactly" : ", " + std::to_string(ratio) + " x the bound");
  }

  const Product &product;
  bool exact;
  Finding &finding;
  Factors factors; // of the entry that is compared: a copy for each would cost the square of these
  std::mutex mutex;
};

} // namespace

/// Looks for NaN where the sample did not look.
template <typename T> static void scanForNan(const Product &product, Finding &finding) {
  const T *after = static_cast<const T *>(product.after);
  int64_t parts = componentsOf(product.element);
  for (int64_t batch = 0; batch < product.batches(); ++batch)
    for (int64_t i = 0; i < product.result.rows; ++i)
      for (int64_t j = 0; j < product.result.columns; ++j)
        if (belongs(product.part, i, j) &&
            std::isnan(double(after[product.result.at(batch, i, j) * parts])) &&
            ++finding.wrong == 1)
          finding.first = "C[" + std::to_string(i) + ", " + std::to_string(j) +
                          "] of batch entry " + std::to_string(batch) + " is NaN";
}

template <typename T> static Finding compareAs(const Product &product, bool exact) {
  Finding finding;
  if (product.onlyWritten) {
    Comparison<T> comparison(product, exact, finding);
    for (int64_t batch = 0; batch < product.batches(); ++batch)
      comparison.runWritten(batch);
    finding.sampled = true;
    return finding;
  }
  const Matrices &c = product.result;
  double operations = 2.0 * product.batches() * c.rows * c.columns * product.k() *
                      componentsOf(product.left.element) * componentsOf(product.right.element);
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

Finding rooftile::verify::compare(const Product &product, bool exact) {
  return withReal(product.element,
                  [&](auto zero) { return compareAs<decltype(zero)>(product, exact); });
}

/// The components of the element of an extra operand that belongs to (batch, i, j) of C.
static void appendElement(const ProductExtra &extra, int64_t batch, int64_t i, int64_t j,
                          std::vector<Interval> &values) {
  int64_t parts = componentsOf(extra.element);
  double scalar[] = {extra.scalar.real(), extra.scalar.imag()};
  for (int64_t part = 0; part < parts; ++part) {
    double value = scalar[part];
    if (extra.data)
      value = withReal(extra.element, [&](auto zero) {
        auto *numbers = static_cast<const decltype(zero) *>(extra.data);
        return double(numbers[extra.walk.at(batch, i, j) * parts + part]);
      });
    values.push_back(Interval::point(value));
  }
}

std::vector<Interval> rooftile::verify::applyEpilogue(const Product &product, int64_t batch,
                                                      int64_t i, int64_t j,
                                                      std::vector<Interval> sums) {
  for (const ProductExtra &extra : product.extras)
    appendElement(extra, batch, i, j, sums);
  std::vector<Interval> results = product.epilogue->evaluate(std::move(sums));
  for (Interval &result : results)
    result = rounded(result, product.element);
  return results;
}
