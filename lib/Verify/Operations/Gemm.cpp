//===- Gemm.cpp - blas.gemm: C = alpha * op(A) * op(B) + beta * C ---------===//
//
// `partial` shares K out among the slices of C as it likes: their sum is compared. Rows of op(A)
// and columns of op(B) that `padded` allows beyond those of C are left out.
//
//===----------------------------------------------------------------------===//

#include "Cases/Plan.h"
#include "Cases/RandomPlans.h"
#include "OneTriangle.h"
#include "Operations.h"
#include "Slices.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/ElementType.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "rooftile/Verify/Cases/Layout.h"

#include "mlir/IR/TypeUtilities.h"

#include <algorithm>
#include <array>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

namespace {
struct GemmFacts : SiteFacts {
  bool tf32 = false;                      ///< factors of f32 may be rounded to tf32
  bool emulated = false;                  ///< complex products may be three real ones
  bool partial = false;                   ///< C are slices that add up to the product
  bool padded = false;                    ///< op(A) and op(B) may be larger than C
  OneTriangle ofC;                        ///< what of C is computed
  std::array<blas::Structure, 2> masks{}; ///< what of op(A) and op(B) counts
  bool masked = false;                    ///< memory may hold anything beside it, else zeros
};

constexpr const char *kMasks = "general|lower|upper|unit_lower|unit_upper";

class GemmModel final : public OperationModel {
  const char *name() const override { return nameOf(operation::Routine::Gemm); }

  bool hasCases() const override { return true; }
  llvm::ArrayRef<Key> keys() const override {
    static const Key keys[] = {{"triangle", "all", ValueKind::Word, "all|lower|upper"},
                               {"maskA", "general", ValueKind::Word, kMasks},
                               {"maskB", "general", ValueKind::Word, kMasks},
                               {"rest", "any", ValueKind::Word, "any|zeros"}};
    return keys;
  }
  bool takesPointers() const override { return true; }
  std::pair<int64_t, int64_t> storedShape(const Case &single, int operand) const override;
  std::string functionOf(const Case &single, const std::string &name) const override;
  Call callOf(const Case &single, const std::string &name) const override;

  bool matches(Operation *op) const override { return isa<blas::GemmOp>(op); }
  OperationValues operandsOf(Operation *op) const override {
    auto gemm = cast<blas::GemmOp>(op);
    return {gemm.getA(), gemm.getB(), gemm.getC(), gemm.getAlpha(), gemm.getBeta()};
  }
  FailureOr<Site> describe(Operation *op) const override;
  bool plansFit(Operation *op, blas::TargetAttr target) const override;

  void narrow(const Site &site, Operand *operands) const override;
  bool hasIndependentTiles() const override { return true; }
  void prepare(OperationRun &run) const override;
  Finding compare(OperationRun &run) const override;

  std::string form(const Site &site) const override;
  double flops(const Outcome &outcome) const override;
  Traffic traffic(const Outcome &outcome) const override;

  void draw(Draw &draw, Case &single) const override;
  void drawSizes(Draw &draw, Case &single) const override;
  void drawLast(Draw &draw, std::vector<Case> &cases) const override {
    drawLastOfPlan(draw, cases);
  }
  std::vector<std::string> sizeKeys() const override { return {"m", "n", "k"}; }
};
} // namespace

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

std::pair<int64_t, int64_t> GemmModel::storedShape(const Case &single, int operand) const {
  int64_t m = single.number("m"), n = single.number("n"), k = single.number("k");
  if (single["triangle"] != "all")
    n = m;
  bool transposed = operand < 2 && single.isTransposed(operand);
  int64_t rows = operand == 1 ? k : m, columns = operand == 0 ? k : n;
  return transposed ? std::pair(columns, rows) : std::pair(rows, columns);
}

