//===- Operations.cpp - The table of operations ---------------------------===//

#include "Operations/Operations.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Verify/Engine/Invoke.h"

#include "llvm/Support/ErrorHandling.h"

using namespace rooftile;
using namespace rooftile::verify;

llvm::ArrayRef<const OperationModel *> rooftile::verify::operationModels() {
  static const OperationModel *const models[] = {
      &gemmModel(),  &trmmModel(), &trsmModel(), &syrkModel(),  &herkModel(),   &syr2kModel(),
      &her2kModel(), &symmModel(), &hemmModel(), &trtriModel(), &reduceModel(), &packModel()};
  return models;
}

const OperationModel &rooftile::verify::modelOf(const Case &single) {
  for (const OperationModel *model : operationModels())
    if (model->hasCases() && single["routine"] == model->name())
      return *model;
  llvm_unreachable("the values of `routine` are the names of operations");
}

const OperationModel *rooftile::verify::modelOf(mlir::Operation *op) {
  for (const OperationModel *model : operationModels())
    if (model->matches(op))
      return model;
  return nullptr;
}

std::pair<int64_t, int64_t> OperationModel::storedShape(const Case &, int) const {
  llvm_unreachable("no case states this operation");
}

std::string OperationModel::functionOf(const Case &, const std::string &) const {
  llvm_unreachable("no case states this operation");
}

Call OperationModel::callOf(const Case &, const std::string &) const {
  llvm_unreachable("no case states this operation");
}

bool OperationModel::plansFit(mlir::Operation *, blas::TargetAttr) const { return true; }
