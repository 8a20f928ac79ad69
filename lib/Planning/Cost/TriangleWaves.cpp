//===- TriangleWaves.cpp - Workgroups with more and fewer steps -----------===//
//
// Where op(A) or op(B) is a triangle the longest workgroups have all steps, and the shortest none
// beside those of the diagonal. The longest begin first, and a unit that is done gets the next one,
// so that waves do not wait for each other. But each matrix of a batch, and each band of a triangle
// along N, begins with long ones anew; and in a band of rows of different lengths the last column
// has a long one.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Planning/Cost/TriangleWaves.h"
#include "rooftile/Planning/Space/Raster.h"

#include <algorithm>
#include <cmath>

using namespace rooftile;
using namespace rooftile::planning;

double planning::workOfTriangle(const Problem &problem, const Plan &plan) {
  double along = problem.triangularA ? plan.macroM : plan.macroN;
  return std::min(1.0, (problem.k + along) / (2.0 * std::max<int64_t>(1, problem.k)));
}

double planning::shareOfTriangle(const Problem &problem, const Plan &plan, double waves) {
  if (waves <= 1)
    return 1;
  double rows = walkedM(problem, plan), high = std::min<double>(plan.raster, rows);
  double work = workOfTriangle(problem, plan) * waves;
  double after;    // the share of all that is walked after long ones begin for the last time
  double late = 0; // by how much the last of a band is longer than what is left of the others then
  if (problem.triangularA) {
    after = problem.a.batched ? 1.0 / problem.batch : 1;
    double height = std::min(1.0, high * plan.macroM / std::max<int64_t>(1, problem.m));
    late = height - height / 3; // of 0 .. height steps a third of height is left, in the mean
  } else {
    after = (rows - high * (std::ceil(rows / high) - 1)) / rows;
    after /= problem.b.batched ? problem.batch : 1;
  }
  return std::max(work + late, 1 + work * (1 - after)) / std::ceil(waves);
}
