//===- Asked.cpp - What a shape asks of planning --------------------------===//

#include "rooftile/Bench/Asked.h"
#include "mlir/Pass/PassManager.h"
#include "rooftile/Bench/Kernel.h"
#include "rooftile/Compiler/Build.h"
#include "rooftile/Compiler/OperationModule.h"
#include "rooftile/Pipelines/Pipelines.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"
#include "llvm/ADT/TypeSwitch.h"

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

std::vector<AskedOperation> rooftile::bench::askedBy(const Shape &shape, StringRef chip,
                                                     MLIRContext &context, std::string &why) {
  ScopedDiagnosticHandler handler(&context, errorsInto(why));
  OwningOpRef<ModuleOp> module = raisedModule(shape, context);
  FailureOr<blas::TargetAttr> target = failure();
  if (!module || failed(target = attachTarget(*module, chip)))
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

LogicalResult rooftile::bench::setPlans(ModuleOp module, StringRef plans) {
  if (plans.empty())
    return success();
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
