//===- Tiles.cpp - Tiles that are enumerated ------------------------------===//
//
// Of multiply-adds powers of two in every direction: micro tiles 1 .. 16, workgroups of one
// subgroup to 512 threads; and tiles that hold the whole of a side that a power of two would exceed
// by far, such as 112 or 104 rows for 100. Tiles far larger than the matrix are left out.
//
// For A^T B of block vectors, M and N of a few numbers and a long K (Ernst et al., section 3),
// tiles that hold all of C: that gives work to a few threads, K to as many as there are, in groups
// that take neighbouring elements of K. For A B with many rows, N and K of a few numbers (section
// 4), tiles of whole rows that hold all of K: all is read, and written, once. A workgroup waits for
// its copies once, and others of its unit multiply and store meanwhile.
//
// Matrix instructions come last: of equals, multiply-adds are simpler. Every one of the chip that
// multiplies the types of a product, as it is; and with A and B exchanged where that fits M better:
// 104 or 56 rows by m8n16k4, where m16n8k4 takes 112 or 64. Of several of the same rows and columns
// one is enumerated everywhere, of real numbers the longest, of complex ones the shortest, and a
// shorter one of real numbers for block vectors with many accumulators.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Space/Tiles.h"
#include "rooftile/Planning/Problem/Roofline.h"
#include "rooftile/Planning/Space/Bulk.h"
#include "rooftile/Planning/Space/Copying.h"
#include "rooftile/Planning/Space/Reduction.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace rooftile;
using namespace rooftile::planning;

static constexpr int64_t kMaxMicroRatio = 4;
/// Sums of a thread that are few: fewer only where there are no more to have.
static constexpr int64_t kFewAccumulators = 4;

using Visit = llvm::function_ref<void(const Tile &)>;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// Elements of a thread along a side, and in all; elements of a tile along a side; threads: at
/// most.
static constexpr int64_t kMaxMicro = 16, kMaxMicroElements = 128, kMaxMacro = 256,
                         kMaxThreads = 256;

namespace {
/// One side of tiles: elements of a thread, and threads along it (lanes and subgroups); 0: any
/// power of two of them.
struct MicroExtent {
  int64_t micro, threads;

  bool takes(int64_t ofPlan) const { return threads == 0 || threads == ofPlan; }
};
} // namespace

/// The largest power of two that divides `size`.
static int64_t largestPower(int64_t size) { return size & -size; }

/// A tile that exceeds a side by less than this share is not fitted to it.
static constexpr double kFittedShare = 1.0 / 8;
static constexpr int64_t kSmallestMacro = 8;

/// The extents for `size` elements, 0 where it is not known, the smallest powers of two first.
static llvm::SmallVector<MicroExtent> extentsOf(const Problem &problem, int64_t size, int64_t least,
                                                int64_t lanes, int64_t most) {
  llvm::SmallVector<MicroExtent> extents;
  for (int64_t micro = least; micro <= kMaxMicro; micro *= 2)
    extents.push_back({micro, 0});
  double exceeded = double(llvm::PowerOf2Ceil(size)) / size - 1;
  if (size <= kSmallestMacro || size > kMaxMacro || exceeded < kFittedShare)
    return extents;
  auto fit = [&](int64_t threads) {
    for (int64_t run = least; run <= 4; run *= 2) {
      int64_t micro = llvm::alignTo(llvm::divideCeil(size, threads), run);
      bool isNew = llvm::none_of(extents, [&](MicroExtent extent) {
        return extent.micro == micro && (extent.threads == 0 || extent.threads == threads);
      });
      if (micro <= most && micro * threads < int64_t(llvm::PowerOf2Ceil(size)) && isNew)
        extents.push_back({micro, threads});
    }
  };
  for (int64_t threads = lanes; threads <= kMaxThreads; threads *= 2)
    fit(threads);
  // 72 by three subgroups, not 96 by two.
  if (lanes > 1 && isTallSkinny(problem))
    fit(3 * lanes);
  return extents;
}

