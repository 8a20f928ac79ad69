//===- Registers.cpp - Registers of one thread (C3) -----------------------===//

#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Planning/Feasibility/Occupancy.h"
#include "rooftile/Planning/Feasibility/Refusals.h"
#include "rooftile/Planning/Space/SharedAccess.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace rooftile;
using namespace rooftile::planning;

namespace {
/// Registers that an assembler needs beside accumulators and staged elements, in 32 bits each (C3):
/// for each thing that a kernel has, whatever it computes.
struct RegisterNeeds {
  /// For counters, predicates and bases.
  double base;
  /// More where asynchronous copies run ahead of the multiplications: stages and steps that are
  /// left.
  double ring;
  /// For the address of a load of A or B: most are made from another; and of an asynchronous one,
  /// and of a read of C that runs ahead, where strides are not known.
  double perLoad, perUnknownCopy;
  /// For each row of op(A), column of op(B), whose index is clamped at run time.
  double perClamp;
  /// Sets of fragments alive at once: one multiplied, (part of) the next on its way.
  double sets;
  /// Small sets are read further ahead: real elements that then are in flight, and the K elements
  /// that they are of at most.
  double leastReals, mostAhead;
  /// Registers it can do without where it is held to fewer: it computes addresses again.
  int64_t spared;
  /// Least need of nearly all kernels, for each register of the model.
  double least;
  /// Need that nearly all kernels keep to, for each register of the rest: held to fewer, an
  /// assembler
  /// would spill.
  double surely;
  /// Accesses of a thread to a tile of C that comes from shared memory, at most: where addresses
  /// are not shared, each needs two registers.
  int64_t accessesOfC;
  /// Whether accumulators wait in shared memory for their access to C, as the order of the program
  /// allows.
  bool readsSumsLate;
};
} // namespace

/// ptxas: fitted to 7372 kernels, of which 1300 are drawn from all candidates, half of them for
/// sizes that are not known; those at the limit of their residency as at least that. Median error
/// 6 %, 5 in 100 below .78, and above 1.23. By 735 others, drawn near their limit, `spared` was
/// chosen: none spills that is to fit, and some 260 are refused that do not.
static constexpr RegisterNeeds kPtxas = {.base = 25,
                                         .ring = 7,
                                         .perLoad = .33,
                                         .perUnknownCopy = 1,
                                         .perClamp = 2.25,
                                         .sets = 1.87,
                                         .leastReals = 23.5,
                                         .mostAhead = 5.4,
                                         .spared = 8,
                                         .least = .8,
                                         .surely = 1,
                                         .accessesOfC = 128,
                                         .readsSumsLate = true};
/// LLVM for AMD GPUs, fitted to 900 kernels: what is the same for a subgroup lies in scalar
/// registers, of each slice the next one is read. Median error 4 %, 5 in 100 below .84, and
/// above 1.15; of those that need more than 120 registers 98 in 100 keep to 1.2.
static constexpr RegisterNeeds kAmdgpu = {.base = 15,
                                          .ring = 0,
                                          .perLoad = .2,
                                          .perUnknownCopy = .2,
                                          .perClamp = 3.3,
                                          .sets = 1.9,
                                          .leastReals = 0,
                                          .mostAhead = 0,
                                          .spared = 0,
                                          .least = .8,
                                          .surely = 1.2,
                                          .accessesOfC = 32,
                                          .readsSumsLate = false};

/// Accumulator registers for each of an element of C in flight on AMD GPUs: beta took 18
/// to 43 more beside 64 to 128 (C3).
static constexpr int64_t kAccumulatorsPerArriving = 3;

static constexpr int64_t kRegisterBytes = 4;

/// Registers for the address of an access to C, 64 bits, and for the condition under which it is
/// written.
static constexpr int64_t kRegistersOfPlace = 3;

static const RegisterNeeds &needsOf(blas::Vendor vendor) {
  return vendor == blas::Vendor::Amd ? kAmdgpu : kPtxas;
}

