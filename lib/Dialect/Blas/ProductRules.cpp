//===- ProductRules.cpp - The rules of plans for an operation -------------===//
//
// The limits of Li, Dongarra and Tomov ("A Note on Auto-tuning GEMM for GPUs": threads of a
// workgroup, loads that divide among the threads) and of clBLAS (the tiles fit into local memory),
// extended by registers: a plan that spills is rejected, never priced.
//
//===----------------------------------------------------------------------===//

#include "RuleInputs.h"
#include "RuleTable.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Blas/SixProducts.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Dialect/Tile/Tile.h"

using namespace rooftile;
using namespace rooftile::blas;

/// Stages of a ring that is filled through registers, and asynchronously: more tiles on their way
/// than 4 hide no more latency.
static constexpr int64_t kMaxStages = 2, kMaxAsyncStages = 5;
/// Bytes of a scalar register.
static constexpr int64_t kScalarBytes = 4;
/// Multiply-adds that one thread executes in a K step, all in one block.
static constexpr int64_t kMaxUnrolled = 1 << 16;

int64_t OperandInput::legalVector() const {
  if (isDirect())
    return matrix.alongK() == (path.major == Major::K) ? matrix.maxVector : 1;
  return path.flat ? flatVector(matrix, path, extent, plan.macroK) : matrix.maxVector;
}

//===----------------------------------------------------------------------===//
// Products and their accumulators
//===----------------------------------------------------------------------===//

static constexpr Row<ProductInput> kSumRules[] = {
    {PlanRule::Induced, RuleLevel::Operation,
     "complex = induced needs complex matrices of one type, with known M, N, strides and offsets, "
     "A along M, B along N and not conjugated, no batch and no part of a product; with products = "
     "6 "
     "known K, c64 and math<emulated> in place of the orders of A and B",
     [](const ProductInput &in) {
       bool can = in.plan.products == kPartBlocks ? in.product.canBeInducedInParts
                                                  : in.product.canBeInduced;
       return when(in.plan.isInduced() && !can);
     }},
    {PlanRule::Parts, RuleLevel::Operation,
     "products = 6 replaces one of f32 elements without a structure, where the operation has "
     "math<emulated> and is no part of a product",
     [](const ProductInput &in) {
       return when(in.plan.products == kPartBlocks && !in.product.inParts);
     }},
    {PlanRule::InstructionType, RuleLevel::Operation,
     "mma = {6} multiplies {7} and complex elements of it, but the operands are of other types",
     [](const ProductInput &in) {
       const tile::Instruction *own = in.plan.instruction;
       return own && !multiplies(*own, in.product)
                  ? Broken(Numbers{0, 0, 0, 0, own->name, own->factors.name})
                  : std::nullopt;
     }},
    {PlanRule::MaskedFactors, RuleLevel::Operation,
     "mma = {6} reads shared memory, where elements beside the triangle of a masked operand are no "
     "zeros",
     [](const ProductInput &in) {
       const tile::Instruction *own = in.plan.instruction;
       bool masks = in.product.masked && (in.product.triangularA || in.product.triangularB);
       return own && own->readsShared() && masks ? Broken(Numbers{0, 0, 0, 0, own->name})
                                                 : std::nullopt;
     }},
    {PlanRule::Instruction, RuleLevel::Target,
     "mma: {3} has no such instruction for elements of {1} bits",
     [](const ProductInput &in) {
       const tile::Instruction *own = in.plan.instruction;
       return when(own && !in.target->gflopsOf(own->machine), {8 * in.product.elementBytes});
     }},
    {PlanRule::Products, RuleLevel::Operation,
     "products = 3 replaces four of complex elements of one type, where the operation has "
     "math<emulated>",
     [](const ProductInput &in) {
       return when(in.plan.products == 3 && !in.product.threeProducts);
     }},
    {PlanRule::Summation, RuleLevel::Operation,
     "summation = {6} and reduction = {7}, but the operation is compensated: that needs "
     "summation = compensated, and no atomic additions",
     [](const ProductInput &in) {
       bool keeps = in.plan.compensates() && in.plan.reduction != Reduction::Atomic;
       return when(in.product.compensated && !keeps,
                   {0, 0, 0, 0, stringifySummation(in.plan.summation),
                    stringifyReduction(in.plan.reduction)});
     }},
};

