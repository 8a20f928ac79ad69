//===- PathRules.cpp - The rules of an operand's path ---------------------===//

#include "PathRules.h"
#include "Copying.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Tile/Tile.h"

using namespace rooftile;
using namespace rooftile::planning;
using Rule = Violation::Rule;

/// Rules about fragments that come straight from global memory.
static std::optional<Violation> checkDirect(char name, const Matrix &matrix, const Path &path,
                                            const Plan &plan) {
  int64_t legal = matrix.contiguous == Contiguous::Outer ? matrix.maxVector : 1;
  if (path.vector > legal)
    return Violation{Rule::VectorLegal, name, path.vector, legal};
  if (path.vector > plan.vector)
    return Violation{Rule::VectorRun, name, path.vector, plan.vector};
  return std::nullopt;
}

/// Rules about lines that are copied as one.
static std::optional<Violation> checkFlat(char name, const Matrix &matrix, const Path &path,
                                          int64_t extent, const Plan &plan) {
  int64_t length = isTransposed(matrix, path) ? 0 : matrix.flat.length;
  if (path.flat != length || blas::linesOf(extent, plan.macroK, path.major)[1] < length)
    return Violation{Rule::Flat, name, path.flat, length};
  if (int64_t legal = flatVector({matrix, path, extent}, plan.macroK); path.vector > legal)
    return Violation{Rule::VectorLegal, name, path.vector, legal};
  return std::nullopt;
}

std::optional<Violation> planning::checkRows(const Problem &problem, const Plan &plan) {
  const Matrix &c = problem.c;
  int64_t length = c.contiguous == Contiguous::Inner ? c.flat.length : 0;
  bool whole = plan.flat <= plan.macroN && plan.c == blas::Via::Shared && !plan.reducesInShared() &&
               plan.reduction == blas::Reduction::None && problem.extraBytes == 0;
  if (plan.flat && (plan.flat != length || !whole))
    return Violation{Violation::Rule::FlatRows, 'c', plan.flat, length};
  return std::nullopt;
}

std::optional<Violation> planning::checkPath(char name, const Matrix &matrix, const Path &path,
                                             int64_t extent, const Plan &plan) {
  if (path.via == blas::Via::Register)
    return checkDirect(name, matrix, path, plan);
  if (path.layout == blas::ComplexLayout::Planar && matrix.components == 1)
    return Violation{Rule::Layout, name};
  if (path.flat)
    return checkFlat(name, matrix, path, extent, plan);
  if (path.vector > matrix.maxVector)
    return Violation{Rule::VectorLegal, name, path.vector, matrix.maxVector};
  int64_t along = matrix.alongK() ? plan.macroK : extent;
  int64_t across = matrix.alongK() ? extent : plan.macroK;
  if (along % path.vector != 0)
    return Violation{Rule::VectorTile, name, path.vector, along};
  // Threads lie along the contiguous dimension first, the rest of them across.
  int64_t threadsAlong = copyLanes(matrix, path, extent, plan);
  bool divide = along / path.vector % threadsAlong == 0 && plan.threads() % threadsAlong == 0 &&
                across % (plan.threads() / threadsAlong) == 0;
  if (!divide && !blas::arrivesInBulk(path.copy))
    return Violation{Rule::LoadsDivide, name, along / path.vector * across, plan.threads()};
  // Lines of the shared tile start where fragment reads, and stores that transpose nothing, can.
  auto [lines, length] = blas::linesOf(extent, plan.macroK, path.major);
  int64_t read = path.major == blas::Major::K ? 1 : plan.vector;
  int64_t width = std::max(read, storedVector(matrix, path));
  if ((length + path.pad) % width != 0)
    return Violation{Rule::RowAligned, name, length + path.pad, width};
  int64_t stride = length + path.pad;
  auto period = tile::BufferType::getSwizzlePeriod(path.swizzle, stride, stepBytes(matrix, path));
  int64_t moved = tile::BufferType::getSwizzled(path.swizzle, lines, period);
  if (moved != 0 && length % moved != 0)
    return Violation{Rule::Swizzle, name, moved, length};
  return std::nullopt;
}
