//===- Blocks.cpp - How a triangular operation is cut ---------------------===//

#include "rooftile/Planning/Search/Blocks.h"
#include "mlir/IR/Threading.h"
#include "rooftile/Dialect/Blas/CalibrationData.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Planning/Search/Sweep.h"
#include "rooftile/Planning/Search/ThreadVectors.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;
using llvm::formatv;

/// Orders that are evaluated.
static constexpr int64_t kOrders[] = {8, 16, 32, 64, 128, 256};
/// Orders of blocks that all threads of a workgroup solve together.
static constexpr int64_t kSweptOrders[] = {64, 128, 256, 512};
/// The largest order of a block that one thread a vector inverts by substitution: the code grows
/// with its square, and two products make one of twice the order.
static constexpr int64_t kMostBase = 32;
/// Threads of such a kernel at most.
static constexpr int64_t kBaseThreads = 64;
/// The largest order of a block that is inverted.
static constexpr int64_t kMostInverted = 512;
/// The smallest order of a block whose triangle is multiplied as a product.
static constexpr int64_t kLeastCut = 64;

FailureOr<TriangularProblem> TriangularProblem::of(blas::TriangularOpInterface op) {
  Type element = cast<ShapedType>(op.getC().getType()).getElementType();
  if (isa<blas::TrsmOp>(op) && componentBytes(element) < 4)
    return op->emitOpError("no kernel solves for operand ")
           << op.getOutputName() << " of " << element << "; supported: f32, f64, complex of these";
  TriangularProblem problem;
  auto known = [&](int64_t size, int64_t assumption) {
    problem.assumed |= ShapedType::isDynamic(size);
    return ShapedType::isDynamic(size) ? assumption : size;
  };
  bool left = problem.left = op.getSide() == blas::Side::Left;
  problem.order = known(op.getK(), kAssumedSize);
  problem.vectors =
      blas::batchOf({known(left ? op.getN() : op.getM(), kAssumedSize), known(op.getBatch(), 1)});
  problem.batch = known(op.getBatch(), 1);
  problem.triangles =
      cast<ShapedType>(op.getA().getType()).getRank() > 2 ? known(op.getBatch(), 1) : 1;
  problem.elementBytes = rooftile::elementBytes(element);
  problem.components = componentsOf(element);
  Type ofA = cast<ShapedType>(op.getA().getType()).getElementType();
  problem.triangleBytes = rooftile::elementBytes(ofA);
  problem.triangleComponents = componentsOf(ofA);
  problem.dynamicOrder = ShapedType::isDynamic(op.getK());
  FailureOr<Problem> product = Problem::of(op);
  if (failed(product))
    return failure();
  problem.product = *product;
  problem.solves = isa<blas::TrsmOp>(op);
  problem.inPlace = op.isInPlace();
  auto output = cast<ShapedType>(op.getC().getType());
  int64_t along = output.getRank() - (left ? 2 : 1), across = output.getRank() - (left ? 1 : 2);
  problem.alongVector = blas::hasUnitStride(output, along) && !blas::hasUnitStride(output, across);
  auto byPointers = [](Value matrix) {
    return matrix && blas::getPointers(cast<ShapedType>(matrix.getType()));
  };
  problem.whole = byPointers(op.getA()) || byPointers(op.getB()) || byPointers(op.getC()) ||
                  op->hasAttr(blas::BlasDialect::kEdgeOfName);
  problem.substitutes = problem.whole || op.getExact() || (problem.solves && problem.dynamicOrder);
  return problem;
}

double planning::streamedSeconds(blas::TargetAttr target) {
  const blas::CalibrationData &per = target::calibrationOf(target);
  return 1e-9 * (per.startup * target->launchNs + per.nextLaunch);
}

/// The sweep of `problem` over all vectors of all matrices by blocks of order `order`.
static SweptProblem sweptBlocks(const TriangularProblem &problem, int64_t order) {
  return {order,
          problem.batch,
          problem.vectorsEach(),
          problem.triangles,
          problem.triangleBytes,
          problem.elementBytes,
          problem.components,
          problem.triangleComponents};
}

