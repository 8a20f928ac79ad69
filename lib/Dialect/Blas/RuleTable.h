//===- RuleTable.h - Rows of the tables of plan rules -----------*- C++ -*-===//
#ifndef ROOFTILE_LIB_DIALECT_BLAS_RULETABLE_H
#define ROOFTILE_LIB_DIALECT_BLAS_RULETABLE_H

#include "rooftile/Dialect/Blas/PlanRules.h"

namespace rooftile::blas {

/// What a message names beside the rule: as Violation. Nothing where the rule holds.
struct Numbers {
  int64_t actual = 0, limit = 0, third = 0, fourth = 0;
  llvm::StringRef word{}, name{};
};
using Broken = std::optional<Numbers>;

/// A row of a table. Of a message {0} is the operand, {1}, {2}, {4} and {5} are numbers, {3} is
/// the chip, {6} and {7} are words.
template <typename Input> struct Row {
  PlanRule rule;
  RuleLevel level;
  const char *message;
  Broken (*broken)(const Input &input);
};

inline Broken when(bool broken, Numbers numbers = {}) {
  return broken ? std::optional(numbers) : std::nullopt;
}

inline Violation violationOf(PlanRule rule, const Numbers &numbers, char operand = ' ') {
  return {rule,          operand,        numbers.actual, numbers.limit,
          numbers.third, numbers.fourth, numbers.word,   numbers.name};
}

template <typename Input> const Row<Input> *rowOf(llvm::ArrayRef<Row<Input>> rows, PlanRule rule) {
  for (const Row<Input> &row : rows)
    if (row.rule == rule)
      return &row;
  return nullptr;
}

/// The message of a rule about a plan and an operation; null for others.
const char *productMessage(PlanRule rule);

} // namespace rooftile::blas

#endif // ROOFTILE_LIB_DIALECT_BLAS_RULETABLE_H
