//===- PlanSet.cpp - Plans for sizes that are not known -------------------===//
//
// AutoGEMM selects among kernels at run time: one that matches exactly, else a
// fallback. Here a set is priced: squares from large to small, each plan serving
// down to the size at which another is a tenth faster; narrow and deep shapes
// only where a plan of their own pays; each with wide accesses and, where these
// may be illegal, without; last a plan that assumes nothing.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/PlanSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace rooftile;
using namespace rooftile::planning;

static constexpr int64_t kLargest = kAssumedSize, kSmallest = 64;
/// The plan without assumptions is chosen for this size: small tiles waste little anywhere.
static constexpr int64_t kAnySize = 256;
static constexpr int64_t kNarrow = 32, kLong = 512, kShallow = 256, kDeep = 4096;
/// Another plan must be this much faster to be worth a kernel.
static constexpr double kGain = 1.1;
static constexpr int kMostAligned = 3, kMostUnaligned = 2;

namespace {
struct Shape {
  int64_t m, n, k;
};

class SetBuilder {
public:
  SetBuilder(const Problem &open, blas::TargetAttr target)
      : open(open), target(target), context(target.getContext()) {}

  std::vector<PlanCase> build();

private:
  blas::ExtentAttr extent(bool known, int64_t least, int64_t most, int64_t multiple) {
    if (known || (least == 0 && most == 0 && multiple == 1))
      return {};
    return blas::ExtentAttr::get(context, least, most, multiple);
  }
  /// Wide accesses where they are possible; 1 where the contiguous dimension is `narrow`.
  blas::GivenAttr given(blas::ExtentAttr m, blas::ExtentAttr n, blas::ExtentAttr k, bool aligned,
                        char narrow = ' ');
  Problem at(Shape shape, blas::GivenAttr when) const;
  void add(llvm::StringLiteral name, Shape shape, blas::GivenAttr when, const Ranked &ranked) {
    set.push_back({name, when, at(shape, when), ranked});
  }
  blas::GivenAttr squareOf(int64_t least, bool aligned) {
    return given(extent(open.knownM, least, 0, 1), extent(open.knownN, least, 0, 1), {}, aligned);
  }
  void addSquares(bool aligned, int most);
  void addExact(Shape shape, const Ranked &ranked);
  void addIfFaster(llvm::StringLiteral name, Shape shape, blas::GivenAttr when);
  int64_t servesDownTo(const Plan &plan, int64_t size, bool aligned);

  const Problem &open;
  blas::TargetAttr target;
  mlir::MLIRContext *context;
  std::vector<PlanCase> set;
  Ranked any;
};
} // namespace

static bool canWiden(const Matrix &matrix) { return matrix.possibleVector > matrix.maxVector; }

static bool canAlign(const Problem &problem) {
  return canWiden(problem.a) || canWiden(problem.b) || canWiden(problem.c);
}

bool planning::needsSet(const Problem &problem) {
  return !problem.knownM || !problem.knownN || !problem.knownK || canAlign(problem);
}