namespace {
/// Work of a thread on the tile of A, or of B, in one step.
struct OperandCounts {
  int64_t micro = 0;       ///< Elements of its micro tile that may lie inside the matrix.
  double staged = 0;       ///< Registers for elements on their way to shared memory.
  int64_t loads = 0;       ///< Accesses to memory.
  int64_t clamped = 0;     ///< Rows of op(A), columns of op(B), whose index is known at run time.
  double fragmentsOfK = 0; ///< Registers for fragments of one K element.
};

/// The counts of a kernel.
struct KernelCounts {
  OperandCounts a, b;
  double sums = 0;     ///< Registers.
  double ownK = 0;     ///< K elements of a step that a thread multiplies.
  double inside = 1;   ///< Share of the step that the matrices have.
  bool repeats = true; ///< Whether there is more than one step.

  double fragmentsOfK() const { return a.fragmentsOfK + b.fragmentsOfK; }
};
} // namespace

/// Elements of a micro tile that lie in a matrix of `size` for some thread: the first one has runs
/// of `vector` elements, between which all others have theirs. ptxas leaves out the rest.
static int64_t elementsInside(int64_t micro, int64_t macro, int64_t vector, int64_t size) {
  int64_t run = std::gcd(micro, vector), apart = macro / micro * run;
  if (size >= macro)
    return micro;
  int64_t before = std::min(size / apart, micro / run - 1);
  return before * run + std::min(run, size - before * apart);
}

static OperandCounts countOperand(const Problem &problem, const Plan &plan, bool isA) {
  const Matrix &matrix = isA ? problem.a : problem.b;
  const Path &path = isA ? plan.a : plan.b;
  int64_t extent = isA ? plan.macroM : plan.macroN, micro = isA ? plan.microM : plan.microN;
  int64_t size = isA ? problem.m : problem.n, threads = plan.threads();
  bool known = isA ? problem.knownM : problem.knownN;
  bool holds = isA ? problem.holdsM(extent) : problem.holdsN(extent);
  OperandCounts counts;
  // Matrix instructions multiply all of it.
  bool drops = known && !plan.instruction;
  counts.micro = drops ? elementsInside(micro, extent, plan.runOf(isA ? 0 : 1), size) : micro;
  if (path.via == blas::Via::Scalar)
    return counts; // neither fragments nor addresses are in registers of a thread
  double perMicro = matrix.components;
  if (const tile::Instruction *own = plan.instruction)
    perMicro *= double(isA ? plan.lanesM : plan.lanesN) * own->copies / own->lanes();
  if (plan.readsShared())
    perMicro = 0;
  // Three products need sums of both components of their factors, too.
  perMicro += plan.products == 3 ? 1.0 / plan.sliceDepth() : 0;
  counts.fragmentsOfK = counts.micro * perMicro * fragmentBytes(problem, plan, isA) / 4;
  if (blas::arrivesInBulk(path.copy))
    return counts;        // one thread's, under a condition
  int64_t places = micro; // fragments from memory: a load for each run
  counts.loads = micro / path.vector;
  if (path.via == blas::Via::Shared) {
    bool async = path.copy == blas::Copy::Async;
    int64_t elements = copiedElements(path, extent, plan.macroK);
    int64_t width = async ? storedVector(matrix, path) : path.vector;
    counts.loads = llvm::divideCeil(elements, threads * width);
    // An access of less than 32 bits fills a register.
    double perLoad = std::max(1.0, path.vector * matrix.elementBytes / double(kRegisterBytes));
    counts.staged = async ? 0 : counts.loads * perLoad;
    int64_t lanes = copyLanes(matrix, path, extent, plan);
    places = matrix.alongK() ? llvm::divideCeil(extent, std::max<int64_t>(1, threads / lanes))
                             : std::max<int64_t>(1, extent / path.vector) / lanes;
    // Each access to a flat run has a condition of its own.
    places = path.flat ? counts.loads : places;
  }
  counts.clamped = known || holds ? 0 : places;
  return counts;
}

static KernelCounts countKernel(const Problem &problem, const Plan &plan) {
  KernelCounts counts{countOperand(problem, plan, /*isA=*/true),
                      countOperand(problem, plan, /*isA=*/false)};
  counts.sums = double(counts.a.micro * counts.b.micro) * problem.registersPerElement();
  // Three products have accumulators of their own; compensated ones the total beside the
  // accumulator of a step, and what rounding lost of it; promoted ones the total.
  counts.sums *=
      (plan.products == 3 ? 1.5 : 1) * (plan.compensates() ? 3 : 1) * (plan.promote ? 2 : 1);
  counts.ownK = plan.ownK();
  counts.repeats = !problem.knownK || problem.k > plan.macroK * plan.splits;
  if (counts.repeats || problem.k >= plan.macroK)
    return counts;
  counts.inside = double(problem.k) / plan.macroK;
  counts.ownK = std::max(1.0, counts.ownK * counts.inside);
  // Instructions multiply whole slices.
  if (plan.instruction)
    counts.ownK = llvm::alignTo(int64_t(std::ceil(counts.ownK)), plan.sliceDepth());
  return counts;
}

