//===- Check.cpp - The rules of a plan ------------------------------------===//
//
// The limits of Li, Dongarra and Tomov ("A Note on Auto-tuning GEMM for GPUs":
// threads per workgroup, loads that divide among the threads, tiles that divide
// into micro tiles) and of clBLAS (the tiles fit into local memory), extended by
// registers: a plan that spills is rejected, never priced.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Check.h"
#include "Bulk.h"
#include "Copying.h"
#include "PathRules.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Tile/Tile.h"
#include "rooftile/Planning/Induced.h"
#include "rooftile/Planning/Occupancy.h"
#include "rooftile/Planning/Packing.h"
#include "llvm/Support/FormatVariadic.h"

using namespace rooftile;
using namespace rooftile::planning;
using Rule = Violation::Rule;

/// Stages of a ring filled through registers, asynchronously.
static constexpr int64_t kMaxStages = 2, kMaxAsyncStages = 5;

/// The narrower type counts, and one plane of numbers whose parts lie apart: the runs of the wider
/// are several accesses.
static std::optional<Violation> checkFragments(const Problem &problem, const Plan &plan) {
  int64_t narrower = std::min(stepBytes(problem.a, plan.a), stepBytes(problem.b, plan.b));
  if (plan.vector * narrower > kMaxAccessBytes)
    return Violation{Rule::FragmentBytes, ' ', plan.vector * narrower, kMaxAccessBytes};
  for (int64_t micro : {plan.microM, plan.microN})
    if (micro % plan.vector != 0)
      return Violation{Rule::FragmentRuns, ' ', micro, plan.vector};
  return std::nullopt;
}

/// Rules about rings and how they are filled.
static std::optional<Violation> checkRings(const Problem &problem, const Plan &plan,
                                           blas::TargetAttr target) {
  bool any = false;
  for (auto [name, matrix, path] :
       {std::tuple('a', &problem.a, &plan.a), std::tuple('b', &problem.b, &plan.b)}) {
    any |= path->copy != blas::Copy::Register;
    if (auto violation = checkBulk(problem, plan, name, target))
      return violation;
    if (path->copy != blas::Copy::Async)
      continue;
    int64_t bytes = storedVector(*matrix, *path) * stepBytes(*matrix, *path);
    if (bytes < kLeastCopyBytes)
      return Violation{Rule::AsyncNarrow, name, bytes, kLeastCopyBytes};
    if (bytes > target.getAsyncCopyBytes())
      return Violation{Rule::AsyncCopy, name, bytes, target.getAsyncCopyBytes()};
  }
  if (int64_t most = any ? kMaxAsyncStages : kMaxStages; plan.stages > most)
    return Violation{Rule::Stages, ' ', plan.stages, most};
  return std::nullopt;
}

/// Rules about threads and lanes. A workgroup smaller than a subgroup is legal
/// (its other lanes idle); a larger one consists of whole subgroups.
static std::optional<Violation> checkThreads(const Plan &plan, blas::TargetAttr target) {
  int64_t threads = plan.threads(), subgroup = target.getSubgroup();
  if (threads > target.getThreadsPerBlock())
    return Violation{Rule::ThreadCount, ' ', threads, target.getThreadsPerBlock()};
  if (threads > subgroup && threads % subgroup != 0)
    return Violation{Rule::Subgroup, ' ', threads, subgroup};
  // Those of one group: small groups share a subgroup.
  int64_t lanes = plan.lanesM * plan.lanesN, full = std::min(threads / plan.slicedK, subgroup);
  if (lanes != full)
    return Violation{Rule::Lanes, ' ', lanes, full};
  return std::nullopt;
}

