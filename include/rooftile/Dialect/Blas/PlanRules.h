//===- PlanRules.h - What a plan can be -------------------------*- C++ -*-===//
//
// One table of rules. Verifiers of attributes ask those about a plan alone, planning and the passes
// those about a plan and an operation, planning those about a chip as well. A rule is one row: what
// it is about, what breaks it, and its message.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_PLANRULES_H
#define ROOFTILE_DIALECT_BLAS_PLANRULES_H

#include "rooftile/Dialect/Blas/ProductFacts.h"

#include <optional>
#include <string>

namespace rooftile::blas {

/// Inputs of a rule.
enum class RuleLevel {
  Plan,      ///< The plan alone: its attribute is none otherwise.
  Operation, ///< The plan and the operation: no kernel can do it.
  Target,    ///< The plan, the operation and the chip.
  Resources  ///< Also registers and shared memory of the kernel.
};

/// All rules, each a row of the table in PlanRules.cpp.
enum class PlanRule {
  // A path alone.
  PathFlat,     ///< Elements of a flat vector.
  PathFlatOnly, ///< Values that exclude flat vectors.
  PathPack,
  PathVector,
  PathPad,
  PathLanes,
  PathSwizzle,
  PathLayout, ///< a layout of complex elements that are not stored one by one;
  PathDirect, ///< what belongs to a tile in shared memory;
  PathBulk,   ///< or to copies by threads;
  PathTensor, ///< or by rows.
  // A plan alone.
  Sizes,
  Vector,
  StageCount,
  ResidencyCount,
  SplitCount,
  SlicedKCount,
  Depth,
  LoadsOfC,  ///< Accesses to C that are read before the first is written.
  WholeRows, ///< Rows of C that are written as one.
  Prefetch,
  Unroll,
  Raster,
  ProductCount,
  SixProducts, ///< Parts of elements that nothing copies, or of other chunks.
  InducedOnly, ///< Values that exclude complex = induced.
  Promote,     ///< Totals of accumulators that no matrix instruction has.
  PlainTerms,  ///< Compensated sums of which too many terms are added up plainly.
  Combined,    ///< Partial sums that nothing combines.
  Micro,       ///< Micro tiles that do not divide the macro tile;
  Runs,        ///< runs that do not divide micro tiles;
  LanesOfTile, ///< lanes that do not divide the threads.
  InstructionLanes,
  InstructionDepth,
  InstructionTile,
  SharedFactors,     ///< Tiles in another layout than the instruction reads shared memory in.
  SliceDepth,        ///< A depth beside that of the matrix instruction.
  WholeSlices,       ///< Groups do not share out a step in whole slices.
  PathMajor,         ///< Runs along K of fragments that come in others.
  ScalarTile,        ///< Fragments in scalar registers that threads of a subgroup do not share.
  OutputVia,         ///< A path that C does not have.
  MatrixCount,       ///< Matrices of a workgroup;
  MatricesOfThreads, ///< of which a thread does not have a whole one.

  // A plan and an operation.
  InstructionType, ///< A matrix instruction of other types.
  MaskedFactors,   ///< Elements beside a triangle, where an instruction reads shared memory.
  Products,        ///< Three products where the operation asks for four, or has no complex ones.
  Parts,           ///< Six products where the operation has no f32, or asks for its products.
  Induced,      ///< Induced method of operands that are real already, or do not lie along M and N.
  Summation,    ///< Plain summation, or atomic additions, where errors must not grow with K.
  Stages,       ///< More stages than the copies can fill.
  Unrolled,     ///< More multiply-adds of a thread than one block holds.
  Layout,       ///< A planar layout of real elements.
  VectorLegal,  ///< The operand does not allow that width.
  VectorRun,    ///< A direct access is wider than the runs of the fragments.
  VectorTile,   ///< The width does not divide the tile along the contiguous dimension.
  Flat,         ///< The operand has no such vectors without gaps, or the tile does not hold one.
  FlatRows,     ///< Nor has C such rows, or they cannot be written as one.
  LoadsDivide,  ///< The accesses of a tile do not divide among the threads.
  RowAligned,   ///< A padded row of the shared tile breaks the alignment of accesses.
  MaskedPack,   ///< Packed is a triangle of an operand that is not square.
  SwizzledCopy, ///< An asynchronous copy moves elements that a swizzle separates.
  Swizzle, ///< Elements that a swizzle moves as a unit do not divide the rows of the shared tile.
  ScalarLoad,    ///< Scalar registers that no load fills.
  AsyncNarrow,   ///< An asynchronous copy narrower than any chip has.
  BulkStart,     ///< Bulk copies of rows that may begin between multiples of 16 bytes;
  BulkRow,       ///< of rows, or padding, of other byte counts;
  BulkTile,      ///< of more bytes than are counted;
  BulkShare,     ///< of rows that do not divide among the subgroups which copy;
  BulkAlongK,    ///< of an operand that runs along K;
  BulkDepth,     ///< of a partial step of K;
  BulkEdge,      ///< or of tiles that cross the edge.
  TensorSwizzle, ///< Tensor copies with a swizzle that hardware does not have;
  TensorBatch,   ///< Tensor copies of a batch, or of vectors that may not follow each other upward;
  TensorBox,     ///< of more elements along a side than hardware moves.
  Order,         ///< Atomic additions where results must be the same in every run.
  AtomicType,    ///< Atomic additions to elements that are not of the accumulator type.
  ExchangeShare, ///< Partial sums do not divide among the workgroups and threads that do.
  Triangle,      ///< A triangle of C in tiles that are not square, or in an order of all tiles.
  Masked,        ///< A cut through the triangle of an operand that is masked.
  Slices,        ///< Another number of splits than slices of partial sums.
  Pointers,      ///< A second kernel would write C, whose matrices lie anywhere.
  Matrices,      ///< Several matrices of what is no batch of products without splits,
  MatrixTile,    ///< or of a C that one tile does not hold.

