//===- Products.cpp - Products that run on while threads do ---------------===//

#include "Products.h"
#include "Cluster.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <string_view>
#include <utility>

using namespace rooftile;
using namespace rooftile::cpu;

namespace {
enum class FactorFormat : int64_t { F16, Bf16, Tf32 };

/// Rows of A, or columns of B.
struct Factor {
  const char *first;
  int64_t bytes;  ///< of an element
  int64_t panels; ///< bytes from one panel to the next; -1: along K
};

/// A part of C: elements of one lane, `n` columns a repetition.
struct Product {
  const MatrixInstruction *instruction;
  Factor a, b;
  int64_t repeated, site;
  FactorFormat format;
  std::vector<uint32_t> sums; ///< indices of the registers
};
} // namespace

/// Products of one thread: groups in order, those that belong to none yet, and accumulators.
struct rooftile::cpu::AsyncProducts {
  std::deque<std::vector<Product>> groups;
  std::vector<Product> open;
  std::vector<float> sums;
};

static AsyncProducts &productsOf(Thread &thread) {
  if (!thread.products)
    thread.products = new AsyncProducts;
  return *thread.products;
}

bool rooftile::cpu::dropProducts(Thread &thread) {
  AsyncProducts *products = std::exchange(thread.products, nullptr);
  bool any = products && (!products->groups.empty() || !products->open.empty());
  delete products;
  return any;
}

//===----------------------------------------------------------------------===//
// Sums on their way
//===----------------------------------------------------------------------===//

/// The bits of a NaN that no arithmetic makes, above those of an index.
static constexpr uint32_t kIndex = 0xFFE00000, kIndexBits = 21;

static float fromIndex(uint32_t index) {
  uint32_t bits = kIndex | index;
  float number;
  std::memcpy(&number, &bits, sizeof(number));
  return number;
}

