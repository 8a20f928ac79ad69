//===- Bulk.cpp - Rules and costs of bulk copies --------------------------===//

#include "Bulk.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "rooftile/Planning/Constants.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;
using Rule = Misfit::Rule;

/// Tiles of `macro` elements lie inside a matrix of at least `least` and of a multiple of
/// `multiple` elements, and begin at multiples of `vector`.
static bool liesInside(const Plan &plan, int64_t macro, int64_t least, int64_t multiple,
                       int64_t vector) {
  bool moved = plan.tail == blas::Tail::Overlap && multiple % vector == 0;
  return multiple % macro == 0 || (least >= macro && (moved || plan.tail == blas::Tail::Split));
}

/// Rules of whole tiles at a time.
static std::optional<Misfit> checkTensor(const Problem &problem, const Plan &plan, char name) {
  const Matrix &matrix = name == 'a' ? problem.a : problem.b;
  if (matrix.batched || !matrix.forward)
    return Misfit{Rule::TensorBatch, name};
  int64_t numbers = (name == 'a' ? plan.macroM : plan.macroN) * matrix.parts;
  if (int64_t side = std::max(numbers, plan.macroK); side > tile::kMostBox)
    return Misfit{Rule::TensorBox, name, side, tile::kMostBox};
  // The ring of B lies behind that of A.
  for (auto [path, own, extent] : {std::tuple(&plan.a, &problem.a, plan.macroM),
                                   std::tuple(&plan.b, &problem.b, plan.macroN)}) {
    if (path->via != blas::Via::Shared)
      continue;
    int64_t bytes =
        blas::slotBytes(extent, plan.macroK, {path->major, path->pad}, own->elementBytes);
    if (bytes % tile::kBoxBytes != 0)
      return Misfit{Rule::TensorSlot, name, bytes, tile::kBoxBytes};
    if (name == 'a')
      break;
  }
  return std::nullopt;
}

std::optional<Misfit> planning::checkBulk(const Problem &problem, const Plan &plan, char name,
                                          blas::TargetAttr target) {
  bool isA = name == 'a';
  const Path &path = isA ? plan.a : plan.b;
  const Matrix &matrix = isA ? problem.a : problem.b;
  int64_t bytes = matrix.elementBytes, extent = isA ? plan.macroM : plan.macroN;
  if (!blas::arrivesInBulk(path.copy))
    return std::nullopt;
  if (!target.getBulkCopy())
    return Misfit{Rule::BulkCopy, name};
  if (path.vector * bytes != tile::kBulkBytes)
    return Misfit{Rule::BulkStart, name, path.vector * bytes, tile::kBulkBytes};
  if (extent * bytes % tile::kBulkBytes != 0 || path.pad * bytes % tile::kBulkBytes != 0)
    return Misfit{Rule::BulkRow, name, (extent + path.pad) * bytes, tile::kBulkBytes};
  if (extent * plan.macroK * bytes > tile::kMostBulkBytes)
    return Misfit{Rule::BulkTile, name, extent * plan.macroK * bytes, tile::kMostBulkBytes};
  int64_t subgroups = plan.threads() / (plan.lanesM * plan.lanesN);
  if (path.lanes > 0 && (subgroups % path.lanes != 0 || plan.macroK % path.lanes != 0))
    return Misfit{Rule::BulkShare, name, plan.macroK, path.lanes};
  if (matrix.alongK())
    return Misfit{Rule::BulkTurned, name};
  if ((problem.knownK ? problem.k : problem.multipleK) % plan.macroK != 0)
    return Misfit{Rule::BulkDepth, name, problem.knownK ? problem.k : 0, plan.macroK};
  int64_t size = isA ? problem.m : problem.n;
  bool known = isA ? problem.knownM : problem.knownN;
  int64_t multiple = known ? size : isA ? problem.multipleM : problem.multipleN;
  int64_t least = known ? size : isA ? problem.leastM : problem.leastN;
  if (!liesInside(plan, extent, least, multiple, path.vector))
    return Misfit{Rule::BulkEdge, name, known ? size : 0, extent};
  return path.copy == blas::Copy::Tensor ? checkTensor(problem, plan, name) : std::nullopt;
}

