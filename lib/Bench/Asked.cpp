//===- Asked.cpp - What a shape asks of planning --------------------------===//

#include "rooftile/Bench/Asked.h"
#include "mlir/Pass/PassManager.h"
#include "rooftile/Bench/Kernel.h"
#include "rooftile/Compiler/Build.h"
#include "rooftile/Compiler/OperationModule.h"
#include "rooftile/Pipelines/Pipelines.h"
#include "rooftile/Planning/Search/PlanSet.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;

OwningOpRef<ModuleOp> rooftile::bench::raisedModule(const Shape &shape, MLIRContext &context) {
  OwningOpRef<ModuleOp> module = compiler::moduleOf(shape.compiled(), &context);
  PassManager passes(&context, ModuleOp::getOperationName());
  buildRaisePipeline(passes);
  if (failed(compiler::prepareFunctions(*module)) || failed(passes.run(*module)))
    return nullptr;
  return module;
}

/// The operations of a raised module that planning decides about, in order.
static SmallVector<blas::Level3OpInterface> plannedOperations(ModuleOp module) {
  SmallVector<blas::Level3OpInterface> operations;
  module.walk([&](blas::Level3OpInterface op) { operations.push_back(op); });
  return operations;
}

//===----------------------------------------------------------------------===//
// Dynamic shapes
//===----------------------------------------------------------------------===//

static operation::SizeRange rangeAround(int64_t size) {
  double factor = std::sqrt(2.0);
  return {int64_t(std::ceil(double(size) / factor)), int64_t(std::floor(double(size) * factor))};
}

operation::SizeRanges rooftile::bench::rangesAround(const operation::Operation &operation) {
  return {rangeAround(operation.m), rangeAround(operation.n), rangeAround(operation.k)};
}

/// Elements of the widest accesses to a matrix of a dynamic shape.
static int64_t widestAccess(const Shape &shape, int operand, const planning::Matrix &matrix) {
  if (matrix.possibleVector <= matrix.maxVector)
    return 1;
  int64_t width = matrix.possibleVector;
  for (int64_t multiple : {shape.operation.vectorLength(operand),
                           shape.operation.operand(operand).leading, shape.step(operand)})
    while (multiple % width != 0)
      width /= 2;
  return width;
}

/// The only product of the module of a dynamic shape; null where there is another operation.
static blas::GemmOp dynamicProduct(const Shape &shape, ModuleOp module) {
  SmallVector<blas::Level3OpInterface> operations = plannedOperations(module);
  if (!shape.isDynamic || shape.operation.routine != Routine::Gemm || operations.size() != 1)
    return {};
  return dyn_cast<blas::GemmOp>(*operations.front());
}

/// Writes on the product of a dynamic shape what a case of a set for its sizes may assume.
static LogicalResult giveFacts(const Shape &shape, ModuleOp module) {
  blas::GemmOp op = dynamicProduct(shape, module);
  if (!op)
    return success();
  FailureOr<planning::Problem> open =
      planning::Problem::of(cast<blas::Level3OpInterface>(op.getOperation()));
  if (failed(open))
    return failure();
  auto [m, n, k] = planning::extentsOf(rangesAround(shape.operation), *open, module.getContext());
  op.setGivenAttr(
      blas::GivenAttr::get(module.getContext(), m, n, k,
                           {widestAccess(shape, 0, open->a), widestAccess(shape, 1, open->b),
                            widestAccess(shape, 2, open->c)},
                           {blas::Order::Any, blas::Order::Any, blas::Order::Any}));
  return success();
}

/// The problem of a dynamic shape at its own sizes.
static void takeSizes(const Shape &shape, planning::Problem &problem) {
  if (!problem.knownM)
    problem.m = shape.m();
  if (!problem.knownN)
    problem.n = shape.n();
  if (!problem.knownK)
    problem.k = shape.k();
}

//===----------------------------------------------------------------------===//
// Problems and plans
//===----------------------------------------------------------------------===//

std::vector<AskedOperation> rooftile::bench::askedBy(const Shape &shape, StringRef chip,
                                                     MLIRContext &context, std::string &why) {
  ScopedDiagnosticHandler handler(&context, errorsInto(why));
  OwningOpRef<ModuleOp> module = raisedModule(shape, context);
  FailureOr<blas::TargetAttr> target = failure();
  if (!module || failed(giveFacts(shape, *module)) || failed(target = attachTarget(*module, chip)))
    return {};
  std::vector<AskedOperation> asked;
  for (blas::Level3OpInterface op : plannedOperations(*module)) {
    if (auto triangular = dyn_cast<blas::TriangularOpInterface>(*op)) {
      auto problem = planning::TriangularProblem::of(triangular);
      if (failed(problem))
        return {};
      asked.push_back(AskedTriangle{*problem, *target});
      continue;
    }
    FailureOr<planning::Problem> problem = planning::Problem::of(op);
    if (failed(problem))
      return {};
    if (dynamicProduct(shape, *module))
      takeSizes(shape, *problem);
    asked.push_back(Asked{*problem, *target});
  }
  return asked;
}

std::optional<Asked> rooftile::bench::productAskedBy(const Shape &shape, StringRef chip,
                                                     MLIRContext &context, std::string &why) {
  std::vector<AskedOperation> asked = askedBy(shape, chip, context, why);
  if (asked.size() != 1 || !std::holds_alternative<Asked>(asked.front()))
    return std::nullopt;
  return std::get<Asked>(asked.front());
}

/// The plan `text`, with or without its name, for one operation.
static LogicalResult setPlan(blas::Level3OpInterface op, StringRef text) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](blas::ProductOpInterface product) {
        auto plan = parsePlan<blas::PlanAttr>("#blas.plan", text, op->getContext());
        if (plan)
          product.setPlanAttr(plan);
        return success(plan != nullptr);
      })
      .Case([&](blas::TriangularOpInterface triangular) {
        auto plan = parsePlan<blas::BlocksAttr>("#blas.blocks", text, op->getContext());
        if (plan)
          triangular.setPlanAttr(plan);
        return success(plan != nullptr);
      })
      .Default([](Operation *op) { return op->emitOpError("has no plan"); });
}

LogicalResult rooftile::bench::setPlans(ModuleOp module, const Shape &shape, StringRef plans) {
  if (plans.empty())
    return success();
  if (failed(giveFacts(shape, module)))
    return failure();
  SmallVector<StringRef> texts;
  plans.split(texts, " + ");
  SmallVector<blas::Level3OpInterface> operations = plannedOperations(module);
  if (texts.size() != operations.size())
    return module.emitError() << "expected " << operations.size()
                              << " plans joined by ' + ', one for each operation, got "
                              << texts.size();
  for (auto [op, text] : llvm::zip(operations, texts))
    if (failed(setPlan(op, text.trim())))
      return failure();
  return success();
}
