//===- PathRules.h - The rules of an operand's path -------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_PLANNING_PATHRULES_H
#define ROOFTILE_LIB_PLANNING_PATHRULES_H

#include "rooftile/Planning/Check.h"

namespace rooftile::planning {

/// The first rule that the path of operand `name` ('a' or 'b') breaks; `extent` is macro M or N.
std::optional<Violation> checkPath(char name, const Matrix &matrix, const Path &path,
                                   int64_t extent, const Plan &plan);

/// Rules about rows of C that are written as one.
std::optional<Violation> checkRows(const Problem &problem, const Plan &plan);

} // namespace rooftile::planning

#endif // ROOFTILE_LIB_PLANNING_PATHRULES_H
