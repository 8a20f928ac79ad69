//===- main.cpp - gemm-opt: passes and pipelines on the command line ------===//

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "rooftile/InitAll.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  rooftile::registerAllDialects(registry);
  rooftile::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Rooftile: BLAS level-3 operations to GPU kernels\n", registry));
}