/// Micro tiles along M of powers of two from `least` on, the largest first, and those of which some
/// power of two of `lanes` threads, or more, hold the whole of M with little to spare, in multiples
/// of `least` of 1, 2 or 4 elements, up to `most`; of block vectors by matrix instructions also
/// three times `lanes` threads.
static llvm::SmallVector<MicroExtent> extentsOfM(const Problem &problem, int64_t least,
                                                 int64_t lanes, int64_t most) {
  llvm::SmallVector<MicroExtent> extents =
      extentsOf(problem, problem.knownM ? problem.m : 0, least, lanes, most);
  auto fitted = llvm::find_if(extents, [](MicroExtent extent) { return extent.threads != 0; });
  std::reverse(extents.begin(), fitted);
  return extents;
}

/// The same along N, the smallest first.
static llvm::SmallVector<MicroExtent> extentsOfN(const Problem &problem, int64_t least,
                                                 int64_t lanes, int64_t most) {
  return extentsOf(problem, problem.knownN ? problem.n : 0, least, lanes, most);
}

/// Whether no side of the tile is larger than tiles are, or lies half beyond the matrix and is
/// larger than those of the smallest workgroups.
static bool isOfUse(const Plan &plan, const Problem &problem) {
  auto ofUse = [](int64_t macro, int64_t size) {
    return macro <= kMaxMacro && macro / 2 < std::max(size, kSmallestMacro);
  };
  return ofUse(plan.macroM, problem.m) && ofUse(plan.macroN, problem.n);
}

//===----------------------------------------------------------------------===//
// Multiply-adds
//===----------------------------------------------------------------------===//

/// The arrangement of a subgroup that reads the fewest different elements:
/// lanes M * micro M + lanes N * micro N.
static void chooseLanes(Plan &plan, int64_t subgroup) {
  int64_t threadsM = plan.macroM / plan.microM, threadsN = plan.macroN / plan.microN;
  int64_t fewest = INT64_MAX;
  for (int64_t lanesM = 1; lanesM <= std::min(subgroup, threadsM); lanesM *= 2) {
    int64_t lanesN = subgroup / lanesM;
    int64_t read = lanesM * plan.microM + lanesN * plan.microN;
    if (lanesN > threadsN || read >= fewest)
      continue;
    fewest = read;
    plan.lanesM = lanesM;
    plan.lanesN = lanesN;
  }
}

/// Tiles of multiply-adds of powers of two, and those that hold a whole side.
static void forEachPlainTile(const Problem &problem, blas::TargetAttr target, Visit visit) {
  int64_t subgroup = target.getSubgroup();
  Plan plan;
  auto visitThreads = [&](int64_t threads, MicroExtent m, MicroExtent n) {
    for (int64_t threadsM = 1; threadsM <= threads; threadsM *= 2) {
      if (!m.takes(threadsM) || !n.takes(threads / threadsM))
        continue;
      plan.macroM = plan.microM * threadsM;
      plan.macroN = plan.microN * (threads / threadsM);
      if (!isOfUse(plan, problem))
        continue;
      chooseLanes(plan, subgroup);
      visit({plan, Steps::All});
      if (std::optional<Plan> bulk = bulkPlan(problem, plan, target))
        visit({*bulk, Steps::Stated});
    }
  };
  // Taller micro tiles first: where the model sees no difference, 16x8 was faster than 8x16.
  for (MicroExtent m : extentsOfM(problem, 1, 1, kMaxMicro))
    for (MicroExtent n : extentsOfN(problem, 1, 1, kMaxMicro)) {
      plan.microM = m.micro, plan.microN = n.micro;
      int64_t small = std::min(plan.microM, plan.microN),
              large = std::max(plan.microM, plan.microN);
      if (plan.microM * plan.microN > kMaxMicroElements || large / small > kMaxMicroRatio)
        continue;
      int64_t run = std::min(largestPower(m.micro), largestPower(n.micro));
      plan.vector = std::min(problem.widest(kMaxAccessBytes), run);
      for (int64_t threads = subgroup; threads <= kMaxThreads; threads *= 2)
        visitThreads(threads, m, n);
    }
}

