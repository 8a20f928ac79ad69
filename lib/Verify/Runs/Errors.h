//===- Errors.h - What the compiler reports -----------------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_RUNS_ERRORS_H
#define ROOFTILE_VERIFY_RUNS_ERRORS_H

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace rooftile::verify {

/// Errors that the compiler reports while it lives, instead of printing them.
class Errors {
public:
  explicit Errors(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && first.empty()) {
            first = diagnostic.str();
            located = !mlir::isa<mlir::UnknownLoc>(diagnostic.getLocation());
          }
          return mlir::success();
        }) {}
  std::string first; ///< empty for none
  bool located = false;

private:
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_RUNS_ERRORS_H
