//===- Bulk.cpp - Rules and costs of bulk copies --------------------------===//

#include "Bulk.h"
#include "Paths.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "rooftile/Planning/Constants.h"
#include "rooftile/Planning/Reduction.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile;
using namespace rooftile::planning;
using Rule = Violation::Rule;

namespace {
/// Tiles of one operand along M or N.
struct TileSpan {
  TileSpan(const Problem &problem, const Plan &plan, char name) : isA(name == 'a') {
    size = isA ? problem.m : problem.n;
    known = isA ? problem.knownM : problem.knownN;
    multiple = least = size;
    if (!known) {
      multiple = isA ? problem.multipleM : problem.multipleN;
      least = isA ? problem.leastM : problem.leastN;
    }
    macro = isA ? plan.macroM : plan.macroN;
    vector = (isA ? plan.a : plan.b).vector;
    tail = (isA ? problem.a : problem.b).padded ? blas::Tail::Guard : plan.tail;
  }

  bool divide() const { return multiple % macro == 0; }
  /// Back inside the matrix, from where they would cross its edge.
  bool areMoved() const { return !divide() && least >= macro && tail == blas::Tail::Overlap; }
  bool moveEvenly() const { return multiple % vector == 0; }
  bool lieInside() const {
    return divide() || (areMoved() && moveEvenly()) ||
           (least >= macro && tail == blas::Tail::Split);
  }
  Violation violation() const {
    return Violation{Rule::BulkEdge, isA ? 'a' : 'b', known ? size : 0, macro};
  }

private:
  bool isA, known;
  int64_t size, multiple, least, macro, vector;
  blas::Tail tail;
};
} // namespace

/// Rules of rows of tiles: whole steps of K, whole rows.
static std::optional<Violation> checkRows(const Problem &problem, const Plan &plan, char name) {
  if ((problem.knownK ? problem.k : problem.multipleK) % plan.macroK != 0)
    return Violation{Rule::BulkDepth, name, problem.knownK ? problem.k : 0, plan.macroK};
  TileSpan tiles(problem, plan, name);
  return tiles.lieInside() ? std::nullopt : std::optional(tiles.violation());
}

/// Rules of whole tiles at a time, which may cross every edge.
static std::optional<Violation> checkTensor(const Problem &problem, const Plan &plan, char name) {
  const Matrix &matrix = name == 'a' ? problem.a : problem.b;
  if (matrix.batched || !matrix.forward)
    return Violation{Rule::TensorBatch, name};
  TileSpan tiles(problem, plan, name);
  if (tiles.areMoved() && !tiles.moveEvenly())
    return tiles.violation();
  int64_t numbers = (name == 'a' ? plan.macroM : plan.macroN) * matrix.components;
  if (int64_t side = std::max(numbers, plan.macroK); side > tile::kMostBox)
    return Violation{Rule::TensorBox, name, side, tile::kMostBox};
  return std::nullopt;
}

std::optional<Violation> planning::checkBulk(const Problem &problem, const Plan &plan, char name,
                                             blas::TargetAttr target) {
  bool isA = name == 'a';
  const Path &path = isA ? plan.a : plan.b;
  const Matrix &matrix = isA ? problem.a : problem.b;
  int64_t bytes = matrix.elementBytes, extent = isA ? plan.macroM : plan.macroN;
  if (!blas::arrivesInBulk(path.copy))
    return std::nullopt;
  if (!target.getBulkCopy())
    return Violation{Rule::BulkCopy, name};
  if (path.vector * bytes != tile::kBulkBytes)
    return Violation{Rule::BulkStart, name, path.vector * bytes, tile::kBulkBytes};
  if (extent * bytes % tile::kBulkBytes != 0 || path.pad * bytes % tile::kBulkBytes != 0)
    return Violation{Rule::BulkRow, name, (extent + path.pad) * bytes, tile::kBulkBytes};
  if (extent * plan.macroK * bytes > tile::kMostBulkBytes)
    return Violation{Rule::BulkTile, name, extent * plan.macroK * bytes, tile::kMostBulkBytes};
  int64_t subgroups = plan.threads() / (plan.lanesM * plan.lanesN);
  if (path.lanes > 0 && (subgroups % path.lanes != 0 || plan.macroK % path.lanes != 0))
    return Violation{Rule::BulkShare, name, plan.macroK, path.lanes};
  if (matrix.alongK())
    return Violation{Rule::BulkAlongK, name};
  return path.copy == blas::Copy::Tensor ? checkTensor(problem, plan, name)
                                         : checkRows(problem, plan, name);
}

/// Plans that are evaluated: a workgroup alone on its unit, two subgroups a scheduler, each with
/// all of K, or with what `shares` of it there are (c64 256 x 256 x 131072: 1.48 ms so, 1.37
/// otherwise).
struct Form {
  int64_t multiplyAdds, microM, microN, macroK, stages, unroll;
  bool shares;
};
/// For complex<f32> and f32: the fastest of 126 and of 192 that an H200 ran.
static constexpr Form kForms[] = {{4, 8, 8, 32, 3, 16, false}, {1, 8, 16, 64, 2, 16, true}};
/// Of all of them. With 4 x 8 lanes ptxas reads the fragments of an 8 x 16 micro tile early enough.
static constexpr int64_t kThreads = 256, kLanesM = 4, kLanesN = 8;
/// K of a workgroup, and share of the units that get one, from which on: smaller products were not
/// measured.
static constexpr int64_t kLeastK = 1024;
static constexpr double kLeastUnits = 0.9;

/// The form of `plan`, if it has one.
static const Form *formOf(const Problem &problem, const Plan &plan, blas::TargetAttr target) {
  auto single = [](const Matrix &matrix) { return matrix.elementBytes == 4 * matrix.components; };
  if (plan.instruction || plan.threads() != kThreads || problem.realBytes != 4 ||
      !single(problem.a) || !single(problem.b) || problem.k < kLeastK)
    return nullptr;
  double tiles = tilesOf(problem, plan);
  for (const Form &form : kForms) {
    double workgroups = tiles * (form.shares ? problem.k / kLeastK : 1);
    if (form.multiplyAdds == problem.multiplyAdds && form.microM == plan.microM &&
        form.microN == plan.microN && workgroups >= kLeastUnits * target.getUnits())
      return &form;
  }
  return nullptr;
}

/// `plan` with both operands copied so; nothing where one cannot be.
static std::optional<Plan> copiedBy(blas::Copy copy, const Problem &problem, Plan plan,
                                    blas::TargetAttr target) {
  for (auto [path, matrix] : {std::pair(&plan.a, &problem.a), {&plan.b, &problem.b}}) {
    *path = Path();
    path->copy = copy;
    path->vector = tile::kBulkBytes / matrix->elementBytes;
  }
  chooseOutput(problem, plan, target);
  if (checkBulk(problem, plan, 'a', target) || checkBulk(problem, plan, 'b', target))
    return std::nullopt;
  return plan;
}

std::optional<Plan> planning::bulkPlan(const Problem &problem, Plan plan, blas::TargetAttr target) {
  const Form *form = formOf(problem, plan, target);
  if (!form)
    return std::nullopt;
  plan.macroK = form->macroK;
  plan.stages = form->stages;
  plan.unroll = form->unroll;
  plan.lanesM = kLanesM, plan.lanesN = kLanesN;
  plan.prefetch = 0;
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
  case Rule::BulkAlongK:
    return "{0}: copied in bulk, but the operand runs along K: pack = 1 transposes it first";
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
