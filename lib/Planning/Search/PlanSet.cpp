//===- PlanSet.cpp - Plans for sizes that are not known -------------------===//
//
// AutoGEMM selects among kernels at run time: one that matches exactly, else a fallback. Here plans
// compete by their price (C22), which host code computes for the sizes at hand. The candidates are
// the best plans for squares of many sizes, with wide accesses and, where these may be illegal,
// without; where both strides of A or B are dynamic, for each order that they may turn out to
// have. Those are selected of them, one by one, that make these squares the fastest. Narrow, flat
// and deep products come first, where a plan of their own pays; last is a plan that assumes
// nothing.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Search/PlanSet.h"

#include <array>
#include <cmath>
#include <limits>

using namespace rooftile;
using namespace rooftile::planning;
using operation::SizeRange;
using operation::SizeRanges;

static constexpr const char *kAligned = "aligned", *kUnaligned = "unaligned";
static constexpr int64_t kLargest = kAssumedSize;
/// Squares from the smallest on, so many for each doubling, divided by the combinations of orders.
static constexpr int64_t kSmallest = 64, kDoublings = 7, kPerDoubling = 4;
/// Plans for squares that a set has at most.
static constexpr size_t kMostSquares = 12;
/// The plan without assumptions is chosen for this size: small tiles waste little anywhere.
static constexpr int64_t kAnySize = 256;
static constexpr int64_t kNarrow = 32, kLong = 512, kShallow = 256, kDeep = 4096;
/// Another plan must be this much faster to be worth a kernel: a square, or together all of them.
static constexpr double kGain = 1.1;

namespace {
struct Shape {
  int64_t m, n, k;
};
/// Orders of A, B and C.
using Orders = std::array<blas::Order, 3>;
constexpr Orders kAnyOrders{blas::Order::Any, blas::Order::Any, blas::Order::Any};

/// A plan for squares, and the time of each of them with it: infinity where it cannot run.
struct Candidate {
  PlanCase plan;
  std::vector<double> seconds;
  size_t kind; ///< That it was made for.
};

class SetBuilder {
public:
  SetBuilder(const Problem &open, blas::TargetAttr target);
  std::vector<PlanCase> build();
  std::vector<PlanCase> casesFor(const SizeRanges &ranges, const Plan &plan,
                                 std::optional<Violation> &why);

private:
  /// Wide accesses where they are possible; 1 where the contiguous dimension is `narrow`.
  blas::GivenAttr given(const SizeRanges &ranges, bool aligned, char narrow = ' ');
  Problem at(Shape shape, blas::GivenAttr when) const;
  void addShapes();
  void addIfFaster(const char *name, Shape shape, blas::GivenAttr when);
  void addSquares();
  /// Calls `visit` for all that operands may turn out to be: orders, and aligned or not.
  void forEachKind(llvm::function_ref<void(bool aligned)> visit);
  void addCandidates(bool aligned, size_t kind);
  void rate(Candidate &candidate) const;
  /// Time of the device: with launches, plans for small squares would all be alike.
  double secondsOf(const Plan &plan, const Problem &problem) const {
    return estimate(problem, plan, target, surelyHeld(problem, plan, target)).deviceSeconds;
  }
  void takeFastest();
  bool canAlign() const;

  const Problem &open;
  blas::TargetAttr target;
  std::vector<PlanCase> set;
  Ranked any;
  std::vector<Orders> combinations;   ///< That strides may turn out to have, row-major ones first.
  Orders orders = kAnyOrders;         ///< Orders of the cases that are being made.
  std::vector<Shape> shapes;          ///< Squares, as far as sizes are dynamic.
  std::vector<blas::GivenAttr> kinds; ///< Given strides, null for none.
  std::vector<Candidate> candidates;
};
} // namespace

static bool canWiden(const Matrix &matrix) { return matrix.possibleVector > matrix.maxVector; }

static bool canAlign(const Problem &problem) {
  return canWiden(problem.a) || canWiden(problem.b) || canWiden(problem.c);
}

bool planning::needsSet(const Problem &problem) {
  auto hasDynamicOrder = [](const Matrix &matrix) { return !matrix.possibleOrders().empty(); };
  return !problem.knownM || !problem.knownN || !problem.knownK || canAlign(problem) ||
         hasDynamicOrder(problem.a) || hasDynamicOrder(problem.b) || hasDynamicOrder(problem.c);
}