blas::GivenAttr SetBuilder::given(blas::ExtentAttr m, blas::ExtentAttr n, blas::ExtentAttr k,
                                  bool aligned, char narrow) {
  auto width = [&](const Matrix &matrix, char ifOuter, char ifInner) -> int64_t {
    char along = matrix.contiguous == Contiguous::Outer ? ifOuter : ifInner;
    return aligned && canWiden(matrix) && along != narrow ? matrix.possibleVector : 1;
  };
  int64_t a = width(open.a, 'm', 'k'), b = width(open.b, 'n', 'k'), c = width(open.c, 'm', 'n');
  if (!m && !n && !k && a == 1 && b == 1 && c == 1)
    return {};
  return blas::GivenAttr::get(context, m, n, k, a, b, c);
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

/// The smallest square for which `plan` still is about as fast as any, and that holds its tile.
int64_t SetBuilder::servesDownTo(const Plan &plan, int64_t size, bool aligned) {
  int64_t tile = std::max(open.knownM ? 0 : plan.macroM, open.knownN ? 0 : plan.macroN);
  while (size / 2 >= std::max(tile, kSmallest)) {
    int64_t half = size / 2;
    Problem problem = at({half, half, half}, squareOf(half, aligned));
    std::optional<Choice> best = choose(problem, target);
    if (!best || estimate(problem, plan, target).seconds > kGain * best->best.estimate.seconds)
      break;
    size = half;
  }
  return size;
}

/// The first case of all: tiles, K steps and accesses fit without a rest.
void SetBuilder::addExact(Shape shape, const Ranked &ranked) {
  if (open.knownM && open.knownN && open.knownK)
    return;
  const Plan &plan = ranked.plan;
  blas::GivenAttr when =
      given(extent(open.knownM, 0, 0, plan.macroM), extent(open.knownN, 0, 0, plan.macroN),
            extent(open.knownK, 0, 0, plan.macroK), /*aligned=*/true);
  // Below the size that the plan is meant for, smaller tiles are faster even so.
  when = intersect(when, squareOf(servesDownTo(plan, shape.m, true), true));
  add("exact", shape, when, ranked);
}

void SetBuilder::addSquares(bool aligned, int most) {
  int64_t size = kLargest;
  if (open.knownM && open.knownN)
    most = 1;
  for (int count = 0; count < most && size >= kSmallest; ++count) {
    Shape shape{size, size, size};
    std::optional<Choice> choice = choose(at(shape, squareOf(size, aligned)), target);
    if (!choice)
      return;
    if (aligned && count == 0)
      addExact(shape, choice->best);
    int64_t least = servesDownTo(choice->best.plan, size, aligned);
    llvm::StringLiteral name =
        aligned ? llvm::StringLiteral("aligned") : llvm::StringLiteral("unaligned");
    if (blas::GivenAttr when = squareOf(least, aligned))
      add(name, shape, when, choice->best);
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

std::vector<PlanCase> SetBuilder::build() {
  Shape small{kAnySize, kAnySize, kAnySize};
  std::optional<Choice> choice = choose(at(small, {}), target);
  if (!choice)
    return {};
  any = choice->best;
  if (!open.knownN)
    addIfFaster(
        "narrow", {kLargest, kNarrow, kLargest},
        given(extent(open.knownM, kLong, 0, 1), extent(false, 0, kNarrow, 1), {}, true, 'n'));
  if (!open.knownM)
    addIfFaster(
        "flat", {kNarrow, kLargest, kLargest},
        given(extent(false, 0, kNarrow, 1), extent(open.knownN, kLong, 0, 1), {}, true, 'm'));
  if (!open.knownK)
    addIfFaster("deep", {kShallow, kShallow, 4 * kDeep},
                given(extent(open.knownM, 0, kShallow, 1), extent(open.knownN, 0, kShallow, 1),
                      extent(false, kDeep, 0, 1), true));
  bool aligned = canAlign(open);
  if (aligned)
    addSquares(true, kMostAligned);
  addSquares(false, aligned ? kMostUnaligned : kMostAligned);
  add("any", small, {}, any);
  return std::move(set);
}

std::vector<PlanCase> planning::chooseSet(const Problem &problem, blas::TargetAttr target) {
  return SetBuilder(problem, target).build();
}

//===----------------------------------------------------------------------===//
// In words
//===----------------------------------------------------------------------===//

/// "M >= 128, multiple of 4; K multiple of 16; A, B, C in accesses of 4"
static std::string condition(blas::GivenAttr when) {
  llvm::SmallVector<std::string> parts;
  for (int dim : {0, 1, 2}) {
    blas::ExtentAttr extent = when.getExtent(dim);
    if (!extent)
      continue;
    std::string text(1, "MNK"[dim]);
    if (extent.getLeast() > 0)
      text += llvm::formatv(" >= {0}", extent.getLeast());
    if (extent.getMost() > 0)
      text += llvm::formatv(" <= {0}", extent.getMost());
    if (extent.getMultiple() > 1)
      text += llvm::formatv(" multiple of {0}", extent.getMultiple());
    parts.push_back(text);
  }
  for (int operand : {0, 1, 2})
    if (int64_t vector = when.getVector(operand); vector > 1)
      parts.push_back(llvm::formatv("{0} in accesses of {1}", "ABC"[operand], vector));
  return llvm::join(parts, ", ");
}

llvm::SmallVector<Reason> planning::explain(const std::vector<PlanCase> &set,
                                            blas::TargetAttr target) {
  llvm::SmallVector<Reason> reasons;
  reasons.push_back({"plans", llvm::formatv("for {0} cases, the first that holds:", set.size())});
  for (const PlanCase &plan : set) {
    const Problem &problem = plan.problem;
    double seconds = plan.ranked.estimate.seconds;
    std::string when = plan.when ? condition(plan.when) : "whatever is left";
    reasons.push_back({plan.name, llvm::formatv("{0}: {1}; {2}x{3}x{4} at {5:f1} TFLOP/s", when,
                                                shortForm(plan.ranked.plan), problem.m, problem.n,
                                                problem.k, problem.flops() / seconds * 1e-12)});
  }
  return reasons;
}
