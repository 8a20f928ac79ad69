//===- Check.h - Does a plan fit an operation and a chip? -------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_CHECK_H
#define ROOFTILE_PLANNING_CHECK_H

#include "rooftile/Planning/Plan.h"
#include "rooftile/Planning/Problem.h"

#include <optional>
#include <string>

namespace rooftile::planning {

/// What is wrong with a plan: a rule, the operand or dimension it is about, and
/// the two numbers that disagree. Cheap to make; `describe` turns it into words.
struct Violation {
  enum class Rule {
    Instruction, ///< The chip lacks the matrix instruction, or it multiplies other types.
    Products,    ///< Three products where the operation asks for four, or has no complex ones.
    Induced,     ///< Induced method of operands that are real already, or do not lie along M and N.
    Summation,   ///< Plain summation, or atomic additions, where errors must not grow with K.
    PlainTerms,  ///< Compensated sums of which too many terms are added up plainly.
    AsyncCopy,   ///< An asynchronous copy wider than the chip has.
    AsyncNarrow, ///< An asynchronous copy narrower than any chip has.
    BulkCopy,    ///< Bulk copies on a chip that has none;
    BulkStart,   ///< of rows that may begin between multiples of 16 bytes;
    BulkRow,     ///< of rows, or padding, of other numbers of bytes;
    BulkTile,    ///< of more bytes than are counted;
    BulkShare,   ///< of rows that do not divide among the subgroups which copy;
    BulkAlongK,  ///< of an operand that runs along K;
    BulkDepth,   ///< of a partial step of K;
    BulkEdge,    ///< or of tiles that cross the edge.
    TensorBatch, ///< Tensor copies of a batch, or of lines that may not follow each other upward;
    TensorBox,   ///< of more numbers along a side than hardware moves.
    Layout,      ///< A planar layout of real numbers.
    Stages,      ///< More stages than the copies can fill.
    Subgroup,    ///< Threads are not whole subgroups.
    Lanes,       ///< The lanes do not make up a subgroup.
    ThreadCount, ///< Too many threads for a workgroup.
    VectorLegal, ///< The operand does not allow that width.
    VectorRun,   ///< A direct access is wider than the runs of the fragments.
    VectorTile,  ///< The width does not divide the tile along the contiguous dimension.
    Flat,        ///< The operand has no such lines without gaps, or the tile does not hold one.
    FlatRows,    ///< Nor has C such rows, or they cannot be written as one.
    LoadsDivide, ///< The accesses of a tile do not divide among the threads.
    FragmentBytes, ///< A fragment read is wider than 16 bytes.
    FragmentRuns,  ///< Runs of the fragments do not divide the micro tile.
    RowAligned,    ///< A padded row of the shared tile breaks the alignment of accesses.
    Swizzle,       ///< Elements that change places do not divide the rows of the shared tile.
    SharedBytes,   ///< More shared memory than a workgroup may have.
    Spill,         ///< More registers than a thread may have.
    RegisterFile,  ///< More registers than a unit has for one workgroup.
    Residency,     ///< More workgroups at once than fit on a unit.
    Order,         ///< Atomic additions where results must be the same in every run.
    AtomicType,    ///< Atomic additions to elements that are not of the type of the sums.
    ClusterSize,   ///< A cluster of more workgroups than the chip forms.
    ExchangeShare, ///< Sums to add up do not divide among the workgroups and threads that do.
    Slices,        ///< Another number of splits than slices of partial sums.
    Pointers       ///< A second kernel would write C, whose matrices lie anywhere.
  };
  Rule rule;
  char operand = ' '; ///< 'a' or 'b' where the rule is about one operand.
  int64_t actual = 0;
  int64_t limit = 0;
};

/// Nothing if `plan` can run `problem` on `target`; else the first rule it breaks.
/// For a plan made by hand as well as for candidates. `registers` (per thread) where they are
/// known.
std::optional<Violation> check(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                               int64_t registers = 0);

/// A message that names the plan's field and the numbers:
/// "shared memory: 262144 bytes, but a workgroup of h200 has at most 232448".
std::string describe(const Violation &violation, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_CHECK_H
