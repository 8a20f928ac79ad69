//===- PlanSet.cpp - Plans for sizes that are not known -------------------===//
//
// AutoGEMM selects among kernels at run time: one that matches exactly, else a fallback. Here a set
// is priced: squares from large to small, each plan serving down to the size at which another is a
// tenth faster; narrow and deep shapes only where a plan of their own pays; each with wide accesses
// and, where these may be illegal, without; last a plan that assumes nothing. Where a type leaves
// the strides of A or B open there are squares for each order that they may turn out to have.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Search/PlanSet.h"

#include <array>
#include <map>

using namespace rooftile;
using namespace rooftile::planning;

static constexpr llvm::StringLiteral kAligned("aligned"), kUnaligned("unaligned");
static constexpr int64_t kLargest = kAssumedSize, kSmallest = 64;
/// The plan without assumptions is chosen for this size: small tiles waste little anywhere.
static constexpr int64_t kAnySize = 256;
static constexpr int64_t kNarrow = 32, kLong = 512, kShallow = 256, kDeep = 4096;
/// Another plan must be this much faster to be worth a kernel.
static constexpr double kGain = 1.1;
/// Squares with and without wide accesses, for the number of combinations of orders (1, 2, 4).
static constexpr int kMostAligned[] = {0, 4, 2, 0, 1}, kMostUnaligned[] = {0, 3, 1, 0, 1};
namespace {
struct Shape {
  int64_t m, n, k;
};
/// What a case asks of the sizes that are not known, M, N, K: see blas::ExtentAttr.
struct Bound {
  int64_t least = 0, most = 0, multiple = 1;
};
using Bounds = std::array<Bound, 3>;
/// Of A, B and C.
using Orders = std::array<blas::Order, 3>;
constexpr Orders kAnyOrders{blas::Order::Any, blas::Order::Any, blas::Order::Any};
class SetBuilder {
public:
  SetBuilder(const Problem &open, blas::TargetAttr target);
  std::vector<PlanCase> build();

private:
  /// Wide accesses where they are possible; 1 where the contiguous dimension is `narrow`.
  blas::GivenAttr given(const Bounds &bounds, bool aligned, char narrow = ' ');
  Problem at(Shape shape, blas::GivenAttr when) const;
  void add(llvm::StringLiteral name, Shape shape, blas::GivenAttr when, const Ranked &ranked) {
    // A case that holds only where one before it does would never run.
    auto serves = [&](const PlanCase &other) { return other.when && when.implies(other.when); };
    if (!when || llvm::none_of(set, serves))
      set.push_back({name, when, at(shape, when), ranked});
  }
  blas::GivenAttr squareOf(int64_t least, bool aligned) {
    return given({Bound{least}, Bound{least}}, aligned);
  }
  void addSquares(bool aligned, int most);
  void addExact(Shape shape, const Ranked &ranked, int64_t least);
  void addOrders();
  void addShapes();
  void addIfFaster(llvm::StringLiteral name, Shape shape, blas::GivenAttr when);
  int64_t tileOf(const Plan &plan) const;
  int64_t servesDownTo(const Plan &plan, int64_t size, bool aligned);
  const std::optional<Choice> &square(int64_t size, bool aligned);
  double rivalSeconds(int64_t size, bool aligned);
  bool canAlign() const;
  const Problem &open;
  blas::TargetAttr target;
  std::vector<PlanCase> set;
  Ranked any;
  std::vector<Orders> combinations; ///< That strides may turn out to have, row-major ones first.
  Orders orders = kAnyOrders;       ///< Of the cases that are being made.
  /// The best plans for squares so far: the next square is the one that ended the one before.
  std::map<std::tuple<Orders, int64_t, bool>, std::optional<Choice>> squares;
};
} // namespace

static bool canWiden(const Matrix &matrix) { return matrix.possibleVector > matrix.maxVector; }

static bool canAlign(const Problem &problem) {
  return canWiden(problem.a) || canWiden(problem.b) || canWiden(problem.c);
}

bool planning::needsSet(const Problem &problem) {
  auto isOpen = [](const Matrix &matrix) { return !matrix.possibleOrders().empty(); };
  return !problem.knownM || !problem.knownN || !problem.knownK || canAlign(problem) ||
         isOpen(problem.a) || isOpen(problem.b) || isOpen(problem.c);
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
}

bool SetBuilder::canAlign() const {
  Problem problem = open;
  problem.a = open.a.assuming(orders[0], 1);
  problem.b = open.b.assuming(orders[1], 1);
  problem.c = open.c.assuming(orders[2], 1);
  return ::canAlign(problem) || orders != kAnyOrders;
}