//===----------------------------------------------------------------------===//
// Multiply-adds for A^T B of block vectors
//===----------------------------------------------------------------------===//

/// Elements of a thread along a side at most, threads of a tile along it, and the side that is
/// evaluated.
static constexpr int64_t kNarrowMicro = 16, kNarrowThreads = 8, kNarrowExtent = 64;

/// Elements of one thread, and threads, for each number of threads along a side of `size`.
static llvm::SmallVector<MicroExtent> narrowExtents(int64_t size) {
  llvm::SmallVector<MicroExtent> extents;
  for (int64_t threads = 1; threads <= std::min(size, kNarrowThreads); threads *= 2)
    if (int64_t micro = llvm::divideCeil(size, threads); micro <= kNarrowMicro)
      extents.push_back({micro, threads});
  return extents;
}

/// K elements of a slice: 1, and of lines along K (columns of column-major block vectors)
/// as many as an access has, which are copied and read as they lie.
static llvm::SmallVector<int64_t> depthsOf(const Problem &problem) {
  int64_t run = problem.widest(kMaxAccessBytes);
  if (run == 1 || !problem.a.alongK() || !problem.b.alongK())
    return {1};
  return {1, run};
}

static void forEachNarrowTile(const Problem &problem, blas::TargetAttr target, Visit visit) {
  // What groups take of registers, and save, is not known on other chips.
  if (target.getVendor() != blas::Vendor::Nvidia || !isTallSkinny(problem) ||
      std::max(problem.m, problem.n) > kNarrowExtent)
    return;
  int64_t subgroup = target.getSubgroup();
  Plan plan;
  plan.prefetch = 1;
  for (MicroExtent m : narrowExtents(problem.m))
    for (MicroExtent n : narrowExtents(problem.n)) {
      plan.microM = m.micro, plan.microN = n.micro;
      if (m.threads * n.threads > subgroup || m.micro * n.micro > kMaxMicroElements)
        continue;
      // Where the groups' sums are added up a thread has no more of them than before.
      blas::ExchangeShare share = blas::exchangeShare(m.micro * m.threads, n.micro * n.threads,
                                                      kWorkgroups[0], /*vector=*/1);
      if (m.micro * m.threads * n.micro * n.threads / share.threads >
          std::max<int64_t>(m.micro * n.micro, kFewAccumulators))
        continue;
      plan.lanesM = m.threads, plan.lanesN = n.threads;
      plan.macroM = m.micro * m.threads, plan.macroN = n.micro * n.threads;
      // Lines without gaps begin anywhere: runs divide them.
      int64_t run = std::gcd(std::gcd(m.micro, n.micro), std::gcd(problem.m, problem.n));
      plan.vector = std::min(problem.widest(kMaxAccessBytes), largestPower(run));
      for (int64_t depth : depthsOf(problem)) {
        plan.depth = depth;
        visit({plan, Steps::Grouped});
      }
    }
}

//===----------------------------------------------------------------------===//
// Multiply-adds for block vectors times a small matrix
//===----------------------------------------------------------------------===//

/// Threads along the narrow side; rows of a thread.
static constexpr int64_t kThreadsAcross[] = {1, 2, 3, 4, 6, 8}, kRows[] = {1, 2, 4, 8, 16};
/// Real numbers of a run along K at most: longer ones save reads, but ptxas then moves sums about.
static constexpr int64_t kLongestRun = 2;
/// Elements of a thread along the narrow side, and in all, in registers.
static constexpr int64_t kMostAcross = 32, kMostRegisters = 72;
/// Rows of a tile at most: as many as a ring of a few numbers each takes.
static constexpr int64_t kMostRows = 1024;
/// Multiplications of a thread that are written out: beyond, slices are a loop.
static constexpr int64_t kMostUnrolled = 1024;

