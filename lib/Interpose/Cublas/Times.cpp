//===- Times.cpp - What a product is expected to take ---------------------===//

#include "Times.h"

#include <algorithm>
#include <cmath>

using namespace rooftile::cublas;

static Times::Kind kindOf(const Product &product) { return {product.routine, product.type}; }

/// The scale on which products of all sizes can be compared: the shortest time, and what flops and
/// bytes take at the ceilings.
double Times::roofline(const OfKind &kind, const Product &p) const {
  return kind.least + std::max(flopsOf(p) / flops.at(p.type), bytesOf(p) / bandwidth);
}

bool Times::compare(const Product &product, double predicted, Comparison &comparison) const {
  auto found = kinds.find(kindOf(product));
  if (found == kinds.end() || !found->second.isUseful())
    return false;
  const OfKind &kind = found->second;
  Estimate theirs = kind.cublas.estimate(product), ours = kind.model.estimate(product);
  comparison.cublas = roofline(kind, product) * std::exp(theirs.mean);
  comparison.ours = predicted * std::exp(ours.mean);
  comparison.margin = std::exp(
      std::hypot(kind.cublas.lowest() * theirs.deviation, kind.model.highest() * ours.deviation));
  return true;
}

std::vector<Times::Kind> Times::known() const {
  std::vector<Kind> all;
  for (const auto &[kind, fields] : kinds)
    if (fields.isUseful())
      all.push_back(kind);
  return all;
}

Product TimedProduct::product() const {
  bool isTriangular = routine != Routine::Gemm;
  Product p{routine, type, isGemm3m, form, transA, transB, m, n, k, count};
  p.lda = isTriangular || transA ? k : m;
  p.ldb = isTriangular ? m : transB ? n : k;
  return p;
}

void Times::add(const ChipTimes &part) {
  name = part.chip;
  bandwidth = std::max(bandwidth, part.bandwidth);
  for (int type = 0; kTypes[type]; ++type)
    flops[kTypes[type]] = std::max(flops[kTypes[type]], part.flops[type]);
  for (size_t i = 0; i < part.count; ++i) {
    const TimedProduct &timed = part.products[i];
    Product product = timed.product();
    if (timed.predicted > 0)
      kinds[kindOf(product)].model.add(product, std::log(timed.ours / timed.predicted));
    if (timed.cublas > 0)
      rows.push_back({product, timed.cublas * 1e-6});
  }
}

std::string Times::finish() {
  for (const Row &row : rows) {
    double &least = kinds[kindOf(row.product)].least;
    least = least == 0 ? row.seconds : std::min(least, row.seconds);
  }
  for (const auto &[kind, fields] : kinds)
    if (bandwidth == 0 || flops[kind.second] == 0)
      return std::string("no ceiling of copies, or of type ") + kind.second;
  for (const Row &row : rows) {
    OfKind &kind = kinds[kindOf(row.product)];
    kind.cublas.add(row.product, std::log(row.seconds / roofline(kind, row.product)));
  }
  rows.clear();
  for (auto &[kind, fields] : kinds) {
    // Some files have too few triangular calls: then nothing is known of them.
    if (kind.first == Routine::Gemm && !fields.isUseful())
      return std::string("too few products of cuBLAS, or of the model, of type ") + kind.second;
    fields.cublas.judge();
    fields.model.judge();
  }
  return "";
}