SetBuilder::SetBuilder(const Problem &open, blas::TargetAttr target) : open(open), target(target) {
  auto ordersOf = [](const Matrix &matrix) {
    auto orders = matrix.possibleOrders();
    return orders.empty() ? llvm::SmallVector<blas::Order>{blas::Order::Any} : orders;
  };
  // Kernels write C along its rows: no other order of it makes a difference.
  blas::Order ofC = open.c.rowMajor.legal > 0 ? blas::Order::Rows : blas::Order::Any;
  for (blas::Order ofA : ordersOf(open.a))
    for (blas::Order ofB : ordersOf(open.b))
      combinations.push_back({ofA, ofB, ofC});
  int64_t most = kPerDoubling / std::min<int64_t>(kPerDoubling, combinations.size());
  bool known = open.knownM && open.knownN && open.knownK;
  for (int64_t step = 0; step <= (known ? 0 : kDoublings * most); ++step) {
    int64_t size = std::llround(kSmallest * std::exp2(double(step) / most));
    shapes.push_back({size, size, size});
  }
}

bool SetBuilder::canAlign() const {
  Problem problem = open;
  problem.a = open.a.assuming(orders[0], 1);
  problem.b = open.b.assuming(orders[1], 1);
  problem.c = open.c.assuming(orders[2], 1);
  return ::canAlign(problem) || orders != kAnyOrders;
}

static blas::ExtentAttr extentOf(bool known, const SizeRange &range, mlir::MLIRContext *context) {
  if (known || !range.isBounded())
    return {};
  return blas::ExtentAttr::get(context, range.least, range.most < INT64_MAX ? range.most : 0,
                               range.multiple);
}

std::array<blas::ExtentAttr, 3>
planning::extentsOf(const SizeRanges &ranges, const Problem &problem, mlir::MLIRContext *context) {
  return {extentOf(problem.knownM, ranges.m, context), extentOf(problem.knownN, ranges.n, context),
          extentOf(problem.knownK, ranges.k, context)};
}

blas::GivenAttr SetBuilder::given(const SizeRanges &ranges, bool aligned, char narrow) {
  auto [m, n, k] = extentsOf(ranges, open, target.getContext());
  auto width = [&](const Matrix &stored, blas::Order order, std::pair<char, char> lies) -> int64_t {
    auto [ifOuter, ifInner] = lies;
    Matrix matrix = stored.assuming(order, 1);
    char along = matrix.contiguous == Contiguous::Outer ? ifOuter : ifInner;
    return aligned && canWiden(matrix) && along != narrow ? matrix.possibleVector : 1;
  };
  int64_t a = width(open.a, orders[0], {'m', 'k'}), b = width(open.b, orders[1], {'n', 'k'}),
          c = width(open.c, orders[2], {'m', 'n'});
  Orders facts = orders;
  if (!aligned) // narrow accesses to C need no order
    facts[2] = blas::Order::Any;
  if (!m && !n && !k && a == 1 && b == 1 && c == 1 && facts == kAnyOrders)
    return {};
  return blas::GivenAttr::get(target.getContext(), m, n, k, {a, b, c}, facts);
}

/// The problem with `shape` for what is unknown, where `when` holds.
Problem SetBuilder::at(Shape shape, blas::GivenAttr when) const {
  Problem problem = open;
  if (!open.knownM)
    problem.m = shape.m;
  if (!open.knownN)
    problem.n = shape.n;
  if (!open.knownK)
    problem.k = shape.k;
  return problem.assuming(when);
}

/// A case that needs a kernel of its own only if the plan for anything is slower there.
void SetBuilder::addIfFaster(const char *name, Shape shape, blas::GivenAttr when) {
  Problem problem = at(shape, when);
  std::optional<Choice> choice = choose(problem, target);
  if (when && choice &&
      kGain * choice->best.estimate.seconds < estimate(problem, any.plan, target).seconds)
    set.push_back({name, when, problem, choice->best, /*price=*/{}});
}