/// Of plans that are weighed: a workgroup alone on its unit, two subgroups a scheduler.
static constexpr int64_t kThreads = 256, kMicro = 8, kMacroK = 16, kStages = 4;
/// Waves of such workgroups, and K, from which on: smaller products were not measured.
static constexpr int64_t kWaves = 4, kLeastK = 1024;

/// `plan` with both operands copied so; nothing where one cannot be.
static std::optional<Plan> copiedBy(blas::Copy copy, const Problem &problem, Plan plan,
                                    blas::TargetAttr target) {
  for (auto [path, matrix] : {std::pair(&plan.a, &problem.a), {&plan.b, &problem.b}}) {
    *path = Path();
    path->copy = copy;
    path->vector = tile::kBulkBytes / matrix->elementBytes;
  }
  if (checkBulk(problem, plan, 'a', target) || checkBulk(problem, plan, 'b', target))
    return std::nullopt;
  return plan;
}

std::optional<Plan> planning::bulkPlan(const Problem &problem, Plan plan, blas::TargetAttr target) {
  bool complex = problem.multiplyAdds == 4 && problem.realBytes == 4;
  if (!complex || plan.instruction || plan.threads() != kThreads || plan.microM != kMicro ||
      plan.microN != kMicro)
    return std::nullopt;
  double tiles = double(problem.batch) * problem.m * problem.n / (plan.macroM * plan.macroN);
  if (tiles < kWaves * target.getUnits() || problem.k < kLeastK)
    return std::nullopt;
  plan.macroK = kMacroK;
  plan.stages = kStages;
  plan.ahead = 0;
  plan.c = blas::Via::Register;
  std::optional<Plan> whole = copiedBy(blas::Copy::Tensor, problem, plan, target);
  return whole ? whole : copiedBy(blas::Copy::Bulk, problem, plan, target);
}

const char *planning::bulkMessage(Rule rule) {
  switch (rule) {
  case Rule::BulkCopy:
    return "{0}: copied in bulk, but {3} has no bulk copies";
  case Rule::BulkStart:
    return "{0}: copied in bulk in accesses of {1} bytes, but rows must begin at multiples of {2}";
  case Rule::BulkRow:
    return "{0}: copied in bulk of rows of {1} bytes with their padding: no multiples of {2}";
  case Rule::BulkTile:
    return "{0}: copied in bulk of a tile of {1} bytes, but at most {2} are counted";
  case Rule::BulkShare:
    return "{0}: copied in bulk of {1} rows, which do not divide among {2} subgroups, or those of "
           "the workgroup do not";
  case Rule::BulkTurned:
    return "{0}: copied in bulk, but the operand runs along K: pack = 1 turns it first";
  case Rule::BulkDepth:
    return "{0}: copied in bulk, but K = {1} (0: unknown) is no multiple of macro K = {2}";
  case Rule::BulkEdge:
    return "{0}: copied in bulk, but tiles of {2} cross the edge of the matrix, {1} (0: unknown), "
           "or begin anywhere";
  case Rule::TensorBatch:
    return "{0}: copy = tensor, but the operand is a batch, or rows may not follow each other "
           "upward";
  case Rule::TensorBox:
    return "{0}: copy = tensor of {1} numbers along a side of the tile, but at most {2} are moved";
  case Rule::TensorSlot:
    return "{0}: copy = tensor, but slots of {1} bytes lie in front, no multiple of {2}";
  default:
    return "";
  }
}

bool planning::copiesWhole(const Plan &plan) {
  return plan.a.copy == blas::Copy::Tensor && plan.b.copy == blas::Copy::Tensor;
}

double planning::bulkInstructions(const Path &path, const Plan &plan) {
  int64_t subgroups = plan.threads() / (plan.lanesM * plan.lanesN);
  if (path.copy == blas::Copy::Tensor)
    return constants::kBulkStart;
  return constants::kBulkStart + constants::kBulkLine * double(plan.macroK) / subgroups;
}
