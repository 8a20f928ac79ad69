//===- Symmetric.cpp - Operations with a symmetric matrix -----------------===//

#include "Symmetric.h"
#include "Cases/RandomPlans.h"
#include "Engine/OperationRun.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/ElementType.h"
#include "rooftile/Verify/Cases/Layout.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

//===----------------------------------------------------------------------===//
// Host copies
//===----------------------------------------------------------------------===//

std::complex<double> Whole::get(int64_t b, int64_t i, int64_t j) const {
  const double *number = &numbers[((b * rows + i) * columns + j) * parts];
  return {number[0], parts == 2 ? number[1] : 0};
}

void Whole::set(int64_t b, int64_t i, int64_t j, std::complex<double> value) {
  double *number = &numbers[((b * rows + i) * columns + j) * parts];
  number[0] = value.real();
  if (parts == 2)
    number[1] = value.imag();
}

Factor Whole::factor(bool transposed, bool conjugate) const {
  Matrices walk{rows, columns, columns, 1, {}};
  if (transposed)
    walk = {columns, rows, 1, columns, {}};
  for (int64_t b = 0; b < batch; ++b)
    walk.batch.push_back(b * rows * columns);
  return {parts == 2 ? Element::C128 : Element::F64, numbers.data(), walk, conjugate};
}

