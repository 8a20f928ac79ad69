//===- Triangular.cpp - Operations with a triangular matrix ---------------===//

#include "Triangular.h"
#include "Engine/OperationRun.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/ElementType.h"
#include "rooftile/Operation/Words.h"

#include "mlir/IR/TypeUtilities.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

//===----------------------------------------------------------------------===//
// Operations in a module
//===----------------------------------------------------------------------===//

OperationValues TriangularModel::operandsOf(Operation *op) const {
  auto matrices = cast<blas::Level3OpInterface>(op);
  return {matrices.getMatrixA(), matrices.getMatrixB(), matrices.getMatrixC(),
          cast<blas::TriangularOpInterface>(op).getAlpha()};
}

FailureOr<Site> TriangularModel::describe(Operation *of) const {
  auto op = cast<blas::TriangularOpInterface>(of);
  Type type = getElementTypeOrSelf(op.getC());
  if (!hasKernels(info(), *elementOf(type)))
    return op->emitOpError("cannot be run: operand ")
           << op.getOutputName() << " is " << type << "; kernels of blas." << name() << " take "
           << operation::elementsOf(info());
  Site site;
  site.element = site.elementB = *elementOf(type);
  site.elementA = *elementOf(getElementTypeOrSelf(op.getA()));
  site.sum = *elementOf(op.getAccumulatorType());
  site.transposedA = blas::isTransposed(op.getOpA());
  site.conjugatedA = blas::isConjugated(op.getOpA());
  Value matrices[] = {op.getA(), op.getB(), op.getC()};
  for (auto [index, matrix] : llvm::enumerate(matrices))
    site.byPointers[index] = matrix && bool(blas::getPointers(cast<ShapedType>(matrix.getType())));
  site.byPointers[1] |= op.isInPlace() && site.byPointers[2]; // B is C
  auto triangle = std::make_shared<Triangle>();
  triangle->right = op.getSide() == blas::Side::Right;
  triangle->lower = op.getUplo() == blas::Uplo::Lower;
  triangle->unit = op.getDiag() == blas::Diag::Unit;
  // A plan that is still to be chosen may invert the whole matrix.
  auto solve = dyn_cast<blas::TrsmOp>(of);
  triangle->inverts = solve && !solve.getExact();
  if (blas::BlocksAttr plan = op.getPlanAttr()) {
    triangle->diagonal = plan->diagonal;
    triangle->inverts = plan->method == blas::Method::Invert;
  }
  site.facts = triangle;
  return site;
}

std::string TriangularModel::form(const Site &site) const {
  const auto &triangle = site.as<Triangle>();
  const char *op = site.conjugatedA ? (site.transposedA ? "c" : "j") : site.transposedA ? "t" : "n";
  return std::string(triangle.right ? "right " : "left ") + (triangle.lower ? "lower " : "upper ") +
         op + (triangle.unit ? " unit" : "");
}

double TriangularModel::flops(const Outcome &outcome) const {
  int64_t parts = componentsOf(outcome.site->elementA) * componentsOf(outcome.site->element);
  return double(outcome.batch) * outcome.m * outcome.n * outcome.k * parts;
}