//===----------------------------------------------------------------------===//
// Threads and fragments
//===----------------------------------------------------------------------===//

static constexpr Row<ProductInput> kThreadRules[] = {
    {PlanRule::Stages, RuleLevel::Operation,
     "stages = {1}, but rings filled that way have at most {2} stages",
     [](const ProductInput &in) {
       bool any = in.plan.a.copy != Copy::Register || in.plan.b.copy != Copy::Register;
       int64_t most = any ? kMaxAsyncStages : kMaxStages;
       return when(in.plan.stages > most, {in.plan.stages, most});
     }},
    {PlanRule::FragmentBytes, RuleLevel::Target,
     "vector: fragment reads of {1} bytes, but the widest is {2}",
     [](const ProductInput &in) {
       // The narrower type counts: the runs of the wider are several accesses.
       int64_t narrower =
           std::min(stepBytes(in.product.a, in.plan.a), stepBytes(in.product.b, in.plan.b));
       return when(in.plan.vector * narrower > kMaxAccessBytes,
                   {in.plan.vector * narrower, kMaxAccessBytes});
     }},
    {PlanRule::ThreadCount, RuleLevel::Target,
     "macro / micro: {1} threads, but a workgroup of {3} has at most {2}",
     [](const ProductInput &in) {
       int64_t most = in.target->threadsPerBlock;
       return when(in.plan.threads() > most, {in.plan.threads(), most});
     }},
    {PlanRule::Subgroup, RuleLevel::Target,
     "macro / micro: {1} threads are not whole subgroups of {2} lanes on {3}",
     [](const ProductInput &in) {
       // A smaller workgroup than a subgroup is legal: its other lanes idle.
       int64_t threads = in.plan.threads(), subgroup = in.lanesTogether();
       return when(threads > subgroup && threads % subgroup != 0, {threads, subgroup});
     }},
    {PlanRule::Lanes, RuleLevel::Target,
     "lanes: {1} lanes do not make up a subgroup of {2} threads on {3}",
     [](const ProductInput &in) {
       // Those of one group: small groups share a subgroup.
       int64_t lanes = in.plan.lanesM * in.plan.lanesN;
       int64_t ofTile = in.plan.threads() / in.plan.matrices;
       int64_t full = std::min(ofTile / in.plan.slicedK, in.lanesTogether());
       return when(lanes != full, {lanes, full});
     }},
    {PlanRule::Unrolled, RuleLevel::Operation,
     "micro tile {1}x{2} times {4} along K is more than the {5} multiply-adds that are unrolled",
     [](const ProductInput &in) {
       // Micro tiles reach 2^40 elements, so that the product of all three could overflow.
       int64_t m = in.plan.microM, n = in.plan.microN, steps = in.plan.ownK();
       return when(m * n > kMaxUnrolled / steps, {m, n, steps, kMaxUnrolled});
     }},
};

//===----------------------------------------------------------------------===//
// Paths of operands, and of C
//===----------------------------------------------------------------------===//

/// Threads lie along the contiguous dimension first, the rest of them across.
static bool accessesDivide(const OperandInput &in) {
  int64_t threads = in.plan.threads();
  int64_t along = copyLanes(in.matrix, in.path, in.extent, in.plan);
  return in.along() / in.path.vector % along == 0 && threads % along == 0 &&
         in.across() % (threads / along) == 0;
}

/// Elements of a row of the shared tile that are permuted as a unit; 0: none are.
static int64_t swizzledElements(const OperandInput &in) {
  auto [vectors, length] = in.vectors();
  auto period = tile::BufferType::getSwizzlePeriod(in.path.swizzle, length + in.path.pad,
                                                   stepBytes(in.matrix, in.path));
  return tile::BufferType::getSwizzled(in.path.swizzle, vectors, period);
}

/// Elements that are permuted as a unit, where a vector does not consist of whole ones.
static Broken brokenSwizzle(const OperandInput &in) {
  if (!in.isTiled())
    return std::nullopt;
  int64_t moved = swizzledElements(in), length = in.vectors()[1];
  return when(moved != 0 && length % moved != 0, {moved, length});
}