/// Rules about the workgroups that share the K steps of a tile.
static std::optional<Violation> checkReduction(const Problem &problem, const Plan &plan,
                                               blas::TargetAttr target) {
  if (problem.slices > 1 &&
      (plan.splits != problem.slices || plan.reduction != blas::Reduction::Workspace))
    return Violation{Rule::Slices, ' ', plan.splits, problem.slices};
  if (problem.c.byPointers &&
      (plan.reduction == blas::Reduction::Atomic || plan.reduction == blas::Reduction::Workspace))
    return Violation{Rule::Pointers, 'c'};
  if (plan.reduction == blas::Reduction::Atomic && !problem.anyOrder)
    return Violation{Rule::Order};
  if (plan.reduction == blas::Reduction::Atomic && problem.c.elementBytes != problem.elementBytes)
    return Violation{Rule::AtomicType, ' ', problem.elementBytes, problem.c.elementBytes};
  if (!plan.reducesInShared())
    return std::nullopt;
  int64_t ranks = plan.ranks();
  if (ranks > target.getClusterBlocks())
    return Violation{Rule::ClusterSize, ' ', ranks, target.getClusterBlocks()};
  if (plan.macroM % ranks != 0 ||
      !blas::exchangeShare(plan.macroM / ranks, plan.macroN, plan.threads(), plan.vector).threads)
    return Violation{Rule::ExchangeShare, ' ', ranks, plan.threads()};
  return std::nullopt;
}

/// Rules about what is added up to what.
static std::optional<Violation> checkSummation(const Problem &problem, const Plan &plan) {
  if (plan.products == 3 && !problem.threeProducts)
    return Violation{Rule::Products};
  if (problem.compensated && (!plan.compensates() || plan.reduction == blas::Reduction::Atomic))
    return Violation{Rule::Summation};
  if (plan.compensates() && plan.plainTerms() > blas::PlanData::kMostPlainTerms)
    return Violation{Rule::PlainTerms, ' ', plan.plainTerms(), blas::PlanData::kMostPlainTerms};
  return std::nullopt;
}

std::optional<Violation> planning::check(const Problem &stated, const Plan &plan,
                                         blas::TargetAttr target, int64_t registers) {
  if (plan.isInduced())
    return stated.canBeInduced ? check(toInduced(stated), plan.toInduced(), target, registers)
                               : std::optional(Violation{Rule::Induced});
  Problem problem = packed(stated, plan);
  if (plan.instruction &&
      (!multiplies(*plan.instruction, problem) || !target.getRateOf(plan.instruction->machine)))
    return Violation{Rule::Instruction, ' ', 8 * problem.elementBytes};
  if (auto violation = checkSummation(problem, plan))
    return violation;
  if (auto violation = checkRings(problem, plan, target))
    return violation;
  if (auto violation = checkFragments(problem, plan))
    return violation;
  if (auto violation = checkThreads(plan, target))
    return violation;
  if (auto violation = checkPath('a', problem.a, plan.a, plan.macroM, plan))
    return violation;
  if (auto violation = checkPath('b', problem.b, plan.b, plan.macroN, plan))
    return violation;
  if (auto violation = checkRows(problem, plan))
    return violation;
  if (auto violation = checkReduction(problem, plan, target))
    return violation;
  int64_t shared = sharedBytes(problem, plan);
  if (shared > target.getSharedBytesPerBlock())
    return Violation{Rule::SharedBytes, ' ', shared, target.getSharedBytesPerBlock()};
  if (registers == 0)
    registers = registersPerThread(problem, plan, target.getVendor());
  if (registers > target.getRegistersPerThread())
    return Violation{Rule::Spill, ' ', registers, target.getRegistersPerThread()};
  int64_t blocks = occupancy(problem, plan, target, registers).blocks;
  if (blocks == 0)
    return Violation{Rule::RegisterFile, ' ', registers * plan.threads(),
                     target.getRegistersPerUnit()};
  if (plan.residency > blocks)
    return Violation{Rule::Residency, ' ', plan.residency, blocks};
  return std::nullopt;
}

/// As `message`, for the rules about a reduction.
static const char *reductionMessage(Rule rule) {
  switch (rule) {
  case Rule::Order:
    return "reduction = atomic adds in an order that changes from run to run, but the operation "
           "does not say any_order, or has an epilogue, which needs whole sums";
  case Rule::AtomicType:
    return "reduction = atomic adds sums of {1} bytes to elements of C of {2}";
  case Rule::ClusterSize:
    return "reduction = cluster: splits = {1}, but a cluster of {3} has at most {2} workgroups";
  case Rule::ExchangeShare:
    return "partial sums: the macro tile does not divide among {1} workgroups of {2} threads, "
           "which add them up";
  case Rule::Pointers:
    return "reduction: a second kernel would write C, which is a batch by pointers";
  case Rule::Slices:
    return "splits = {1}, but the operation asks for {2} slices of partial sums";
  default:
    return bulkMessage(rule);
  }
}