/// Registers for fragments: those that are multiplied, and those on their way (C3).
static double fragmentRegisters(const Problem &problem, const Plan &plan,
                                const KernelCounts &counts, const RegisterNeeds &needs) {
  double perReal = fragmentBytes(problem, plan, /*isA=*/true) / 4.0;
  if (readsSingly(problem, plan))
    return singleFragmentReals(plan) * perReal;
  double perK = counts.fragmentsOfK();
  // With the first ones of the next step read ahead, sets change places every slice: after an odd
  // number of these they are where others are expected, and one more set is held.
  int64_t slices = plan.ownK() / plan.sliceDepth();
  bool changed = plan.instruction && plan.prefetch && slices > 1 && slices % 2 == 1;
  double sets = (needs.sets + (changed ? 1 : 0)) * plan.sliceDepth();
  double ahead = std::min(needs.leastReals * perReal, needs.mostAhead * perK);
  return std::min(std::max(sets * perK, ahead), counts.ownK * perK);
}

/// Registers for data: accumulators, fragments, and elements on their way to shared memory (C3).
static double valueRegisters(const Problem &problem, const Plan &plan, const KernelCounts &counts,
                             const RegisterNeeds &needs, bool held) {
  double fragments = fragmentRegisters(problem, plan, counts, needs);
  double staged = (counts.a.staged + counts.b.staged) * counts.inside;
  double values = counts.sums + fragments;
  // Leap-frog holds the next tile in registers while it multiplies this one.
  if (counts.repeats)
    return plan.stages > 1 ? values + staged : std::max(values, counts.sums + staged);
  // The first products of the only step reuse the registers of their factors, unless these must
  // wait.
  double first =
      held ? 0 : counts.fragmentsOfK() * std::min<double>(plan.sliceDepth(), counts.ownK);
  return std::max({values - first, fragments, staged});
}

static double addressRegisters(const OperandCounts &counts, const Problem &problem,
                               const RegisterNeeds &needs) {
  // A copy keeps its own addresses where strides do not give the distance of the next ones.
  bool kept = counts.staged == 0 && !(problem.knownM && problem.knownN);
  return counts.loads * (kept ? needs.perUnknownCopy : needs.perLoad) +
         counts.clamped * needs.perClamp;
}

/// (C3) By the model.
static double modelledRegisters(const Problem &problem, const Plan &plan, blas::Vendor vendor,
                                bool held) {
  const RegisterNeeds &needs = needsOf(vendor);
  KernelCounts counts = countKernel(problem, plan);
  bool async = plan.a.copy != blas::Copy::Register && plan.b.copy != blas::Copy::Register;
  bool isRing = counts.repeats && plan.stages > 1 && async;
  // The copies of the only step are done with before there are accumulators.
  double addresses = counts.repeats || !async ? addressRegisters(counts.a, problem, needs) +
                                                    addressRegisters(counts.b, problem, needs)
                                              : 0;
  return needs.base + (isRing ? needs.ring : 0) + addresses +
         valueRegisters(problem, plan, counts, needs, held);
}

/// Where the assembler refused a kernel of the plan, its report counts.
static int64_t orRefused(int64_t modelled, const Problem &problem, const Plan &plan) {
  return problem.refusals ? std::max(modelled, refusedRegisters(*problem.refusals, plan))
                          : modelled;
}

int64_t planning::registersPerThread(const Problem &problem, const Plan &plan,
                                     blas::Vendor vendor) {
  double modelled = modelledRegisters(problem, plan, vendor, /*held=*/false);
  return orRefused(std::llround(modelled), problem, plan);
}

/// Whether an assembler can do without `spared` registers. With dynamic sizes some kernels would
/// spill then: an assembler must report that they do not.
static bool isSpared(const Problem &problem) {
  return (problem.knownM && problem.knownN) || problem.counted;
}