/// Slices to be written out, of a step of so many multiply-adds.
static int64_t unrollOf(const Problem &problem, const Plan &plan) {
  int64_t ofSlice = plan.microM * plan.microN * problem.multiplyAdds * plan.depth;
  int64_t slices = plan.macroK / plan.depth;
  if (ofSlice * slices <= kMostUnrolled)
    return 0;
  int64_t unroll = std::max<int64_t>(1, kMostUnrolled / ofSlice);
  // LLVM joins the reads of two slices where each iteration of the loop begins at an even one.
  unroll -= unroll > 2 ? unroll % 2 : 0;
  // A last slice with elements beyond K comes behind the loop, which else tests each of its own.
  while (plan.macroK > problem.k && unroll > 1 && unroll < slices && slices % unroll == 0)
    unroll += 2;
  return unroll < slices ? unroll : 0;
}

/// All tiles of one micro tile; the extents are those of the long and of the narrow dimension.
static void forEachWorkgroup(const Problem &problem, Plan plan, bool rows, MicroExtent narrow,
                             blas::TargetAttr target, Visit visit) {
  int64_t lanes = std::min(largestPower(narrow.threads), target.getSubgroup());
  for (int64_t threads : kWorkgroups) {
    int64_t longThreads = (narrow.threads % 3 ? threads : threads / 2 * 3) / narrow.threads;
    (rows ? plan.lanesM : plan.lanesN) = target.getSubgroup() / lanes;
    (rows ? plan.lanesN : plan.lanesM) = lanes;
    plan.macroM = plan.microM * (rows ? longThreads : narrow.threads);
    plan.macroN = plan.microN * (rows ? narrow.threads : longThreads);
    if (std::max(plan.macroM, plan.macroN) > kMostRows)
      continue;
    plan.unroll = unrollOf(problem, plan);
    visit({plan, Steps::Whole});
  }
}

static void forEachTallSkinnyTile(const Problem &problem, blas::TargetAttr target, Visit visit) {
  if (target.getVendor() != blas::Vendor::Nvidia || !isTsmm(problem))
    return;
  bool rows = problem.m >= problem.n;
  const Matrix &vectors = rows ? problem.a : problem.b;
  int64_t size = rows ? problem.n : problem.m;
  Plan plan;
  int64_t ofAccess = std::max<int64_t>(1, kMaxAccessBytes / vectors.elementBytes);
  plan.depth = vectors.alongK() ? std::min(kLongestRun / vectors.components, ofAccess) : 1;
  plan.macroK = llvm::alignTo(problem.k, plan.depth);
  for (int64_t threads : kThreadsAcross)
    for (int64_t run : {1, 2, 4})
      for (int64_t micro : kRows) {
        int64_t narrow = llvm::alignTo(llvm::divideCeil(size, threads), run);
        int64_t registers = micro * narrow * problem.registersPerElement();
        bool few = micro * narrow < kFewAccumulators && size > kFewAccumulators;
        if (threads > size || narrow > kMostAcross || registers > kMostRegisters || few)
          continue;
        plan.microM = rows ? micro : narrow, plan.microN = rows ? narrow : micro;
        int64_t both = std::min(largestPower(plan.microM), largestPower(plan.microN));
        plan.vector = std::min(problem.widest(kMaxAccessBytes), both);
        forEachWorkgroup(problem, plan, rows, {narrow, threads}, target, visit);
      }
}

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

/// Elements of a thread along a side that tiles hold whole, at most.
static constexpr int64_t kMaxFittedMicro = 32;
/// Bytes along K of slices beyond which fragments take registers that more workgroups need: at 4096
/// none measured on an H200 was among the fastest.
static constexpr int64_t kMostSliceBytes = 64;
/// Subgroups along a side.
static constexpr int64_t kSubgroups[] = {1, 2, 3, 4, 5, 7, 8, 16, 32};
/// Subgroups of a tile of block vectors at most where a side has an odd number of them.
static constexpr int64_t kMostOdd = 8;
/// Instructions that reach less of the ceiling of all multipliers are not evaluated.
static constexpr double kWorthwhile = 0.75;

