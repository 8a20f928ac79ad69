//===- PlanAttribute.cpp - What a #blas.plan can be -----------------------===//
//
// Verifiers say what no plan can be; whether a plan fits one chip and one
// operation is a question for Planning (check).
//
//===----------------------------------------------------------------------===//

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

using Emit = function_ref<InFlightDiagnostic()>;

static LogicalResult verifyRange(Emit emit, StringRef name, int64_t value, int64_t least,
                                 int64_t most) {
  if (value < least || value > most)
    return emit() << "plan: " << name << " = " << value << " is not in " << least << " .. " << most;
  return success();
}

/// Groups share out each step evenly, in whole slices.
static LogicalResult verifySlicedK(Emit emit, int64_t slicedK, int64_t macroK, int64_t depth) {
  if (macroK % (slicedK * depth) != 0)
    return emit() << "plan: macro tile " << macroK << " along K does not divide among " << slicedK
                  << " parts in slices of " << depth;
  return success();
}

/// Micro tiles divide the macro tile, runs divide micro tiles, lanes divide the workgroup.
static LogicalResult verifyTiling(Emit emit, ArrayRef<int64_t> macro, ArrayRef<int64_t> micro,
                                  ArrayRef<int64_t> lanes, int64_t vector) {
  static constexpr llvm::StringLiteral names = "MN";
  for (int dim : {0, 1}) {
    if (macro[dim] % micro[dim] != 0)
      return emit() << "plan: macro tile " << macro[dim] << " is not a multiple of micro tile "
                    << micro[dim] << " along " << names.slice(dim, dim + 1);
    if (micro[dim] % vector != 0)
      return emit() << "plan: micro tile " << micro[dim] << " is not a multiple of vector "
                    << vector << " along " << names.slice(dim, dim + 1);
    if ((macro[dim] / micro[dim]) % lanes[dim] != 0)
      return emit() << "plan: " << macro[dim] / micro[dim] << " threads along "
                    << names.slice(dim, dim + 1) << " are not a multiple of " << lanes[dim]
                    << " lanes";
  }
  return success();
}

/// The multiplying instruction of every chip and type.
static constexpr StringLiteral kMultiplyAdd = "fma";

/// The tile of a subgroup consists of whole instructions, in runs of `vector` elements a lane.
static LogicalResult verifyInstruction(Emit emit, const tile::Instruction &instruction,
                                       ArrayRef<int64_t> macro, ArrayRef<int64_t> micro,
                                       ArrayRef<int64_t> lanes, int64_t vector) {
  std::array<int64_t, 2> own = instruction.lanesOfC();
  if (lanes != ArrayRef<int64_t>(own))
    return emit() << "plan: lanes = [" << lanes[0] << ", " << lanes[1] << "], but those of "
                  << instruction.name << " lie [" << own[0] << ", " << own[1] << "]";
  if (macro[2] % instruction.depth() != 0)
    return emit() << "plan: macro tile " << macro[2] << " is not a multiple of "
                  << instruction.depth() << " along K, a slice of " << instruction.name;
  tile::Spread rows(instruction.a.threads, instruction.a.values, /*rows=*/true),
      columns(instruction.b.threads, instruction.b.values, /*rows=*/false);
  for (auto [dim, spread] : {std::pair(0, &rows), std::pair(1, &columns)}) {
    int64_t size = dim == 0 ? instruction.m : instruction.n, tile = micro[dim] * lanes[dim];
    int64_t run = std::max(size, vector * spread->lanes());
    if (tile % run != 0)
      return emit() << "plan: the " << tile << " elements of a subgroup along " << "MN"[dim]
                    << " are not a multiple of " << run << ", for " << instruction.name
                    << " in runs of " << vector;
  }
  return success();
}

/// Rows of C that are written as one.
static LogicalResult verifyRows(Emit emit, int64_t flat, int64_t macroN, bool straight) {
  if (flat >= 0 && flat <= macroN && (flat == 0 || straight))
    return success();
  return emit() << "plan: flat = " << flat << " writes whole rows of C as one: they have at most "
                << macroN << " elements, those of a tile, with c = shared, reduction = none and "
                << "slicedK = 1";
}

