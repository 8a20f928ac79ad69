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
/// Numbers from a seed, the same on every machine (those of <random>'s distributions are not).
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
  /// The same; half of them multiples of 8 or 32.
  int64_t rounded(double least, double most) {
    static constexpr int64_t multiples[] = {1, 1, 8, 32};
    int64_t multiple = multiples[below(4)];
    return std::max<int64_t>(multiple, size(least, most) / multiple * multiple);
  }

private:
  std::mt19937_64 engine;
};

/// A class: how M, N, K and batch are drawn. Block vectors choose their transposes, too.
struct DrawnClass {
  const char *name;
  void (*sizes)(Draw &draw, Shape &shape);
  bool isBlockVectors = false;
};
} // namespace

static void square(Draw &draw, Shape &shape) {
  shape.m = shape.n = shape.k = std::max<int64_t>(64, draw.size(160, 3600) / 32 * 32);
}

static void odd(Draw &draw, Shape &shape) {
  for (int64_t *size : {&shape.m, &shape.n, &shape.k})
    *size = draw.size(100, 3600);
}

static void skinny(Draw &draw, Shape &shape) {
  shape.m = draw.rounded(4, 128), shape.n = draw.rounded(1000, 8192);
  shape.k = draw.rounded(1000, 8192);
  if (draw.below(2))
    std::swap(shape.m, shape.n);
}

static void small(Draw &draw, Shape &shape) {
  for (int64_t *size : {&shape.m, &shape.n, &shape.k})
    *size = draw.rounded(16, 320);
}

static void smallK(Draw &draw, Shape &shape) {
  shape.m = draw.rounded(1000, 8192), shape.n = draw.rounded(1000, 8192);
  shape.k = draw.size(2, 128);
}

static void longK(Draw &draw, Shape &shape) {
  shape.m = draw.rounded(65, 512), shape.n = draw.rounded(65, 512);
  shape.k = draw.rounded(8192, 131072);
}

static void batched(Draw &draw, Shape &shape) {
  int64_t extent = draw.rounded(4, 200);
  for (int64_t *size : {&shape.m, &shape.n, &shape.k})
    *size = draw.below(3) ? extent : draw.rounded(4, 200);
  double elements = draw.spread(kLeastBatchElements, kMostBatchElements);
  shape.batch = std::max<int64_t>(2, elements / double(shape.m * shape.n));
}

/// Rows of block vectors of `width` columns each.
static int64_t rowsOf(Draw &draw, const Shape &shape, int64_t width) {
  return draw.spread(kLeastTallBytes, kMostTallBytes) / (bytesOf(shape.element) * width);
}

static void tsmttsm(Draw &draw, Shape &shape) {
  shape.m = draw.size(1, 64), shape.n = draw.below(2) ? shape.m : draw.size(1, 64);
  shape.k = rowsOf(draw, shape, std::max(shape.m, shape.n));
  bool columns = draw.below(4) == 0; // column-major block vectors
  shape.transposeA = !columns, shape.transposeB = columns;
}

static void tsmm(Draw &draw, Shape &shape) {
  shape.n = draw.size(1, 64), shape.k = draw.below(2) ? shape.n : draw.size(1, 64);
  shape.m = rowsOf(draw, shape, std::max(shape.n, shape.k));
  shape.transposeB = draw.below(4) == 0;
}

static constexpr DrawnClass kClasses[] = {
    {"square", square},   {"odd", odd},     {"skinny", skinny},   {"small", small},
    {"smallk", smallK},   {"longk", longK}, {"batched", batched}, {"tsmttsm", tsmttsm, true},
    {"tsmm", tsmm, true},
};

/// Cuts the batch, or the largest size, until the product takes milliseconds at most; a square one
/// stays square.
static void limit(Shape &shape) {
  double excess = shape.flops() / kMostFlops;
  if (excess <= 1)
    return;
  if (shape.batch == 1 && shape.m == shape.n && shape.n == shape.k) {
    shape.m = shape.n = shape.k = int64_t(shape.m / std::cbrt(excess)) / 32 * 32;
    return;
  }
  int64_t *sizes[] = {&shape.m, &shape.n, &shape.k};
  auto less = [](const int64_t *left, const int64_t *right) { return *left < *right; };
  int64_t *cut = shape.batch > 1 ? &shape.batch : *std::max_element(sizes, sizes + 3, less);
  *cut = std::max<int64_t>(1, *cut / excess);
}

static Shape drawOne(const DrawnClass &drawn, Element element, Draw &draw) {
  Shape shape;
  shape.element = element, shape.group = drawn.name;
  if (!drawn.isBlockVectors)
    shape.transposeA = draw.below(2), shape.transposeB = draw.below(2);
  drawn.sizes(draw, shape);
  limit(shape);
  return shape;
}

llvm::Expected<std::vector<Shape>> rooftile::bench::drawShapes(const DrawOptions &options) {
  std::vector<StringRef> names;
  for (const DrawnClass &drawn : kClasses)
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
    for (const DrawnClass &drawn : kClasses) {
      if (!llvm::is_contained(*classes, StringRef(drawn.name)))
        continue;
      uint64_t own = llvm::xxh3_64bits((type + " " + drawn.name).str());
      kinds.push_back({&drawn, *operation::elementNamed(type), Draw(options.seed ^ own)});
    }
  std::vector<Shape> shapes;
  for (int i = 0; i < options.perClass; ++i)
    for (Kind &kind : kinds)
      shapes.push_back(drawOne(*kind.drawn, kind.element, kind.draw));
  return shapes;
}