/// And that of the inverses of `count` blocks of order `order` of each triangle.
static SweptProblem sweptInverses(const TriangularProblem &problem, int64_t order, int64_t count) {
  SweptProblem swept = sweptBlocks(problem, order);
  swept.matrices = swept.triangles = count * problem.triangles;
  swept.vectorsEach = order;
  swept.vectorBytes = problem.triangleBytes, swept.components = problem.triangleComponents;
  return swept;
}

/// (C17), (C27) A kernel of one block, by the plan.
static double kernelSeconds(const TriangularProblem &problem, const Blocks &blocks,
                            const SweptProblem &swept, blas::TargetAttr target) {
  if (blocks.workgroupVectors == 0)
    return vectorSeconds(
        problem, swept.order,
        {blocks.rows, blocks.threadVectors, blocks.workgroup, blocks.matrices, blocks.a, blocks.b},
        target);
  return sweepSeconds(swept, blocks.workgroup, blocks.workgroupVectors, target)
      .value_or(std::numeric_limits<double>::infinity());
}

/// (C18) Their predicted time, where launches are ahead of the device.
static double productSeconds(const TriangularProblem &problem, const BlockProduct &of,
                             blas::TargetAttr target) {
  int64_t count = std::ceil(of.count), rows = std::ceil(of.rows), depth = std::ceil(of.depth);
  if (count == 0 || rows == 0 || of.vectors == 0)
    return 0;
  Problem product = problem.product;
  product.m = problem.left ? rows : of.vectors, product.n = problem.left ? of.vectors : rows;
  product.k = depth, product.batch = count;
  product.knownM = product.knownN = product.knownK = true, product.assumed = false;
  product.a.batched = product.b.batched = product.c.batched = count > 1;
  product.readsC = product.adds = of.adds;
  product.triangularA = of.ofTriangle && problem.left;
  product.triangularB = of.ofTriangle && !problem.left;
  product.masked = of.masked;
  std::optional<Choice> choice = choose(product, target);
  double each =
      choice ? choice->best.estimate.deviceSeconds : std::numeric_limits<double>::infinity();
  return of.times * (target::calibrationOf(target).nextLaunch * 1e-9 + each);
}

/// (C18) A copy of `elements`, to memory of its own.
static double copySeconds(const TriangularProblem &problem, double elements,
                          blas::TargetAttr target) {
  return streamedSeconds(target) +
         2 * elements * problem.elementBytes / (target->dramCopyGBps * 1e9);
}

llvm::SmallVector<BlockProduct> planning::updatesOf(const TriangularProblem &problem, double b,
                                                    int64_t count) {
  double matrices = problem.batch;
  auto update = [&](double times, double rows, double depth) -> BlockProduct {
    return {times,        matrices, rows, depth, problem.vectorsEach(), /*ofTriangle=*/false,
            /*adds=*/true};
  };
  if (problem.assumed)
    return {update(count - 1, b * count / 2, b)};
  llvm::SmallVector<BlockProduct> products;
  for (int64_t blocks = 1; blocks < count; blocks *= 2)
    products.push_back(
        update(llvm::divideCeil(count - blocks, 2 * blocks), blocks * b, blocks * b));
  return products;
}

static double updateSeconds(const TriangularProblem &problem, double b, int64_t count,
                            blas::TargetAttr target) {
  double seconds = 0;
  for (const BlockProduct &each : updatesOf(problem, b, count))
    seconds += productSeconds(problem, each, target);
  return seconds;
}

/// (C17) Of `blocks.count` blocks: identities, a kernel of one block for all of order `base`, and
/// two products for each power of 2 above.
static double inverseSeconds(const TriangularProblem &problem, const Blocks &blocks,
                             blas::TargetAttr target) {
  int64_t width = blocks.diagonal;
  SweptProblem bases = sweptInverses(problem, blocks.base, blocks.count * width / blocks.base);
  TriangularProblem inner = problem;
  inner.batch = inner.triangles = bases.matrices, inner.assumed = false;
  inner.vectors = bases.matrices * bases.vectorsEach;
  Blocks kernel = blocks;
  if (blocks.workgroupVectors == 0) // a thread for each column of one
    kernel.workgroup = std::min<int64_t>(kBaseThreads, llvm::PowerOf2Ceil(blocks.base));
  double count = double(blocks.count) * width * problem.triangles;
  double seconds =
      copySeconds(problem, count * width, target) + kernelSeconds(inner, kernel, bases, target);
  for (int64_t half = blocks.base; half < width; half *= 2)
    seconds += productSeconds(problem,
                              {/*times=*/2, count / (2 * half), double(half), double(half), half,
                               /*ofTriangle=*/true},
                              target);
  return seconds;
}