blas::GivenAttr SetBuilder::given(const Bounds &bounds, bool aligned, char narrow) {
  auto extent = [&](bool known, const Bound &bound) -> blas::ExtentAttr {
    if (known || (bound.least == 0 && bound.most == 0 && bound.multiple == 1))
      return {};
    return blas::ExtentAttr::get(target.getContext(), bound.least, bound.most, bound.multiple);
  };
  blas::ExtentAttr m = extent(open.knownM, bounds[0]), n = extent(open.knownN, bounds[1]),
                   k = extent(open.knownK, bounds[2]);
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

/// The best plan for a square.
const std::optional<Choice> &SetBuilder::square(int64_t size, bool aligned) {
  auto [best, isNew] = squares.try_emplace({orders, size, aligned});
  if (isNew)
    best->second = choose(at({size, size, size}, squareOf(size, aligned)), target);
  return best->second;
}

/// The time of what else might run a square: the best plan of all, or where the number of
/// combinations leaves room for one square each, the plan for anything.
double SetBuilder::rivalSeconds(int64_t size, bool aligned) {
  if (kMostAligned[combinations.size()] == 1)
    return estimate(at({size, size, size}, {}), any.plan, target).seconds / kGain;
  const std::optional<Choice> &rival = square(size, aligned);
  return rival ? rival->best.estimate.seconds : 0;
}

/// Rows or columns that a tile of `plan` needs, of the dimensions that are open.
int64_t SetBuilder::tileOf(const Plan &plan) const {
  return std::max(open.knownM ? 0 : plan.macroM, open.knownN ? 0 : plan.macroN);
}

/// The smallest square that holds the tile of `plan`, which is about as fast there as its rival.
int64_t SetBuilder::servesDownTo(const Plan &plan, int64_t size, bool aligned) {
  while (size / 2 >= std::max(tileOf(plan), kSmallest)) {
    int64_t half = size / 2;
    Problem problem = at({half, half, half}, squareOf(half, aligned));
    if (estimate(problem, plan, target).seconds > kGain * rivalSeconds(half, aligned))
      break;
    size = half;
  }
  return size;
}

/// The first case of all: tiles, K steps and accesses fit without a rest.
void SetBuilder::addExact(Shape shape, const Ranked &ranked, int64_t least) {
  const Plan &plan = ranked.plan;
  if (open.knownM && open.knownN && open.knownK)
    return;
  Bounds whole{Bound{0, 0, plan.macroM}, Bound{0, 0, plan.macroN}, Bound{0, 0, plan.macroK}};
  blas::GivenAttr when = given(whole, /*aligned=*/true);
  // Below the size that the plan is meant for, smaller tiles are faster even so.
  when = intersect(when, squareOf(least, true));
  add("exact", shape, when, ranked);
}

void SetBuilder::addSquares(bool aligned, int most) {
  int64_t size = kLargest;
  most = open.knownM && open.knownN ? 1 : most;
  for (int count = 0; count < most && size >= kSmallest; ++count) {
    Shape shape{size, size, size};
    const std::optional<Choice> &choice = square(size, aligned);
    if (!choice)
      return;
    int64_t least = servesDownTo(choice->best.plan, size, aligned);
    if (aligned && count == 0 && combinations.size() == 1)
      addExact(shape, choice->best, least);
    // Sizes just below a power of 2 go with it.
    int64_t bound = std::max(tileOf(choice->best.plan), least - least / 8);
    if (blas::GivenAttr when = squareOf(bound, aligned))
      add(aligned ? kAligned : kUnaligned, shape, when, choice->best);
    size = least / 2;
  }
}

/// A case that needs a kernel of its own only if the plan for anything is slower there.
void SetBuilder::addIfFaster(llvm::StringLiteral name, Shape shape, blas::GivenAttr when) {
  Problem problem = at(shape, when);
  std::optional<Choice> choice = choose(problem, target);
  if (when && choice &&
      kGain * choice->best.estimate.seconds < estimate(problem, any.plan, target).seconds)
    add(name, shape, when, choice->best);
}

/// Narrow, flat and deep products.
void SetBuilder::addShapes() {
  Bound narrow{0, kNarrow}, longer{kLong}, shallow{0, kShallow};
  bool square = open.triangle;
  if (!square && !open.knownN && combinations.size() <= 2)
    addIfFaster("narrow", {kLargest, kNarrow, kLargest}, given({longer, narrow}, true, 'n'));
  if (!square && !open.knownM && combinations.size() <= 2)
    addIfFaster("flat", {kNarrow, kLargest, kLargest}, given({narrow, longer}, true, 'm'));
  if (!open.knownK)
    addIfFaster("deep", {kShallow, kShallow, 4 * kDeep},
                given({shallow, shallow, Bound{kDeep}}, true));
}

/// Squares for every combination of orders. The first one needs no plan of its own without wide
/// accesses: where nothing is known of the strides, copies run along the rows.
void SetBuilder::addOrders() {
  size_t count = combinations.size();
  for (const Orders &each : combinations) {
    orders = each;
    if (canAlign())
      addSquares(true, kMostAligned[count]);
  }
  for (size_t index = 1; index < count; ++index) {
    orders = combinations[index];
    addSquares(false, kMostUnaligned[count]);
  }
  bool alone = set.empty() || set.back().name != kAligned;
  orders = kAnyOrders;
  addSquares(false, alone && count == 1 ? kMostAligned[count] : kMostUnaligned[count]);
}

std::vector<PlanCase> SetBuilder::build() {
  Shape small{kAnySize, kAnySize, kAnySize};
  std::optional<Choice> choice = choose(at(small, {}), target);
  if (!choice)
    return {};
  any = choice->best;
  orders = combinations.size() == 1 ? combinations[0] : kAnyOrders;
  addShapes();
  addOrders();
  add("any", small, {}, any);
  return std::move(set);
}

std::vector<PlanCase> planning::chooseSet(const Problem &problem, blas::TargetAttr target) {
  return SetBuilder(problem, target).build();
}
