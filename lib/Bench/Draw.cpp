//===- Draw.cpp - Shapes drawn at random ----------------------------------===//

#include "rooftile/Bench/Draw.h"
#include "rooftile/Bench/Classes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <cmath>
#include <random>

using namespace rooftile;
using namespace rooftile::bench;
using llvm::StringRef;

/// Multiplications and additions of a product at most: some milliseconds.
static constexpr double kMostFlops = 1.2e11;
/// Bytes of the long operand of block vectors.
static constexpr double kLeastTallBytes = 1.2e8, kMostTallBytes = 1e9;
/// Elements of all matrices of a batch.
static constexpr double kLeastBatchElements = 1 << 21, kMostBatchElements = 1 << 24;

namespace {
/// Random values from a seed, the same on every machine (those of <random>'s distributions are
/// not).
class Draw {
public:
  explicit Draw(uint64_t seed) : engine(seed) {}

  double uniform() { return double(engine() >> 11) * 0x1p-53; }
  int64_t below(int64_t count) { return std::min<int64_t>(count - 1, uniform() * count); }
  /// From `least` to `most`, as often between 1 and 2 as between 1000 and 2000.
  double spread(double least, double most) {
    return least * std::exp(uniform() * std::log(most / least));
  }
  int64_t size(double least, double most) { return std::llround(spread(least, most)); }
  /// As above; half of them multiples of 8 or 32.
  int64_t rounded(double least, double most) {
    static constexpr int64_t multiples[] = {1, 1, 8, 32};
    int64_t multiple = multiples[below(4)];
    return std::max<int64_t>(multiple, size(least, most) / multiple * multiple);
  }

private:
  std::mt19937_64 engine;
};

using Product = operation::Operation;

/// A class: how M, N, K and batch are drawn. Block vectors choose their transposes, too.
struct DrawnClass {
  const char *name;
  void (*sizes)(Draw &draw, Product &product);
  bool isBlockVectors = false;
  Routine routine = Routine::Gemm;
};
} // namespace

static operation::Op opOf(bool isTransposed) {
  return isTransposed ? operation::Op::T : operation::Op::N;
}

static void square(Draw &draw, Product &product) {
  product.m = product.n = product.k = std::max<int64_t>(64, draw.size(160, 3600) / 32 * 32);
}

static void odd(Draw &draw, Product &product) {
  for (int64_t *size : {&product.m, &product.n, &product.k})
    *size = draw.size(100, 3600);
}

static void skinny(Draw &draw, Product &product) {
  product.m = draw.rounded(4, 128), product.n = draw.rounded(1000, 8192);
  product.k = draw.rounded(1000, 8192);
  if (draw.below(2))
    std::swap(product.m, product.n);
}

static void small(Draw &draw, Product &product) {
  for (int64_t *size : {&product.m, &product.n, &product.k})
    *size = draw.rounded(16, 320);
}

static void smallK(Draw &draw, Product &product) {
  product.m = draw.rounded(1000, 8192), product.n = draw.rounded(1000, 8192);
  product.k = draw.size(2, 128);
}

static void longK(Draw &draw, Product &product) {
  product.m = draw.rounded(65, 512), product.n = draw.rounded(65, 512);
  product.k = draw.rounded(8192, 131072);
}

static void batched(Draw &draw, Product &product) {
  int64_t extent = draw.rounded(4, 200);
  for (int64_t *size : {&product.m, &product.n, &product.k})
    *size = draw.below(3) ? extent : draw.rounded(4, 200);
  double elements = draw.spread(kLeastBatchElements, kMostBatchElements);
  product.count = std::max<int64_t>(2, elements / double(product.m * product.n));
}

/// Rows of block vectors of `width` columns each.
static int64_t rowsOf(Draw &draw, const Product &product, int64_t width) {
  return draw.spread(kLeastTallBytes, kMostTallBytes) / (bytesOf(product.c.element) * width);
}

static void tsmttsm(Draw &draw, Product &product) {
  product.m = draw.size(1, 64), product.n = draw.below(2) ? product.m : draw.size(1, 64);
  product.k = rowsOf(draw, product, std::max(product.m, product.n));
  bool columns = draw.below(4) == 0; // column-major block vectors
  product.opA = opOf(!columns), product.opB = opOf(columns);
}

