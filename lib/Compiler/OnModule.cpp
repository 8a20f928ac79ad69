//===- OnModule.cpp - Work on a module in a context of its own ------------===//

#include "OnModule.h"
#include "rooftile/Compiler/HostEngine.h"
#include "rooftile/InitAll.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::compiler;

/// Dialects and translations, once for all contexts.
static const DialectRegistry &registry() {
  static const DialectRegistry *instance = [] {
    auto *all = new DialectRegistry;
    registerAllDialects(*all);
    registerHostEngine(*all);
    return all;
  }();
  return *instance;
}

std::string compiler::onModule(MakeModule makeModule, bool parallel,
                               function_ref<LogicalResult(ModuleOp)> work) {
  std::string error;
  MLIRContext context(registry(), parallel ? MLIRContext::Threading::ENABLED
                                           : MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && error.empty())
      error = diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = makeModule(&context);
  if (module && succeeded(work(*module)))
    return "";
  return error.empty() ? "the module does not compile" : error;
}
