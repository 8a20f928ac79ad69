//===- Registers.cpp - What one thread takes (C3) -------------------------===//

#include "rooftile/Planning/Feasibility/Registers.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Planning/Feasibility/Occupancy.h"
#include "rooftile/Planning/Feasibility/Refusals.h"
#include "rooftile/Planning/Space/Copying.h"
#include "rooftile/Planning/Space/Fragments.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace rooftile;
using namespace rooftile::planning;

/// Depth of slices, and accumulators of a thread, up to which an assembler holds little more of the
/// fragments than the slice that is multiplied, beside wide accesses. (At 4095, with narrow ones
/// and C through shared memory, ptxas spilled 88 bytes of 168 registers.)
static constexpr int64_t kFlatDepth = 8, kFlatAccumulators = 32;
/// More addresses than this are made from each other where strides are known.
static constexpr int64_t kMaxAddresses = 8;
/// Threads that are no power of two, and those that copy lines as one, keep all addresses, and so
/// many registers more, where sums and fragments of matrix instructions take more than kTight.
static constexpr int64_t kTight = 200, kTightMore = 16;

/// ptxas, fitted to 126 kernels; without those for unknown sizes, one of 103 spilled.
static constexpr RegisterNeeds kPtxas = {20, 1, 2, 1.5, 24, 8, 1, 128};
/// LLVM for AMD GPUs, fitted to 118 kernels: what is the same for a subgroup lies in scalar
/// registers. Of 206 others all but 2 take at most 1.2 of the model's.
static constexpr RegisterNeeds kAmdgpu = {12, 1, 2, 2, 0, 12, 1.2, 32};

/// Registers for the places in a swizzled ring that a thread writes and reads, where dynamic
/// strides leave none to spare: what ptxas spilled without (C3).
static constexpr int64_t kRegistersPerSwizzle = 14;

/// Sets of fragments alive at once beside matrix instructions of 8 along K (C3).
static constexpr double kMatrixFragmentSets = 1.25;
/// The same of complex numbers; in one step; where tiles go through registers; and where these meet
/// the fragments of the next step, in steps of several slices (C3).
static constexpr double kComplexSets = 2, kComplexStepSets = 1.5, kComplexStagedSets = 0.75,
                        kComplexPrefetchSets = 1.9;
/// Real numbers of such fragments at least in one step, and registers for what each swizzle changes
/// of their places there (C3).
static constexpr int64_t kLeastStepReals = 18, kRegistersPerStepSwizzle = 6;
/// Registers beside these that ptxas takes around matrix instructions where sizes, or the steps of
/// a share, are not known (C3).
static constexpr int64_t kRegistersUnknown = 24;

/// Accumulators up to which groups of complex products that copy and read whole accesses have room.
static constexpr int64_t kComplexManyAccumulators = 64;

namespace {
/// Global accesses of one thread to one operand's macro tile.
struct Accesses {
  int64_t elements = 0; ///< That the thread holds in registers.
  int64_t loads = 0;
  int64_t places = 0; ///< Different rows of op(A), columns of op(B), that it reads.
};
} // namespace

const RegisterNeeds &planning::needsOf(blas::Vendor vendor) {
  return vendor == blas::Vendor::Amd ? kAmdgpu : kPtxas;
}

static Accesses accessesOf(const Matrix &matrix, const Path &path, int64_t extent,
                           const Plan &plan) {
  int64_t threads = plan.threads();
  Accesses result;
  if (path.via == blas::Via::Register) {
    // Fragments: a load for each run, a place for each element of the micro tile.
    result.places = extent == plan.macroM && &path == &plan.a ? plan.microM : plan.microN;
    result.loads = result.places / path.vector;
    return result;
  }
  if (blas::arrivesInBulk(path.copy))
    return result; // one thread's, under a condition
  bool async = path.copy == blas::Copy::Async;
  int64_t elements = copiedElements(path, extent, plan.macroK);
  result.elements = async ? 0 : llvm::divideCeil(elements, threads);
  int64_t width = async ? storedVector(matrix, path) : path.vector;
  result.loads = llvm::divideCeil(elements, threads * width);
  // Of one line each access has a condition of its own.
  if (path.flat) {
    result.places = result.loads;
    return result;
  }
  int64_t lanes = copyLanes(matrix, path, extent, plan);
  result.places = matrix.alongK() ? llvm::divideCeil(extent, std::max<int64_t>(1, threads / lanes))
                                  : std::max<int64_t>(1, extent / path.vector) / lanes;
  return result;
}