/// (C18) A copy of the blocks, whatever they are of the triangle, or masks in place of it, products
/// with them that leave out zeros, and all pairs of each power of 2 at once.
static double triangleSeconds(const TriangularProblem &problem, double width, bool masked,
                              blas::TargetAttr target) {
  double order = problem.order, matrices = problem.batch,
         b = std::max(1.0, width == 0 ? order : width);
  BlockProduct blocks{1, matrices * std::ceil(order / b), b, b, problem.vectorsEach()};
  blocks.ofTriangle = true, blocks.masked = masked;
  double seconds = productSeconds(problem, blocks, target) +
                   (masked ? 0 : copySeconds(problem, problem.triangles * order * b, target));
  for (double size = b; size < order; size *= 2)
    seconds += productSeconds(problem,
                              {1, matrices * std::ceil((order - size) / (2 * size)), size, size,
                               problem.vectorsEach(), false, true},
                              target);
  return seconds + (problem.inPlace ? copySeconds(problem, order * problem.vectors, target) : 0);
}

Roofline planning::roofline(const TriangularProblem &problem, blas::TargetAttr target) {
  Problem whole = problem.product;
  bool left = problem.left;
  whole.m = left ? problem.order : problem.vectorsEach();
  whole.n = left ? problem.vectorsEach() : problem.order, whole.k = problem.order;
  whole.batch = problem.batch, whole.triangularA = left, whole.triangularB = !left;
  whole.multiplyAdds = problem.components * problem.triangleComponents;
  Matrix &triangle = left ? whole.a : whole.b, &vectors = left ? whole.b : whole.a;
  triangle.elementBytes = problem.triangleBytes, triangle.batched = problem.triangles > 1;
  vectors.elementBytes = whole.c.elementBytes = problem.elementBytes, vectors.batched = true;
  whole.readsC = false, whole.extraBytes = 0;
  return roofline(whole, target);
}

/// The product of all vectors and the inverses of `count` blocks of order `order`.
static double solvingSeconds(const TriangularProblem &problem, int64_t count, double order,
                             blas::TargetAttr target) {
  return productSeconds(problem,
                        {double(count), double(problem.batch), order, order, problem.vectorsEach(),
                         /*ofTriangle=*/true},
                        target);
}

/// Adds inverses of blocks, and what becomes of the ragged one: from `base` on one inverse more,
/// with a copy of its own, below that a solve of one block.
static void addInverses(const TriangularProblem &problem, Blocks &blocks, blas::TargetAttr target) {
  Blocks part = blocks;
  part.diagonal = std::min(blocks.diagonal, problem.order);
  int64_t ragged = problem.order % part.diagonal;
  int64_t full = problem.order / part.diagonal;
  part.count = full + (ragged > blocks.base ? 1 : 0);
  blocks.diagonalSeconds = inverseSeconds(problem, part, target);
  blocks.updateSeconds += solvingSeconds(problem, full, part.diagonal, target) +
                          copySeconds(problem, double(problem.order) * problem.vectors, target);
  if (ragged > blocks.base) {
    blocks.diagonalSeconds += streamedSeconds(target);
    blocks.updateSeconds += solvingSeconds(problem, 1, ragged, target);
  } else if (ragged > 0) {
    TriangularProblem edge = problem;
    edge.order = ragged, edge.whole = edge.substitutes = true;
    blocks.diagonalSeconds += chooseBlocks(edge, target).modelledSeconds();
  }
}