  // A plan, an operation and a chip.
  Instruction,   ///< The chip lacks the matrix instruction.
  AsyncCopy,     ///< An asynchronous copy wider than the chip has.
  Scalar,        ///< Scalar registers on a chip whose multiply-adds read none.
  AtomicAdd,     ///< Atomic additions to numbers that memory does not add to by itself.
  BulkCopy,      ///< Bulk copies on a chip that has none.
  FragmentBytes, ///< A fragment read is wider than 16 bytes.
  ThreadCount,   ///< Too many threads for a workgroup.
  Subgroup,      ///< Threads are not whole subgroups.
  Lanes,         ///< The lanes do not make up a subgroup.
  ClusterSize,   ///< A cluster of more workgroups than the chip forms.
  SharedBytes,   ///< More shared memory than a workgroup may have.

  // Counts of the cost model.
  Spill,        ///< More registers than a thread may have.
  RegisterFile, ///< More registers than a unit has for one workgroup.
  Residency     ///< More workgroups at once than fit on a unit.
};

/// A rule that is broken, and what its message names. Cheap to make.
struct Violation {
  using Rule = PlanRule;
  PlanRule rule;
  const char *message; ///< Message of the rule's row, with placeholders for the values below.
  char operand = ' ';  ///< 'a', 'b' or 'c' where the rule is about one operand.
  int64_t actual = 0, limit = 0, third = 0, fourth = 0;
  llvm::StringRef word{}, name{};
};

/// The first rule that a path, or a plan and its paths, break whatever they are for.
std::optional<Violation> checkAlone(const PathData &path);
std::optional<Violation> checkAlone(const PlanData &plan);
/// One rule about a plan alone.
std::optional<Violation> checkAlone(PlanRule rule, const PlanData &plan);

/// Resources of a kernel: 32-bit registers of a thread, and workgroups that fit on a unit.
struct KernelResources {
  int64_t registers, blocks;
};

/// The first rule that a plan breaks for a product as its kernel sees it: operands that it packs
/// are packed, and complex elements that it multiplies as real ones are real. Without `target` no
/// kernel can do it; with it none on that chip.
std::optional<Violation> checkProduct(const PlanData &plan, const ProductFacts &product,
                                      TargetAttr target = {});

/// The part of it that is about bulk and tensor copies.
std::optional<Violation> checkBulkCopies(const PlanData &plan, const ProductFacts &product,
                                         TargetAttr target);

/// The first rule that a plan breaks by what its kernel needs of the chip.
std::optional<Violation> checkResources(const PlanData &plan, TargetAttr target,
                                        KernelResources resources);

/// One rule about a whole plan and an operation, for a pass that asks nothing else of them.
std::optional<Violation> checkProduct(PlanRule rule, const PlanData &plan,
                                      const ProductFacts &product, TargetAttr target = {});

/// The message of a rule, with the values that disagree; `chip` is the name of the target.
std::string describe(const Violation &violation, llvm::StringRef chip = "");

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_PLANRULES_H