/// Registers below which an assembler refuses the instruction of `plan`.
static int64_t leastOfInstruction(const Plan &plan) {
  // ptxas 13.0, "C7602: insufficient registers": the accumulators of a wgmma and these.
  static constexpr int64_t kBesideAccumulators = 26;
  const tile::Instruction *own = plan.instruction;
  if (!own || !own->readsShared())
    return own ? own->leastRegisters : 0;
  int64_t columns = std::min(own->mostN, plan.microN * plan.lanesN);
  return own->m * columns * own->sums.bytes / kRegisterBytes / own->lanes() + kBesideAccumulators;
}

/// With `share` of what the model counts.
static int64_t heldWith(double share, const Problem &problem, const Plan &plan,
                        blas::Vendor vendor) {
  double modelled = modelledRegisters(problem, plan, vendor, /*held=*/true);
  int64_t least = leastOfInstruction(plan);
  int64_t held =
      std::llround(share * (modelled - (isSpared(problem) ? needsOf(vendor).spared : 0)));
  return orRefused(std::max(least, held), problem, plan);
}

int64_t planning::heldRegisters(const Problem &problem, const Plan &plan, blas::Vendor vendor) {
  return heldWith(1, problem, plan, vendor);
}

int64_t planning::leastRegisters(const Problem &problem, const Plan &plan, blas::Vendor vendor) {
  return heldWith(needsOf(vendor).least, problem, plan, vendor);
}

/// (C3) Elements of C on their way to the accumulators on AMD GPUs, where beta is not 0.
static int64_t arrivingOfC(const Problem &problem, const Plan &plan, blas::Vendor vendor) {
  bool counts = vendor == blas::Vendor::Amd && problem.readsC && plan.splits == 1;
  int64_t accumulators = plan.microM * plan.microN * problem.registersPerElement();
  return counts ? llvm::divideCeil(accumulators, kAccumulatorsPerArriving) : 0;
}

int64_t planning::surelyResident(const Problem &problem, const Plan &plan, blas::TargetAttr target,
                                 const Occupancy &modelled) {
  double surely = needsOf(target->vendor).surely;
  if (surely == 1)
    return std::max<int64_t>(1, modelled.blocks);
  int64_t most =
      std::min<int64_t>(std::ceil(modelled.registers * surely), target->registersPerThread);
  most += arrivingOfC(problem, plan, target->vendor);
  return std::max<int64_t>(1, occupancy(problem, plan, target, most).blocks);
}

int64_t planning::loadsOfC(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  bool adds =
      plan.reduction == blas::Reduction::Workspace || plan.reduction == blas::Reduction::Atomic;
  if (!problem.readsC || adds)
    return 0;
  int64_t elements = plan.reducesInShared()
                         ? llvm::divideCeil(plan.macroM * plan.macroN, plan.threads())
                         : plan.microM * plan.microN;
  int64_t vector =
      plan.exchangesC() ? exchangeVector(problem) : std::min(plan.vector, problem.c.maxVector);
  // Extra operands have as many elements as a row.
  int64_t extras = problem.extraBytes > 0 ? plan.microN : 0;
  const RegisterNeeds &needs = needsOf(target->vendor);
  bool wait = needs.readsSumsLate && plan.c == blas::Via::Shared && !plan.reducesInShared() &&
              plan.slicedK == 1 && !problem.triangle;
  double held = needs.base + double(isSpared(problem) ? 0 : needs.spared) +
                double((wait ? vector : elements) + extras) * problem.registersPerElement();
  double perAccess = double(vector * problem.c.elementBytes) / 4 + kRegistersOfPlace +
                     (problem.knownM && problem.knownN ? 0 : needs.perUnknownCopy);
  auto left = int64_t((double(registersLeft(plan, target)) - held) / perAccess);
  return std::clamp<int64_t>(left, 0, llvm::divideCeil(elements, vector));
}

bool planning::surelyExchanges(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  if (plan.c != blas::Via::Shared || plan.reducesInShared())
    return true;
  int64_t accesses = plan.microM * plan.microN / exchangeVector(problem);
  // Addresses that strides make known share registers.
  int64_t shared = problem.knownM && problem.knownN ? 1 : 2;
  return accesses * shared <= needsOf(target->vendor).accessesOfC;
}

bool planning::surelyFits(int64_t registers, blas::TargetAttr target) {
  return registers * needsOf(target->vendor).surely <= target->registersPerThread;
}