/// The clauses of the operation of a case.
static std::string attributesOf(const Case &single) {
  std::string text;
  for (int operand : {0, 1})
    if (char op = single["op"][operand]; op != 'n')
      text += std::string(" op") + "AB"[operand] + "<" + op + ">";
  const tile::Instruction *own = tile::findInstruction(single["mma"]);
  if (single["products"] == "3" || single["products"] == "6")
    text += " math<emulated>";
  else if (single["math"] == "tf32" || (own && own->isOfTf32()))
    text += " math<tf32>";
  text += single["reduction"] == "atomic" || single.anyOrder ? " anyOrder" : "";
  text += single["summation"] == "compensated" ? " compensated" : "";
  for (std::string side : {"A", "B"})
    if (std::string mask = single["mask" + side]; mask != "general")
      text += " structure" + side + "<" + mask + ">";
  bool isMasked = single["maskA"] != "general" || single["maskB"] != "general";
  text += isMasked && single["rest"] == "any" ? " masked" : "";
  text += single["triangle"] != "all" ? " triangle<" + single["triangle"] + ">" : "";
  if (llvm::StringRef(single["type"]).count('/') == 3)
    text += " acc(" + std::string(infoOf(single.element(3)).type) + ")";
  return text;
}

std::string GemmModel::functionOf(const Case &single, const std::string &name) const {
  std::string types[] = {memrefType(single, 0), memrefType(single, 1), memrefType(single, 2)};
  std::string type = infoOf(single.element(3)).type;
  std::string header = "func.func @" + name + "(", scalars, body, clauses;
  for (int operand : {0, 1, 2}) {
    CaseOperand own = operandOfCase(single, operand);
    header += (operand ? ", " : "") + own.parameter;
    scalars += own.scalars;
    body += own.body;
  }
  for (std::string scalar : {"alpha", "beta"}) {
    if (single[scalar] == "none")
      continue;
    clauses += " " + scalar + "(%" + scalar + " : " + type + ")";
    if (single["scalars"] == "arg")
      header += ", %" + scalar + ": " + type;
    else
      body += "  %" + scalar + " = " + constantText(single, scalar) + "\n";
  }
  CaseEpilogue epilogue = epilogueOfCase(single);
  for (size_t index = 0; index < epilogue.extras.size(); ++index)
    header += ", %e" + std::to_string(index) + ": " + epilogue.extras[index].type;
  header += scalars;
  body += std::string("  blas.gemm") + attributesOf(single) + " ins(%a, %b : " + types[0] + ", " +
          types[1] + ") outs(%c : " + types[2] + ")" + clauses + planClause(single) +
          epilogue.clause;
  return header + ") {\n" + body + " loc(\"" + single.text() + "\":1:1)\n  return\n}\n";
}

Call GemmModel::callOf(const Case &single, const std::string &name) const {
  Call call{name, single.text(), {}};
  std::vector<Argument> scalars;
  for (int operand : {0, 1, 2}) {
    CaseOperand own = operandOfCase(single, operand);
    call.arguments.push_back(own.argument);
    scalars.insert(scalars.end(), own.scalarArguments.begin(), own.scalarArguments.end());
  }
  for (std::string scalar : {"alpha", "beta"})
    if (single[scalar] != "none" && single["scalars"] == "arg")
      call.arguments.push_back({View{}, single.scalar(scalar), 0});
  for (const CaseExtra &extra : epilogueOfCase(single).extras)
    call.arguments.push_back({extra.view, extra.isScalar ? 0.75 : 0, 0});
  call.arguments.insert(call.arguments.end(), scalars.begin(), scalars.end());
  return call;
}

void GemmModel::draw(Draw &draw, Case &single) const {
  if (draw.chance(85))
    drawPlan(draw, single);
}

/// Multiply-adds of a case with many tiles.
static constexpr double kMostWork = 0x1p22;

void GemmModel::drawSizes(Draw &draw, Case &single) const {
  // Wide accesses need strides that are multiples of their width.
  bool planned = single["macro"] != "auto", wide = draw.chance(30), many = draw.chance(40);
  std::vector<int64_t> macro = planned ? single.sizes("macro") : std::vector<int64_t>{16, 16, 8};
  double work = 1;
  for (int64_t tile : macro)
    work *= kManyTiles * tile;
  for (auto [dim, size] : llvm::enumerate(std::array{"m", "n", "k"}))
    single.values[size] =
        many && work <= kMostWork ? drawManyTiles(draw, macro[dim]) : drawSize(draw, macro[dim]);
  for (std::string size : {"m", "n", "k"})
    if (wide)
      single.values[size] = std::to_string((single.number(size) + 3) / 4 * 4);
}