/// Narrow, flat and deep products.
void SetBuilder::addShapes() {
  SizeRange narrow{0, kNarrow}, longer{kLong}, shallow{0, kShallow};
  bool square = open.triangle;
  if (!square && !open.knownN && combinations.size() <= 2)
    addIfFaster("narrow", {kLargest, kNarrow, kLargest}, given({longer, narrow}, true, 'n'));
  if (!square && !open.knownM && combinations.size() <= 2)
    addIfFaster("flat", {kNarrow, kLargest, kLargest}, given({narrow, longer}, true, 'm'));
  if (!open.knownK)
    addIfFaster("deep", {kShallow, kShallow, 4 * kDeep},
                given({shallow, shallow, SizeRange{kDeep}}, true));
}

//===----------------------------------------------------------------------===//
// Squares
//===----------------------------------------------------------------------===//

/// The first combination needs no plan of its own without wide accesses: where nothing is known of
/// the strides, copies run along the rows.
void SetBuilder::forEachKind(llvm::function_ref<void(bool aligned)> visit) {
  for (const Orders &each : combinations) {
    orders = each;
    if (canAlign())
      visit(/*aligned=*/true);
  }
  for (size_t index = 1; index < combinations.size(); ++index) {
    orders = combinations[index];
    visit(/*aligned=*/false);
  }
  orders = kAnyOrders;
  visit(/*aligned=*/false);
}

static bool sameKernel(const Plan &left, Plan right) {
  right.raster = left.raster;
  return left == right;
}

/// The best plans for squares, each where its tile fits. Partial sums are shared by clusters at
/// most: a C without bounds leaves no room for them in memory.
void SetBuilder::addCandidates(bool aligned, size_t kind) {
  for (Shape shape : shapes) {
    Problem problem = at(shape, given({SizeRange{shape.m}, SizeRange{shape.n}}, aligned));
    if (open.isUnbounded())
      problem.roomElements = 0;
    problem.mostM = shape.m, problem.mostN = shape.n;
    std::optional<Choice> choice = choose(problem, target);
    if (!choice)
      continue;
    const Plan &plan = choice->best.plan;
    auto least = [](int64_t size, int64_t tile) { return SizeRange{size >= tile ? tile : 0}; };
    blas::GivenAttr when =
        given({least(problem.m, plan.macroM), least(problem.n, plan.macroN)}, aligned);
    bool known = llvm::any_of(candidates, [&](const Candidate &other) {
      return other.plan.when == when && sameKernel(other.plan.ranked.plan, plan);
    });
    if (!when || known)
      continue;
    Problem where = at(shape, when);
    Candidate candidate{{aligned ? kAligned : kUnaligned, when, where, choice->best,
                         wavePrice(where, plan, target)},
                        {},
                        kind};
    rate(candidate);
    candidates.push_back(std::move(candidate));
  }
}

/// Whether a case for `when` runs for operands of `kind`, both null for nothing.
static bool serves(blas::GivenAttr when, blas::GivenAttr kind) {
  for (int operand : {0, 1, 2}) {
    blas::Order order = when ? when.getOrder(operand) : blas::Order::Any;
    if ((when ? when.getVector(operand) : 1) > (kind ? kind.getVector(operand) : 1) ||
        (order != blas::Order::Any && (!kind || kind.getOrder(operand) != order)))
      return false;
  }
  return true;
}

static bool reaches(blas::GivenAttr when, const Problem &problem) {
  auto least = [&](blas::ExtentAttr extent) { return extent ? extent.getLeast() : 0; };
  return !when || (problem.m >= least(when.getM()) && problem.n >= least(when.getN()));
}

/// Fills the time of each square, of each kind.
void SetBuilder::rate(Candidate &candidate) const {
  blas::GivenAttr when = candidate.plan.when;
  for (blas::GivenAttr kind : kinds)
    for (Shape shape : shapes) {
      bool runs = serves(when, kind) && reaches(when, at(shape, {}));
      candidate.seconds.push_back(runs ? secondsOf(candidate.plan.ranked.plan, at(shape, when))
                                       : std::numeric_limits<double>::infinity());
    }
}

/// Gain of all squares, the product of their factors, as a logarithm.
static double gainOf(const Candidate &candidate, llvm::ArrayRef<double> best) {
  double gain = 0;
  for (auto [own, other] : llvm::zip_equal(candidate.seconds, best))
    gain += own < other ? std::log(other / own) : 0;
  return gain;
}

