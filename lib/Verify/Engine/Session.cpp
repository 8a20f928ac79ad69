//===- Session.cpp - Verification around every blas operation -------------===//

#include "rooftile/Verify/Engine/Session.h"
#include "rooftile/Runtime/Runtime.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <array>
#include <cstring>

using namespace rooftile;
using namespace rooftile::verify;

void Session::begin(std::vector<Buffer *> watched) {
  buffers = std::move(watched);
  outcomes.clear();
  failures.clear();
  launches.clear(), hashes.clear();
}

void Session::fail(const std::string &message) {
  if (std::find(failures.begin(), failures.end(), message) == failures.end())
    failures.push_back(message);
}

Outcome &Session::outcomeOf(int64_t id) {
  for (Outcome &outcome : outcomes)
    if (outcome.site == &sites[id])
      return outcome;
  outcomes.emplace_back();
  outcomes.back().site = &sites[id];
  return outcomes.back();
}

static std::string sizeOf(const Matrices &matrices, const char *name) {
  return std::string(name) + " is " + std::to_string(matrices.rows) + " x " +
         std::to_string(matrices.columns);
}

void Session::requireValid(const Site &site, const Operand *operands) {
  View output = outputView(site, operands[2]);
  Matrices left = matricesOf(operands[0].view, site.transposedA, 1);
  Matrices right = matricesOf(operands[1].view, site.transposedB, 1);
  Matrices out = matricesOf(output, false, 1);
  if (left.columns != right.rows || left.rows != out.rows || right.columns != out.columns)
    refuse(site, "sizes do not match: " + sizeOf(left, "op(A)") + ", " + sizeOf(right, "op(B)") +
                     ", " + sizeOf(out, "C"));
  for (int input : {0, 1})
    if (operands[input].view.sizes.size() != 2 &&
        (input ? right : left).batch.size() != out.batch.size())
      refuse(site, std::string("operand ") + "AB"[input] + " has a batch of " +
                       std::to_string((input ? right : left).batch.size()) + " matrices, C of " +
                       std::to_string(out.batch.size()));
  for (int input : {0, 1})
    if (overlap(operands[2], operands[input]))
      refuse(site, std::string("output C overlaps operand ") + "AB"[input] +
                       " in memory: results would depend on the order of stores");
  if (overlapsItself(operands[2]))
    refuse(site, overlapText("C", operands[2].view));
  requireValidExtras(site, operands);
}

/// New data in A and B, NaN where alpha = 0 (then neither is read); `a` and `b` hold copies
/// afterwards.
void Session::fillInputs(const Site &site, const Operand *operands, int64_t range, Scalar alpha) {
  Values::Kind exact = constant ? Values::Constant : Values::Integers;
  Values values{alpha == 0.0 ? Values::Poison
                : range      ? exact
                             : roundedData(site),
                range, seed, constant.value_or(0)};
  for (int input : {0, 1}) {
    Mirror &mirror = input ? b : a;
    const Operand &operand = operands[input];
    mirror.read(device, operand.begin(), operand.spanBytes());
    values.seed = seed + 2 * sites.size() + input;
    fill(mirror.data.get(), operand.element, operand.view, values);
    mirror.write(device);
  }
  if (overlap(operands[0], operands[1])) // B's data went over A's
    a.read(device, operands[0].begin(), operands[0].spanBytes());
}

void Session::runs(int64_t plan) {
  if (phase == Phase::Timing || running < 0)
    return;
  Outcome &outcome = outcomeOf(running);
  if (outcome.plans.empty())
    outcome.tileM = plans[plan].tileM, outcome.tileN = plans[plan].tileN;
  if (!llvm::is_contained(outcome.plans, plans[plan].text))
    outcome.plans.push_back(plans[plan].text);
}

/// Rows of op(A) and columns of op(B) beyond those of C are not there: nothing is written to them,
/// and they count for nothing.
static void dropPadding(const Site &site, Operand *operands) {
  View output = outputView(site, operands[2]);
  size_t rank = output.sizes.size();
  for (int input : {0, 1}) {
    View &view = operands[input].view;
    bool transposed = input ? site.transposedB : site.transposedA;
    int64_t &size = view.sizes[view.sizes.size() - (transposed != bool(input) ? 1 : 2)];
    size = std::min(size, output.sizes[rank - (input ? 1 : 2)]);
  }
}

void Session::nameTypes(int64_t id, Operand *operands) const {
  operands[0].element = sites[id].elementA;
  operands[1].element = sites[id].elementB;
  operands[2].element = sites[id].element;
  followPointers(id, operands);
  if (sites[id].padded)
    dropPadding(sites[id], operands);
  if (sites[id].copies)
    showCopy(sites[id], operands);
}

/// The largest test integers: of more bits than an f32 has where everything is f64, so that
/// multipliers of less precision show.
static int64_t mostOf(const Site &site) {
  bool isDouble = llvm::all_of(std::array{site.elementA, site.elementB, site.element, site.sum},
                               [](Element each) { return realOf(each) == Element::F64; });
  return isDouble ? int64_t(1) << 25 : 8;
}

