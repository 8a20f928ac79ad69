//===- MemoryRuns.h - What a tile touches of memory -------------*- C++ -*-===//
//
// Private to Planning: pieces of memory whose elements are contiguous, and the cache lines and
// sectors that they touch. docs/CostModel.md, (C8), (C9) and (C13).
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_COST_MEMORYRUNS_H
#define ROOFTILE_PLANNING_COST_MEMORYRUNS_H

#include "rooftile/Planning/Space/Plan.h"

namespace rooftile::planning {

/// Bytes of one matrix.
double matrixBytes(const Problem &problem, bool isA);
/// Cache lines that an access of one subgroup touches, whose lanes are `apart` bytes.
double linesApart(double apart, blas::TargetAttr target);
/// Bytes of the piece of a tile that neighbours make up in memory: of one vector, or of all vectors
/// that the tile holds whole and that follow one another.
double runBytes(const Problem &problem, const Plan &plan, bool isA);
/// Pieces of memory of `piece` bytes that a run of `run` bytes touches on average, which begins at
/// some multiple of `alignment` bytes.
double touched(double run, int64_t piece, int64_t alignment);
/// Bytes that where runs of a matrix begin is a multiple of: its rows (or columns), which have
/// `length` elements and begin one after the other, and the `step` from run to run.
int64_t alignmentOf(const Matrix &matrix, int64_t length, int64_t step);
/// alignmentOf the tiles of an operand along its contiguous dimension; the remainder of K comes
/// first.
int64_t tileAlignment(const Problem &problem, const Plan &plan, bool isA);
/// Bytes that move for one operand's tile, in whole sectors.
double sectorBytes(const Problem &problem, const Plan &plan, bool isA, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_COST_MEMORYRUNS_H