Traffic TriangularModel::traffic(const Outcome &outcome) const {
  double k = outcome.k;
  return {k / 2 * k * (outcome.sharedA ? 1 : outcome.batch), 0, true};
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

int64_t TriangularRun::blockOrder() const {
  return triangle->diagonal == 0 ? order() : std::min(order(), triangle->diagonal);
}

int64_t TriangularRun::blocks() const {
  int64_t of = std::max<int64_t>(1, blockOrder());
  return std::max<int64_t>(1, (order() + of - 1) / of);
}

Scalar rooftile::verify::elementAt(const void *data, Element element, int64_t at) {
  return withReal(element, [&](auto zero) -> Scalar {
    auto *numbers = static_cast<const decltype(zero) *>(data);
    if (componentsOf(element) == 1)
      return double(numbers[at]);
    return {double(numbers[2 * at]), double(numbers[2 * at + 1])};
  });
}

void rooftile::verify::setElement(void *data, Element element, int64_t at, Scalar value) {
  withReal(element, [&](auto zero) {
    using Number = decltype(zero);
    Number *number = static_cast<Number *>(data) + at * componentsOf(element);
    number[0] = Number(value.real());
    if (componentsOf(element) == 2)
      number[1] = Number(value.imag());
  });
}

std::vector<int64_t> rooftile::verify::upTo(int64_t size) {
  std::vector<int64_t> indices(size);
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

static bool isRead(const Triangle &triangle, int64_t i, int64_t j) {
  return i == j ? !triangle.unit : triangle.lower == (i > j);
}

/// Fills the triangle of A and poisons the rest: NaN in the other triangle, on a unit diagonal,
/// and everywhere where alpha is 0. `range` is that of integers; 0: uniform values.
void TriangularModel::fillTriangle(void *a, const TriangularRun &run, int64_t range,
                                   uint64_t seed) const {
  int64_t count = run.order() * run.order();
  int64_t parts = componentsOf(run.elementA);
  View view;
  view.sizes = {int64_t(run.stored.batch.size()), count};
  view.strides = {count, 1};
  std::vector<double> drawn(view.elements() * parts);
  Values values{run.exact ? Values::Integers : Values::Uniform, std::max<int64_t>(range, 1), seed};
  fill(drawn.data(), parts == 2 ? Element::C128 : Element::F64, view, values);
  auto next = drawn.begin();
  for (int64_t batch = 0; batch < view.sizes[0]; ++batch)
    for (int64_t i = 0; i < run.order(); ++i)
      for (int64_t j = 0; j < run.order(); ++j, next += parts) {
        bool read = run.alpha != 0.0 && isRead(*run.triangle, i, j);
        Scalar number{next[0], parts == 2 ? next[1] : 0};
        setElement(a, run.elementA, run.stored.at(batch, i, j),
                   read ? valueOf(run, i, j, number) : Scalar(kNaN, kNaN));
      }
}

/// A copy of the `bytes` of A with zeros in the other triangle and ones on a unit diagonal.
static std::vector<char> expandTriangle(const void *a, int64_t bytes, const TriangularRun &run) {
  std::vector<char> expanded(bytes);
  if (bytes > 0)
    std::memcpy(expanded.data(), a, bytes);
  for (int64_t batch = 0; batch < int64_t(run.stored.batch.size()); ++batch)
    for (int64_t i = 0; i < run.order(); ++i)
      for (int64_t j = 0; j < run.order(); ++j)
        if (!isRead(*run.triangle, i, j))
          setElement(expanded.data(), run.elementA, run.stored.at(batch, i, j), i == j ? 1 : 0);
  return expanded;
}

Factors rooftile::verify::factorsOf(const void *a, const void *y, const Matrices &walk,
                                    int64_t batch, const TriangularRun &run) {
  Factor left{run.elementA, a, run.entering, run.conjugated}, other{run.element, y, walk};
  bool compensate = realOf(run.element) == Element::F64;
  if (run.triangle->right)
    return {other, left, batch, compensate};
  return {left, other, batch, compensate};
}

//===----------------------------------------------------------------------===//
// Executions
//===----------------------------------------------------------------------===//

/// The operands are A, B, C; in place B is C.
static bool isInPlace(const Operand *operands) {
  return operands[1].data == operands[2].data &&
         operands[1].view.offset == operands[2].view.offset &&
         operands[1].view.strides == operands[2].view.strides;
}

static TriangularRun triangularOf(const OperationRun &of) {
  const Operand *operands = of.operands;
  TriangularRun run;
  run.triangle = &of.site->as<Triangle>();
  run.element = of.site->element, run.sum = of.site->sum;
  run.elementA = of.site->elementA;
  run.conjugated = of.site->conjugatedA;
  run.alpha = of.alpha;
  run.exact = of.isExact();
  size_t batches = matricesOf(operands[2].view, false, 1).batch.size();
  run.stored = matricesOf(operands[0].view, false, 1);
  run.entering = matricesOf(operands[0].view, of.site->transposedA, batches);
  run.input = matricesOf(operands[1].view, false, batches);
  run.output = matricesOf(operands[2].view, false, batches);
  return run;
}

static std::string shapeOf(const Matrices &matrices) {
  return std::to_string(matrices.rows) + " x " + std::to_string(matrices.columns);
}

static void requireMatchingSizes(const OperationRun &of, const TriangularRun &run) {
  const Operand *operands = of.operands;
  const char *output = isInPlace(operands) ? "B" : "C";
  if (run.stored.rows != run.stored.columns)
    of.refuse("operand A is " + shapeOf(run.stored) + ", expected a square");
  if (run.stored.rows != (run.triangle->right ? run.output.columns : run.output.rows))
    of.refuse("sizes do not match: A is " + shapeOf(run.stored) + ", " + output + " is " +
              shapeOf(run.output));
  if (run.input.rows != run.output.rows || run.input.columns != run.output.columns ||
      run.input.batch.size() != run.output.batch.size())
    of.refuse("sizes do not match: B is " + shapeOf(run.input) + ", C is " + shapeOf(run.output));
  if (operands[0].view.sizes.size() != 2 && run.stored.batch.size() != run.output.batch.size())
    of.refuse("operand A has a batch of " + std::to_string(run.stored.batch.size()) +
              " matrices, " + output + " of " + std::to_string(run.output.batch.size()));
}

static void requireApart(const OperationRun &of) {
  const Operand *operands = of.operands;
  std::string output = isInPlace(operands) ? "B" : "C";
  for (int input : {0, 1})
    if (!(input == 1 && isInPlace(operands)) && overlap(operands[2], operands[input]))
      of.refuse("output " + output + " overlaps operand " + "AB"[input] +
                " in memory: results would depend on the order of stores");
  Operand triangles = operands[0]; // one may stand for a whole batch
  triangles.view = withoutRepeats(triangles.view);
  if (overlapsItself(triangles))
    of.refuse("operand A overlaps itself: a triangle of it cannot be told from the rest");
  if (overlapsItself(operands[2]))
    of.refuse(overlapText(output.c_str(), operands[2].view));
}

/// Data for B in a copy of memory.
void TriangularModel::fillInput(void *data, OperationRun &run,
                                const TriangularRun &triangular) const {
  const Operand &operand = run.operands[1];
  Values values{run.alpha == 0.0 ? Values::Poison
                : run.isExact()  ? Values::Integers
                                 : Values::Uniform,
                std::max<int64_t>(run.range, 1), run.seedOfInputs + 1};
  fill(data, operand.element, operand.view, values);
  const char *bytes = static_cast<const char *>(data);
  run.kept[2].assign(bytes, bytes + operand.spanBytes());
  if (run.alpha != 0.0)
    makeInput(data, run.kept[0].data(), triangular);
  run.kept[1].assign(bytes, bytes + operand.spanBytes());
}

/// Results of blocks are rounded to C's type on their way.
void TriangularModel::chooseRange(OperationRun &run, const TriangularRun &triangular) const {
  run.chooseRange(triangular.element, triangular.order() * triangular.parts());
}

void TriangularModel::prepare(OperationRun &run) const {
  const Operand *operands = run.operands;
  int64_t order = operands[0].view.sizes.back();
  bool inPlace = isInPlace(operands);
  TriangularRun triangular = triangularOf(run);
  chooseRange(run, triangular);
  triangular.exact = run.isExact();
  requireMatchingSizes(run, triangular);
  requireApart(run);
  Outcome &outcome = *run.outcome;
  outcome.batch = triangular.batches();
  outcome.m = triangular.output.rows, outcome.n = triangular.output.columns, outcome.k = order;
  outcome.readsC = inPlace && run.alpha != 0.0;
  outcome.sharedA = operands[0].view.sizes.size() < operands[2].view.sizes.size();
  outcome.layouts = layoutName(operands[0].view) + ", " + layoutName(operands[1].view) +
                    (inPlace ? "" : ", " + layoutName(operands[2].view));
  run.a.read(run.device, operands[0].begin(), operands[0].spanBytes());
  fillTriangle(run.a.data.get(), triangular, run.range, run.seedOfInputs);
  run.a.write(run.device);
  run.kept.assign(3, {});
  run.kept[0] = expandTriangle(run.a.data.get(), run.a.bytes, triangular);
  run.takeOutput();
  if (operands[2].view.elements() == 0)
    return run.c.write(run.device);
  if (inPlace) {
    fillInput(run.c.at(operands[2].begin()), run, triangular);
  } else {
    run.b.read(run.device, operands[1].begin(), operands[1].spanBytes());
    fillInput(run.b.data.get(), run, triangular);
    run.b.write(run.device);
    fill(run.c.at(operands[2].begin()), run.site->element, operands[2].view,
         {Values::Poison, 1, run.seed});
  }
  run.c.write(run.device);
}

Finding TriangularModel::compare(OperationRun &run) const {
  TriangularRun triangular = triangularOf(run);
  const char *output = run.after();
  if (run.alpha == 0.0)
    return compareExactly(output, triangular, [](int64_t, int64_t, int64_t) { return Scalar(0); });
  TriangularData data{run.kept[0].data(), run.kept[1].data(), run.kept[2].data()};
  return compareWith(data, output, triangular);
}

/// "1.5", or "1.5 + -2i"
static std::string textOf(Scalar value, int64_t parts) {
  char text[80];
  if (parts == 1)
    std::snprintf(text, sizeof(text), "%.17g", value.real());
  else
    std::snprintf(text, sizeof(text), "%.17g + %.17gi", value.real(), value.imag());
  return text;
}

void rooftile::verify::note(Finding &finding, bool right, const char *what,
                            const ComparedElement &element) {
  finding.compared += 1;
  finding.ratio = std::max(finding.ratio, std::isnan(element.ratio) ? INFINITY : element.ratio);
  if (right || ++finding.wrong > 1)
    return;
  char place[120];
  std::snprintf(place, sizeof(place), "%s[%lld, %lld] of batch entry %lld is ", what,
                (long long)element.i, (long long)element.j, (long long)element.batch);
  finding.first = place + textOf(element.got, element.parts) + ", expected " +
                  textOf(element.wanted, element.parts);
}

Finding
rooftile::verify::compareExactly(const void *output, const TriangularRun &run,
                                 llvm::function_ref<Scalar(int64_t, int64_t, int64_t)> expected) {
  Finding finding;
  for (int64_t batch = 0; batch < run.batches(); ++batch)
    for (int64_t i = 0; i < run.output.rows; ++i)
      for (int64_t j = 0; j < run.output.columns; ++j) {
        Scalar got = elementAt(output, run.element, run.output.at(batch, i, j));
        Scalar wanted = expected(batch, i, j);
        bool right = got == wanted;
        note(finding, right, "element",
             {batch, i, j, got, wanted, right ? 0 : INFINITY, run.parts()});
      }
  return finding;
}