void Session::before(int64_t id, Operand *operands, Scalar alpha, Scalar beta) {
  nameTypes(id, operands);
  running = id;
  firstLaunch = rooftileProfileCount();
  if (phase == Phase::Timing)
    return;
  const Site &site = sites[id];
  if (site.triangle)
    return beforeTriangular(id, operands, alpha.real());
  if (site.sums)
    return beforeSum(id, operands, alpha, beta);
  requireValid(site, operands);
  View output = outputView(site, operands[2]);
  Outcome &outcome = outcomeOf(id);
  Matrices left = matricesOf(operands[0].view, site.transposedA, 1);
  Matrices out = matricesOf(output, false, 1);
  outcome.batch = out.batch.size();
  outcome.m = out.rows, outcome.n = out.columns, outcome.k = left.columns;
  outcome.readsC = beta != 0.0;
  size_t rank = output.sizes.size();
  outcome.sharedA = operands[0].view.sizes.size() < rank;
  outcome.sharedB = operands[1].view.sizes.size() < rank;
  outcome.layouts = layoutName(operands[0].view) + ", " + layoutName(operands[1].view) + ", " +
                    layoutName(operands[2].view);
  range = phase == Phase::Integers
              ? exactRange(site.sum, alpha, beta, outcome.k * componentsOf(site.sum), mostOf(site))
              : 0;
  fillInputs(site, operands, range, alpha);
  fillExtras(operands);
  fillOutput(operands[2], beta);
}

/// Integers, uniform data, or NaN where C is not read; `c` holds a copy of the memory around it.
void Session::fillOutput(const Operand &output, Scalar beta) {
  takeOutput(output);
  Values values{beta == 0.0 ? Values::Poison
                : range     ? Values::Integers
                            : Values::Uniform,
                std::max<int64_t>(range, 1), seed + 7};
  if (output.view.elements() > 0)
    fill(c.at(output.begin()), output.element, output.view, values);
  c.write(device);
}

Finding Session::compareProduct(const Outcome &outcome, const Operand *operands, Scalar alpha,
                                Scalar beta) {
  const Site &site = *outcome.site;
  size_t batches = outcome.batch;
  Product product;
  product.sum = site.sum, product.element = site.element;
  product.left = {site.elementA, a.data.get(),
                  matricesOf(operands[0].view, site.transposedA, batches), site.conjugatedA};
  product.right = {site.elementB, b.data.get(),
                   matricesOf(operands[1].view, site.transposedB, batches), site.conjugatedB};
  product.result = matricesOf(outputView(site, operands[2]), false, batches);
  product.before = c.at(operands[2].begin());
  product.after = result.at(operands[2].begin());
  product.alpha = alpha, product.beta = beta;
  product.emulated = site.emulated, product.compensated = site.compensated;
  product.tileM = outcome.tileM, product.tileN = outcome.tileN;
  product.seed = seed;
  addExtras(site, operands, product);
  std::vector<char> sums;
  if (site.partial) {
    sums = addSlices(operands[2]);
    product.after = sums.data();
  }
  return compare(product, range > 0);
}

void Session::compareResult(Outcome &outcome, const Operand *operands, Scalar alpha, Scalar beta) {
  const Site &site = *outcome.site;
  if (operands[2].view.elements() > 0) {
    Finding finding = site.triangle ? compareTriangle(site, operands, alpha.real())
                      : site.sums   ? compareSum(site, operands, alpha, beta)
                                    : compareProduct(outcome, operands, alpha, beta);
    outcome.ratio = std::max(outcome.ratio, finding.ratio);
    outcome.sampled |= finding.sampled;
    outcome.exactTested |= range > 0;
    if (finding.wrong && outcome.failure.empty())
      outcome.failure = std::to_string(finding.wrong) + " of " + std::to_string(finding.compared) +
                        " elements are wrong with " + (range ? "small-integer" : "uniform") +
                        " data: " + finding.first;
  }
  outcome.exactTested |= operands[2].view.elements() == 0; // nothing to get wrong
  std::string outside = checkOutside(operands[2]);
  if (outcome.failure.empty())
    outcome.failure = outside;
}

/// An error of the runtime. What was not launched must not have been begun, either.
void Session::noteError(Outcome &outcome, const std::string &error) {
  bool refused = llvm::StringRef(error).ends_with(": not launched");
  bool untouched = std::memcmp(c.data.get(), result.data.get(), c.bytes) == 0;
  outcome.refused |= refused && untouched;
  if (outcome.failure.empty())
    outcome.failure = error + (refused && !untouched ? ", but C was written" : "");
}

void Session::after(int64_t id, Operand *operands, Scalar alpha, Scalar beta) {
  nameTypes(id, operands);
  if (phase == Phase::Timing) {
    launches.push_back({id, firstLaunch, rooftileProfileCount()});
    return;
  }
  synchronize(device);
  Outcome &outcome = outcomeOf(id);
  result.read(device, c.origin, c.bytes);
  std::string error = rooftileLastError();
  if (!error.empty()) {
    noteError(outcome, error);
    rooftileClearError();
  } else if (phase == Phase::Again) {
    compareBits(outcome);
  } else {
    compareResult(outcome, operands, alpha, beta);
    keepBits();
  }
  restoreSurroundings();
}

void Session::takeTimes() {
  std::vector<double> times(rooftileProfileCount());
  rooftileProfileTake(times.data(), times.size());
  for (const Launches &launch : launches) {
    double sum = 0;
    for (size_t i = launch.begin; i < launch.end && i < times.size(); ++i)
      sum += times[i];
    outcomeOf(launch.id).milliseconds.push_back(sum);
  }
  launches.clear();
}
