//===- SixProducts.h - f32 products as bf16 ones ----------------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_PROBLEM_SIXPRODUCTS_H
#define ROOFTILE_PLANNING_PROBLEM_SIXPRODUCTS_H

#include "rooftile/Planning/Problem/Problem.h"

namespace rooftile::planning {

/// The product of copies in parts, which products = 6 needs of f32 operands: of bf16 elements, six
/// times as long along K.
Problem toParts(Problem problem);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_PROBLEM_SIXPRODUCTS_H
