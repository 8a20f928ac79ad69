//===- Times.cpp - Expected times of operations ---------------------------===//

#include "Times.h"

#include <algorithm>
#include <cmath>

using namespace rooftile;
using namespace rooftile::cublas;
using namespace rooftile::operation;

static Times::Kind kindOf(const Operation &operation) {
  return {operation.routine, operation.c.element};
}

/// The scale on which operations of all sizes can be compared: the shortest time, and what flops
/// and bytes last at the ceilings.
double Times::roofline(const OfKind &kind, const Operation &operation) const {
  double bytes = bytesRead(operation) + bytesWritten(operation);
  return kind.least + std::max(operation::flops(operation) / flops[typeIndex(operation.c.element)],
                               bytes / bandwidth);
}

bool Times::compare(const Operation &operation, double predicted, Comparison &comparison) const {
  auto found = kinds.find(kindOf(operation));
  if (found == kinds.end() || !found->second.isUseful())
    return false;
  const OfKind &kind = found->second;
  Estimate theirs = kind.cublas.estimate(operation), ours = kind.model.estimate(operation);
  comparison.cublas = roofline(kind, operation) * std::exp(theirs.mean);
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

Operation TimedOperation::operation() const {
  Operation of;
  of.routine = routine, of.math = math, of.batch = batch, of.count = count;
  of.opA = opA, of.opB = opB, of.side = side, of.triangle = triangle;
  of.m = m, of.n = n, of.k = k;
  for (int index : {0, 1, 2}) {
    if (!of.has(index))
      continue;
    Matrix &matrix = of.operand(index);
    matrix.element = element, matrix.order = Order::ColumnMajor;
    matrix.leading = of.rows(index);
  }
  return of;
}

void Times::add(const ChipTimes &part) {
  name = part.chip;
  bandwidth = std::max(bandwidth, part.bandwidth);
  for (size_t type = 0; kTypes[type]; ++type)
    flops[type] = std::max(flops[type], part.flops[type]);
  for (size_t i = 0; i < part.count; ++i) {
    const TimedOperation &timed = part.operations[i];
    Operation operation = timed.operation();
    if (timed.predicted > 0)
      kinds[kindOf(operation)].model.add(operation, std::log(timed.ours / timed.predicted));
    if (timed.cublas > 0)
      rows.push_back({operation, timed.cublas * 1e-6});
  }
}

std::string Times::finish() {
  for (const Row &row : rows) {
    double &least = kinds[kindOf(row.operation)].least;
    least = least == 0 ? row.seconds : std::min(least, row.seconds);
  }
  for (const auto &[kind, fields] : kinds)
    if (bandwidth == 0 || flops[typeIndex(kind.second)] == 0)
      return std::string("no ceiling of copies, or of type ") + infoOf(kind.second).letter;
  for (const Row &row : rows) {
    OfKind &kind = kinds[kindOf(row.operation)];
    kind.cublas.add(row.operation, std::log(row.seconds / roofline(kind, row.operation)));
  }
  rows.clear();
  for (auto &[kind, fields] : kinds) {
    // Not every file has enough of the other routines: then nothing is known of them.
    if (kind.first == Routine::Gemm && !fields.isUseful())
      return std::string("too few products of cuBLAS, or of the model, of type ") +
             infoOf(kind.second).letter;
    fields.cublas.judge();
    fields.model.judge();
  }
  return "";
}