static void tsmm(Draw &draw, Product &product) {
  product.n = draw.size(1, 64), product.k = draw.below(2) ? product.n : draw.size(1, 64);
  product.m = rowsOf(draw, product, std::max(product.n, product.k));
  product.opB = opOf(draw.below(4) == 0);
}

/// A triangular A from the left or the right, and vectors that are as many or few.
static void triangular(Draw &draw, Product &product) {
  int64_t order = draw.rounded(24, 4096), vectors = draw.rounded(1, 4096);
  product.side = operation::Side(draw.below(2));
  product.triangle = operation::Triangle(draw.below(2));
  product.diagonal = operation::Diagonal(draw.below(4) == 0);
  bool isLeft = product.side == operation::Side::Left;
  product.m = isLeft ? order : vectors, product.n = isLeft ? vectors : order;
}

static constexpr DrawnClass kClasses[] = {
    {"square", square},   {"odd", odd},     {"skinny", skinny},   {"small", small},
    {"smallk", smallK},   {"longk", longK}, {"batched", batched}, {"tsmttsm", tsmttsm, true},
    {"tsmm", tsmm, true},
};
static constexpr DrawnClass kTriangularClasses[] = {{"trmm", triangular, false, Routine::Trmm},
                                                    {"trsm", triangular, false, Routine::Trsm}};

/// Cuts the batch, or the largest size, until the product lasts milliseconds at most; a square one
/// stays square.
static void limit(Product &product) {
  double excess = flops(product) / kMostFlops;
  if (excess <= 1)
    return;
  if (product.count == 1 && product.m == product.n && product.n == product.k) {
    product.m = product.n = product.k = int64_t(product.m / std::cbrt(excess)) / 32 * 32;
    return;
  }
  int64_t *sizes[] = {&product.m, &product.n, &product.k};
  auto less = [](const int64_t *left, const int64_t *right) { return *left < *right; };
  int64_t *cut = product.count > 1 ? &product.count : *std::max_element(sizes, sizes + 3, less);
  *cut = std::max<int64_t>(1, *cut / excess);
}

static Shape drawOne(const DrawnClass &drawn, Element element, Draw &draw) {
  Product product;
  product.a.element = product.b.element = product.c.element = element;
  product.batch = operation::Batch::Strided, product.count = 1;
  product.routine = drawn.routine;
  if (!drawn.isBlockVectors)
    product.opA = opOf(draw.below(2));
  if (!drawn.isBlockVectors && product.info().hasOpB)
    product.opB = opOf(draw.below(2));
  drawn.sizes(draw, product);
  limit(product);
  return productOf(product, drawn.name);
}

llvm::Expected<std::vector<Shape>> rooftile::bench::drawShapes(const DrawOptions &options) {
  std::vector<StringRef> names;
  std::vector<DrawnClass> all(std::begin(kClasses), std::end(kClasses));
  if (options.triangular)
    llvm::append_range(all, kTriangularClasses);
  for (const DrawnClass &drawn : all)
    names.push_back(drawn.name);
  auto classes = chosenNames(options.classes, "class", "classes", names);
  auto types =
      classes ? chosenNames(options.types, "type", "types", elementNames()) : classes.takeError();
  if (!types)
    return types.takeError();
  struct Kind {
    const DrawnClass *drawn;
    Element element;
    Draw draw;
  };
  std::vector<Kind> kinds;
  for (StringRef type : *types)
    for (const DrawnClass &drawn : all) {
      Element element = *operation::elementNamed(type);
      if (!llvm::is_contained(*classes, StringRef(drawn.name)) ||
          !hasKernels(operation::infoOf(drawn.routine), element))
        continue;
      uint64_t own = llvm::xxh3_64bits((type + " " + drawn.name).str());
      kinds.push_back({&drawn, element, Draw(options.seed ^ own)});
    }
  std::vector<Shape> shapes;
  for (int i = 0; i < options.perClass; ++i)
    for (Kind &kind : kinds)
      shapes.push_back(drawOne(*kind.drawn, kind.element, kind.draw));
  return shapes;
}

std::vector<Shape> rooftile::bench::defaultOperations() {
  std::vector<Shape> shapes;
  for (auto [types, perClass] : {std::pair("f32,f64,c64,c128", 2), std::pair("f16,bf16", 1)}) {
    DrawOptions options{perClass, /*seed=*/50, types, "all", /*triangular=*/true};
    llvm::append_range(shapes, llvm::cantFail(drawShapes(options)));
  }
  return shapes;
}
