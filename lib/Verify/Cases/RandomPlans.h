//===- RandomPlans.h - Plans at random, and sizes for them ------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_CASES_RANDOMPLANS_H
#define ROOFTILE_VERIFY_CASES_RANDOMPLANS_H

#include "Operands/Draw.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Verify/Cases/Case.h"

namespace rooftile::verify {

/// Names of the matrix instructions that `isWanted` accepts.
std::vector<std::string>
instructionsOf(llvm::function_ref<bool(const rooftile::tile::Instruction &)> isWanted);

/// The plan of a case at random: micro tiles of any width, workgroups of any shape; most fit, some
/// must be refused.
void drawPlan(Draw &draw, Case &single);

/// A size: 0 seldom; else near a multiple of the tile, tiny, or anything.
std::string drawSize(Draw &draw, int64_t tile);

/// Three tiles and a fraction of a fourth: a first, inner and ragged last tile, and steps.
constexpr int64_t kManyTiles = 4;
std::string drawManyTiles(Draw &draw, int64_t tile);

/// Draws what a product with such a plan may have besides: an epilogue, pointers, paths of
/// operands.
void drawLastOfPlan(Draw &draw, std::vector<Case> &cases);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_CASES_RANDOMPLANS_H
