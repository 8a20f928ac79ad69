//===- main.cpp - gemm-opt: passes and pipelines on the command line ------===//

#include "Help.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "rooftile/InitAll.h"
#include "llvm/Support/CommandLine.h"

/// An error is a location and a message: the operation, which may be a whole module, is printed on
/// request alone (--mlir-print-op-on-diagnostic, --mlir-print-ir-after-failure).
static void printNoOpOnDiagnostic() {
  mlir::registerMLIRContextCLOptions();
  auto &options = llvm::cl::getRegisteredOptions();
  if (auto option = options.find("mlir-print-op-on-diagnostic"); option != options.end())
    static_cast<llvm::cl::opt<bool> *>(option->second)->setInitialValue(false);
}

int main(int argc, char **argv) {
  for (char *&argument : llvm::MutableArrayRef(argv, argc).drop_front()) {
    llvm::StringRef name = argument;
    static char upstreamHelp[] = "--help";
    if (name == "--help" || name == "-help" || name == "-h")
      return rooftile::printHelp(argv[0]), 0; // of our own passes: no others are registered yet
    if (name == "--help-upstream")
      argument = upstreamHelp;
  }
  mlir::DialectRegistry registry;
  rooftile::registerAllDialects(registry);
  rooftile::registerAllPasses();
  printNoOpOnDiagnostic();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Rooftile: BLAS level-3 operations to GPU kernels\n", registry));
}