/// (C3) What complex products take more on AMD GPUs, as if imaginary parts of A were kept negated,
/// too: without, one of 12 plans needed scratch.
static int64_t negatedReals(const Problem &problem, const Plan &plan, blas::Vendor vendor) {
  return vendor == blas::Vendor::Amd && problem.multiplyAdds == 4 ? plan.microM : 0;
}

/// (C3) Registers for narrow fragments as they come on AMD GPUs, beside what they are converted to:
/// without, one of 160 products needed scratch.
static int64_t packedRegisters(const Problem &problem, const Plan &plan, blas::Vendor vendor) {
  auto packed = [&](const Matrix &matrix, int64_t micro) {
    bool narrow = matrix.elementBytes < matrix.components * problem.realBytes;
    return narrow ? llvm::divideCeil(micro * matrix.elementBytes, 4) : 0;
  };
  bool counts = vendor == blas::Vendor::Amd;
  return counts ? packed(problem.a, plan.microM) + packed(problem.b, plan.microN) : 0;
}

/// Real numbers in the fragments of one slice that a thread holds.
static int64_t fragmentReals(const Problem &problem, const Plan &plan, blas::Vendor vendor) {
  const tile::Instruction *own = plan.instruction;
  // Three products take the sums of both parts of what is multiplied, too.
  int64_t sums = plan.products == 3 ? plan.microM + plan.microN : 0;
  if (!own)
    return plan.depth * problem.factors(plan.microM, plan.microN) +
           negatedReals(problem, plan, vendor) + sums;
  int64_t ofSubgroup = problem.factors(plan.microM * plan.lanesM, plan.microN * plan.lanesN);
  return ofSubgroup * own->depth() / own->lanes() + sums;
}

/// Complex products by matrix instructions in one step that is copied asynchronously: addresses are
/// done with before there are sums.
static bool copiesBefore(const Problem &problem, const Plan &plan) {
  return multipliesComplex(problem, plan) && isOneStep(problem, plan) && copiesAsync(plan) &&
         plan.products != 3;
}

/// (C3) Sets of complex fragments beside matrix instructions: re and im of a slice are multiplied
/// one after the other. A tile on its way through registers comes when most of the last slice are
/// done with, unless the first ones of the next step are read before.
static double complexSets(const Problem &problem, const Plan &plan) {
  if (!problem.knownM || !problem.knownN)
    return kPtxas.fragmentSets;
  bool staged = plan.a.copy == blas::Copy::Register || plan.b.copy == blas::Copy::Register;
  if (copiesBefore(problem, plan))
    return kComplexStepSets;
  if (!staged)
    return kComplexSets;
  bool several = plan.ownK() > plan.instruction->depth();
  return plan.prefetch && several ? kComplexPrefetchSets : kComplexStagedSets;
}

/// (C3) Real numbers more of complex products whose shares of K differ by a step: leap-frog's last
/// step then stands by itself. Groups with few accumulators that copy and read whole accesses have
/// room.
static int64_t unevenReals(const Problem &problem, const Plan &plan, blas::Vendor vendor) {
  bool even = problem.knownK && llvm::divideCeil(problem.k, plan.macroK) % plan.splits == 0;
  bool groups = plan.slicedK > 1 && plan.vector > 1 && copiesAsync(plan) &&
                plan.microM * plan.microN <= kComplexManyAccumulators;
  bool counts = plan.splits > 1 && !even && plan.stages > 1 && !groups && !plan.instruction;
  return counts && problem.multiplyAdds == 4 ? 2 * fragmentReals(problem, plan, vendor) : 0;
}

/// Real numbers for fragments: those that are multiplied, and those on their way (C3).
static int64_t fragmentRegisters(const Problem &problem, const Plan &plan, blas::Vendor vendor) {
  const RegisterNeeds &needs = needsOf(vendor);
  int64_t ofSlice = fragmentReals(problem, plan, vendor);
  if (multipliesComplex(problem, plan)) {
    int64_t least = copiesBefore(problem, plan) ? kLeastStepReals : needs.leastFragments;
    return std::max<int64_t>(std::ceil(complexSets(problem, plan) * ofSlice), least);
  }
  if (readsSingly(problem, plan))
    return singleFragmentReals(plan);
  bool flat = plan.instruction && plan.instruction->depth() <= kFlatDepth &&
              plan.microM * plan.microN <= kFlatAccumulators && plan.c == blas::Via::Register &&
              plan.a.vector > 1 && plan.b.vector > 1;
  if (flat)
    return std::ceil(kMatrixFragmentSets * ofSlice);
  // With the first ones of the next step read ahead, sets change places every slice: after an odd
  // number of these they are where others are expected, and one more set is held.
  int64_t slices = plan.ownK() / plan.sliceDepth();
  bool changed = plan.instruction && plan.prefetch && slices > 1 && slices % 2 == 1;
  double sets = needs.fragmentSets + (changed ? 1 : 0);
  return std::max<int64_t>(std::ceil(sets * ofSlice), needs.leastFragments);
}

