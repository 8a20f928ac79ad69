#include "rooftile/Dialect/Blas/Blas.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<rooftile::blas::BlasDialect, mlir::func::FuncDialect>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "rooftile optimizer\n", registry));
}