/// An asynchronous access is one run of elements in the shared tile, too.
static Broken brokenSwizzledCopy(const OperandInput &in) {
  bool async = in.isTiled() && in.path.copy == Copy::Async;
  return when(async && in.path.swizzle < in.path.vector && swizzledElements(in) != 0,
              {in.path.vector, in.path.swizzle});
}

static constexpr Row<OperandInput> kPathRules[] = {
    {PlanRule::Layout, RuleLevel::Operation, "{0}: layout = planar, but its elements are real",
     [](const OperandInput &in) {
       return when(in.path.layout == ComplexLayout::Planar && in.matrix.components == 1);
     }},
    {PlanRule::Flat, RuleLevel::Operation,
     "{0}: flat = {1}, but the operand has vectors of {2} elements without gaps (0: none) in that "
     "direction, and a tile holds whole ones",
     [](const OperandInput &in) {
       int64_t length = in.flatLength();
       return when(!in.isDirect() && in.path.flat &&
                       (in.path.flat != length || in.vectors()[1] < length),
                   {in.path.flat, length});
     }},
    {PlanRule::Scalar, RuleLevel::Target,
     "{0}: via = scalar, but multiply-adds of {3} read no scalar registers that loads fill",
     [](const OperandInput &in) {
       return when(in.path.via == Via::Scalar && in.target->scalarRegisters == 0);
     }},
    {PlanRule::ScalarLoad, RuleLevel::Operation,
     "{0}: via = scalar, but loads of {1} bytes, {6}, fill no scalar registers of {2}",
     [](const OperandInput &in) {
       int64_t bytes = in.path.vector * in.matrix.elementBytes;
       bool fills = bytes % kScalarBytes == 0 && !in.matrix.byPointers;
       return when(in.path.via == Via::Scalar && !fills,
                   {bytes, kScalarBytes, 0, 0,
                    in.matrix.byPointers ? "of a batch by pointers" : "of one matrix"});
     }},
    {PlanRule::VectorLegal, RuleLevel::Operation,
     "{0}: vector = {1}, but strides, offset and sizes of the operand allow {2}",
     [](const OperandInput &in) {
       return when(in.path.vector > in.legalVector(), {in.path.vector, in.legalVector()});
     }},
    {PlanRule::VectorRun, RuleLevel::Operation,
     "{0}: vector = {1}, but fragments come in runs of {2}",
     [](const OperandInput &in) {
       int64_t run = in.plan.runsAlongK(in.path) ? in.plan.depth : in.plan.vector;
       return when(in.isDirect() && in.path.vector > run, {in.path.vector, run});
     }},
    {PlanRule::VectorTile, RuleLevel::Operation,
     "{0}: vector = {1} does not divide the {2} elements of the macro tile along the contiguous "
     "dimension",
     [](const OperandInput &in) {
       return when(in.isTiled() && in.along() % in.path.vector != 0, {in.path.vector, in.along()});
     }},
    {PlanRule::LoadsDivide, RuleLevel::Operation,
     "{0}: {1} accesses of one macro tile do not divide among {2} threads",
     [](const OperandInput &in) {
       return when(in.isTiled() && !in.isBulk() && !accessesDivide(in),
                   {in.along() / in.path.vector * in.across(), in.plan.threads()});
     }},
    {PlanRule::RowAligned, RuleLevel::Target,
     "{0}: a padded row of {1} elements is not a multiple of accesses of {2}",
     [](const OperandInput &in) {
       // Vectors start where fragment reads, and stores that transpose nothing, can.
       int64_t apart = in.vectors()[1] + in.path.pad;
       int64_t read = in.path.major == Major::K ? 1 : in.plan.vector;
       int64_t width = std::max(read, storedVector(in.matrix, in.path));
       return when(in.isTiled() && apart % width != 0, {apart, width});
     }},
    {PlanRule::MaskedPack, RuleLevel::Operation,
     "{0}: pack copies masked operands that are square, but this one is {1} x {2}",
     [](const OperandInput &in) {
       const ProductFacts &of = in.product;
       bool masked = of.masked && (in.dim == 0 ? of.triangularA : of.triangularB);
       bool known = of.knownK && (in.dim == 0 ? of.knownM : of.knownN);
       std::array<int64_t, 2> sizes{in.dim == 0 ? of.m : of.k, in.dim == 0 ? of.k : of.n};
       return when(in.path.pack && masked && known && sizes[0] != sizes[1], {sizes[0], sizes[1]});
     }},
    {PlanRule::SwizzledCopy, RuleLevel::Operation,
     "{0}: asynchronous copies move {1} elements at a time, which a swizzle of {2} separates",
     brokenSwizzledCopy},
    {PlanRule::Swizzle, RuleLevel::Operation,
     "{0}: the swizzle permutes units of {1} elements, which do not divide rows of {2}",
     brokenSwizzle},
};

