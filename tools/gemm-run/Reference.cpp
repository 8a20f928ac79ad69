//===- Reference.cpp - Products that results are compared with ------------===//
//
// Blocks of 64 x 64 results; both factors are packed to double, K-major, in
// slabs of 2048 along K, and multiplied in 2 x 8 register tiles.
//
//===----------------------------------------------------------------------===//

#include "Reference.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

using namespace rooftile::run;

static constexpr int64_t kBlock = 64, kSlab = 2048, kTileRows = 2, kTileColumns = 8;

/// A loop below is inlined into a copy for machines with AVX2 and FMA and one for all others.
#define ROOFTILE_INLINE __attribute__((always_inline)) inline

void rooftile::run::parallelFor(int64_t count, const std::function<void(int64_t)> &work) {
  int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::atomic<int64_t> next{0};
  auto worker = [&] {
    for (int64_t i; (i = next++) < count;)
      work(i);
  };
  std::vector<std::thread> pool;
  for (int64_t i = 1; i < std::min(cores, count); ++i)
    pool.emplace_back(worker);
  worker();
  for (std::thread &thread : pool)
    thread.join();
}

/// packed[k * kBlock + i] = element (index[i], k), for k0 <= k < k1; unused lanes are zero.
template <typename T>
static void pack(const T *data, int64_t indexStride, int64_t kStride,
                 const std::vector<int64_t> &index, int64_t k0, int64_t k1, double *packed) {
  std::fill_n(packed, (k1 - k0) * kBlock, 0.0);
  for (size_t i = 0; i < index.size(); ++i)
    for (int64_t k = k0; k < k1; ++k)
      packed[(k - k0) * kBlock + i] = double(data[index[i] * indexStride + k * kStride]);
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

/// The same with compensation: product and sum leave their rounding errors in `rest`. Row by row,
/// so that the sums stay in registers.
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
static AddProducts loopFor(bool exact) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return exact ? addProductsAvx2 : addProductsWithErrorsAvx2;
#endif
  return exact ? addProducts : addProductsWithErrors;
}

namespace {

/// One block of at most 64 x 64 results and the packed slabs that it is made from.
class Block {
public:
  explicit Block(const Factors &factors)
      : factors(factors), left(std::min(kSlab, factors.left.columns) * kBlock), right(left.size()) {
  }

  void compute(const std::vector<int64_t> &rows, const std::vector<int64_t> &columns) {
    tiles.assign((kBlock / kTileRows) * (kBlock / kTileColumns), Tile{});
    for (int64_t k = 0; k < factors.left.columns; k += kSlab) {
      int64_t end = std::min(k + kSlab, factors.left.columns);
      if (factors.element == Element::F32)
        addSlab<float>(rows, columns, k, end, loopFor(true));
      else
        addSlab<double>(rows, columns, k, end, loopFor(factors.exact));
    }
    dots.resize(rows.size() * columns.size());
    for (size_t i = 0; i < rows.size(); ++i)
      for (size_t j = 0; j < columns.size(); ++j)
        dots[i * columns.size() + j] = dot(i, j);
  }

  std::vector<Dot> dots;

private:
  template <typename T>
  void addSlab(const std::vector<int64_t> &rows, const std::vector<int64_t> &columns, int64_t k,
               int64_t end, AddProducts add) {
    const Matrices &a = factors.left, &b = factors.right;
    pack(static_cast<const T *>(factors.a) + a.batch[factors.batch], a.rowStride, a.columnStride,
         rows, k, end, left.data());
    pack(static_cast<const T *>(factors.b) + b.batch[factors.batch], b.columnStride, b.rowStride,
         columns, k, end, right.data());
    for (int64_t i = 0; i < int64_t(rows.size()); i += kTileRows)
      for (int64_t j = 0; j < int64_t(columns.size()); j += kTileColumns)
        add(&left[i], &right[j], end - k, tileAt(i, j));
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
  std::vector<double> left, right;
  std::vector<Tile> tiles;
};

} // namespace

static std::vector<int64_t> slice(const std::vector<int64_t> &index, int64_t begin) {
  int64_t end = std::min<int64_t>(begin + kBlock, index.size());
  return {index.begin() + begin, index.begin() + end};
}

void rooftile::run::multiply(const Factors &factors, const std::vector<int64_t> &rows,
                             const std::vector<int64_t> &columns,
                             const std::function<void(const DotBlock &)> &consume) {
  int64_t rowBlocks = (rows.size() + kBlock - 1) / kBlock;
  int64_t columnBlocks = (columns.size() + kBlock - 1) / kBlock;
  parallelFor(rowBlocks * columnBlocks, [&](int64_t index) {
    std::vector<int64_t> blockRows = slice(rows, index / columnBlocks * kBlock);
    std::vector<int64_t> blockColumns = slice(columns, index % columnBlocks * kBlock);
    Block block(factors);
    block.compute(blockRows, blockColumns);
    consume({blockRows, blockColumns, block.dots});
  });
}
