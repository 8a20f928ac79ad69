//===- ShapeClass.h - The class of an operation -----------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_REPORT_SHAPECLASS_H
#define ROOFTILE_TUNING_REPORT_SHAPECLASS_H

#include "rooftile/Operation/Operation.h"

#include <string>

namespace rooftile::tuning {

/// Class that a report sums an operation up in, under the names of the benchmarks
/// (rooftile/Bench/Classes.h, Draw.h): of a product by its sizes, the first that fits of
///
///   batched   more than one matrix
///   tsmttsm   M and N <= 64, K >= 8192
///   tsmm      K and the lesser of M and N <= 64, the other >= 8192
///   longk     M and N <= 512, K >= 8192
///   square    M = N = K
///   small     M, N and K <= 320
///   skinny    the lesser of M and N <= 128
///   smallk    K <= 128
///   odd       all others
///
/// of every other routine its name, with "batched" after it for a batch.
std::string classOf(const operation::Operation &operation);

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_REPORT_SHAPECLASS_H