/// Selects one candidate after the other, each time the one that is worth most beside those
/// selected; first one of each kind.
void SetBuilder::takeFastest() {
  Candidate last{{"any", {}, at({kAnySize, kAnySize, kAnySize}, {}), any, {}}, {}, 0};
  rate(last);
  std::vector<double> best = last.seconds;
  llvm::SmallVector<const Candidate *> taken;
  auto take = [&](std::optional<size_t> kind, double least) {
    const Candidate *most = nullptr;
    for (const Candidate &each : candidates)
      if (double gain = gainOf(each, best);
          (!kind || each.kind == *kind) && gain >= least && (!most || gain > gainOf(*most, best)))
        most = &each;
    if (!most)
      return false;
    taken.push_back(most);
    for (auto [own, other] : llvm::zip_equal(most->seconds, best))
      other = std::min(other, own);
    return true;
  };
  for (size_t kind = 0; kind < kinds.size(); ++kind)
    take(kind, 0);
  while (taken.size() < kMostSquares && take(std::nullopt, std::log(kGain)))
    continue;
  // As they were made: wide accesses first.
  llvm::sort(taken);
  for (const Candidate *each : taken)
    set.push_back(each->plan);
}

void SetBuilder::addSquares() {
  forEachKind([&](bool aligned) { kinds.push_back(given({}, aligned)); });
  size_t kind = 0;
  forEachKind([&](bool aligned) { addCandidates(aligned, kind++); });
  takeFastest();
}

//===----------------------------------------------------------------------===//
// Plans of others
//===----------------------------------------------------------------------===//

/// A size of the range that stands for it.
static int64_t sizeIn(const SizeRange &range) {
  int64_t size = range.most < INT64_MAX ? range.most : std::max(range.least, kAnySize);
  return std::max(size - size % range.multiple, range.least);
}

std::vector<PlanCase> SetBuilder::casesFor(const SizeRanges &ranges, const Plan &plan,
                                           std::optional<Violation> &why) {
  Shape shape{sizeIn(ranges.m), sizeIn(ranges.n), sizeIn(ranges.k)};
  std::vector<PlanCase> cases;
  auto addIfFits = [&](bool aligned) {
    blas::GivenAttr when = given(ranges, aligned);
    Problem problem = at(shape, when);
    std::optional<Violation> violation = check(problem, plan, target);
    if (violation && !why)
      why = violation;
    if (!violation)
      cases.push_back({"", when, problem, {plan, estimate(problem, plan, target), 0}, {}});
    return !violation;
  };
  orders = kAnyOrders;
  if (addIfFits(/*aligned=*/false))
    return cases;
  for (const Orders &each : combinations) {
    orders = each;
    if (!addIfFits(/*aligned=*/false))
      addIfFits(/*aligned=*/true);
  }
  return cases;
}

std::vector<PlanCase> SetBuilder::build() {
  Shape small{kAnySize, kAnySize, kAnySize};
  std::optional<Choice> choice = choose(at(small, {}), target);
  if (!choice)
    return {};
  any = choice->best;
  orders = combinations.size() == 1 ? combinations[0] : kAnyOrders;
  addShapes();
  addSquares();
  Problem problem = at(small, {});
  set.push_back({"any", {}, problem, any, wavePrice(problem, any.plan, target)});
  return std::move(set);
}

std::vector<PlanCase> planning::casesFor(const SizeRanges &ranges, const Plan &plan,
                                         const Problem &problem, blas::TargetAttr target,
                                         std::optional<Violation> &why) {
  return SetBuilder(problem, target).casesFor(ranges, plan, why);
}

/// Whether `when` holds only where the case, which has no price, runs before.
static bool isBehind(blas::GivenAttr when, const PlanCase &before) {
  return when && before.when && !before.price && when.implies(before.when);
}

void planning::append(std::vector<PlanCase> &set, std::vector<PlanCase> later) {
  for (PlanCase &each : later)
    if (llvm::none_of(set, [&](const PlanCase &before) { return isBehind(each.when, before); }))
      set.push_back(std::move(each));
}

std::vector<PlanCase> planning::chooseSet(const Problem &problem, blas::TargetAttr target) {
  return SetBuilder(problem, target).build();
}
