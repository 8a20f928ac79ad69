//===- SessionSum.cpp - Verification of partial sums, and of their sum ----===//
//
// `blas.gemm partial` may share K out among its slices as it likes: verified is what
// they add up to. `blas.reduce` adds slices of numbers of its own.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Verify/Engine/Session.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

using namespace rooftile;
using namespace rooftile::verify;

static View firstSlice(const View &slices) {
  View view = slices;
  view.sizes.erase(view.sizes.begin());
  view.strides.erase(view.strides.begin());
  return view;
}

/// op(A) is the one slice of a sum.
void rooftile::verify::showCopy(const Site &site, Operand *operands) {
  View &view = operands[0].view;
  size_t rank = view.sizes.size();
  if (site.transposedA) {
    std::swap(view.sizes[rank - 1], view.sizes[rank - 2]);
    std::swap(view.strides[rank - 1], view.strides[rank - 2]);
  }
  view.sizes.insert(view.sizes.begin(), 1);
  view.strides.insert(view.strides.begin(), 0);
}

/// What there is to compare: W of a copy may be larger than op(A), and hold anything beyond it.
static Operand comparedPart(const Site &site, const View &slices, const Operand &output) {
  Operand part = output;
  if (site.copies)
    part.view.sizes = firstSlice(slices).sizes;
  return part;
}

