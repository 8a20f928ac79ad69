//===- RandomCases.h - Cases at random --------------------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_CASES_RANDOMCASES_H
#define ROOFTILE_VERIFY_CASES_RANDOMCASES_H

#include "Operands/Draw.h"
#include "rooftile/Verify/Cases/Runner.h"

namespace rooftile::verify {

/// A kernel with a plan at random (or the planner's own) and the cases that it serves: one, or
/// several sizes and scalars where these are given at run time. The plan need not be legal.
Kernel drawKernel(Draw &draw, const std::string &name);

/// The plan of a case at random: micro tiles of any width, workgroups of any shape; most fit, some
/// must be refused.
void drawPlan(Draw &draw, Case &single);

/// A size: 0 seldom; else near a multiple of the tile, tiny, or anything.
std::string drawSize(Draw &draw, int64_t tile);

/// Three tiles and a part of a fourth: a first, inner and ragged last tile, and steps.
constexpr int64_t kManyTiles = 4;
std::string drawManyTiles(Draw &draw, int64_t tile);

/// Draws what a product with such a plan may have besides: an epilogue, pointers, paths of
/// operands.
void drawLastOfPlan(Draw &draw, std::vector<Case> &cases);

/// Cases simpler than `single` in one way each: smaller, without a scalar, with a plainer layout or
/// plan. The simplest come first.
std::vector<Case> simplerCases(const Case &single);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_CASES_RANDOMCASES_H