/// Numbers of a plan that stand for themselves.
static LogicalResult verifyCounts(Emit emit, int64_t macroK, int64_t prefetch, int64_t unroll,
                                  int64_t raster) {
  if (prefetch < 0 || prefetch > 1)
    return emit() << "plan: prefetch = " << prefetch << " is not 0 or 1";
  if (unroll < 0 || unroll > macroK)
    return emit() << "plan: unroll = " << unroll << " is not in 0 .. " << macroK
                  << ", the slices of a step";
  if (raster < 1 || raster > (1 << 20))
    return emit() << "plan: raster = " << raster << " is not in 1 .. 2^20";
  return success();
}

/// Slices of the multiplying instruction, or of multiply-adds, that groups share out.
static LogicalResult verifySlices(Emit emit, StringRef mma, ArrayRef<int64_t> macro,
                                  int64_t slicedK, int64_t depth) {
  if (mma == kMultiplyAdd)
    return verifySlicedK(emit, slicedK, macro[2], depth);
  int64_t own = tile::findInstruction(mma)->depth();
  if (depth != 1)
    return emit() << "plan: depth = " << depth << ", but slices of " << mma << " have " << own;
  return verifySlicedK(emit, slicedK, macro[2], own);
}

/// How partial sums are combined, and what compensated ones add up plainly.
static LogicalResult verifySummation(Emit emit, Summation summation, int64_t products,
                                     int64_t slicedK, Reduction reduction, int64_t splits) {
  int64_t parts = slicedK * (reduction == Reduction::Cluster ? splits : 1);
  if (summation == Summation::Compensated && products + parts > PlanAttr::kMostPlainTerms)
    return emit() << "plan: summation = compensated of " << products << " products and " << parts
                  << " parts, but at most " << PlanAttr::kMostPlainTerms
                  << " terms are added up plainly";
  if (splits > 1 && reduction == Reduction::None)
    return emit() << "plan: splits = " << splits << " with reduction = none: "
                  << "partial sums must be combined";
  return success();
}

/// How complex numbers are multiplied: as real ones where slices are added up behind.
static LogicalResult verifyProducts(Emit emit, int64_t products, ComplexMethod complex,
                                    bool slices) {
  if (products != 3 && products != 4)
    return emit() << "plan: products = " << products << " is not 3 or 4";
  if (complex == ComplexMethod::Native || (slices && products == 4))
    return success();
  return emit()
         << "plan: complex = induced takes four real products and slices of partial sums: it "
         << "belongs to reduction = workspace, without products = 3, pack, copy = tensor or tail = "
         << "split";
}

LogicalResult PlanAttr::verify(Emit emit, ArrayRef<int64_t> macro, ArrayRef<int64_t> micro,
                               ArrayRef<int64_t> lanes, int64_t slicedK, int64_t depth,
                               int64_t vector, StringRef mma, int64_t products,
                               ComplexMethod complex, Summation summation, PathAttr a, PathAttr b,
                               Via c, int64_t flat, int64_t stages, int64_t prefetch,
                               int64_t unroll, Reduction reduction, int64_t splits, Tail tail,
                               int64_t raster, int64_t residency) {
  if (macro.size() != 3)
    return emit() << "plan: macro takes 3 sizes (M, N, K), got " << macro.size();
  if (micro.size() != 2)
    return emit() << "plan: micro takes 2 sizes (M, N), got " << micro.size();
  if (lanes.size() != 2)
    return emit() << "plan: lanes takes 2 sizes (M, N), got " << lanes.size();
  auto positive = [](int64_t size) { return size > 0 && size <= (1 << 20); };
  if (!llvm::all_of(macro, positive) || !llvm::all_of(micro, positive) ||
      !llvm::all_of(lanes, positive))
    return emit() << "plan: tile sizes must lie in 1 .. 2^20";
  if (vector < 1 || vector > 8 || !llvm::isPowerOf2_64(vector))
    return emit() << "plan: vector = " << vector << " is not 1, 2, 4 or 8";
  if (failed(verifyRange(emit, "stages", stages, 1, 16)) ||
      failed(verifyRange(emit, "residency", residency, 1, 64)) ||
      failed(verifyRange(emit, "splits", splits, 1, 65536)) ||
      failed(verifyRange(emit, "slicedK", slicedK, 1, 1024)) ||
      failed(verifyRange(emit, "depth", depth, 1, 16)))
    return failure();
  bool straight = c == Via::Shared && slicedK == 1 && reduction == Reduction::None;
  auto isPlain = [](PathAttr path) { return !path.getPack() && path.getCopy() != Copy::Tensor; };
  bool slices = reduction == Reduction::Workspace && tail != Tail::Split;
  if (failed(verifyRows(emit, flat, macro[1], straight)) ||
      failed(verifyCounts(emit, macro[2], prefetch, unroll, raster)) ||
      failed(verifyProducts(emit, products, complex, slices && isPlain(a) && isPlain(b))) ||
      failed(verifySummation(emit, summation, macro[2] / slicedK, slicedK, reduction, splits)) ||
      failed(verifyTiling(emit, macro, micro, lanes, vector)))
    return failure();
  const tile::Instruction *instruction = tile::findInstruction(mma);
  if (!instruction && mma != kMultiplyAdd)
    return emit() << "plan: mma = " << mma << " does not exist; there are fma, "
                  << tile::instructionNames();
  if (instruction && failed(verifyInstruction(emit, *instruction, macro, micro, lanes, vector)))
    return failure();
  return verifySlices(emit, mma, macro, slicedK, depth);
}