std::string rooftile::verify::shapeOf(const Matrices &matrices) {
  return std::to_string(matrices.rows) + " x " + std::to_string(matrices.columns);
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

llvm::ArrayRef<Key> SymmetricModel::keys() const {
  static const std::vector<Key> keys = choiceKeys();
  return keys;
}

std::string SymmetricModel::scalarType(const Case &single, const std::string &scalar) const {
  return infoOf(isReal(scalar) ? realOf(single.element(3)) : single.element(3)).type;
}

/// A case whose scalars are real, of a type that is.
static Case realScalars(Case single) {
  single.values["type"] = nameOf(realOf(single.element(3)));
  return single;
}

std::string SymmetricModel::functionOf(const Case &single, const std::string &name) const {
  std::string header = "func.func @" + name + "(", ins, types, body, clauses;
  for (int operand : {0, 1, 2}) {
    if ((operand == 0 && !takesA(single)) || (operand == 1 && !takesB()))
      continue;
    std::string own = std::string("%") + "abc"[operand], type = memrefType(single, operand);
    header += (header.back() == '(' ? "" : ", ") + own + ": " + type;
    if (operand == 2)
      continue;
    ins += (ins.empty() ? "" : ", ") + own;
    types += (types.empty() ? "" : ", ") + type;
  }
  for (std::string scalar : {"alpha", "beta"}) {
    if (single[scalar] == "none")
      continue;
    std::string type = scalarType(single, scalar);
    clauses += " " + scalar + "(%" + scalar + " : " + type + ")";
    if (single["scalars"] == "arg")
      header += ", %" + scalar + ": " + type;
    else
      body += "  %" + scalar + " = " +
              constantText(isReal(scalar) ? realScalars(single) : single, scalar) + "\n";
  }
  body += std::string("  blas.") + this->name() + attributesOf(single) +
          (ins.empty() ? "" : " ins(" + ins + " : " + types + ")") +
          " outs(%c : " + memrefType(single, 2) + ")" + clauses;
  return header + ") {\n" + body + " loc(\"" + single.text() + "\":1:1)\n  return\n}\n";
}

Call SymmetricModel::callOf(const Case &single, const std::string &name) const {
  Call call{name, single.text(), {}};
  for (int operand : {0, 1, 2})
    if ((operand != 0 || takesA(single)) && (operand != 1 || takesB()))
      call.arguments.push_back({storedView(single, operand), 0, single.shift(operand)});
  for (std::string scalar : {"alpha", "beta"})
    if (single[scalar] != "none" && single["scalars"] == "arg")
      call.arguments.push_back({View{}, single.scalar(scalar), 0});
  return call;
}

//===----------------------------------------------------------------------===//
// Random cases
//===----------------------------------------------------------------------===//

using Strings = std::vector<std::string>;

/// Whether symmetric-split decomposes a routine.
static bool isSplit(const operation::RoutineInfo &info) {
  return info.sizes != operation::Sizes::MNK && info.a != operation::Structure::Triangle;
}

void SymmetricModel::draw(Draw &draw, Case &single) const {
  using operation::ScalarType;
  static const Strings reals{"none", "0", "1", "3", "-0.75"};
  const operation::RoutineInfo &info = drawRoutine(draw, single, isSplit);
  for (auto [scalar, type] : {std::pair("alpha", info.alpha), std::pair("beta", info.beta)})
    if (type != ScalarType::Accumulator)
      single.values[scalar] = type == ScalarType::Real ? draw.of(reals) : "none";
  if (info.inPlace)
    single.values["share"] = "none";
}

void SymmetricModel::drawSizes(Draw &draw, Case &single) const {
  static constexpr int64_t kTile = 16;
  for (const std::string &key : sizeKeys())
    single.values[key] = drawSize(draw, kTile);
}

double SymmetricModel::flops(const Outcome &outcome) const {
  operation::Operation operation;
  operation.routine = info().routine;
  operation.m = outcome.m, operation.n = outcome.n, operation.k = outcome.k;
  operation.batch = operation::Batch::Strided, operation.count = outcome.batch;
  operation.c.element = outcome.site->element;
  if (outcome.site->as<SymmetricFacts>().right)
    operation.side = operation::Side::Right;
  return operation::flops(operation);
}

//===----------------------------------------------------------------------===//
// Operations in a module
//===----------------------------------------------------------------------===//

OperationValues SymmetricModel::operandsOf(Operation *of) const {
  auto op = cast<blas::SplitOpInterface>(of);
  Value a = op.getA() ? op.getA() : op.getC(), b = op.getB() ? op.getB() : a;
  return {a, b, op.getC(), op.getAlpha(), op.getBeta()};
}

FailureOr<Site> SymmetricModel::describeAs(Operation *of,
                                           std::shared_ptr<SymmetricFacts> facts) const {
  auto op = cast<blas::SplitOpInterface>(of);
  Site site;
  site.element = site.elementA = site.elementB = site.sum =
      *elementOf(getElementTypeOrSelf(op.getC()));
  if (componentsOf(site.element) == 1 && bytesOf(site.element) < bytesOf(Element::F32))
    site.sum = Element::F32;
  facts->lower = op.getUplo() == blas::Uplo::Lower;
  site.facts = facts;
  return site;
}

//===----------------------------------------------------------------------===//
// Executions
//===----------------------------------------------------------------------===//

void SymmetricModel::requireApart(const OperationRun &run, bool inPlace) const {
  const Operand *operands = run.operands;
  for (int input : {0, 1})
    if (!inPlace && overlap(operands[2], operands[input]))
      run.refuse(std::string("output C overlaps operand ") + "AB"[input] +
                 " in memory: results would depend on the order of stores");
  if (overlapsItself(operands[2]))
    run.refuse(overlapText("C", operands[2].view));
}

void SymmetricModel::state(OperationRun &run, int64_t k) const {
  const Operand *operands = run.operands;
  Matrices out = matricesOf(operands[2].view, false, 1);
  Outcome &outcome = *run.outcome;
  outcome.batch = out.batch.size();
  outcome.m = out.rows, outcome.n = out.columns, outcome.k = k;
  outcome.readsC = run.beta != 0.0;
  size_t rank = operands[2].view.sizes.size();
  outcome.sharedA = operands[0].view.sizes.size() < rank;
  outcome.sharedB = operands[1].view.sizes.size() < rank;
  outcome.layouts = layoutName(operands[0].view) + ", " + layoutName(operands[2].view);
}

void SymmetricModel::fillInputs(OperationRun &run, bool both) const {
  Values values = run.inputValues();
  if (run.alpha == 0.0)
    values.kind = Values::Poison;
  run.fillInput(0, values);
  ++values.seed;
  if (both)
    run.fillInput(1, values);
}