/// As `message`, for the rules about what a chip can do without registers, or for a subgroup.
static const char *capabilityMessage(Rule rule) {
  switch (rule) {
  case Rule::Instruction:
    return "mma: {3} has no such instruction for elements of {1} bits";
  case Rule::Products:
    return "products = 3 stand in for four of complex numbers of one type, where the operation "
           "says math<emulated>";
  case Rule::Induced:
    return "complex = induced takes complex matrices of one type, with known M, N, strides and "
           "offsets, A along M, B along N and not conjugated, no batch and no part of a product";
  case Rule::Summation:
    return "summation = plain, or reduction = atomic, but the operation says compensated";
  case Rule::PlainTerms:
    return "summation = compensated of which {1} terms are added up plainly, but at most {2} may "
           "be";
  case Rule::FlatRows:
    return "flat = {1}: C has rows of {2} elements without gaps (0: none), which tiles hold whole, "
           "and c = shared, no reduction and no matrix of an epilogue";
  case Rule::Layout:
    return "{0}: layout = planar, but its elements are real numbers";
  case Rule::AsyncCopy:
    return "{0}: copy = async moves {1} bytes at a time, but {3} has asynchronous copies of at "
           "most {2}";
  case Rule::AsyncNarrow:
    return "{0}: copy = async moves {1} bytes at a time, but asynchronous copies move {2} or more";
  default:
    return reductionMessage(rule);
  }
}

/// {0}: operand, {1}: actual number, {2}: limit, {3}: chip.
static const char *message(Rule rule) {
  switch (rule) {
  case Rule::Stages:
    return "stages = {1}, but rings filled that way have at most {2} stages";
  case Rule::Subgroup:
    return "macro / micro: {1} threads are not whole subgroups of {2} lanes on {3}";
  case Rule::Lanes:
    return "lanes: {1} lanes do not make up a subgroup of {2} threads on {3}";
  case Rule::ThreadCount:
    return "macro / micro: {1} threads, but a workgroup of {3} has at most {2}";
  case Rule::VectorLegal:
    return "{0}: vector = {1}, but strides, offset and sizes of the operand allow {2}";
  case Rule::VectorRun:
    return "{0}: vector = {1}, but fragments come in runs of {2}";
  case Rule::VectorTile:
    return "{0}: vector = {1} does not divide the {2} elements of the macro tile along the "
           "contiguous dimension";
  case Rule::Flat:
    return "{0}: flat = {1}, but the operand has lines of {2} elements without gaps (0: none) "
           "in that direction, and a tile holds whole ones";
  case Rule::LoadsDivide:
    return "{0}: {1} accesses of one macro tile do not divide among {2} threads";
  case Rule::FragmentBytes:
    return "vector: fragment reads of {1} bytes, but the widest is {2}";
  case Rule::FragmentRuns:
    return "vector: a micro tile of {1} elements along a side is no multiple of runs of {2}";
  case Rule::RowAligned:
    return "{0}: a padded row of {1} elements is not a multiple of accesses of {2}";
  case Rule::Swizzle:
    return "{0}: the swizzle changes places of {1} elements, which do not divide rows of {2}";
  case Rule::SharedBytes:
    return "macro, stages: {1} bytes of shared memory, but a workgroup of {3} has at most {2}";
  case Rule::Spill:
    return "micro: {1} registers a thread would spill, {3} has {2}";
  case Rule::RegisterFile:
    return "micro, macro: {1} registers of one workgroup, but a unit of {3} has {2}";
  case Rule::Residency:
    return "residency = {1}, but {2} workgroups fit on a unit of {3}";
  default:
    return capabilityMessage(rule);
  }
}

std::string planning::describe(const Violation &violation, blas::TargetAttr target) {
  std::string operand(1, violation.operand), chip = target.getChip().str();
  return llvm::formatv(/*Validate=*/false, message(violation.rule), operand, violation.actual,
                       violation.limit, chip);
}
