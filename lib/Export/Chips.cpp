//===- Chips.cpp - Chips that can be exported for -------------------------===//

#include "Chips.h"
#include "rooftile/Target/Chips.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

using namespace rooftile;
using namespace rooftile::exporter;

Chip exporter::findChip(llvm::StringRef name, std::string &why) {
  if (name == "cpu")
    return why = "chip 'cpu' cannot be exported: its kernels are functions of the process that "
                 "compiles them; expected the name of a GPU",
           Chip();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    why = diagnostic.str();
    return mlir::success();
  });
  blas::TargetAttr target = target::lookupChip(
      &context, name, [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); });
  if (!target)
    return Chip();
  return {name.str(), target->chip, target->arch, target->vendor == blas::Vendor::Amd};
}