//===----------------------------------------------------------------------===//
// Operations in a module
//===----------------------------------------------------------------------===//

FailureOr<Site> GemmModel::describe(Operation *of) const {
  auto op = cast<blas::GemmOp>(of);
  auto element = [](Value matrix) { return *elementOf(getElementTypeOrSelf(matrix)); };
  Site site;
  site.element = element(op.getC());
  site.elementA = element(op.getA()), site.elementB = element(op.getB());
  site.sum = *elementOf(op.getAccumulatorType());
  site.transposedA = blas::isTransposed(op.getOpA());
  site.transposedB = blas::isTransposed(op.getOpB());
  site.conjugatedA = blas::isConjugated(op.getOpA());
  site.conjugatedB = blas::isConjugated(op.getOpB());
  site.compensated = op.getCompensated();
  Value matrices[] = {op.getA(), op.getB(), op.getC()};
  for (auto [index, matrix] : llvm::enumerate(matrices))
    site.byPointers[index] = bool(blas::getPointers(cast<ShapedType>(matrix.getType())));
  site.epilogue = readEpilogue(op);
  auto facts = std::make_shared<GemmFacts>();
  facts->emulated = op.getMath() == blas::MathMode::Emulated;
  facts->tf32 = op.getMath() == blas::MathMode::Tf32;
  facts->partial = op.getPartial(), facts->padded = op.getPadded();
  if (auto triangle = op.getTriangle())
    facts->ofC.part = *triangle == blas::Uplo::Lower ? Part::Lower : Part::Upper;
  facts->ofC.realDiagonal = op.getRealDiagonal();
  facts->masks = {op.getStructureA(), op.getStructureB()}, facts->masked = op.getMasked();
  site.facts = facts;
  return site;
}

bool GemmModel::plansFit(Operation *of, blas::TargetAttr target) const {
  auto op = cast<blas::GemmOp>(of);
  auto problem = planning::Problem::of(op);
  auto fits = [&](blas::GivenAttr when, blas::PlanAttr plan) {
    return !planning::check(problem->assuming(when), *plan, target);
  };
  if (failed(problem) || (op.getPlanAttr() && !fits({}, op.getPlanAttr())))
    return false;
  return !op.getPlansAttr() ||
         llvm::all_of(op.getPlansAttr().getAsRange<blas::CaseAttr>(),
                      [&](blas::CaseAttr each) { return fits(each.getWhen(), each.getPlan()); });
}

static const char *letter(bool transposed, bool conjugated) {
  return transposed ? (conjugated ? "c" : "t") : (conjugated ? "j" : "n");
}

std::string GemmModel::form(const Site &site) const {
  return std::string(letter(site.transposedA, site.conjugatedA)) +
         letter(site.transposedB, site.conjugatedB);
}

double GemmModel::flops(const Outcome &outcome) const {
  double ofC = outcome.site->as<GemmFacts>().ofC.part == Part::All
                   ? double(outcome.m) * outcome.n
                   : double(outcome.m) * (outcome.m + 1) / 2;
  double products = outcome.batch * ofC * outcome.k;
  return 2 * products * componentsOf(outcome.site->elementA) * componentsOf(outcome.site->elementB);
}

Traffic GemmModel::traffic(const Outcome &outcome) const {
  double m = outcome.m, n = outcome.n, k = outcome.k;
  return {m * k * (outcome.sharedA ? 1 : outcome.batch),
          k * n * (outcome.sharedB ? 1 : outcome.batch), outcome.readsC};
}

//===----------------------------------------------------------------------===//
// Executions
//===----------------------------------------------------------------------===//

/// C, or the output of which each slice is a share.
static View outputView(const Site &site, const Operand &output) {
  return site.as<GemmFacts>().partial ? firstSlice(output.view) : output.view;
}

/// Rows of op(A) and columns of op(B) beyond those of C: nothing is written to them, and they count
/// for nothing.
void GemmModel::narrow(const Site &site, Operand *operands) const {
  if (!site.as<GemmFacts>().padded)
    return;
  View output = outputView(site, operands[2]);
  size_t rank = output.sizes.size();
  for (int input : {0, 1}) {
    View &view = operands[input].view;
    bool transposed = input ? site.transposedB : site.transposedA;
    int64_t &size = view.sizes[view.sizes.size() - (transposed != bool(input) ? 1 : 2)];
    size = std::min(size, output.sizes[rank - (input ? 1 : 2)]);
  }
}

