//===- FloorTest.cpp - No predicted time is below the roofline ------------===//
//
// (C28) for operations drawn at random: products of all types, batches, what they share, symmetric
// ones, structures, dynamic sizes, and triangular operations with one triangle or many. The least
// time is counted here once more, from sizes alone.
//
//===----------------------------------------------------------------------===//

#include "Fixtures.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Search/Blocks.h"
#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Planning/Search/Explain.h"
#include "llvm/Support/FormatVariadic.h"

#include <random>

using namespace rooftile;
using namespace rooftile::planning;

namespace {

/// f32, f64, c64, c128, f16, bf16: bytes of a real element, and components of an element.
struct Type {
  int64_t realBytes, components;
  llvm::StringRef format;

  int64_t bytes() const { return realBytes * components; }
};
constexpr Type kTypes[] = {{4, 1, ""}, {8, 1, ""}, {4, 2, ""},
                           {8, 2, ""}, {2, 1, ""}, {2, 1, "bf16"}};

struct FloorTest : PlanningTest {
  std::mt19937_64 engine{48};

  double uniform() { return double(engine() >> 11) * 0x1p-53; }
  bool often(double share) { return uniform() < share; }
  int64_t size(double least, double most) {
    return std::llround(least * std::exp(uniform() * std::log(most / least)));
  }
  Type type(int64_t count) { return kTypes[int64_t(uniform() * count)]; }