Blocks planning::priced(const TriangularProblem &problem, Blocks blocks, blas::TargetAttr target) {
  int64_t diagonal = blocks.diagonal;
  blocks.leastSeconds = roofline(problem, target).seconds();
  blocks.count = diagonal == 0 ? 1 : llvm::divideCeil(problem.order, diagonal);
  blocks.diagonalSeconds = 0;
  bool masked = blocks.method == blas::Method::Mask;
  if (masked || blocks.method == blas::Method::Product) {
    blocks.updateSeconds = triangleSeconds(problem, diagonal, masked, target);
    return blocks;
  }
  int64_t b = diagonal == 0 ? problem.order : std::min(diagonal, problem.order);
  blocks.updateSeconds = blocks.count > 1 ? ::updateSeconds(problem, b, blocks.count, target) : 0;
  if (blocks.method == blas::Method::Invert) {
    addInverses(problem, blocks, target);
    return blocks;
  }
  auto ofBlock = [&](int64_t order) {
    return kernelSeconds(problem, blocks, sweptBlocks(problem, order), target);
  };
  int64_t full = b > 0 ? problem.order / b : 1, ragged = problem.order - full * b;
  blocks.diagonalSeconds = full * ofBlock(b) + (ragged > 0 ? ofBlock(ragged) : 0);
  return blocks;
}

namespace {
/// All possible choices (C19).
class Candidates {
public:
  Candidates(const TriangularProblem &problem, blas::TargetAttr target)
      : problem(problem), target(target), workgroup(threadsByDefault(problem, target)) {}

  std::vector<Blocks> all;

  void addSubstitutions();
  void addProducts();
  void addInverses();

private:
  Blocks &add(int64_t diagonal, blas::Method method, int64_t base = 0);
  void addSwept(int64_t diagonal, blas::Method method, int64_t base, const Sweep &sweep);
  void addVectors(int64_t diagonal, int64_t order);
  void addSweep(int64_t diagonal, int64_t order);

  const TriangularProblem &problem;
  blas::TargetAttr target;
  int64_t workgroup;
};
} // namespace

Blocks &Candidates::add(int64_t diagonal, blas::Method method, int64_t base) {
  Blocks &blocks = all.emplace_back();
  blocks.diagonal = diagonal, blocks.method = method, blocks.base = base;
  blocks.workgroup = workgroup;
  return blocks;
}

void Candidates::addSwept(int64_t diagonal, blas::Method method, int64_t base, const Sweep &sweep) {
  Blocks &blocks = add(diagonal, method, base);
  blocks.workgroup = sweep.threads, blocks.workgroupVectors = sweep.vectors;
}

/// Blocks of order `order`, by threads with whole vectors.
void Candidates::addVectors(int64_t diagonal, int64_t order) {
  VectorKernel kernel = chooseVectors(problem, order, target);
  if (!all.empty() && readsInPlace(problem, order, kernel, target))
    return; // smaller blocks are better
  Blocks &blocks = add(diagonal, blas::Method::Substitute);
  blocks.rows = kernel.rows, blocks.threadVectors = kernel.vectors;
  blocks.workgroup = kernel.threads, blocks.matrices = kernel.matrices;
  blocks.a = kernel.a, blocks.b = kernel.b;
}

/// By all threads of a workgroup.
void Candidates::addSweep(int64_t diagonal, int64_t order) {
  if (std::optional<Sweep> sweep = chooseSweep(sweptBlocks(problem, order), target))
    addSwept(diagonal, blas::Method::Substitute, 0, *sweep);
}

/// A matrix that no order cuts is one block, and so is one that pointers give.
void Candidates::addSubstitutions() {
  bool dynamic = problem.assumed, cut = !problem.whole;
  for (int64_t order : kOrders)
    if (cut && (order < problem.order || dynamic))
      addVectors(order, order);
  if (!cut || !dynamic || all.empty())
    addVectors(0, problem.order);
  if (!problem.solves || problem.dynamicOrder || problem.order == 0)
    return;
  addSweep(0, problem.order);
  for (int64_t order : kSweptOrders)
    if (cut && order < problem.order)
      addSweep(order, order);
}

void Candidates::addProducts() {
  for (blas::Method method : {blas::Method::Mask, blas::Method::Product}) {
    add(0, method);
    for (int64_t order : kOrders)
      if (order >= kLeastCut && order < problem.order && !problem.assumed)
        add(order, method);
  }
}

