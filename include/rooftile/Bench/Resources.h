//===- Resources.h - Predicted time by resource -----------------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_RESOURCES_H
#define ROOFTILE_BENCH_RESOURCES_H

#include "rooftile/Planning/Search/Blocks.h"

#include <string>
#include <utility>
#include <vector>

namespace rooftile::bench {

/// Names of resources, each with the time that it alone would need.
using Resources = std::vector<std::pair<std::string, double>>;

/// Seconds of a product: FMA, issue, shared, L2, DRAM and latency of all steps of its K loop; C,
/// the reads and writes of C; launch.
Resources resourcesOf(const planning::Estimate &estimate);
/// Seconds of a triangular operation: diagonal, the kernels of one block; updates, its products.
Resources resourcesOf(const planning::Blocks &blocks);

/// Adds times by name.
void addTo(Resources &sum, const Resources &more);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_RESOURCES_H