View rooftile::verify::outputView(const Site &site, const Operand &output) {
  return site.partial ? firstSlice(output.view) : output.view;
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

std::vector<char> Session::addSlices(const Operand &slices) {
  Operand first = slices;
  first.view = firstSlice(slices.view);
  std::vector<char> sums(first.spanBytes());
  const char *data = result.at(slices.begin());
  withReal(slices.element, [&](auto zero) {
    using T = decltype(zero);
    addInto(reinterpret_cast<T *>(sums.data()), reinterpret_cast<const T *>(data), slices.view,
            componentsOf(slices.element));
  });
  return sums;
}

static void requireValidSum(const Site &site, const Operand &w, const Operand &c) {
  std::vector<int64_t> sizes = firstSlice(w.view).sizes;
  bool fits = sizes.size() == c.view.sizes.size();
  for (size_t dim = 0; fits && dim < sizes.size(); ++dim)
    fits = sizes[dim] == c.view.sizes[dim] ||
           (site.copies && dim + 2 >= sizes.size() && sizes[dim] < c.view.sizes[dim]);
  if (!fits)
    refuse(site, site.copies ? "sizes do not match: op(A) does not fit in W"
                             : "sizes do not match: slices of W and C");
  if (overlap(c, w))
    refuse(site, std::string("output ") +
                     (site.copies ? "W overlaps operand A" : "C overlaps operand W") +
                     " in memory: results would depend on the order of stores");
  if (overlapsItself(c))
    refuse(site, overlapText(site.copies ? "W" : "C", c.view));
}

void Session::beforeSum(int64_t id, const Operand *operands, Scalar alpha, Scalar beta) {
  const Operand &w = operands[0], &output = operands[2];
  requireValidSum(sites[id], w, output);
  Outcome &outcome = outcomeOf(id);
  Matrices out = matricesOf(output.view, false, 1);
  outcome.batch = out.batch.size();
  outcome.m = out.rows, outcome.n = out.columns, outcome.k = w.view.sizes[0];
  outcome.readsC = beta != 0.0;
  outcome.layouts = layoutName(w.view) + ", " + layoutName(output.view);
  range = phase == Phase::Integers ? exactRange(w.element, alpha, beta, outcome.k) : 0;
  a.read(device, w.begin(), w.spanBytes());
  if (w.view.elements() > 0)
    fill(a.data.get(), w.element, w.view,
         {range ? Values::Integers : roundedData(sites[id]), std::max<int64_t>(range, 1),
          seed + 2 * sites.size()});
  a.write(device);
  fillOutput(output, beta);
}

namespace {
/// What is added up, and what comes of it: numbers of type W and of type C.
template <typename W, typename C> struct Sum {
  const View &slices, &output;
  const W *w;
  const C *before, *after;
  int64_t parts;
  Scalar alpha, beta;
  bool exact, compensated;

  Finding compare() const {
    Finding finding;
    Matrices in = matricesOf(firstSlice(slices), false, 1), out = matricesOf(output, false, 1);
    for (int64_t batch = 0; batch < int64_t(out.batch.size()); ++batch)
      for (int64_t i = 0; i < out.rows; ++i)
        for (int64_t j = 0; j < out.columns; ++j)
          check(indexOf(slices, in, batch, i, j) * parts, out.at(batch, i, j) * parts, finding);
    return finding;
  }

private:
  using Number = std::complex<long double>;

  /// scalar * number, where 0 hides a NaN.
  static Number scaled(Scalar scalar, Number number) {
    return scalar == 0.0 ? Number() : Number(scalar) * number;
  }

  void check(int64_t from, int64_t to, Finding &finding) const {
    long double sum[2] = {}, magnitude = 0, old[2] = {};
    for (int64_t part = 0; part < parts; ++part) {
      addUp(w, slices, parts, from + part, sum[part], magnitude);
      old[part] = beta == 0.0 ? 0.0 : double(before[to + part]);
    }
    Number kept = scaled(beta, {old[0], old[1]});
    Number expected = scaled(alpha, {sum[0], sum[1]}) + kept;
    double terms = magnitudeOf(alpha) * double(magnitude) +
                   magnitudeOf(beta) * double(std::fabs(old[0]) + std::fabs(old[1]));
    finding.compared += 1;
    judge(to, double(expected.real()), terms, finding);
    if (parts == 2)
      judge(to + 1, double(expected.imag()), terms, finding);
  }

  /// |C - Cref| <= (S + 4) u (|alpha| sum |W| + |beta C|) (1 + v) + v |Cref|, for S slices summed
  /// with roundoff u and C of roundoff v; of compensated sums kCompensatedTerms at most.
  void judge(int64_t at, double expected, double magnitude, Finding &finding) const {
    double u = roundoffOf<W>(), v = roundoffOf<C>();
    int64_t terms = roundedTerms(slices.sizes[0], compensated);
    double bound = (terms + 4 * parts) * u * magnitude * (1 + v) + v * std::fabs(expected) +
                   std::numeric_limits<C>::denorm_min();
    double got = after[at], error = std::fabs(got - expected);
    bool right = exact ? got == double(C(expected)) : error <= bound;
    finding.ratio = std::max(finding.ratio, std::isnan(error) ? INFINITY : error / bound);
    if (right || ++finding.wrong > 1)
      return;
    char text[120];
    std::snprintf(text, sizeof(text), "element %lld of C is %.17g, expected %.17g",
                  (long long)(at / parts), got, expected);
    finding.first = text;
  }
};
} // namespace

Finding Session::compareSum(const Site &site, const Operand *operands, Scalar alpha, Scalar beta) {
  const Operand &w = operands[0];
  Operand output = comparedPart(site, w.view, operands[2]);
  const char *before = c.at(output.begin()), *after = result.at(output.begin());
  auto compareAs = [&](auto ofW, auto ofC) {
    using W = decltype(ofW);
    using C = decltype(ofC);
    return Sum<W, C>{w.view,
                     output.view,
                     reinterpret_cast<const W *>(a.data.get()),
                     reinterpret_cast<const C *>(before),
                     reinterpret_cast<const C *>(after),
                     componentsOf(output.element),
                     alpha,
                     beta,
                     range > 0,
                     site.compensated}
        .compare();
  };
  return withReal(w.element, [&](auto ofW) {
    return withReal(output.element, [&](auto ofC) { return compareAs(ofW, ofC); });
  });
}