void Candidates::addInverses() {
  auto forEachMultiple = [&](int64_t base, llvm::function_ref<void(int64_t)> visit) {
    for (int64_t diagonal = base; diagonal <= std::min(problem.order, kMostInverted); diagonal *= 2)
      visit(diagonal);
  };
  for (int64_t base : kOrders)
    if (base <= kMostBase && blas::fitsRegisters(base, problem.elementBytes, problem.components))
      forEachMultiple(base, [&](int64_t diagonal) { add(diagonal, blas::Method::Invert, base); });
  for (int64_t base : kSweptOrders)
    if (std::optional<Sweep> sweep =
            chooseSweep(sweptInverses(problem, base, problem.order / base), target))
      forEachMultiple(
          base, [&](int64_t diagonal) { addSwept(diagonal, blas::Method::Invert, base, *sweep); });
}

std::vector<Blocks> planning::rankBlocks(const TriangularProblem &problem,
                                         blas::TargetAttr target) {
  Candidates candidates(problem, target);
  candidates.addSubstitutions();
  if (!problem.substitutes)
    problem.solves ? candidates.addInverses() : candidates.addProducts();
  std::vector<Blocks> &all = candidates.all;
  parallelForEach(target.getContext(), all,
                  [&](Blocks &each) { each = priced(problem, each, target); });
  std::vector<std::pair<double, size_t>> order;
  for (auto [index, each] : llvm::enumerate(all))
    order.push_back({each.modelledSeconds(), index});
  llvm::sort(order);
  std::vector<Blocks> ranked;
  for (auto [seconds, index] : order)
    ranked.push_back(all[index]);
  return ranked;
}

Blocks planning::chooseBlocks(const TriangularProblem &problem, blas::TargetAttr target) {
  return rankBlocks(problem, target).front();
}

std::string planning::whyBlocksDoNotFit(blas::BlocksAttr plan, blas::TargetAttr target) {
  if (plan->workgroup <= target->threadsPerBlock)
    return "";
  return formatv("workgroup: {0} threads, but a workgroup of {1} has at most {2}", plan->workgroup,
                 target->chip, target->threadsPerBlock);
}

/// Who computes what.
static std::string shareOf(const Blocks &blocks) {
  if (blocks.workgroupVectors > 0)
    return formatv("{0} threads for {1}", blocks.workgroup,
                   counted(blocks.workgroupVectors, "vector"));
  std::string share = "one thread " + (blocks.threadVectors == 1
                                           ? std::string("a vector")
                                           : "for " + counted(blocks.threadVectors, "vector"));
  return blocks.rows == 0 ? share : share + formatv(", {0} rows at a time", blocks.rows).str();
}

llvm::SmallVector<Reason> planning::explain(const TriangularProblem &problem,
                                            const Blocks &blocks) {
  std::string plan = blocks.diagonal == 0 ? formatv("one block of order {0}", problem.order).str()
                                          : counted(blocks.count, "block") +
                                                formatv(" of order {0}", blocks.diagonal).str();
  std::string assumed = problem.assumed ? " (dynamic sizes taken as 4096)" : "";
  std::string predicted = duration(blocks.seconds());
  std::string count = counted(blocks.count - 1, "product");
  std::string share = shareOf(blocks);
  switch (blocks.method) {
  case blas::Method::Product:
    return {{"plan", (blocks.diagonal == 0 ? "one product with a copy of the triangle"
                                           : "products with copies of " + plan) +
                         assumed},
            {"predicted", predicted}};
  case blas::Method::Mask:
    return {{"plan", (blocks.diagonal == 0 ? "one product that masks the triangle"
                                           : "products that mask " + plan) +
                         assumed},
            {"predicted", predicted}};
  case blas::Method::Invert:
    return {
        {"plan",
         plan + formatv(" that are inverted, from order {0} on{1}", blocks.base, assumed).str()},
        {"predicted", predicted},
        {"inverses", duration(blocks.diagonalSeconds)},
        {"updates",
         formatv("{0} in {1} beside those with inverses", duration(blocks.updateSeconds), count)}};
  case blas::Method::Substitute:
    break;
  }
  return {{"plan", formatv("{0}, workgroups of {1}{2}", plan, blocks.workgroup, assumed)},
          {"predicted", predicted},
          {"diagonal", formatv("{0} in {1} of {2}", duration(blocks.diagonalSeconds),
                               counted(blocks.count, "kernel"), share)},
          {"updates", formatv("{0} in {1}", duration(blocks.updateSeconds), count)}};
}
