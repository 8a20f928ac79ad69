//===- Constants.h - The figures of the model that no chip states -*- C++ -*-===//
//
// Everything a measurement may change, in one place. Chip figures are in
// #blas.target; these describe the kernels that Rooftile emits, and how the
// parts of a step overlap. docs/CostModel.md lists them; docs/experiments says what was measured.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_CONSTANTS_H
#define ROOFTILE_PLANNING_CONSTANTS_H

#include <array>
#include <cstdint>

namespace rooftile::planning::constants {

/// What an assembler takes beside accumulators and staged elements, in 32-bit registers (C3).
struct RegisterNeeds {
  /// For counters, predicates and bases.
  int64_t base;
  /// For the address of each access that is in flight.
  int64_t perLoad;
  /// For each row of op(A), column of op(B), whose place is clamped.
  int64_t perClamp;
  /// Sets of fragments alive at once: one multiplied, (part of) the next on its way.
  double fragmentSets;
  /// Elements of fragments at least: of small ones, several slices are prefetched.
  int64_t leastFragments;
  /// More where sizes are not known.
  int64_t unknown;
  /// What nearly all kernels keep to, for each register of the model: held to fewer, an assembler
  /// would spill.
  double surely;
  /// Accesses of a thread to a tile of C that comes from shared memory, at most: where addresses
  /// are not shared, each takes two registers.
  int64_t accessesOfC;
};
/// ptxas, fitted to 126 kernels.
inline constexpr RegisterNeeds kPtxas = {20, 1, 2, 1.5, 24, 0, 1, 128};
/// LLVM for AMD GPUs, fitted to 118 kernels: what is the same for a subgroup lies in scalar
/// registers. Of 206 others all but 2 take at most 1.2 of the model's.
inline constexpr RegisterNeeds kAmdgpu = {12, 1, 2, 2, 0, 12, 1.2, 32};

/// Accumulator registers for each that an element of C on its way takes on AMD GPUs: beta took 18
/// to 43 more beside 64 to 128 (C3).
inline constexpr int64_t kAccumulatorsPerArriving = 3;

/// Registers for the places in a swizzled ring that a thread writes and reads, where dynamic
/// strides leave none to spare: what ptxas spilled without (C3).
inline constexpr int64_t kRegistersPerSwizzle = 14;

/// Sets of fragments alive at once beside matrix instructions of 8 along K (C3).
inline constexpr double kMatrixFragmentSets = 1.25;
/// The same of complex numbers; in one step; where tiles go through registers; and where these meet
/// the fragments of the next step, in steps of several slices (C3).
inline constexpr double kComplexSets = 2, kComplexStepSets = 1.5, kComplexStagedSets = 0.75,
                        kComplexPrefetchSets = 1.9;
/// Real numbers of such fragments at least in one step, and registers for what each swizzle changes
/// of their places there (C3).
inline constexpr int64_t kLeastStepReals = 18, kRegistersPerStepSwizzle = 6;
/// Registers beside these that ptxas takes around matrix instructions where sizes, or the steps of
/// a share, are not known (C3).
inline constexpr int64_t kRegistersUnknown = 24;

/// Times that broadcast may multiply the bytes of one shared-memory clock (C7).
inline constexpr double kBroadcast = 2;
/// Additions that a compensated sum takes (C6).
inline constexpr double kCompensation = 7;
/// Issue slots beside each global load: address, clamp, predicate (C8).
inline constexpr double kAddressSlots = 1.5;
/// Issue slots of a subgroup that starts bulk copies: the branch and what it announces, and each of
/// its rows (C8).
inline constexpr double kBulkStart = 16, kBulkLine = 5;
/// Smallest piece of global memory that moves, in bytes (C9).
inline constexpr int64_t kSectorBytes = 32;
/// Bytes per clock that one unit can take from the L2 cache (C9).
inline constexpr double kUnitBytesPerClock = 64;
/// Share of the L2 cache that operands can hold on to (C10).
inline constexpr double kCacheShare = 0.6;
/// Share of the bandwidth of DRAM that is left to clusters, for each doubling of their workgroups
/// (C10).
inline constexpr double kClusterStreams = 0.75;
/// Share of it where rows are read in runs of half a line, and what is lost with runs of one (C10).
inline constexpr double kHalfLines = 0.6, kLineRuns = 0.07;
/// Share of it where all workgroups read the same columns of rows that are multiples of 128 KiB
/// apart (C10).
inline constexpr double kFarRowsShare = 0.88;
/// The former where workgroups that share out K read the halves at the same time (C10).
inline constexpr double kJoinedHalfLines = 0.85;
/// Bytes on their way to a unit with which a stream of block vectors reaches 1 - 1/e of the
/// bandwidth (C27).
inline constexpr double kFlightBytes = 15 * 1024;
/// The share of column-major operands that go through registers and are transposed (C27).
inline constexpr double kTransposedFlight = 0.92;
/// Of block vectors times a small matrix in one step, a workgroup alone takes so many clocks for
/// memory, and this share of its own work; and how sharply the slowest of memory, work and latency
/// rules with four workgroups a unit, more by the logarithm of their number, up to the most (C28).
struct TsmmOverlap {
  double clocks, alone, power, ofBlocks;
};
/// By matrix instructions, and by multiply-adds.
inline constexpr TsmmOverlap kTsmmOverlap[] = {{1600, 0.55, 2.3, 0}, {3750, 0.15, 2.4, 0.8}};
inline constexpr double kTsmmMostBlocks = 10;
/// What several steps take at least, as a multiple of what memory takes, and of what they are
/// predicted to (C28).
struct TsmmSteps {
  double ofMemory, ofStep;
};
/// Of rows, and by matrix instructions; of columns asynchronously, real and complex ones; of
/// columns through registers.
inline constexpr TsmmSteps kTsmmSteps{1.1, 1.05}, kTsmmColumns[] = {{1.04, 0.95}, {1.1, 1.0}},
                                                  kTsmmColumnsStaged{1.15, 1.15};
/// The same with C through shared memory behind the steps, of columns through registers and
/// asynchronously.
inline constexpr TsmmSteps kTsmmExchange{1.25, 1.25},
    kTsmmColumnsExchange[] = {{1.2, 1.2}, {1.1, 1.1}};
/// What columns that begin anywhere take more where a subgroup writes less than 64 bytes of one at
/// once, pieces of sectors (C28).
inline constexpr double kTsmmShortStores = 1.1;
/// Bytes of a tile's runs of memory of which each half adds so much to one step of columns (C28).
inline constexpr double kTsmmRunBytes = 512, kTsmmRun = 0.08;
/// What multiply-adds lose there, as a share: for each sum in a register beyond the first ones, in
/// micro tiles wider than tall, of complex numbers (without and with lines along K), by lines as
/// one that come through registers, and by copies of less than 16 bytes a lane, of the block
/// vectors (so do matrix instructions) or else of the small matrix (C28).
inline constexpr double kTsmmMany = 0.4 / 64, kTsmmFewAccumulators = 48, kTsmmWide = 0.2;
inline constexpr double kTsmmComplex[] = {0.15, 0.08}, kTsmmStaged = 0.2,
                        kTsmmNarrow[] = {1.2, 0.3};
/// The same of complex products by matrix instructions with one subgroup a scheduler (C28).
inline constexpr double kTsmmParts = 0.8;
/// Registers of real multiply-adds in one step: for each of their accumulators, and more; without
/// and with runs along K (C28).
inline constexpr std::array<double, 2> kTsmmRegisters[] = {{1.3, 38}, {2.45, 18}};
/// Clocks between the results of two fragment reads of one thread (C11).
inline constexpr double kReadClocks = 1.2;
/// Clocks that a unit idles around a barrier: draining the stores, arrival, release,
/// first fragments (C11).
inline constexpr double kBarrierClocks = 100;
/// Clocks that a unit idles more where it has one workgroup only, which nothing replaces at its
/// barriers (C11).
inline constexpr double kAloneClocks = 130;
/// Clocks that a unit idles around a barrier, alone or not, between complex products whose operands
/// are copied in bulk, and others that are copied whole: two subgroups a scheduler share steps of
/// 4096 multiply-adds or more (C11).
inline constexpr double kBulkBarrierClocks = 30;
/// Clocks that a unit with more than one subgroup a scheduler idles for the asynchronous copies of
/// a step, times the subgroups that hide them (C11).
inline constexpr double kCopyClocks = 500;
/// Share of them that complex products idle, whose steps have four times the multiply-adds (C11).
inline constexpr double kComplexCopyShare = 0.3;
/// Clocks that a unit idles more around a barrier, and more where it has one workgroup only, with
/// matrix instructions, whose results take longer (C11).
inline constexpr double kMatrixBarrierClocks = 250, kMatrixAloneClocks = 130;
/// The same of real numbers where copies are asynchronous and the first fragments of the next step
/// are there before; a workgroup alone idles no more.
inline constexpr double kPrefetchBarrierClocks = 150;
/// The same where these are read behind the barrier, as they are multiplied.
inline constexpr double kSingleBarrierClocks = 210;
/// Share of the waits that is left there with more than one subgroup a scheduler, in steps of
/// several slices (C11).
inline constexpr double kHiddenExposed = 0.5;
/// Clocks until a tile that goes through registers is there, beyond the latency, where groups share
/// out the steps of few workgroups (C11).
inline constexpr double kGroupedLatency = 2500;
/// Clocks of a unit for each asynchronous copy of a subgroup there, in place of all others (C11).
inline constexpr double kGroupedCopyClocks = 2;
/// Clocks for each asynchronous copy of a subgroup, which stand together in front of the matrix
/// instructions of a step (C11).
inline constexpr double kCopyIssueClocks = 7;
/// The same where the first fragments of the next step are there before, of 16 bytes a lane; and of
/// fewer, to lines along M or N, and along K.
inline constexpr double kHiddenCopyClocks = 1, kNarrowCopyClocks[] = {6, 5};
/// The same of complex numbers, for each element of 16 bytes (C11).
inline constexpr double kComplexCopyClocks = 2;
/// Clocks around a barrier between complex products by matrix instructions where fragments of the
/// next step are there before (C11).
inline constexpr double kHiddenBarrierClocks = 170;
/// Clocks more for each further workgroup of the unit there, where one operand runs along K and the
/// other does not (C11).
inline constexpr double kHiddenOtherClocks = 80;
/// Times the latency that the loads of complex products by matrix instructions take beside all
/// others (C11).
inline constexpr double kLoadedLatency = 2;
/// Share of the waits for fragments that one subgroup a scheduler saves where no store comes
/// between, and the first ones of a step are read before the previous step ends (C11).
inline constexpr double kPrefetchSaves = 0.25;
/// Clocks of the port of global memory for each line of it that an access touches, through
/// registers and asynchronously (C7).
inline constexpr double kLineClocks = 0.85, kAsyncLineClocks = 1.2;
/// Loss where shared memory and multipliers both are busy, times the ratio of the
/// less to the more busy one (C12).
inline constexpr double kSharedLoss = 0.14;
/// Loss of ordinary multiply-adds beside as busy a memory, whose waits for fragments other
/// subgroups of the scheduler hide (C12).
inline constexpr double kBesideMemory = 0.12;
/// Share of the less busy of multipliers and memory that one subgroup a scheduler does not hide
/// behind the other where both take as long (C12).
inline constexpr double kUnhidden = 0.5;
/// The same of matrix instructions with one tile on its way, however many subgroups (C12).
inline constexpr double kUnhiddenByMatrix = 0.2;
/// Share of the time of L2 that DRAM does not hide where both take as long (C12).
inline constexpr double kUnhiddenL2 = 0.15;
/// Loss where the micro tile is wider than tall: ptxas reads its fragments late; and the gain of
/// so many accumulators whose first fragments are prefetched, of operands that are not transposed
/// (C12).
inline constexpr double kWideLoss = 0.085, kWideGain = 0.02;
inline constexpr int64_t kWideAccumulators = 128;
/// Loss where a subgroup multiplies by matrix instructions to more rows than columns (C12).
inline constexpr double kTallLoss = 0.01;
/// Loss where a scheduler has one subgroup, and it multiplies complex numbers to so many
/// accumulators a lane (C12): an H200 issued 0.58 instructions a clock.
inline constexpr double kLoneLoss = 0.6;
inline constexpr int64_t kLoneAccumulators = 64;
/// Loss of other multiply-adds of complex<f32>; with the first fragments of a step read before; and
/// of one group that copies asynchronously, where K is shared out through a workspace. Without
/// that, by copies of whole tiles, and by groups of block vectors that copy asynchronously in runs
/// and have fewer than kComplexFewAccumulators accumulators a thread or kComplexManyAccumulators in
/// a square, there is none (C12). Such groups of at most kComplexManyAccumulators need no more
/// registers for uneven shares (C3).
inline constexpr int64_t kComplexFewAccumulators = 32, kComplexManyAccumulators = 64;
inline constexpr double kComplexLoss = 0.06, kComplexPrefetchLoss = 0.09, kComplexShareLoss = 0.03;
/// Loss of several rows of matrix instructions with columns that fit a narrow N, such as 7, and of
/// more than 16 elements that do (C12).
inline constexpr double kUnevenLoss = 0.07;

/// Share of what workgroups of a unit could hide of each other's filling and storing that two of
/// them do, and more; and more than four with one stage, which multiply and add (C13).
inline constexpr double kOverlap[] = {0.48, 0.6, 0.75};
/// Seconds from the end of one kernel to the first work of the next in a stream (C20).
inline constexpr double kNextLaunchSeconds = 0.7e-6;
/// The same of a kernel that adds up slices, which waits for every workgroup in front of it (C20).
inline constexpr double kSumLaunchSeconds = 2e-6;
/// Seconds to allocate and free a workspace that is not given (C20).
inline constexpr double kAllocationSeconds = 2e-6;
/// Share of the rate of memory that a kernel reaches which copies an operand (C24).
inline constexpr double kPackShare = 0.9;
/// Share of the least time of a product that copies of its operands may take to be evaluated (C24).
inline constexpr double kMostPacking = 0.4;
/// Times that a plan without copies may take as long as one with them, to be preferred (C24).
inline constexpr double kPackMargin = 1.005;
/// Share of the work that is lost where both operands run along K, in f32 (C25).
inline constexpr double kTransposingLoss = 0.03;
/// Times that sums in accesses of one element take the time of wide ones (C20).
inline constexpr double kNarrowSum = 2;
/// Clocks for the workgroups of a cluster to meet (C21).
inline constexpr double kClusterBarrierClocks = 110;
/// Bytes per clock that one unit reads from the shared memory of others (C21).
inline constexpr double kPeerBytesPerClock = 20;
/// Share of the units that clusters of more than two workgroups fill: the units of a group of
/// processing clusters beyond a multiple of four stay empty (C21).
inline constexpr double kClusterUnits = 10.0 / 11;
/// Times that an atomic addition costs an L2 access of its bytes (C22).
inline constexpr double kAtomicCost = 4;

/// Share of the least time of a whole product that one of its edges may lose for shorter code
/// (C23).
inline constexpr double kEdgeShare = 0.02;
/// Instructions that take as long to compile as a kernel without any (C23).
inline constexpr double kKernelCode = 250;

} // namespace rooftile::planning::constants

#endif // ROOFTILE_PLANNING_CONSTANTS_H