static std::string sizeOf(const Matrices &matrices, const char *name) {
  return std::string(name) + " is " + std::to_string(matrices.rows) + " x " +
         std::to_string(matrices.columns);
}

static void requireValid(const OperationRun &run) {
  const Site &site = *run.site;
  const Operand *operands = run.operands;
  View output = outputView(site, operands[2]);
  Matrices left = matricesOf(operands[0].view, site.transposedA, 1);
  Matrices right = matricesOf(operands[1].view, site.transposedB, 1);
  Matrices out = matricesOf(output, false, 1);
  if (left.columns != right.rows || left.rows != out.rows || right.columns != out.columns)
    run.refuse("sizes do not match: " + sizeOf(left, "op(A)") + ", " + sizeOf(right, "op(B)") +
               ", " + sizeOf(out, "C"));
  for (int input : {0, 1})
    if (operands[input].view.sizes.size() != 2 &&
        (input ? right : left).batch.size() != out.batch.size())
      run.refuse(std::string("operand ") + "AB"[input] + " has a batch of " +
                 std::to_string((input ? right : left).batch.size()) + " matrices, C of " +
                 std::to_string(out.batch.size()));
  if (site.as<GemmFacts>().ofC.part != Part::All && out.rows != out.columns)
    run.refuse(sizeOf(out, "C") + ", expected a square, of which one triangle is computed");
  for (int input : {0, 1})
    if (overlap(operands[2], operands[input]))
      run.refuse(std::string("output C overlaps operand ") + "AB"[input] +
                 " in memory: results would depend on the order of stores");
  if (overlapsItself(operands[2]))
    run.refuse(overlapText("C", operands[2].view));
  run.requireValidExtras();
}

/// Triangle of a stored operand that counts.
static OneTriangle triangleOf(blas::Structure structure, bool transposed) {
  using blas::Structure;
  OneTriangle triangle;
  if (structure != Structure::General)
    triangle.part = blas::isLower(structure) != transposed ? Part::Lower : Part::Upper;
  triangle.unitDiagonal = structure == Structure::UnitLower || structure == Structure::UnitUpper;
  return triangle;
}

/// Fills memory beside the triangle of an operand: NaN where it is masked, else the zeros that
/// that the operation has as facts.
static void fillRest(OperationRun &run, int input) {
  const auto &facts = run.site->as<GemmFacts>();
  bool transposed = input ? run.site->transposedB : run.site->transposedA;
  OneTriangle triangle = triangleOf(facts.masks[input], transposed);
  if (triangle.part == Part::All)
    return;
  Mirror &mirror = input ? run.b : run.a;
  (facts.masked ? poisonRest : clearRest)(mirror.data.get(), run.operands[input], triangle);
  mirror.write(run.device);
}

/// New data in A and B, NaN where alpha = 0 (then neither is read).
static void fillInputs(OperationRun &run) {
  Values values = run.inputValues();
  if (run.isExact() && run.constant)
    values.kind = Values::Constant, values.constant = *run.constant;
  if (run.alpha == 0.0)
    values.kind = Values::Poison;
  for (int input : {0, 1}) {
    run.fillInput(input, values);
    fillRest(run, input);
    ++values.seed;
  }
  if (overlap(run.operands[0], run.operands[1])) // B's data went over A's
    run.a.read(run.device, run.operands[0].begin(), run.operands[0].spanBytes());
}

/// The largest test integers: of more bits than an f32 has where everything is f64, so that
/// multipliers of less precision show.
static int64_t mostOf(const Site &site) {
  bool isDouble = llvm::all_of(std::array{site.elementA, site.elementB, site.element, site.sum},
                               [](Element each) { return realOf(each) == Element::F64; });
  return isDouble ? int64_t(1) << 25 : 8;
}

/// Whether there are elements of C that must stay as they are.
static bool keepsRest(const Site &site) {
  const auto &facts = site.as<GemmFacts>();
  return facts.ofC.part != Part::All && !facts.partial;
}