int64_t PlanAttr::getSliceDepth() const {
  return getInstruction() ? getInstruction()->depth() : getDepth();
}

const tile::Instruction *PlanAttr::getInstruction() const {
  return getMma() == kMultiplyAdd ? nullptr : tile::findInstruction(getMma());
}

static PathAttr withoutPack(PathAttr path) {
  return PathAttr::get(path.getContext(), path.getVia(), path.getCopy(), path.getVector(),
                       path.getPad(), path.getSwizzle(), path.getLanes(), /*pack=*/0,
                       path.getMajor(), path.getLayout(), path.getFlat());
}

/// The same plan but for what passes change.
static PlanAttr changed(PlanAttr plan, ComplexMethod complex, PathAttr a, PathAttr b, Tail tail) {
  return PlanAttr::get(plan.getContext(), plan.getMacro(), plan.getMicro(), plan.getLanes(),
                       plan.getSlicedK(), plan.getDepth(), plan.getVector(), plan.getMma(),
                       plan.getProducts(), complex, plan.getSummation(), a, b, plan.getC(),
                       plan.getFlat(), plan.getStages(), plan.getPrefetch(), plan.getUnroll(),
                       plan.getReduction(), plan.getSplits(), tail, plan.getRaster(),
                       plan.getResidency());
}

PlanAttr PlanAttr::withoutPacks() const {
  return changed(*this, getComplex(), withoutPack(getA()), withoutPack(getB()), getTail());
}

PlanAttr PlanAttr::toInduced() const {
  return changed(*this, ComplexMethod::Native, getA(), getB(), getTail());
}

PlanAttr PlanAttr::withTail(Tail tail) const {
  return changed(*this, getComplex(), getA(), getB(), tail);
}

int64_t PlanAttr::getThreads() const {
  return getMacro()[0] / getMicro()[0] * (getMacro()[1] / getMicro()[1]) * getSlicedK();
}

int64_t PlanAttr::getSharedBytes(int64_t bytesOfA, int64_t bytesOfB, int64_t bytesOfSum) const {
  auto stage = [&](PathAttr path, int64_t extent, int64_t elementBytes) -> int64_t {
    return path.getVia() == Via::Shared
               ? stageBytes(extent, getMacro()[2], layoutOf(path, getThreads()), elementBytes)
               : 0;
  };
  bool cluster = getReduction() == Reduction::Cluster;
  int64_t exchanged = 0;
  if (getFlat())
    exchanged = flatBytes(getMacro()[0], getFlat(), bytesOfSum);
  else if (exchangesC())
    exchanged = exchangeBytes(getSlicedK() * getMacro()[0], getMacro()[1], bytesOfSum, cluster);
  int64_t bulk = arrivesInBulk(getA().getCopy()) + arrivesInBulk(getB().getCopy());
  // The tile of C lies over those of A and B; counters of arrivals lie behind.
  int64_t rings = getStages() *
                  (stage(getA(), getMacro()[0], bytesOfA) + stage(getB(), getMacro()[1], bytesOfB));
  return std::max(rings, exchanged) + arrivalBytes(bulk * getStages());
}

//===----------------------------------------------------------------------===//
// What a #blas.path can be
//===----------------------------------------------------------------------===//

