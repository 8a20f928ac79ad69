//===- SessionSum.cpp - Verification of partial sums, and of their sum ----===//
//
// `blas.gemm partial` may share K out among its slices as it likes: verified is what
// they add up to. `blas.reduce` adds slices of numbers of its own.
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

using namespace rooftile;
using namespace rooftile::run;

static View firstSlice(const View &slices) {
  View view = slices;
  view.sizes.erase(view.sizes.begin());
  view.strides.erase(view.strides.begin());
  return view;
}

View rooftile::run::outputView(const Site &site, const Operand &output) {
  return site.partial ? firstSlice(output.view) : output.view;
}

/// Adds up the slices of `data`, which begins with the view's first element, in long double.
template <typename T>
static void addUp(const T *data, const View &slices, int64_t at, long double &sum,
                  long double &magnitude) {
  for (int64_t slice = 0; slice < slices.sizes[0]; ++slice) {
    long double value = data[at + slice * slices.strides[0]];
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
template <typename T> static void addInto(T *sums, const T *data, const View &slices) {
  Matrices matrices = matricesOf(firstSlice(slices), false, 1);
  for (int64_t batch = 0; batch < int64_t(matrices.batch.size()); ++batch)
    for (int64_t i = 0; i < matrices.rows; ++i)
      for (int64_t j = 0; j < matrices.columns; ++j) {
        long double sum = 0, magnitude = 0;
        addUp(data, slices, indexOf(slices, matrices, batch, i, j), sum, magnitude);
        sums[matrices.at(batch, i, j)] = T(sum);
      }
}

std::vector<char> Session::addSlices(const Operand &slices) {
  Operand first = slices;
  first.view = firstSlice(slices.view);
  std::vector<char> sums(first.spanBytes());
  const char *data = result.at(slices.begin());
  if (slices.element == Element::F32)
    addInto(reinterpret_cast<float *>(sums.data()), reinterpret_cast<const float *>(data),
            slices.view);
  else
    addInto(reinterpret_cast<double *>(sums.data()), reinterpret_cast<const double *>(data),
            slices.view);
  return sums;
}

static void requireValidSum(const Site &site, const Operand &w, const Operand &c) {
  if (firstSlice(w.view).sizes != c.view.sizes)
    refuse(site, "sizes do not match: slices of W and C");
  if (overlap(c, w))
    refuse(site, "output C overlaps operand W in memory: results would depend on the order of "
                 "stores");
  if (overlapsItself(c))
    refuse(site, "output C overlaps itself: its " + layoutName(c.view) + " name an element twice");
}

void Session::beforeSum(int64_t id, const Operand *operands, double alpha, double beta) {
  const Operand &w = operands[0], &output = operands[2];
  requireValidSum(sites[id], w, output);
  Outcome &outcome = outcomeOf(id);
  Matrices out = matricesOf(output.view, false, 1);
  outcome.batch = out.batch.size();
  outcome.m = out.rows, outcome.n = out.columns, outcome.k = w.view.sizes[0];
  outcome.readsC = beta != 0;
  outcome.layouts = layoutName(w.view) + ", " + layoutName(output.view);
  range = phase == Phase::Integers ? exactRange(output.element, alpha, beta, outcome.k) : 0;
  a.read(device, w.begin(), w.spanBytes());
  if (w.view.elements() > 0)
    fill(a.data.get(), w.element, w.view,
         {range ? Values::Integers : Values::Uniform, std::max<int64_t>(range, 1),
          seed + 2 * sites.size()});
  a.write(device);
  fillOutput(output, beta);
}

namespace {
/// What is added up, and what comes of it.
template <typename T> struct Sum {
  const View &slices, &output;
  const T *w, *before, *after;
  double alpha, beta;
  bool exact;

  Finding compare() const {
    Finding finding;
    Matrices in = matricesOf(firstSlice(slices), false, 1), out = matricesOf(output, false, 1);
    for (int64_t batch = 0; batch < int64_t(out.batch.size()); ++batch)
      for (int64_t i = 0; i < out.rows; ++i)
        for (int64_t j = 0; j < out.columns; ++j)
          check(indexOf(slices, in, batch, i, j), out.at(batch, i, j), finding);
    return finding;
  }

private:
  /// |C - Cref| <= (S + 4) u (|alpha| sum |W| + |beta C|) + u |Cref|, for S slices.
  void check(int64_t from, int64_t to, Finding &finding) const {
    long double sum = 0, magnitude = 0;
    addUp(w, slices, from, sum, magnitude);
    long double old = beta == 0 ? 0 : beta * (long double)before[to];
    long double expected = alpha * sum + old;
    double u = std::numeric_limits<T>::epsilon() / 2;
    double bound =
        (slices.sizes[0] + 4) * u * double(std::fabs(alpha) * magnitude + std::fabs(old)) +
        u * double(std::fabs(expected)) + std::numeric_limits<T>::denorm_min();
    double got = after[to], error = double(std::fabs(got - expected));
    bool right = exact ? got == double(T(expected)) : error <= bound;
    finding.compared += 1;
    finding.ratio = std::max(finding.ratio, std::isnan(error) ? INFINITY : error / bound);
    if (right || ++finding.wrong > 1)
      return;
    char text[120];
    std::snprintf(text, sizeof(text), "element %lld of C is %.17g, expected %.17g", (long long)to,
                  got, double(expected));
    finding.first = text;
  }
};
} // namespace

Finding Session::compareSum(const Operand *operands, double alpha, double beta) {
  const Operand &w = operands[0], &output = operands[2];
  auto compareAs = [&](auto zero) {
    using T = decltype(zero);
    auto data = [](const char *bytes) { return reinterpret_cast<const T *>(bytes); };
    return Sum<T>{w.view,
                  output.view,
                  data(a.data.get()),
                  data(c.at(output.begin())),
                  data(result.at(output.begin())),
                  alpha,
                  beta,
                  range > 0}
        .compare();
  };
  return output.element == Element::F32 ? compareAs(0.0f) : compareAs(0.0);
}