void GemmModel::prepare(OperationRun &run) const {
  const Site &site = *run.site;
  const Operand *operands = run.operands;
  requireValid(run);
  View output = outputView(site, operands[2]);
  Outcome &outcome = *run.outcome;
  Matrices left = matricesOf(operands[0].view, site.transposedA, 1);
  Matrices out = matricesOf(output, false, 1);
  outcome.batch = out.batch.size();
  outcome.m = out.rows, outcome.n = out.columns, outcome.k = left.columns;
  outcome.readsC = run.beta != 0.0;
  size_t rank = output.sizes.size();
  outcome.sharedA = operands[0].view.sizes.size() < rank;
  outcome.sharedB = operands[1].view.sizes.size() < rank;
  outcome.layouts = layoutName(operands[0].view) + ", " + layoutName(operands[1].view) + ", " +
                    layoutName(operands[2].view);
  run.chooseRange(site.sum, outcome.k * componentsOf(site.sum), mostOf(site));
  fillInputs(run);
  run.fillExtras();
  run.fillOutput();
  if (keepsRest(site))
    poisonRestOfOutput(run, site.as<GemmFacts>().ofC);
}

/// Masks a factor by its structure.
static void maskFactor(Factor &factor, blas::Structure structure) {
  OneTriangle triangle = triangleOf(structure, /*transposed=*/false);
  factor.part = triangle.part, factor.unit = triangle.unitDiagonal;
}

/// Each extra operand is seen with the sizes of C, with a stride of 0 along the dimensions that it
/// lacks.
static void addExtras(const OperationRun &run, Product &product) {
  const Epilogue &epilogue = run.site->epilogue;
  if (epilogue.function.empty())
    return;
  product.epilogue = &epilogue.function;
  for (size_t index = 0; index < epilogue.extras.size(); ++index) {
    const ExtraOperand &of = epilogue.extras[index];
    ProductExtra extra{of.element, run.extras[index].scalar, nullptr, {}};
    if (of.isMatrix) {
      View view = run.operands[2].view;
      const View &own = run.extras[index].operand.view;
      view.offset = own.offset;
      view.places.clear();
      view.strides.assign(view.sizes.size(), 0);
      for (size_t dim = 0; dim < of.dims.size(); ++dim)
        view.strides[of.dims[dim]] = own.strides[dim];
      extra.walk = matricesOf(view, false, product.batches());
      extra.data = run.extras[index].mirror.data.get();
    }
    product.extras.push_back(std::move(extra));
  }
}

Finding GemmModel::compare(OperationRun &run) const {
  const Site &site = *run.site;
  const Operand *operands = run.operands;
  size_t batches = run.outcome->batch;
  Product product;
  product.sum = site.sum, product.element = site.element;
  product.left = {site.elementA, run.a.data.get(),
                  matricesOf(operands[0].view, site.transposedA, batches), site.conjugatedA};
  product.right = {site.elementB, run.b.data.get(),
                   matricesOf(operands[1].view, site.transposedB, batches), site.conjugatedB};
  maskFactor(product.left, site.as<GemmFacts>().masks[0]);
  maskFactor(product.right, site.as<GemmFacts>().masks[1]);
  product.result = matricesOf(outputView(site, operands[2]), false, batches);
  product.before = run.before(), product.after = run.after();
  product.alpha = run.alpha, product.beta = run.beta;
  product.part = site.as<GemmFacts>().ofC.part;
  product.realDiagonal = site.as<GemmFacts>().ofC.realDiagonal && !site.as<GemmFacts>().partial;
  product.emulated = site.as<GemmFacts>().emulated, product.tf32 = site.as<GemmFacts>().tf32;
  product.compensated = site.compensated;
  product.tileM = run.outcome->tileM, product.tileN = run.outcome->tileN;
  product.seed = run.seed, product.onlyWritten = run.onlySomeTiles;
  addExtras(run, product);
  std::vector<char> sums;
  if (site.as<GemmFacts>().partial) {
    sums = addSlices(operands[2], run.after());
    product.after = sums.data();
  }
  Finding finding = verify::compare(product, run.isExact());
  if (keepsRest(site))
    compareRest(run, site.as<GemmFacts>().ofC, finding);
  return finding;
}

const OperationModel &rooftile::verify::gemmModel() {
  static const GemmModel model;
  return model;
}