/// The index that `number` stands for; a new one for a number.
static uint32_t indexOf(AsyncProducts &products, float number) {
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  uint32_t index = bits & ((1u << kIndexBits) - 1);
  if ((bits & kIndex) == kIndex && index < products.sums.size())
    return index;
  products.sums.push_back(number);
  return uint32_t(products.sums.size() - 1);
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

/// Where the element for a K of a row, or column, lies: the swizzle is one of addresses in shared
/// memory. Rows of lane.async_mma, and the units that change places in them, are those of the
/// swizzle.
static const char *addressOf(const Thread &thread, const Factor &factor, int64_t row, int64_t k) {
  auto *shared = static_cast<const char *>(thread.shared);
  int64_t offset = factor.first - shared;
  if (factor.panels < 0) {
    offset += row * kSwizzleBytes + k * factor.bytes;
  } else {
    int64_t panel = kSwizzleBytes / factor.bytes;
    offset += row / panel * factor.panels + k * kSwizzleBytes + row % panel * factor.bytes;
  }
  return shared + swizzled(offset);
}

static float fromHalf(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double size = exponent == 0    ? std::ldexp(fraction, -24)
                : exponent == 31 ? (fraction ? NAN : INFINITY)
                                 : std::ldexp(1024 + fraction, exponent - 25);
  return float(bits >> 15 ? -size : size);
}

static float fromBf16(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float number;
  std::memcpy(&number, &wide, sizeof(number));
  return number;
}

/// The numbers of all 16 bits: each factor of a product is converted once for each of its lanes.
template <float (*convert)(uint16_t)> static const float *numbers() {
  static const std::vector<float> table = [] {
    std::vector<float> all(1 << 16);
    for (size_t bits = 0; bits < all.size(); ++bits)
      all[bits] = convert(uint16_t(bits));
    return all;
  }();
  return table.data();
}

/// The bits of f32 that an instruction of tf32 reads.
static float cutToTf32(uint32_t bits) {
  bits &= 0xFFFFE000;
  float number;
  std::memcpy(&number, &bits, sizeof(number));
  return number;
}

/// The elements for all K of the rows that are `used`, row by row. `numbers`: those of 16 bits;
/// null for tf32.
static std::vector<double> readRows(const Thread &thread, const float *numbers,
                                    const Factor &factor, const std::vector<char> &used,
                                    int64_t depth) {
  std::vector<double> elements(used.size() * depth);
  for (size_t row = 0; row < used.size(); ++row)
    for (int64_t k = 0; used[row] && k < depth; ++k) {
      uint32_t bits = 0; // of a little-endian host
      std::memcpy(&bits, addressOf(thread, factor, int64_t(row), k), factor.bytes);
      elements[row * depth + k] = numbers ? numbers[bits] : cutToTf32(bits);
    }
  return elements;
}

//===----------------------------------------------------------------------===//
// The product of one lane
//===----------------------------------------------------------------------===//

/// Calls `visit` with the index in `sums`, the row of A and the column of B of each register.
template <typename Visit>
static void forEachSum(const Thread &thread, const Product &product, Visit visit) {
  const MatrixInstruction &own = *product.instruction;
  int64_t lane = thread.threadId % own.lanes, count = own.registers[2];
  const int64_t *places =
      own.places + own.lanes * (own.registers[0] + own.registers[1]) + lane * count;
  for (int64_t repetition = 0; repetition < product.repeated; ++repetition)
    for (int64_t index = 0; index < count; ++index)
      visit(product.sums[repetition * count + index], places[index] / own.n,
            places[index] % own.n + repetition * own.n);
}

namespace {
/// Which rows of A and columns of B the accumulators of one lane need.
struct Needs {
  Needs(const Thread &thread, const Product &product)
      : rows(product.instruction->m), columns(product.instruction->n * product.repeated) {
    forEachSum(thread, product,
               [&](uint32_t, int64_t row, int64_t column) { rows[row] = columns[column] = true; });
  }
  std::vector<char> rows, columns;
};
} // namespace

/// A factor is read in units, each of them once: of a row, or of rows beside each other.
static void recordReads(const Thread &thread, const Product &product, const Needs &needs) {
  auto *block = static_cast<Block *>(thread.block);
  if (!block || product.site == 0)
    return;
  auto readFactor = [&](const Factor &factor, const std::vector<char> &used) {
    int64_t ofUnit = kSwizzleUnit / factor.bytes, rows = used.size();
    bool alongK = factor.panels < 0;
    int64_t rowStep = alongK ? 1 : ofUnit, kStep = alongK ? ofUnit : 1;
    for (int64_t row = 0; row < rows; row += rowStep) {
      auto end = used.begin() + std::min(row + rowStep, rows);
      if (std::find(used.begin() + row, end, true) == end)
        continue;
      for (int64_t k = 0; k < product.instruction->k; k += kStep)
        block->readByProduct(thread, addressOf(thread, factor, row, k), kSwizzleUnit, product.site);
    }
  };
  readFactor(product.a, needs.rows);
  readFactor(product.b, needs.columns);
}

/// Multiply-adds in the order of k, rounded to f32 once.
static void multiply(Thread &thread, const Product &product) {
  Needs needs(thread, product);
  recordReads(thread, product, needs);
  std::vector<float> &sums = productsOf(thread).sums;
  const float *all = product.format == FactorFormat::Tf32   ? nullptr
                     : product.format == FactorFormat::Bf16 ? numbers<fromBf16>()
                                                            : numbers<fromHalf>();
  int64_t depth = product.instruction->k;
  std::vector<double> a = readRows(thread, all, product.a, needs.rows, depth);
  std::vector<double> b = readRows(thread, all, product.b, needs.columns, depth);
  forEachSum(thread, product, [&](uint32_t index, int64_t row, int64_t column) {
    double sum = sums[index];
    // Products of them are exact in f64.
    for (int64_t k = 0; k < depth; ++k)
      sum += a[row * depth + k] * b[column * depth + k];
    sums[index] = float(sum);
  });
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

bool rooftile::cpu::multipliesLater(const Record &record) {
  for (const char *site = record.sites; site && *site; site += std::strlen(site) + 1)
    if (std::string_view(site).substr(0, 14) == "lane.async_mma")
      return true;
  return false;
}

void Fences::setUp(int64_t bytes, int64_t threads) {
  cells.assign((bytes + kSwizzleUnit - 1) / kSwizzleUnit, Cell());
  fences.assign(threads, 0);
}

void Fences::write(int64_t byte, int64_t bytes, int64_t thread) {
  for (int64_t cell = byte / kSwizzleUnit; !cells.empty() && cell * kSwizzleUnit < byte + bytes;
       ++cell)
    cells[cell] = {thread, fences[thread]};
}

void Fences::arrive(int64_t byte, int64_t bytes) {
  for (int64_t cell = byte / kSwizzleUnit; !cells.empty() && cell * kSwizzleUnit < byte + bytes;
       ++cell)
    cells[cell] = Cell();
}

void Fences::fence(int64_t thread) {
  if (!cells.empty())
    ++fences[thread];
}

int64_t Fences::unfenced(int64_t byte, int64_t bytes) const {
  for (int64_t cell = byte / kSwizzleUnit; !cells.empty() && cell * kSwizzleUnit < byte + bytes;
       ++cell)
    if (cells[cell].thread >= 0 && cells[cell].fences == fences[cells[cell].thread])
      return cells[cell].thread;
  return -1;
}

//===----------------------------------------------------------------------===//
// Functions that kernels call
//===----------------------------------------------------------------------===//

void rooftileCpuMultiply(Thread *thread, const MatrixInstruction *instruction, const void *a,
                         const void *b, float *sums, int64_t repeated, int64_t format,
                         int64_t panelsOfA, int64_t panelsOfB, int64_t last, int64_t site) {
  AsyncProducts &products = productsOf(*thread);
  auto numbers = static_cast<FactorFormat>(format);
  int64_t bytes = numbers == FactorFormat::Tf32 ? 4 : 2;
  Product product{instruction,
                  {static_cast<const char *>(a), bytes, panelsOfA},
                  {static_cast<const char *>(b), bytes, panelsOfB},
                  repeated,
                  site,
                  numbers,
                  {}};
  for (int64_t index = 0; index < repeated * instruction->registers[2]; ++index) {
    product.sums.push_back(indexOf(products, sums[index]));
    sums[index] = fromIndex(product.sums.back());
  }
  recordReads(*thread, product, Needs(*thread, product));
  products.open.push_back(std::move(product));
  if (last == 0)
    return;
  products.groups.push_back(std::move(products.open));
  products.open.clear();
}

void rooftileCpuWaitForProducts(Thread *thread, int64_t pending) {
  std::deque<std::vector<Product>> &groups = productsOf(*thread).groups;
  for (; static_cast<int64_t>(groups.size()) > pending; groups.pop_front())
    for (const Product &product : groups.front())
      multiply(*thread, product);
}

void rooftileCpuFinish(Thread *thread, float *sums, int64_t count) {
  rooftileCpuWaitForProducts(thread, 0);
  AsyncProducts &products = productsOf(*thread);
  for (int64_t index = 0; index < count; ++index)
    sums[index] = products.sums[indexOf(products, sums[index])];
}

void rooftileCpuFence(const Thread *thread) {
  if (auto *block = static_cast<Block *>(thread->block))
    block->fence(*thread);
}
