//===- Product.cpp - Products that results are compared with --------------===//
//
// Blocks of 64 x 64 results; both factors are packed to double, K-major, in
// slabs of 2048 along K, and multiplied in 2 x 8 register tiles.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Verify/Reference/Product.h"
#include "rooftile/Runtime/Threads.h"

#include <algorithm>
#include <cmath>

using namespace rooftile;
using namespace rooftile::verify;

static constexpr int64_t kBlock = 64, kSlab = 2048, kTileRows = 2, kTileColumns = 8;

/// A loop below is inlined into a copy for machines with AVX2 and FMA and one for all others.
#define ROOFTILE_INLINE __attribute__((always_inline)) inline

void Dot::add(const Dot &other, bool negative) {
  double term = negative ? -other.sum : other.sum, total = sum + term, part = total - sum;
  rest += (sum - (total - part)) + (term - part) + (negative ? -other.rest : other.rest);
  sum = total;
  magnitude += other.magnitude;
}

/// The values of a slab: for indices of rows or columns, those of `begin` <= k < `end`.
struct Slab {
  const std::vector<int64_t> &index;
  int64_t indexStride, kStride, begin, end;
};

/// packed[(k - begin) * kBlock + i] = number (index[i], k); unused lanes are zero.
template <typename T> static void pack(const T *data, const Slab &slab, double *packed) {
  std::fill_n(packed, (slab.end - slab.begin) * kBlock, 0.0);
  for (size_t i = 0; i < slab.index.size(); ++i)
    for (int64_t k = slab.begin; k < slab.end; ++k)
      packed[(k - slab.begin) * kBlock + i] =
          double(data[slab.index[i] * slab.indexStride + k * slab.kStride]);
}

/// Replaces elements of a factor that memory holds, in component `part`.
static void mask(const Factor &factor, bool isLeft, int64_t part, const Slab &slab,
                 double *packed) {
  if (factor.part == Part::All)
    return;
  for (size_t i = 0; i < slab.index.size(); ++i)
    for (int64_t k = slab.begin; k < slab.end; ++k) {
      int64_t row = isLeft ? slab.index[i] : k, column = isLeft ? k : slab.index[i];
      double &number = packed[(k - slab.begin) * kBlock + i];
      if (!belongs(factor.part, row, column))
        number = 0;
      else if (factor.unit && row == column)
        number = part == 0 ? 1 : 0;
    }
}

/// Component `part` of the elements of a factor.
static void packPart(const Factor &factor, bool isLeft, int64_t batch, int64_t part, Slab slab,
                     double *packed) {
  int64_t parts = componentsOf(factor.element), first = factor.walk.batch[batch] * parts + part;
  slab.indexStride *= parts, slab.kStride *= parts;
  withReal(factor.element, [&](auto zero) {
    pack(static_cast<const decltype(zero) *>(factor.data) + first, slab, packed);
  });
  mask(factor, isLeft, part, slab, packed);
}

/// A tile of results, as separate arrays that the compiler keeps in vector registers.
struct Tile {
  double sum[kTileRows][kTileColumns], rest[kTileRows][kTileColumns],
      magnitude[kTileRows][kTileColumns];
};

/// tile += a * b over `slab` steps of K. For products of f32, which are exact in f64.
ROOFTILE_INLINE static void addProductsLoop(const double *a, const double *b, int64_t slab,
                                            Tile &tile) {
  Tile t = tile;
  for (int64_t k = 0; k < slab; ++k)
    for (int64_t i = 0; i < kTileRows; ++i)
      for (int64_t j = 0; j < kTileColumns; ++j) {
        double product = a[k * kBlock + i] * b[k * kBlock + j];
        t.sum[i][j] += product;
        t.magnitude[i][j] += std::fabs(product);
      }
  tile = t;
}

/// Adds products with compensation: product and sum leave their rounding errors in `rest`. Row by
/// row, so that the accumulators stay in registers.
ROOFTILE_INLINE static void addProductsWithErrorsLoop(const double *a, const double *b,
                                                      int64_t slab, Tile &tile) {
  for (int64_t i = 0; i < kTileRows; ++i) {
    double sums[kTileColumns], rests[kTileColumns], magnitudes[kTileColumns];
    std::copy_n(tile.sum[i], kTileColumns, sums);
    std::copy_n(tile.rest[i], kTileColumns, rests);
    std::copy_n(tile.magnitude[i], kTileColumns, magnitudes);
    for (int64_t k = 0; k < slab; ++k)
      for (int64_t j = 0; j < kTileColumns; ++j) {
        double x = a[k * kBlock + i], y = b[k * kBlock + j];
        double product = x * y;
        double productError = __builtin_fma(x, y, -product);
        double sum = sums[j] + product;
        double part = sum - sums[j];
        double sumError = (sums[j] - (sum - part)) + (product - part);
        sums[j] = sum;
        rests[j] += productError + sumError;
        magnitudes[j] += std::fabs(product);
      }
    std::copy_n(sums, kTileColumns, tile.sum[i]);
    std::copy_n(rests, kTileColumns, tile.rest[i]);
    std::copy_n(magnitudes, kTileColumns, tile.magnitude[i]);
  }
}