static constexpr Row<ProductInput> kOutputRules[] = {
    {PlanRule::FlatRows, RuleLevel::Operation,
     "flat = {1}: C has rows of {2} elements without gaps (0: none), which tiles hold whole, and c "
     "= shared, no reduction and no matrix of an epilogue",
     [](const ProductInput &in) {
       const OperandFacts &c = in.product.c;
       int64_t length = c.contiguous == Contiguous::Inner ? c.flat.length : 0;
       bool whole = in.plan.holdsWholeRows() && !in.product.readsExtras;
       return when(in.plan.flat && (in.plan.flat != length || !whole), {in.plan.flat, length});
     }},
    {PlanRule::Triangle, RuleLevel::Operation,
     "triangle: tiles of one triangle of C are square, with raster = 1, no flat and no tail = "
     "split, but macro = {1}x{2}, raster = {4}, tail = {6}",
     [](const ProductInput &in) {
       const PlanData &plan = in.plan;
       bool fits = plan.macroM == plan.macroN && plan.raster == 1 && plan.tail != Tail::Split;
       return when(in.product.triangle && (!fits || plan.flat),
                   {plan.macroM, plan.macroN, plan.raster, 0, stringifyTail(plan.tail)});
     }},
    {PlanRule::Masked, RuleLevel::Operation,
     "tail = split cuts the triangle of an operand that is masked",
     [](const ProductInput &in) { return when(in.product.masked && in.plan.tail == Tail::Split); }},
    {PlanRule::Slices, RuleLevel::Operation,
     "splits = {1}, but the operation asks for {2} slices of partial sums",
     [](const ProductInput &in) {
       bool asked =
           in.plan.splits == in.product.slices && in.plan.reduction == Reduction::Workspace;
       return when(in.product.slices > 1 && !asked, {in.plan.splits, in.product.slices});
     }},
    {PlanRule::Pointers, RuleLevel::Operation,
     "reduction: a second kernel would write C, which is a batch by pointers",
     [](const ProductInput &in) {
       Reduction reduction = in.plan.reduction;
       return when(in.product.c.byPointers &&
                   (reduction == Reduction::Atomic || reduction == Reduction::Workspace));
     }},
    {PlanRule::Matrices, RuleLevel::Operation,
     "matrices = {1}, of which each thread has one, but C is {6}",
     [](const ProductInput &in) {
       const ProductFacts &of = in.product;
       llvm::StringRef what = !of.c.batched              ? "no batch"
                              : of.triangle              ? "a triangle"
                              : of.slices > 1            ? "partial sums"
                              : !of.knownM || !of.knownN ? "of dynamic size"
                                                         : "";
       return when(in.plan.matrices > 1 && !what.empty(), {in.plan.matrices, 0, 0, 0, what});
     }},
    {PlanRule::MatrixTile, RuleLevel::Operation,
     "matrices need a tile that holds all of C: macro = [{1}, {2}], but C is {4}x{5}",
     [](const ProductInput &in) {
       const ProductFacts &of = in.product;
       bool held = of.m <= in.plan.macroM && of.n <= in.plan.macroN;
       return when(in.plan.matrices > 1 && !held, {in.plan.macroM, in.plan.macroN, of.m, of.n});
     }},
    {PlanRule::Order, RuleLevel::Operation,
     "reduction = atomic adds in an order that changes from run to run, but the operation "
     "lacks anyOrder, or has an epilogue, which needs complete accumulators",
     [](const ProductInput &in) {
       return when(in.plan.reduction == Reduction::Atomic && !in.product.anyOrder);
     }},
    {PlanRule::AtomicType, RuleLevel::Operation,
     "reduction = atomic adds accumulators of {1} bytes to elements of C of {2}",
     [](const ProductInput &in) {
       int64_t sums = in.product.elementBytes, c = in.product.c.elementBytes;
       return when(in.plan.reduction == Reduction::Atomic && sums != c, {sums, c});
     }},
    {PlanRule::AtomicAdd, RuleLevel::Target,
     "reduction = atomic adds to real numbers of {1} bytes, but memory of {6} adds to those of {2} "
     "at most",
     [](const ProductInput &in) {
       int64_t real = in.product.realBytes, most = in.target->atomicAddBytes;
       bool adds = in.plan.reduction == Reduction::Atomic;
       return when(adds && real > most, {real, most, 0, 0, in.target->chip});
     }},
    {PlanRule::ClusterSize, RuleLevel::Target,
     "reduction = cluster: splits = {1}, but a cluster of {3} has at most {2} workgroups",
     [](const ProductInput &in) {
       int64_t ranks = in.plan.ranks(), most = in.target->clusterBlocks;
       return when(in.plan.reducesInShared() && ranks > most, {ranks, most});
     }},
    {PlanRule::ExchangeShare, RuleLevel::Operation,
     "partial sums: the macro tile does not divide among {1} workgroups of {2} threads, which add "
     "them up",
     [](const ProductInput &in) {
       const PlanData &plan = in.plan;
       int64_t ranks = plan.ranks();
       return when(plan.reducesInShared() &&
                       (plan.macroM % ranks != 0 || !exchangeShare(plan.macroM / ranks, plan.macroN,
                                                                   plan.threads(), plan.vector)
                                                         .threads),
                   {ranks, plan.threads()});
     }},
    {PlanRule::SharedBytes, RuleLevel::Target,
     "macro, stages: {1} bytes of shared memory, but a workgroup of {3} has at most {2}",
     [](const ProductInput &in) {
       int64_t most = in.target->sharedBytesPerBlock;
       int64_t bytes = in.plan.sharedBytes(in.product.a.elementBytes, in.product.b.elementBytes,
                                           in.product.elementBytes);
       return when(bytes > most, {bytes, most});
     }},
};

