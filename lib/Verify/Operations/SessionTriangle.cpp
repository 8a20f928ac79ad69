//===- SessionTriangle.cpp - Verification around trmm and trsm ------------===//

#include "rooftile/Verify/Engine/Session.h"

#include <algorithm>

using namespace rooftile;
using namespace rooftile::verify;

/// The operands are A, B, C; in place B is C.
static bool isInPlace(const Operand *operands) {
  return operands[1].data == operands[2].data &&
         operands[1].view.offset == operands[2].view.offset &&
         operands[1].view.strides == operands[2].view.strides;
}

static TriangularRun runOf(const Site &site, const Operand *operands, double alpha, bool exact) {
  TriangularRun run;
  run.triangle = *site.triangle;
  run.element = site.element;
  run.alpha = alpha;
  run.exact = exact;
  size_t batches = matricesOf(operands[2].view, false, 1).batch.size();
  run.stored = matricesOf(operands[0].view, false, 1);
  run.entering = matricesOf(operands[0].view, site.transposedA, batches);
  run.input = matricesOf(operands[1].view, false, batches);
  run.output = matricesOf(operands[2].view, false, batches);
  return run;
}

static std::string shapeOf(const Matrices &matrices) {
  return std::to_string(matrices.rows) + " x " + std::to_string(matrices.columns);
}

static void requireMatchingSizes(const Site &site, const TriangularRun &run,
                                 const Operand *operands) {
  const char *output = isInPlace(operands) ? "B" : "C";
  if (run.stored.rows != run.stored.columns)
    refuse(site, "operand A is " + shapeOf(run.stored) + ", expected a square");
  if (run.stored.rows != (run.triangle.right ? run.output.columns : run.output.rows))
    refuse(site, "sizes do not match: A is " + shapeOf(run.stored) + ", " + output + " is " +
                     shapeOf(run.output));
  if (run.input.rows != run.output.rows || run.input.columns != run.output.columns ||
      run.input.batch.size() != run.output.batch.size())
    refuse(site,
           "sizes do not match: B is " + shapeOf(run.input) + ", C is " + shapeOf(run.output));
  if (operands[0].view.sizes.size() != 2 && run.stored.batch.size() != run.output.batch.size())
    refuse(site, "operand A has a batch of " + std::to_string(run.stored.batch.size()) +
                     " matrices, " + output + " of " + std::to_string(run.output.batch.size()));
}

static void requireApart(const Site &site, const Operand *operands) {
  std::string output = isInPlace(operands) ? "B" : "C";
  for (int input : {0, 1})
    if (!(input == 1 && isInPlace(operands)) && overlap(operands[2], operands[input]))
      refuse(site, "output " + output + " overlaps operand " + "AB"[input] +
                       " in memory: results would depend on the order of stores");
  Operand triangles = operands[0]; // one may stand for a whole batch
  triangles.view = withoutRepeats(triangles.view);
  if (overlapsItself(triangles))
    refuse(site, "operand A overlaps itself: a triangle of it cannot be told from the rest");
  if (overlapsItself(operands[2]))
    refuse(site, overlapText(output.c_str(), operands[2].view));
}

/// Data for B in a copy of memory: for an exact solution, op(A) times it.
void Session::fillTriangularInput(void *data, const Operand &operand, const TriangularRun &run) {
  Values values{run.alpha == 0 ? Values::Poison
                : run.exact    ? Values::Integers
                               : Values::Uniform,
                std::max<int64_t>(range, 1), seed + 2 * sites.size() + 1};
  fill(data, operand.element, operand.view, values);
  const char *bytes = static_cast<const char *>(data);
  solution.assign(bytes, bytes + operand.spanBytes());
  if (run.triangle.solves && run.exact && run.alpha != 0)
    multiplyInto(data, expanded.data(), run);
  input.assign(bytes, bytes + operand.spanBytes());
}

void Session::beforeTriangular(int64_t id, const Operand *operands, double alpha) {
  const Site &site = sites[id];
  int64_t order = operands[0].view.sizes.back();
  range = phase == Phase::Integers ? exactRange(site.element, alpha, 0, order) : 0;
  TriangularRun run = runOf(site, operands, alpha, range > 0);
  requireMatchingSizes(site, run, operands);
  requireApart(site, operands);
  Outcome &outcome = outcomeOf(id);
  outcome.batch = run.batches();
  outcome.m = run.output.rows, outcome.n = run.output.columns, outcome.k = order;
  outcome.readsC = isInPlace(operands) && alpha != 0;
  outcome.sharedA = operands[0].view.sizes.size() < operands[2].view.sizes.size();
  outcome.layouts = layoutName(operands[0].view) + ", " + layoutName(operands[1].view) +
                    (isInPlace(operands) ? "" : ", " + layoutName(operands[2].view));
  a.read(device, operands[0].begin(), operands[0].spanBytes());
  fillTriangle(a.data.get(), run, range, seed + 2 * sites.size());
  a.write(device);
  expanded = expandTriangle(a.data.get(), a.bytes, run);
  takeOutput(operands[2]);
  if (operands[2].view.elements() == 0)
    return c.write(device);
  if (isInPlace(operands)) {
    fillTriangularInput(c.at(operands[2].begin()), operands[2], run);
  } else {
    b.read(device, operands[1].begin(), operands[1].spanBytes());
    fillTriangularInput(b.data.get(), operands[1], run);
    b.write(device);
    fill(c.at(operands[2].begin()), site.element, operands[2].view, {Values::Poison, 1, seed});
  }
  c.write(device);
}

Finding Session::compareTriangle(const Site &site, const Operand *operands, double alpha) {
  TriangularRun run = runOf(site, operands, alpha, range > 0);
  return compareTriangular(expanded.data(), input.data(), solution.data(),
                           result.at(operands[2].begin()), run);
}