/// Of subgroups along a side.
static bool isOdd(int64_t subgroups) { return subgroups > 1 && subgroups % 2 == 1; }

/// Whether an odd number of subgroups along a side makes a tile of block vectors that holds C with
/// nothing to spare: 80 columns by five, where four take 128.
static bool holdsNarrow(const Problem &problem, const Plan &plan, int64_t subgroups) {
  return isTallSkinny(problem) && subgroups <= kMostOdd &&
         plan.macroM == int64_t(llvm::alignTo(problem.m, plan.instruction->m)) &&
         plan.macroN == int64_t(llvm::alignTo(problem.n, plan.instruction->n));
}

/// Whether the chip has another instruction of the same rows and columns for which `holds`.
static bool hasOther(const tile::Instruction &own, blas::TargetAttr target,
                     llvm::function_ref<bool(const tile::Instruction &)> holds) {
  return llvm::any_of(target.getInstructions(), [&](blas::InstructionRateAttr rate) {
    const tile::Instruction *other = tile::findInstruction(rate.getName());
    bool same = other->factors.name == own.factors.name && other->m == own.m && other->n == own.n;
    return same && holds(*other);
  });
}

static int64_t sliceBytes(const tile::Instruction &own) { return own.depth() * own.factors.bytes; }

/// Whether real products have an instruction that does several of `own` in a row, and waits less
/// often (f64 4096 on an H200: 62.3 and 58.5 TFLOP/s in NN, 60.7 and 57.0 in TN).
static bool hasLonger(const tile::Instruction &own, const Problem &problem,
                      blas::TargetAttr target) {
  auto longer = [&](const tile::Instruction &other) {
    return other.k > own.k && sliceBytes(other) <= kMostSliceBytes;
  };
  return problem.multiplyAdds == 1 && hasOther(own, target, longer);
}

/// Whether complex products have one of which `own` does several, and whose registers are moved
/// less (c128 4096 in NN: 9.4 and 10.7 ms).
static bool hasShorter(const tile::Instruction &own, const Problem &problem,
                       blas::TargetAttr target) {
  auto shorter = [&](const tile::Instruction &other) { return other.k < own.k; };
  return problem.multiplyAdds > 1 && hasOther(own, target, shorter);
}

/// Workgroups of one subgroup to the most threads, of any shape, with micro tiles of two extents,
/// and the lanes of the instruction of `plan`.
static void forEachShape(const Problem &problem, Plan plan, MicroExtent m, MicroExtent n,
                         llvm::function_ref<void(const Plan &)> visit) {
  int64_t subgroups = kMaxThreads / plan.instruction->lanes();
  for (int64_t alongM : kSubgroups)
    for (int64_t alongN : kSubgroups) {
      if (alongM * alongN > subgroups)
        continue;
      if (!m.takes(plan.lanesM * alongM) || !n.takes(plan.lanesN * alongN))
        continue;
      plan.macroM = plan.microM * plan.lanesM * alongM;
      plan.macroN = plan.microN * plan.lanesN * alongN;
      if (!isOfUse(plan, problem))
        continue;
      if ((isOdd(alongM) || isOdd(alongN)) && !holdsNarrow(problem, plan, alongM * alongN))
        continue;
      visit(plan);
    }
}

/// Elements of a fragment read along M or N. An instruction that takes several K of a lane in
/// neighbouring registers gets them one by one: of a run they would be moved there. Several that
/// share a register are moved anyway.
static int64_t runOfFragments(const Plan &plan, const Problem &problem) {
  const tile::Instruction &own = *plan.instruction;
  // Rows of A and columns of B that a lane holds, for each K.
  int64_t lanes = own.lanes() / own.lanesOfK;
  int64_t rows = plan.microM * plan.lanesM / lanes, columns = plan.microN * plan.lanesN / lanes;
  bool single = own.k > own.lanesOfK && own.runOfK == 1;
  return single ? 1
                : std::min(
                      {problem.widest(kMaxAccessBytes), largestPower(rows), largestPower(columns)});
}