  void setType(Problem &problem, const Type &type) {
    problem.realBytes = std::max<int64_t>(4, type.realBytes);
    problem.elementBytes = problem.realBytes * type.components;
    problem.multiplyAdds = type.components * type.components;
    for (Matrix *matrix : {&problem.a, &problem.b, &problem.c}) {
      matrix->elementBytes = type.bytes(), matrix->components = type.components;
      matrix->format = type.format;
      matrix->maxVector = often(0.5) ? 16 / type.bytes() : 1;
      matrix->possibleVector = 16 / type.bytes();
    }
  }
  Problem product();
  TriangularProblem triangular();
};

Problem FloorTest::product() {
  bool batched = often(0.4), symmetric = !batched && often(0.2);
  double most = batched ? 300 : 6000;
  Problem problem = gemm(size(1, most), size(1, most), size(1, batched ? 300 : 20000));
  setType(problem, type(6));
  problem.a.contiguous = often(0.5) ? Contiguous::Inner : Contiguous::Outer;
  problem.b.contiguous = often(0.5) ? Contiguous::Inner : Contiguous::Outer;
  problem.readsC = often(0.3);
  if (batched) {
    problem.batch = size(2, 200000);
    problem.a.batched = often(0.8), problem.b.batched = often(0.8), problem.c.batched = true;
  }
  if (symmetric) {
    problem.n = problem.m, problem.triangle = true, problem.oneMatrix = often(0.7);
  } else if (often(0.2)) {
    problem.m = problem.k = std::min(problem.m, problem.k);
    problem.triangularA = true, problem.masked = often(0.5);
  }
  if (often(0.2))
    problem.knownM = problem.knownN = problem.knownK = false, problem.assumed = true;
  return problem;
}

TriangularProblem FloorTest::triangular() {
  TriangularProblem problem;
  Type own = type(4);
  bool batched = often(0.6);
  problem.order = size(1, batched ? 300 : 6000);
  problem.batch = batched ? size(2, 200000) : 1;
  problem.triangles = often(0.8) ? problem.batch : 1;
  problem.vectors = size(1, batched ? 100 : 6000) * problem.batch;
  problem.elementBytes = problem.triangleBytes = own.bytes();
  problem.components = problem.triangleComponents = own.components;
  problem.left = often(0.5), problem.solves = often(0.6), problem.inPlace = often(0.5);
  problem.alongVector = often(0.5);
  setType(problem.product, own);
  return problem;
}

/// max(flops / ceiling, bytes / bandwidth) of what the least that `problem` does.
double leastSeconds(double products, double read, double written, const Problem &problem,
                    blas::TargetAttr target) {
  double rate = roofline(problem, target).flopsPerSecond;
  return std::max(2 * products / rate, (read + written) / dramRate(read, written, target));
}

double leastOf(const Problem &problem, blas::TargetAttr target) {
  double m = problem.m, n = problem.n, k = problem.k, batch = problem.batch;
  double ofC = problem.triangle ? m * (m + 1) / 2 : m * n;
  double ofA = problem.triangularA ? m * (m + 1) / 2 : m * k, products = ofC * k;
  if (problem.triangularA)
    products = ofA * n;
  double written = batch * ofC * problem.c.elementBytes;
  double read = (problem.a.batched ? batch : 1) * ofA * problem.a.elementBytes +
                (problem.readsC ? written : 0);
  if (!problem.oneMatrix)
    read += (problem.b.batched ? batch : 1) * k * n * problem.b.elementBytes;
  return leastSeconds(problem.multiplyAdds * batch * products, read, written, problem, target);
}

double leastOf(const TriangularProblem &problem, blas::TargetAttr target) {
  double ofOne = double(problem.order) * (problem.order + 1) / 2;
  double written = double(problem.vectors) * problem.order * problem.elementBytes;
  double read = written + problem.triangles * ofOne * problem.triangleBytes;
  double products = ofOne * problem.vectors * problem.components * problem.triangleComponents;
  return leastSeconds(products, read, written, problem.product, target);
}

constexpr double kRounding = 1 - 1e-9;

TEST_F(FloorTest, OfProducts) {
  for (blas::TargetAttr target : {h200, mi60})
    for (int count = 0; count < 150; ++count) {
      Problem problem = product();
      std::optional<Choice> choice = choose(problem, target);
      if (!choice)
        continue; // more workgroups than a launch accepts
      double least = kRounding * leastOf(problem, target);
      std::string what =
          llvm::formatv("{0}x{1}x{2} batch={3} bytes={4}: {5}", problem.m, problem.n, problem.k,
                        problem.batch, problem.a.elementBytes, shortForm(choice->best.plan));
      EXPECT_GE(choice->best.estimate.seconds, least) << what;
      EXPECT_GE(choice->best.estimate.deviceSeconds, least) << what;
      EXPECT_GE(estimate(problem, choice->best.plan, target).seconds, least) << what;
      if (choice->runnerUp)
        EXPECT_GE(choice->runnerUp->estimate.seconds, least) << what;
    }
}

TEST_F(FloorTest, OfEveryPlanThatIsListed) {
  for (int count = 0; count < 5; ++count) {
    Problem problem = product();
    for (const Ranked &ranked : rankAll(problem, h200))
      EXPECT_GE(ranked.estimate.seconds, kRounding * leastOf(problem, h200));
  }
}

TEST_F(FloorTest, OfTriangularOperations) {
  for (blas::TargetAttr target : {h200, mi60})
    for (int count = 0; count < 100; ++count) {
      TriangularProblem problem = triangular();
      for (const Blocks &blocks : rankBlocks(problem, target))
        EXPECT_GE(blocks.seconds(), kRounding * leastOf(problem, target))
            << problem.order << " x " << problem.vectors << " batch=" << problem.batch
            << " triangles=" << problem.triangles << ": method " << static_cast<int>(blocks.method)
            << ", diagonal " << blocks.diagonal;
    }
}

/// A batch of triangles is read from memory: no model of its kernels forgets that.
TEST_F(FloorTest, KernelsOfBatchesReadAllTriangles) {
  for (int count = 0; count < 100; ++count) {
    TriangularProblem problem = triangular();
    problem.triangles = problem.batch;
    double triangles = double(problem.triangles) * problem.order * (problem.order + 1) / 2;
    double least = triangles * problem.triangleBytes / (h200->dramReadGBps * 1e9);
    Blocks best = chooseBlocks(problem, h200);
    EXPECT_GE(best.modelledSeconds(), 0.9 * least)
        << problem.order << " x " << problem.vectors << " batch=" << problem.batch;
  }
}

} // namespace
