//===- Limits.h - Plans that are left out -----------------------*- C++ -*-===//
//
// Plans that would be legal, and fast by the cost model, but that are not enumerated:
// they were measured to be slower than predicted, or were not measured. Everything else that a tile
// or a K step may not be follows from the matrix, the chip or the code of a kernel.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SPACE_LIMITS_H
#define ROOFTILE_PLANNING_SPACE_LIMITS_H

#include "rooftile/Planning/Space/Tiles.h"

#include <optional>

namespace rooftile::planning {

/// Block vectors have tiles of their own, and groups share out K steps, on NVIDIA GPUs: what such
/// kernels need of registers, and save, is not known on others.
bool isMeasured(blas::TargetAttr target);

/// The steps of the tiles of a matrix instruction; nothing where it has none.
std::optional<Steps> stepsOf(const blas::InstructionRate &rate, const Problem &problem,
                             blas::TargetAttr target);

/// Whether tiles of `own` may be worth their time: with operands exchanged, where its rows fit M
/// better than those of the machine's instruction, which are as many as its columns.
bool isWorthExchanging(const tile::Instruction &own, const Problem &problem);

/// Whether groups may share out the steps of `plan`.
bool mayGroup(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// Copies of operands that the steps of `plan` may have.
struct CopyWays {
  bool registers, async;
};
CopyWays copyWaysOf(const Problem &problem, const Plan &plan, blas::TargetAttr target);

/// Whether a tile of block vectors may have steps whose fragments are read as they are multiplied.
bool mayReadSingly(const Plan &plan);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_LIMITS_H