/// Whether tiles of `own` may be worth their time: with operands exchanged, where its rows fit M
/// better than those of the machine's instruction, which are as many as its columns.
static bool fits(const tile::Instruction &own, const Problem &problem) {
  bool better = llvm::alignTo(problem.m, own.m) < llvm::alignTo(problem.m, own.n);
  return !own.isExchanged() || (problem.knownM && problem.m <= kMaxMacro && better);
}

/// All tiles of one matrix instruction.
static void forEachTileOf(const tile::Instruction &own, const Problem &problem,
                          llvm::function_ref<void(const Plan &)> visit) {
  Plan plan;
  plan.instruction = &own;
  std::tie(plan.lanesM, plan.lanesN) = std::pair(own.lanesOfC()[0], own.lanesOfC()[1]);
  int64_t leastM = own.m / plan.lanesM, leastN = own.n / plan.lanesN;
  for (MicroExtent m : extentsOfM(problem, leastM, plan.lanesM, kMaxFittedMicro))
    for (MicroExtent n : extentsOfN(problem, leastN, plan.lanesN, kMaxFittedMicro)) {
      plan.microM = m.micro, plan.microN = n.micro;
      if (plan.microM * plan.microN > kMaxMicroElements)
        continue;
      plan.vector = runOfFragments(plan, problem);
      forEachShape(problem, plan, m, n, visit);
    }
}

static void forEachInstructionTile(const Problem &problem, blas::TargetAttr target, Visit visit) {
  double best = roofline(problem, target).flopsPerSecond;
  for (blas::InstructionRateAttr rate : target.getInstructions()) {
    const tile::Instruction *own = tile::findInstruction(rate.getName());
    if (!multiplies(*own, problem) || hasShorter(*own, problem, target) ||
        sliceBytes(*own) > kMostSliceBytes || rate.getGflops() * 1e9 < kWorthwhile * best)
      continue;
    bool single = hasLonger(*own, problem, target);
    if (single && !isTallSkinny(problem))
      continue;
    auto visitTile = [&](const Plan &plan) { visit({plan, single ? Steps::Short : Steps::All}); };
    for (const tile::Instruction *variant : tile::instructionsOf(rate.getName()))
      if (fits(*variant, problem))
        forEachTileOf(*variant, problem, visitTile);
  }
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// States along which dimension the lines of both operands lie in the tile of `plan`.
static void chooseLines(const Problem &problem, Plan &plan) {
  // Lanes of a matrix instruction read lines along K as well, and so do multiply-adds in runs of a
  // depth, or of all of K: nothing is transposed.
  bool oneStep = holdsAllOfK(problem, plan);
  // Elements of 16 bytes have no wider runs along M or N.
  bool wide = isColumnMajorTallSkinny(problem) && problem.a.elementBytes == kMaxAccessBytes &&
              problem.b.elementBytes == kMaxAccessBytes;
  bool lines = plan.instruction || plan.depth > 1 || oneStep || wide;
  plan.a.major = lines && problem.a.alongK() ? blas::Major::K : blas::Major::MN;
  plan.b.major = lines && problem.b.alongK() ? blas::Major::K : blas::Major::MN;
}

void planning::forEachTile(const Problem &problem, blas::TargetAttr target, Visit visit) {
  auto visitLaid = [&](Tile tile) {
    if (tile.steps != Steps::Stated)
      chooseLines(problem, tile.plan);
    visit(tile);
  };
  forEachPlainTile(problem, target, visitLaid);
  forEachNarrowTile(problem, target, visitLaid);
  forEachTallSkinnyTile(problem, target, visitLaid);
  forEachInstructionTile(problem, target, visitLaid);
}

void planning::forEachInducedTile(const Problem &product, blas::TargetAttr target, Visit visit) {
  if (!isTallSkinny(product))
    return;
  forEachInstructionTile(product, target, [&](Tile tile) {
    chooseLines(product, tile.plan);
    visit(tile);
  });
}