using AddProducts = void (*)(const double *a, const double *b, int64_t slab, Tile &tile);

static void addProducts(const double *a, const double *b, int64_t slab, Tile &tile) {
  addProductsLoop(a, b, slab, tile);
}

static void addProductsWithErrors(const double *a, const double *b, int64_t slab, Tile &tile) {
  addProductsWithErrorsLoop(a, b, slab, tile);
}

#if defined(__x86_64__)
#define ROOFTILE_AVX2 __attribute__((target("avx2,fma")))

ROOFTILE_AVX2
static void addProductsAvx2(const double *a, const double *b, int64_t slab, Tile &tile) {
  addProductsLoop(a, b, slab, tile);
}

ROOFTILE_AVX2
static void addProductsWithErrorsAvx2(const double *a, const double *b, int64_t slab, Tile &tile) {
  addProductsWithErrorsLoop(a, b, slab, tile);
}
#endif

/// The fastest loop of this machine.
static AddProducts loopFor(bool compensate) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return compensate ? addProductsWithErrorsAvx2 : addProductsAvx2;
#endif
  return compensate ? addProductsWithErrors : addProducts;
}

namespace {

/// One block of at most 64 x 64 results and the packed slabs that it is made from.
class Block {
public:
  explicit Block(const Factors &factors)
      : factors(factors), add(loopFor(factors.compensate)),
        left(std::min(kSlab, factors.left.walk.columns) * kBlock), right(left.size()) {}

  /// Every component of the left factor meets every component of the right one: im * im is
  /// negative.
  void compute(const std::vector<int64_t> &rows, const std::vector<int64_t> &columns) {
    int64_t parts = factors.parts();
    dots.assign(rows.size() * columns.size() * parts, Dot());
    for (int64_t a = 0; a < componentsOf(factors.left.element); ++a)
      for (int64_t b = 0; b < componentsOf(factors.right.element); ++b) {
        multiplyComponents(rows, columns, a, b);
        bool negative = (a && factors.left.conjugate) != (b && factors.right.conjugate);
        negative ^= a && b;
        for (size_t i = 0; i < rows.size(); ++i)
          for (size_t j = 0; j < columns.size(); ++j)
            dots[(i * columns.size() + j) * parts + (a ^ b)].add(dot(i, j), negative);
      }
  }

  std::vector<Dot> dots;

private:
  void multiplyComponents(const std::vector<int64_t> &rows, const std::vector<int64_t> &columns,
                          int64_t a, int64_t b) {
    const Matrices &l = factors.left.walk, &r = factors.right.walk;
    tiles.assign((kBlock / kTileRows) * (kBlock / kTileColumns), Tile{});
    for (int64_t k = 0; k < l.columns; k += kSlab) {
      int64_t end = std::min(k + kSlab, l.columns);
      packPart(factors.left, true, factors.batch, a, {rows, l.rowStride, l.columnStride, k, end},
               left.data());
      packPart(factors.right, false, factors.batch, b,
               {columns, r.columnStride, r.rowStride, k, end}, right.data());
      for (int64_t i = 0; i < int64_t(rows.size()); i += kTileRows)
        for (int64_t j = 0; j < int64_t(columns.size()); j += kTileColumns)
          add(&left[i], &right[j], end - k, tileAt(i, j));
    }
  }

  Tile &tileAt(int64_t i, int64_t j) {
    return tiles[i / kTileRows * (kBlock / kTileColumns) + j / kTileColumns];
  }

  Dot dot(int64_t i, int64_t j) {
    const Tile &tile = tileAt(i, j);
    int64_t row = i % kTileRows, column = j % kTileColumns;
    return {tile.sum[row][column], tile.rest[row][column], tile.magnitude[row][column]};
  }

  const Factors &factors;
  AddProducts add;
  std::vector<double> left, right;
  std::vector<Tile> tiles;
};

} // namespace

static std::vector<int64_t> slice(const std::vector<int64_t> &index, int64_t begin) {
  int64_t end = std::min<int64_t>(begin + kBlock, index.size());
  return {index.begin() + begin, index.begin() + end};
}

void rooftile::verify::multiply(const Factors &factors, const std::vector<int64_t> &rows,
                                const std::vector<int64_t> &columns,
                                const std::function<void(const DotBlock &)> &consume) {
  int64_t rowBlocks = (rows.size() + kBlock - 1) / kBlock;
  int64_t columnBlocks = (columns.size() + kBlock - 1) / kBlock;
  forEachOnThreads(rowBlocks * columnBlocks, [&](int64_t index, unsigned) {
    std::vector<int64_t> blockRows = slice(rows, index / columnBlocks * kBlock);
    std::vector<int64_t> blockColumns = slice(columns, index % columnBlocks * kBlock);
    Block block(factors);
    block.compute(blockRows, blockColumns);
    consume({blockRows, blockColumns, block.dots});
  });
}
