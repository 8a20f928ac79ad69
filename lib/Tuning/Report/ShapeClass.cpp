//===- ShapeClass.cpp - The class of an operation -------------------------===//

#include "rooftile/Tuning/Report/ShapeClass.h"

#include <algorithm>

using namespace rooftile;
using namespace rooftile::tuning;

/// Largest width of block vectors, and of a skinny product; the least length of both.
static constexpr int64_t kBlockVectors = 64, kSkinny = 128, kLong = 8192;
static constexpr int64_t kLongKOutput = 512, kSmall = 320, kSmallK = 128;

std::string rooftile::tuning::classOf(const operation::Operation &operation) {
  bool isBatch = operation.batch != operation::Batch::None && operation.count != 1;
  if (operation.routine != operation::Routine::Gemm)
    return std::string(nameOf(operation.routine)) + (isBatch ? "batched" : "");
  if (isBatch)
    return "batched";
  auto [lesser, larger] = std::minmax(operation.m, operation.n);
  int64_t k = operation.k;
  if (larger <= kBlockVectors && k >= kLong)
    return "tsmttsm";
  if (std::max(lesser, k) <= kBlockVectors && larger >= kLong)
    return "tsmm";
  if (larger <= kLongKOutput && k >= kLong)
    return "longk";
  if (lesser == larger && lesser == k)
    return "square";
  if (std::max(larger, k) <= kSmall)
    return "small";
  return lesser <= kSkinny ? "skinny" : k <= kSmallK ? "smallk" : "odd";
}