/// (C3) Registers for the addresses of so many loads of A and B, beside `values` of numbers.
static int64_t addressRegisters(const Problem &problem, const Plan &plan, int64_t loadsA,
                                int64_t loadsB, int64_t values, const RegisterNeeds &needs) {
  int64_t addresses = loadsA + loadsB;
  if (!problem.knownM || !problem.knownN) {
    int64_t swizzled = (plan.a.swizzle > 0) + (plan.b.swizzle > 0);
    // A copy keeps both of its addresses, in 64 bits.
    addresses += (plan.a.copy == blas::Copy::Async ? loadsA : 0) +
                 (plan.b.copy == blas::Copy::Async ? loadsB : 0);
    return addresses * needs.perLoad + swizzled * kRegistersPerSwizzle +
           (plan.instruction ? kRegistersUnknown : needs.unknown);
  }
  bool kept =
      plan.instruction && (plan.a.flat || plan.b.flat || !llvm::isPowerOf2_64(plan.threads()));
  if (kept && values > kTight && !multipliesComplex(problem, plan))
    return addresses * needs.perLoad + kTightMore;
  return std::min(addresses, kMaxAddresses) * needs.perLoad;
}

/// (C3) By the model.
static int64_t modelledRegisters(const Problem &problem, const Plan &plan, blas::Vendor vendor) {
  const RegisterNeeds &needs = needsOf(vendor);
  Accesses a = accessesOf(problem.a, plan.a, plan.macroM, plan);
  Accesses b = accessesOf(problem.b, plan.b, plan.macroN, plan);
  // Three products have sums of their own: half as many more.
  int64_t accumulators = plan.microM * plan.microN * (plan.products == 3 ? 3 : 2) / 2;
  // What compensated sums carry beside those of a step: the sum, and what rounding lost of it.
  accumulators *= plan.compensates() ? 3 : 1;
  // All of these in real numbers of the sums.
  int64_t fragments = fragmentRegisters(problem, plan, vendor);
  int64_t staging = llvm::divideCeil(
      a.elements * problem.a.elementBytes + b.elements * problem.b.elementBytes, problem.realBytes);
  // (C3) Leap-frog holds the next tile in registers while it multiplies this one.
  int64_t moving = plan.stages > 1 ? fragments + staging : std::max(fragments, staging);
  moving += unevenReals(problem, plan, vendor);
  // Where a tile may be larger than the matrix, or is not moved back inside, every place
  // read is clamped by itself.
  bool guard = plan.tail == blas::Tail::Guard;
  bool guardM = (problem.a.padded || guard) && problem.m % plan.macroM != 0;
  bool guardN = (problem.b.padded || guard) && problem.n % plan.macroN != 0;
  int64_t clamped = (problem.holdsM(plan.macroM) && !guardM ? 0 : a.places) +
                    (problem.holdsN(plan.macroN) && !guardN ? 0 : b.places);
  int64_t values = accumulators * problem.registersPerElement() + moving * problem.realBytes / 4;
  int64_t copying =
      addressRegisters(problem, plan, a.loads, b.loads, values, needs) + clamped * needs.perClamp;
  int64_t more = needs.base + packedRegisters(problem, plan, vendor);
  if (!copiesBefore(problem, plan))
    return values + copying + more;
  int64_t swizzled = (plan.a.swizzle > 0) + (plan.b.swizzle > 0);
  return std::max(values + swizzled * kRegistersPerStepSwizzle, copying) + more;
}

int64_t planning::registersPerThread(const Problem &problem, const Plan &plan,
                                     blas::Vendor vendor) {
  int64_t modelled = modelledRegisters(problem, plan, vendor);
  return problem.refusals ? std::max(modelled, refusedRegisters(*problem.refusals, plan))
                          : modelled;
}