//===----------------------------------------------------------------------===//
// Asking the tables
//===----------------------------------------------------------------------===//

/// The first rule about a whole plan that is broken.
static std::optional<Violation> firstOf(llvm::ArrayRef<Row<ProductInput>> rows,
                                        const ProductInput &input) {
  return firstBroken(rows, input, input.known());
}

/// The first rule about operand `dim` that is broken.
static std::optional<Violation> firstOf(llvm::ArrayRef<Row<OperandInput>> rows,
                                        const OperandInput &input) {
  return firstBroken(rows, input, input.known(), "ab"[input.dim]);
}

std::optional<Violation> blas::checkProduct(const PlanData &plan, const ProductFacts &product,
                                            TargetAttr target) {
  ProductInput input{plan, product, target};
  if (auto violation = firstOf(kSumRules, input))
    return violation;
  for (int dim : {0, 1})
    if (auto violation = checkCopies(OperandInput(input, dim)))
      return violation;
  if (auto violation = firstOf(kThreadRules, input))
    return violation;
  for (int dim : {0, 1})
    if (auto violation = firstOf(kPathRules, OperandInput(input, dim)))
      return violation;
  return firstOf(kOutputRules, input);
}

std::optional<Violation> blas::checkProduct(PlanRule rule, const PlanData &plan,
                                            const ProductFacts &product, TargetAttr target) {
  ProductInput input{plan, product, target};
  using Rows = llvm::ArrayRef<Row<ProductInput>>;
  for (Rows rows : {Rows(kSumRules), Rows(kThreadRules), Rows(kOutputRules)})
    if (const Row<ProductInput> *row = rowOf(rows, rule))
      return firstOf(*row, input);
  return std::nullopt;
}

std::optional<Violation> blas::checkBulkCopies(const PlanData &plan, const ProductFacts &product,
                                               TargetAttr target) {
  ProductInput input{plan, product, target};
  for (int dim : {0, 1})
    if (OperandInput operand(input, dim); operand.isBulk())
      if (auto violation = checkCopies(operand))
        return violation;
  return std::nullopt;
}
