//===- Slices.cpp - Slices that add up to a matrix ------------------------===//

#include "Slices.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

using namespace rooftile;
using namespace rooftile::verify;

View rooftile::verify::firstSlice(const View &slices) {
  View view = slices;
  view.sizes.erase(view.sizes.begin());
  view.strides.erase(view.strides.begin());
  return view;
}

/// Adds up number `at` of the slices of `data`, which begins with the view's first element.
template <typename T>
static void addUp(const T *data, const View &slices, int64_t parts, int64_t at, long double &sum,
                  long double &magnitude) {
  for (int64_t slice = 0; slice < slices.sizes[0]; ++slice) {
    long double value = double(data[at + slice * slices.strides[0] * parts]);
    sum += value;
    magnitude += std::fabs(value);
  }
}

/// Where element (batch, i, j) of slice 0 is, counted from the first element of all slices.
static int64_t indexOf(const View &slices, const Matrices &matrices, int64_t batch, int64_t i,
                       int64_t j) {
  return matrices.at(batch, i, j) + firstSlice(slices).first() - slices.first();
}

/// The sum of all slices of the result, where their first slice would be.
template <typename T>
static void addInto(T *sums, const T *data, const View &slices, int64_t parts) {
  Matrices matrices = matricesOf(firstSlice(slices), false, 1);
  for (int64_t batch = 0; batch < int64_t(matrices.batch.size()); ++batch)
    for (int64_t i = 0; i < matrices.rows; ++i)
      for (int64_t j = 0; j < matrices.columns; ++j)
        for (int64_t part = 0; part < parts; ++part) {
          long double sum = 0, magnitude = 0;
          int64_t from = indexOf(slices, matrices, batch, i, j) * parts + part;
          addUp(data, slices, parts, from, sum, magnitude);
          sums[matrices.at(batch, i, j) * parts + part] = T(double(sum));
        }
}

std::vector<char> rooftile::verify::addSlices(const Operand &slices, const char *data) {
  Operand first = slices;
  first.view = firstSlice(slices.view);
  std::vector<char> sums(first.spanBytes());
  withReal(slices.element, [&](auto zero) {
    using T = decltype(zero);
    addInto(reinterpret_cast<T *>(sums.data()), reinterpret_cast<const T *>(data), slices.view,
            componentsOf(slices.element));
  });
  return sums;
}

void rooftile::verify::prepareSum(OperationRun &run) {
  const Operand &w = run.operands[0], &output = run.operands[2];
  Outcome &outcome = *run.outcome;
  Matrices out = matricesOf(output.view, false, 1);
  outcome.batch = out.batch.size();
  outcome.m = out.rows, outcome.n = out.columns, outcome.k = w.view.sizes[0];
  outcome.readsC = run.beta != 0.0;
  outcome.layouts = layoutName(w.view) + ", " + layoutName(output.view);
  run.chooseRange(w.element, outcome.k);
  run.fillInput(0, run.inputValues());
  run.fillOutput();
}

namespace {
/// A sum and its result: values of type W and of type C.
template <typename W, typename C> struct Sum {
  const View &slices, &output;
  const W *w;
  const C *before, *after;
  int64_t parts;
  Scalar alpha, beta;
  bool exact, compensated;
  Part part;
  bool realDiagonal;

  Finding compare() const {
    Finding finding;
    Matrices in = matricesOf(firstSlice(slices), false, 1), out = matricesOf(output, false, 1);
    for (int64_t batch = 0; batch < int64_t(out.batch.size()); ++batch)
      for (int64_t i = 0; i < out.rows; ++i)
        for (int64_t j = 0; j < out.columns; ++j)
          if (belongs(part, i, j))
            check(indexOf(slices, in, batch, i, j) * parts, out.at(batch, i, j) * parts,
                  realDiagonal && i == j, finding);
    return finding;
  }

private:
  using Number = std::complex<long double>;

  /// scalar * number, where 0 hides a NaN.
  static Number scaled(Scalar scalar, Number number) {
    return scalar == 0.0 ? Number() : Number(scalar) * number;
  }

  void check(int64_t from, int64_t to, bool real, Finding &finding) const {
    long double sum[2] = {}, magnitude = 0, old[2] = {};
    for (int64_t part = 0; part < parts; ++part) {
      addUp(w, slices, parts, from + part, sum[part], magnitude);
      old[part] = beta == 0.0 || (real && part == 1) ? 0.0 : double(before[to + part]);
    }
    Number kept = scaled(beta, {old[0], old[1]});
    Number expected = scaled(alpha, {sum[0], sum[1]}) + kept;
    double terms = magnitudeOf(alpha) * double(magnitude) +
                   magnitudeOf(beta) * double(std::fabs(old[0]) + std::fabs(old[1]));
    finding.compared += 1;
    judge(to, double(expected.real()), terms, finding);
    if (parts == 2)
      judge(to + 1, real ? 0 : double(expected.imag()), real ? 0 : terms, finding);
  }

  void judge(int64_t at, double expected, double magnitude, Finding &finding) const {
    double u = roundoffOf<W>(), v = roundoffOf<C>();
    int64_t terms = roundedTerms(slices.sizes[0], compensated);
    double bound = (terms + 4 * parts) * u * magnitude * (1 + v) + v * std::fabs(expected) +
                   std::numeric_limits<C>::denorm_min();
    double got = after[at], error = std::fabs(got - expected);
    bool right = exact ? got == double(C(expected)) : error <= bound;
    finding.ratio = std::max(finding.ratio, std::isnan(error) ? INFINITY : error / bound);
    finding.ulps = std::max(finding.ulps, ulpsBetween<C>(got, double(C(expected))));
    if (right || ++finding.wrong > 1)
      return;
    char text[120];
    std::snprintf(text, sizeof(text), "element %lld of C is %.17g, expected %.17g",
                  (long long)(at / parts), got, expected);
    finding.first = text;
  }
};
} // namespace

Finding rooftile::verify::compareSum(OperationRun &run, const Operand &output, Part part,
                                     bool realDiagonal) {
  const Operand &w = run.operands[0];
  const char *before = run.before(), *after = run.after();
  auto compareAs = [&](auto ofW, auto ofC) {
    using W = decltype(ofW);
    using C = decltype(ofC);
    return Sum<W, C>{w.view,
                     output.view,
                     reinterpret_cast<const W *>(run.a.data.get()),
                     reinterpret_cast<const C *>(before),
                     reinterpret_cast<const C *>(after),
                     componentsOf(output.element),
                     run.alpha,
                     run.beta,
                     run.isExact(),
                     run.site->compensated,
                     part,
                     realDiagonal}
        .compare();
  };
  return withReal(w.element, [&](auto ofW) {
    return withReal(output.element, [&](auto ofC) { return compareAs(ofW, ofC); });
  });
}

double rooftile::verify::flopsOfSum(const Outcome &outcome) {
  return double(outcome.batch) * outcome.m * outcome.n * outcome.k;
}

Traffic rooftile::verify::trafficOfSum(const Outcome &outcome) {
  return {flopsOfSum(outcome), 0, outcome.readsC};
}
