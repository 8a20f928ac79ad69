//===- SetAside.cpp - What is not host code goes around a pipeline --------===//
//
// Modules of other compilers hold what no pipeline of this project lowers: functions on tensors
// with encodings or on memory of a workgroup, inner modules. They stay as they are, with all that
// shares a symbol with them, and everything else is compiled as if they were not there.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Pipelines/Passes.h"
#include "rooftile/Transforms/Raise/HostTypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_SETASIDE
#include "rooftile/Pipelines/Passes.h.inc"
} // namespace rooftile

static void remarkOnPart(Operation *part, Location at, const Twine &why) {
  auto symbol = dyn_cast<SymbolOpInterface>(part);
  InFlightDiagnostic remark = emitRemark(at);
  remark << (isa<ModuleOp>(part) ? "module" : "function");
  if (symbol && symbol.getNameAttr())
    remark << " '" << symbol.getName() << "'";
  remark << " stays: " << why;
}

/// Whether it may stay with foreign code: a lowered function would be no symbol of it any more.
static bool canBeSetAside(Operation &part) {
  return isa<FunctionOpInterface, memref::GlobalOp, ModuleOp>(part);
}

/// The parts of `module` that `part` names.
static SmallVector<Operation *> namedBy(Operation *part, ModuleOp module) {
  SmallVector<Operation *> named;
  auto uses = SymbolTable::getSymbolUses(part);
  if (!uses)
    return named;
  for (SymbolTable::SymbolUse use : *uses)
    if (Operation *other = module.lookupSymbol(use.getSymbolRef().getRootReference());
        other && canBeSetAside(*other))
      named.push_back(other);
  return named;
}

/// All that is connected with what is set aside by names: a call has its function on its side.
static SetVector<Operation *> foreignParts(ModuleOp module) {
  SetVector<Operation *> aside;
  forEachForeign(module, [&](Operation *part, Operation *at, const std::string &why) {
    remarkOnPart(part, at->getLoc(), why);
    aside.insert(part);
  });
  if (aside.empty())
    return aside;
  llvm::DenseMap<Operation *, SetVector<Operation *>> neighbours;
  for (Operation &part : module.getOps())
    if (canBeSetAside(part))
      for (Operation *other : namedBy(&part, module))
        neighbours[&part].insert(other), neighbours[other].insert(&part);
  for (size_t next = 0; next < aside.size(); ++next)
    for (Operation *other : neighbours[aside[next]])
      if (aside.insert(other) && isa<FunctionOpInterface>(other))
        remarkOnPart(other, other->getLoc(), "a part that stays calls it, or is called by it");
  return aside;
}

namespace {
struct SetAsidePass : rooftile::impl::SetAsideBase<SetAsidePass> {
  using SetAsideBase::SetAsideBase;
  explicit SetAsidePass(const OpPassManager &passes) : passes(passes) {
    std::string text;
    llvm::raw_string_ostream out(text);
    passes.printAsTextualPipeline(out);
    pipeline = passes.empty() ? "" : text;
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    passes.getDependentDialects(registry);
  }

  LogicalResult initializeOptions(StringRef options,
                                  function_ref<LogicalResult(const Twine &)> error) override {
    if (failed(SetAsideBase::initializeOptions(options, error)))
      return failure();
    return pipeline.empty() ? success() : parsePassPipeline(pipeline, passes);
  }

  void runOnOperation() override {
    SetVector<Operation *> aside = foreignParts(getOperation());
    for (Operation *part : aside)
      part->remove();
    LogicalResult result = runPipeline(passes, getOperation());
    for (Operation *part : aside)
      getOperation().push_back(part);
    if (failed(result))
      signalPassFailure();
  }

private:
  OpPassManager passes{ModuleOp::getOperationName()};
};
} // namespace

std::unique_ptr<Pass> rooftile::createSetAside(const OpPassManager &passes) {
  return std::make_unique<SetAsidePass>(passes);
}
