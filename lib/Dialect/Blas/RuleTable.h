//===- RuleTable.h - Rows of the tables of plan rules -----------*- C++ -*-===//
#ifndef ROOFTILE_LIB_DIALECT_BLAS_RULETABLE_H
#define ROOFTILE_LIB_DIALECT_BLAS_RULETABLE_H

#include "rooftile/Dialect/Blas/PlanRules.h"

namespace rooftile::blas {

/// Values in a message beside the rule: as Violation. Nothing where the rule holds.
struct Numbers {
  int64_t actual = 0, limit = 0, third = 0, fourth = 0;
  llvm::StringRef word{}, name{};
};
using Broken = std::optional<Numbers>;

/// A row of a table. Of a message {0} is the operand, {1}, {2}, {4} and {5} are values, {3} is
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

/// The first rule that `input` breaks, of those that depend on `most` at most.
template <typename Input>
std::optional<Violation> firstBroken(llvm::ArrayRef<Row<Input>> rows, const Input &input,
                                     RuleLevel most, char operand = ' ') {
  for (const Row<Input> &row : rows)
    if (row.level <= most)
      if (Broken found = row.broken(input))
        return Violation{row.rule,     row.message,   operand,     found->actual, found->limit,
                         found->third, found->fourth, found->word, found->name};
  return std::nullopt;
}

template <typename Input> const Row<Input> *rowOf(llvm::ArrayRef<Row<Input>> rows, PlanRule rule) {
  for (const Row<Input> &row : rows)
    if (row.rule == rule)
      return &row;
  return nullptr;
}

} // namespace rooftile::blas

#endif // ROOFTILE_LIB_DIALECT_BLAS_RULETABLE_H
