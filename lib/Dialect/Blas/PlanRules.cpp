//===- PlanRules.cpp - The table of the rules of plans --------------------===//

#include "RuleTable.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Blas/SixProducts.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::blas;

/// Sizes, and counts of workgroups, are at most so many.
static constexpr int64_t kMostSize = 1 << 20;

static Broken outside(int64_t value, int64_t least, int64_t most) {
  if (value < least || value > most)
    return Numbers{value, least, most};
  return std::nullopt;
}

/// `value` where it is no power of two up to `most`.
static Broken noPowerOf2(int64_t value, int64_t most) {
  if (value < 1 || value > most || !llvm::isPowerOf2_64(value))
    return Numbers{value};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// A path alone
//===----------------------------------------------------------------------===//

static constexpr Row<PathData> kPathRules[] = {
    {PlanRule::PathFlat, RuleLevel::Plan, "path: flat = {1} is not in 0 .. 2^20",
     [](const PathData &path) { return outside(path.flat, 0, kMostSize); }},
    {PlanRule::PathFlatOnly, RuleLevel::Plan,
     "path: flat copies vectors as they follow each other: it belongs to via = shared and copy = "
     "register or async, without pack, pad, swizzle or lanes",
     [](const PathData &path) {
       bool other = path.isDirect() || arrivesInBulk(path.copy) || path.pack || path.pad ||
                    path.swizzle || path.lanes;
       return when(path.flat && other);
     }},
    {PlanRule::PathPack, RuleLevel::Plan, "path: pack = {1} is not 0 or 1",
     [](const PathData &path) { return outside(path.pack, 0, 1); }},
    {PlanRule::PathVector, RuleLevel::Plan, "path: vector = {1} is not 1, 2, 4, 8 or 16",
     [](const PathData &path) { return noPowerOf2(path.vector, 16); }},
    {PlanRule::PathPad, RuleLevel::Plan, "path: pad = {1} is not in {2} .. {4}",
     [](const PathData &path) { return outside(path.pad, 0, 1024); }},
    {PlanRule::PathLanes, RuleLevel::Plan, "path: lanes = {1} is not in {2} .. {4}",
     [](const PathData &path) { return outside(path.lanes, 0, 1024); }},
    {PlanRule::PathSwizzle, RuleLevel::Plan,
     "path: swizzle = {1} is not 0 or a power of 2 up to 64",
     [](const PathData &path) {
       return path.swizzle == 0 ? std::nullopt : noPowerOf2(path.swizzle, 64);
     }},
    {PlanRule::PathLayout, RuleLevel::Plan,
     "path: layout = planar is a layout of complex elements in shared memory, one by one: it "
     "belongs to via = shared and copy = register or async",
     [](const PathData &path) {
       return when(path.layout == ComplexLayout::Planar &&
                   (path.isDirect() || arrivesInBulk(path.copy)));
     }},
    {PlanRule::PathDirect, RuleLevel::Plan,
     "path: pad, swizzle, lanes and copy belong to via = shared",
     [](const PathData &path) {
       return when(path.isDirect() &&
                   (path.pad || path.swizzle || path.lanes || path.copy != Copy::Register));
     }},
    {PlanRule::PathBulk, RuleLevel::Plan,
     "path: copy = {6} moves whole rows along M or N: it has no {7}",
     [](const PathData &path) {
       bool swizzles = path.copy == Copy::Tensor && path.swizzle;
       return when(arrivesInBulk(path.copy) && !swizzles &&
                       (path.swizzle || path.major != Major::MN),
                   {0, 0, 0, 0, stringifyCopy(path.copy),
                    path.swizzle ? "swizzle without copy = tensor"
                                 : "major = k without swizzle and copy = tensor"});
     }},
    {PlanRule::PathTensor, RuleLevel::Plan,
     "path: copy = tensor moves whole tiles, at the request of one thread: it has no {6}",
     [](const PathData &path) {
       return when(path.copy == Copy::Tensor && (path.pad || path.lanes),
                   {0, 0, 0, 0, path.pad ? "pad" : "lanes"});
     }},
};

//===----------------------------------------------------------------------===//
// A plan alone
//===----------------------------------------------------------------------===//

/// The first of M and N for which `broken` has a message, with its name.
template <typename BrokenAlong> static Broken along(BrokenAlong broken) {
  for (int dim : {0, 1})
    if (Broken found = broken(dim)) {
      found->word = dim == 0 ? "M" : "N";
      return found;
    }
  return std::nullopt;
}

/// Whether the lanes of a matrix instruction hold whole runs of a subgroup's tile.
static Broken brokenInstructionTile(const PlanData &plan) {
  if (!plan.instruction)
    return std::nullopt;
  const tile::Instruction &own = *plan.instruction;
  tile::Spread rows(own.a.threads, own.a.values, /*rows=*/true),
      columns(own.b.threads, own.b.values, /*rows=*/false);
  return along([&](int dim) {
    int64_t tile = plan.micro()[dim] * plan.lanes()[dim];
    int64_t run =
        std::max(dim == 0 ? own.m : own.n, plan.vector * (dim == 0 ? rows : columns).lanes());
    return when(tile % run != 0, {tile, run, plan.vector, 0, {}, own.name});
  });
}

/// Rows of 128 bytes in shared memory along K, or of 16-bit elements panels of them along M or N,
/// whose units a swizzle moves, in one group of threads that loops over nothing inside of a step.
static bool holdsSharedFactors(const PlanData &plan) {
  const tile::Instruction &own = *plan.instruction;
  int64_t bytes = own.factors.bytes;
  auto isReadable = [&](int dim) {
    const PathData &path = plan.path(dim);
    int64_t ofWarpgroup = plan.micro()[dim] * plan.lanes()[dim];
    bool panels = !own.needsRowsOfK && ofWarpgroup * bytes % tile::kSharedRowBytes == 0;
    return path.via == Via::Shared && path.pad == 0 && path.flat == 0 &&
           (path.major == Major::K || panels) && path.swizzle * bytes == tile::kSharedUnitBytes;
  };
  return isReadable(0) && isReadable(1) && plan.macroK * bytes == tile::kSharedRowBytes &&
         plan.slicedK == 1 && plan.unroll == 0 && plan.prefetch == 0 && !plan.compensates() &&
         plan.vector <= own.columnsOfLane;
}

/// The name of the matrix instruction, for messages.
static llvm::StringRef nameOf(const tile::Instruction *instruction) {
  return instruction ? llvm::StringRef(instruction->name) : llvm::StringRef("fma");
}

static constexpr Row<PlanData> kPlanRules[] = {
    {PlanRule::Sizes, RuleLevel::Plan, "plan: tile sizes must lie in 1 .. 2^20",
     [](const PlanData &plan) {
       auto [m, n, k] = plan.macro();
       for (int64_t size : {m, n, k, plan.microM, plan.microN, plan.lanesM, plan.lanesN})
         if (outside(size, 1, kMostSize))
           return when(true);
       return when(false);
     }},
    {PlanRule::Vector, RuleLevel::Plan, "plan: vector = {1} is not 1, 2, 4 or 8",
     [](const PlanData &plan) { return noPowerOf2(plan.vector, 8); }},
    {PlanRule::StageCount, RuleLevel::Plan, "plan: stages = {1} is not in {2} .. {4}",
     [](const PlanData &plan) { return outside(plan.stages, 1, 16); }},
    {PlanRule::ResidencyCount, RuleLevel::Plan, "plan: residency = {1} is not in {2} .. {4}",
     [](const PlanData &plan) { return outside(plan.residency, 1, 64); }},
    {PlanRule::SplitCount, RuleLevel::Plan, "plan: splits = {1} is not in {2} .. {4}",
     [](const PlanData &plan) { return outside(plan.splits, 1, 65536); }},
    {PlanRule::SlicedKCount, RuleLevel::Plan, "plan: slicedK = {1} is not in {2} .. {4}",
     [](const PlanData &plan) { return outside(plan.slicedK, 1, 1024); }},
    {PlanRule::Depth, RuleLevel::Plan, "plan: depth = {1} is not in {2} .. {4}",
     [](const PlanData &plan) { return outside(plan.depth, 1, 16); }},
    {PlanRule::WholeRows, RuleLevel::Plan,
     "plan: flat = {1} writes whole rows of C as one: they have at most {2} elements, those of a "
     "tile, with c = shared, reduction = none and slicedK = 1",
     [](const PlanData &plan) {
       return when(plan.flat < 0 || (plan.flat && !plan.holdsWholeRows()),
                   {plan.flat, plan.macroN});
     }},
    {PlanRule::LoadsOfC, RuleLevel::Plan, "plan: loadsC = {1} is not in {2} .. {4}",
     [](const PlanData &plan) { return outside(plan.loadsC, 0, 256); }},
    {PlanRule::Prefetch, RuleLevel::Plan, "plan: prefetch = {1} is not 0 or 1",
     [](const PlanData &plan) { return outside(plan.prefetch, 0, 1); }},
    {PlanRule::Unroll, RuleLevel::Plan,
     "plan: unroll = {1} is not in {2} .. {4}, the slices of a step",
     [](const PlanData &plan) { return outside(plan.unroll, 0, plan.macroK); }},
    {PlanRule::Raster, RuleLevel::Plan, "plan: raster = {1} is not in 1 .. 2^20",
     [](const PlanData &plan) { return outside(plan.raster, 1, kMostSize); }},
    {PlanRule::ProductCount, RuleLevel::Plan, "plan: products = {1} is not 3, 4 or 6",
     [](const PlanData &plan) {
       return when(plan.products != 3 && plan.products != 4 && plan.products != 6, {plan.products});
     }},
    {PlanRule::SixProducts, RuleLevel::Plan,
     "plan: products = 6 multiplies copies in parts: that needs pack = 1 of both operands, "
     "major = mn, summation = plain, no tail = split, and after promote = {1} steps a multiple of "
     "{2} K "
     "elements, {4} products each",
     [](const PlanData &plan) {
       auto isCopied = [](const PathData &path) { return path.pack && path.major == Major::MN; };
       bool whole = plan.promote > 0 && plan.promote <= kMostSize && isCopied(plan.a) &&
                    isCopied(plan.b) && plan.tail != Tail::Split &&
                    plan.promote * plan.macroK % (kPartBlocks * kPartRows) == 0;
       return when(plan.products == kPartBlocks && !whole, {plan.promote, kPartRows, kPartBlocks});
     }},
    {PlanRule::InducedOnly, RuleLevel::Plan,
     "plan: complex = induced needs four real products and slices of partial sums: it belongs to "
     "reduction = workspace, without products = 3 or tail = split, and without pack or copy = "
     "tensor "
     "unless products = 6",
     [](const PlanData &plan) {
       bool six = plan.products == kPartBlocks;
       auto isPlain = [&](const PathData &path) {
         return six || (!path.pack && path.copy != Copy::Tensor);
       };
       return when(plan.isInduced() &&
                   ((plan.products != 4 && !six) || plan.reduction != Reduction::Workspace ||
                    plan.tail == Tail::Split || !isPlain(plan.a) || !isPlain(plan.b)));
     }},
    {PlanRule::Promote, RuleLevel::Plan,
     "plan: promote = {1} is not in 0 .. {2}: steps after which accumulators of a matrix "
     "instruction are added to totals, with summation = plain and without products = 3",
     [](const PlanData &plan) {
       bool excluded = !plan.instruction || plan.compensates() || plan.products == 3;
       return when(plan.promote < 0 || plan.promote > kMostSize || (plan.promote && excluded),
                   {plan.promote, kMostSize});
     }},
    {PlanRule::PlainTerms, RuleLevel::Plan,
     "plan: summation = compensated of {1} products and {4} parts, but at most {2} terms are added "
     "up plainly",
     [](const PlanData &plan) {
       return when(plan.compensates() && plan.plainTerms() > PlanData::kMostPlainTerms,
                   {plan.ownK(), PlanData::kMostPlainTerms, plan.slicedK * plan.ranks()});
     }},
    {PlanRule::Combined, RuleLevel::Plan,
     "plan: splits = {1} with reduction = none: partial sums must be combined",
     [](const PlanData &plan) {
       return when(plan.splits > 1 && plan.reduction == Reduction::None, {plan.splits});
     }},
    {PlanRule::Micro, RuleLevel::Plan,
     "plan: macro tile {1} is not a multiple of micro tile {2} along {6}",
     [](const PlanData &plan) {
       return along([&](int dim) {
         int64_t macro = plan.macro()[dim], micro = plan.micro()[dim];
         return when(macro % micro != 0, {macro, micro});
       });
     }},
    {PlanRule::Runs, RuleLevel::Plan,
     "plan: micro tile {1} is not a multiple of vector {2} along {6}",
     [](const PlanData &plan) {
       return along([&](int dim) {
         return when(plan.micro()[dim] % plan.vector != 0, {plan.micro()[dim], plan.vector});
       });
     }},
    {PlanRule::LanesOfTile, RuleLevel::Plan,
     "plan: {1} threads along {6} are not a multiple of {2} lanes",
     [](const PlanData &plan) {
       return along([&](int dim) {
         int64_t threads = plan.macro()[dim] / plan.micro()[dim];
         return when(threads % plan.lanes()[dim] != 0, {threads, plan.lanes()[dim]});
       });
     }},
    {PlanRule::InstructionLanes, RuleLevel::Plan,
     "plan: lanes = [{1}, {2}], but those of {6} lie [{4}, {5}]",
     [](const PlanData &plan) {
       if (!plan.instruction)
         return when(false);
       auto [ownM, ownN] = plan.instruction->lanesOfC();
       return when(plan.lanesM != ownM || plan.lanesN != ownN,
                   {plan.lanesM, plan.lanesN, ownM, ownN, nameOf(plan.instruction)});
     }},
    {PlanRule::InstructionDepth, RuleLevel::Plan,
     "plan: macro tile {1} is not a multiple of {2} along K, a slice of {6}",
     [](const PlanData &plan) {
       return when(plan.instruction && plan.macroK % plan.sliceDepth() != 0,
                   {plan.macroK, plan.sliceDepth(), 0, 0, nameOf(plan.instruction)});
     }},
    {PlanRule::InstructionTile, RuleLevel::Plan,
     "plan: the {1} elements of a subgroup along {6} are not a multiple of {2}, for {7} in "
     "runs of {4}",
     brokenInstructionTile},
    {PlanRule::SharedFactors, RuleLevel::Plan,
     "plan: {6} reads shared memory: that needs both operands via = shared, swizzle = {1}, no pad "
     "and no flat, {2} elements along K, with major = mn (of 16 bits) as many along M or N of a "
     "warpgroup or a multiple, vector up to {4}, and neither slicedK, unroll, prefetch nor "
     "summation = "
     "compensated",
     [](const PlanData &plan) {
       const tile::Instruction *own = plan.instruction;
       if (!own || !own->readsShared())
         return when(false);
       return when(!holdsSharedFactors(plan),
                   {tile::kSharedUnitBytes / own->factors.bytes,
                    tile::kSharedRowBytes / own->factors.bytes, own->columnsOfLane, 0, own->name});
     }},
    {PlanRule::SliceDepth, RuleLevel::Plan, "plan: depth = {1}, but slices of {6} have {2}",
     [](const PlanData &plan) {
       return when(plan.instruction && plan.depth != 1,
                   {plan.depth, plan.sliceDepth(), 0, 0, nameOf(plan.instruction)});
     }},
    {PlanRule::WholeSlices, RuleLevel::Plan,
     "plan: macro tile {1} along K does not divide among {2} parts in slices of {4}",
     [](const PlanData &plan) {
       return when(plan.macroK % (plan.slicedK * plan.sliceDepth()) != 0,
                   {plan.macroK, plan.slicedK, plan.sliceDepth()});
     }},
    {PlanRule::PathMajor, RuleLevel::Plan,
     "plan: major = k of fragments that come from global memory belongs to mma = fma",
     [](const PlanData &plan) {
       auto isOwn = [](const PathData &path) { return path.isDirect() && path.major != Major::MN; };
       return when((isOwn(plan.a) || isOwn(plan.b)) && plan.instruction);
     }},
    {PlanRule::ScalarTile, RuleLevel::Plan,
     "plan: via = scalar is for a fragment that all threads have: micro = macro along {6}, but "
     "these are {1} and {2}; another path for the other operand, slicedK = matrices = 1, mma = fma",
     [](const PlanData &plan) {
       return along([&](int dim) {
         bool shares = plan.micro()[dim] == plan.macro()[dim] && plan.slicedK == 1 &&
                       plan.matrices == 1 && !plan.instruction &&
                       plan.path(1 - dim).via != Via::Scalar;
         return when(plan.path(dim).via == Via::Scalar && !shares,
                     {plan.micro()[dim], plan.macro()[dim]});
       });
     }},
    {PlanRule::OutputVia, RuleLevel::Plan, "plan: c = scalar, but C has one of each thread",
     [](const PlanData &plan) { return when(plan.c == Via::Scalar); }},
    {PlanRule::MatrixCount, RuleLevel::Plan, "plan: matrices = {1} is not in {2} .. {4}",
     [](const PlanData &plan) { return outside(plan.matrices, 1, kMaxWorkgroupThreads); }},
    {PlanRule::MatricesOfThreads, RuleLevel::Plan,
     "plan: matrices = {1}, of which each thread has one: that needs micro = macro, both operands "
     "via = register, c = register, slicedK = splits = 1, reduction = none and mma = fma",
     [](const PlanData &plan) {
       return when(plan.matrices > 1 && !plan.holdsMatrices(), {plan.matrices});
     }},
};

//===----------------------------------------------------------------------===//
// Asking the tables
//===----------------------------------------------------------------------===//

std::optional<Violation> blas::checkAlone(const PathData &path) {
  return firstBroken<PathData>(kPathRules, path, RuleLevel::Plan);
}

std::optional<Violation> blas::checkAlone(const PlanData &plan) {
  for (const PathData *path : {&plan.a, &plan.b})
    if (std::optional<Violation> violation = checkAlone(*path))
      return violation;
  return firstBroken<PlanData>(kPlanRules, plan, RuleLevel::Plan);
}

std::optional<Violation> blas::checkAlone(PlanRule rule, const PlanData &plan) {
  return firstBroken<PlanData>(*rowOf<PlanData>(kPlanRules, rule), plan, RuleLevel::Plan);
}

std::string blas::describe(const Violation &violation, llvm::StringRef chip) {
  return llvm::formatv(/*Validate=*/false, violation.message, std::string(1, violation.operand),
                       violation.actual, violation.limit, chip, violation.third, violation.fourth,
                       violation.word, violation.name);
}