LogicalResult PathAttr::verify(Emit emit, Via via, Copy copy, int64_t vector, int64_t pad,
                               int64_t swizzle, int64_t lanes, int64_t pack, Major major,
                               ComplexLayout layout, int64_t flat) {
  if (flat < 0 || flat > (1 << 20))
    return emit() << "path: flat = " << flat << " is not in 0 .. 2^20";
  if (flat && (via == Via::Register || arrivesInBulk(copy) || pack || pad || swizzle || lanes))
    return emit() << "path: flat copies lines as they follow each other: it belongs to via = "
                  << "shared and copy = register or async, without pack, pad, swizzle or lanes";
  if (pack < 0 || pack > 1)
    return emit() << "path: pack = " << pack << " is not 0 or 1";
  if (vector < 1 || vector > 16 || !llvm::isPowerOf2_64(vector))
    return emit() << "path: vector = " << vector << " is not 1, 2, 4, 8 or 16";
  if (pad < 0 || pad > 1024)
    return emit() << "path: pad = " << pad << " is not in 0 .. 1024";
  if (lanes < 0 || lanes > 1024)
    return emit() << "path: lanes = " << lanes << " is not in 0 .. 1024";
  if (swizzle < 0 || swizzle > 64 || (swizzle != 0 && !llvm::isPowerOf2_64(swizzle)))
    return emit() << "path: swizzle = " << swizzle << " is not 0 or a power of 2 up to 64";
  if (via == Via::Register && major != Major::MN)
    return emit() << "path: major belongs to via = shared";
  if (layout == ComplexLayout::Planar && (via == Via::Register || arrivesInBulk(copy)))
    return emit()
           << "path: layout = planar is a layout of complex elements in shared memory, one by "
           << "one: it belongs to via = shared and copy = register or async";
  if (pack && major != Major::MN)
    return emit() << "path: pack makes rows that run along M or N: major = k has none to keep";
  if (via == Via::Register && (pad != 0 || swizzle != 0 || lanes != 0 || copy != Copy::Register))
    return emit() << "path: pad, swizzle, lanes and copy belong to via = shared";
  if (arrivesInBulk(copy) && (swizzle != 0 || major != Major::MN))
    return emit() << "path: copy = " << stringifyCopy(copy)
                  << " moves whole rows along M or N: it takes no "
                  << (swizzle ? "swizzle" : "major = k");
  if (copy == Copy::Tensor && (pad != 0 || lanes != 0))
    return emit()
           << "path: copy = tensor moves whole tiles, at the request of one thread: it takes "
           << "no " << (pad ? "pad" : "lanes");
  return success();
}

//===----------------------------------------------------------------------===//
// What #blas.tiling and #blas.blocks can be
//===----------------------------------------------------------------------===//

LogicalResult BlocksAttr::verify(Emit emit, int64_t diagonal, int64_t workgroup) {
  if (diagonal < 0 || diagonal > (1 << 20))
    return emit() << "blocks: diagonal = " << diagonal << " is not in 0 .. 2^20";
  if (workgroup < 1 || workgroup > 1024)
    return emit() << "blocks: workgroup = " << workgroup << " is not in 1 .. 1024";
  return success();
}

LogicalResult TilingAttr::verify(Emit emit, ArrayRef<int64_t> tile, int64_t threads, int64_t vector,
                                 int64_t groups, PathAttr path) {
  auto positive = [](int64_t size) { return size > 0 && size <= (1 << 20); };
  if (tile.size() != 2 || !llvm::all_of(tile, positive))
    return emit() << "tiling: tile takes 2 sizes (M, N) in 1 .. 2^20";
  if (threads < 1 || threads > 1024)
    return emit() << "tiling: threads = " << threads << " is not in 1 .. 1024";
  if (vector < 1 || vector > 8 || !llvm::isPowerOf2_64(vector))
    return emit() << "tiling: vector = " << vector << " is not 1, 2, 4 or 8";
  if (groups < 1 || threads % groups != 0)
    return emit() << "tiling: " << threads << " threads do not divide among " << groups
                  << " groups";
  if (groups > 1 && tile[0] != 1)
    return emit() << "tiling: groups share out the slices of a tile of one row, not of " << tile[0];
  int64_t ofGroup = threads / groups;
  if (tile[1] % vector != 0 || tile[0] * tile[1] / vector % ofGroup != 0)
    return emit() << "tiling: a tile of " << tile[0] << "x" << tile[1] << " in accesses of "
                  << vector << " does not divide evenly among " << ofGroup << " threads";
  if (path && (path.getCopy() != Copy::Register || path.getPack() || path.getMajor() != Major::MN ||
               path.getLayout() != ComplexLayout::Interleaved))
    return emit() << "tiling: a path with copy = async, pack, major or layout belongs to a product";
  return success();
}
