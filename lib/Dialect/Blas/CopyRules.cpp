//===- CopyRules.cpp - The rules of copies to shared memory ---------------===//
//
// A bulk copy moves one row of the shared tile, macro M or macro N elements, as it is: nothing is
// transposed, clamped or filled with zeros on the way. So the operand runs along M (A) or N (B),
// all tiles lie inside the matrix and begin at multiples of 16 bytes, and there is no partial step
// of K. A tensor copy moves all rows of a tile, which may cross every edge, since its hardware
// reads the end of the matrix. Tiles begin at multiples of 16 bytes, too: elsewhere an H200 calls
// the instruction illegal. With a swizzle, which is that of the hardware, it moves rows along K, or
// panels of rows along M or N.
//
//===----------------------------------------------------------------------===//

#include "RuleInputs.h"
#include "RuleTable.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace rooftile;
using namespace rooftile::blas;

static constexpr Row<OperandInput> kBulkRules[] = {
    {PlanRule::BulkCopy, RuleLevel::Target, "{0}: copied in bulk, but {3} has no bulk copies",
     [](const OperandInput &in) { return when(!in.target->bulkCopy); }},
    {PlanRule::BulkStart, RuleLevel::Operation,
     "{0}: copied in bulk in accesses of {1} bytes, but rows must begin at multiples of {2}",
     [](const OperandInput &in) {
       int64_t bytes = in.path.vector * in.matrix.elementBytes;
       return when(bytes != tile::kBulkBytes, {bytes, tile::kBulkBytes});
     }},
    {PlanRule::BulkRow, RuleLevel::Operation,
     "{0}: copied in bulk of rows of {1} bytes with their padding: no multiples of {2}",
     [](const OperandInput &in) {
       int64_t bytes = in.matrix.elementBytes, pad = in.path.pad, length = in.vectors()[1];
       return when(length * bytes % tile::kBulkBytes || pad * bytes % tile::kBulkBytes,
                   {(length + pad) * bytes, tile::kBulkBytes});
     }},
    {PlanRule::BulkTile, RuleLevel::Operation,
     "{0}: copied in bulk of a tile of {1} bytes, but at most {2} are counted",
     [](const OperandInput &in) {
       int64_t bytes = in.extent * in.plan.macroK * in.matrix.elementBytes;
       return when(bytes > tile::kMostBulkBytes, {bytes, tile::kMostBulkBytes});
     }},
    {PlanRule::BulkShare, RuleLevel::Operation,
     "{0}: copied in bulk of {1} rows, which do not divide among {2} subgroups, or those of the "
     "workgroup do not",
     [](const OperandInput &in) {
       int64_t lanes = in.path.lanes, macroK = in.plan.macroK;
       int64_t subgroups = in.plan.threads() / (in.plan.lanesM * in.plan.lanesN);
       return when(lanes > 0 && (subgroups % lanes != 0 || macroK % lanes != 0), {macroK, lanes});
     }},
    {PlanRule::BulkAlongK, RuleLevel::Operation,
     "{0}: copied in bulk with major = {6}, but the operand runs along {7}",
     [](const OperandInput &in) {
       bool alongK = in.matrix.alongK();
       return when(alongK != (in.path.major == Major::K),
                   {0, 0, 0, 0, stringifyMajor(in.path.major),
                    alongK ? "K: pack = 1 transposes it first" : "M or N"});
     }},
    {PlanRule::TensorSwizzle, RuleLevel::Operation,
     "{0}: copy = tensor with a swizzle moves rows of {2} bytes in units of {5}, but these are {1} "
     "bytes in units of {4}",
     [](const OperandInput &in) {
       int64_t bytes = in.matrix.elementBytes, length = in.vectors()[1] * bytes,
               unit = in.path.swizzle * bytes;
       // Longer ones are cut into panels for an instruction that reads shared memory.
       bool panels = in.plan.readsShared() && in.path.major == Major::MN;
       bool rows = panels ? length % tile::kSharedRowBytes == 0 : length == tile::kSharedRowBytes;
       bool fits = rows && unit == tile::kSharedUnitBytes;
       return when(in.path.copy == Copy::Tensor && in.path.swizzle && !fits,
                   {length, tile::kSharedRowBytes, unit, tile::kSharedUnitBytes});
     }},
    {PlanRule::BulkDepth, RuleLevel::Operation,
     "{0}: copied in bulk, but K = {1} (0: unknown) is no multiple of macro K = {2}",
     [](const OperandInput &in) {
       bool partial = in.product.multiple(2) % in.plan.macroK != 0;
       return when(in.path.copy == Copy::Bulk && partial,
                   {in.product.knownK ? in.product.k : 0, in.plan.macroK});
     }},
    {PlanRule::TensorBatch, RuleLevel::Operation,
     "{0}: copy = tensor, but the operand is a batch, or rows may not follow each other upward",
     [](const OperandInput &in) {
       return when(in.path.copy == Copy::Tensor && (in.matrix.batched || !in.matrix.forward));
     }},
    {PlanRule::BulkEdge, RuleLevel::Operation,
     "{0}: copied in bulk, but tiles of {2} cross the edge of the matrix, {1} (0: unknown), or "
     "begin anywhere",
     [](const OperandInput &in) {
       bool crosses = in.path.copy == Copy::Tensor
                          ? in.path.major == Major::MN && in.areMoved() && !in.moveEvenly()
                          : !in.lieInside();
       return when(crosses, in.edge());
     }},
    {PlanRule::TensorBox, RuleLevel::Operation,
     "{0}: copy = tensor of {1} real elements along a side of the tile, but at most {2} are moved",
     [](const OperandInput &in) {
       int64_t side = std::max(in.extent * in.matrix.components, in.plan.macroK);
       return when(in.path.copy == Copy::Tensor && side > tile::kMostBox, {side, tile::kMostBox});
     }},
};

/// Bytes of one asynchronous copy.
static int64_t asyncBytes(const OperandInput &in) {
  return storedVector(in.matrix, in.path) * stepBytes(in.matrix, in.path);
}

static constexpr Row<OperandInput> kAsyncRules[] = {
    {PlanRule::AsyncNarrow, RuleLevel::Operation,
     "{0}: copy = async moves {1} bytes at a time, but asynchronous copies move {2} or more",
     [](const OperandInput &in) {
       return when(asyncBytes(in) < kLeastCopyBytes, {asyncBytes(in), kLeastCopyBytes});
     }},
    {PlanRule::AsyncCopy, RuleLevel::Target,
     "{0}: copy = async moves {1} bytes at a time, but {3} has asynchronous copies of at most {2}",
     [](const OperandInput &in) {
       int64_t most = in.target->asyncCopyBytes;
       return when(asyncBytes(in) > most, {asyncBytes(in), most});
     }},
};

std::optional<Violation> blas::checkCopies(const OperandInput &operand) {
  llvm::ArrayRef<Row<OperandInput>> rows;
  if (operand.isBulk())
    rows = kBulkRules;
  else if (operand.path.copy == Copy::Async)
    rows = kAsyncRules;
  return firstBroken(rows, operand, operand.known(), "ab"[operand.dim]);
}
