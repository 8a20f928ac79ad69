//===- Operations.h - The rows of the table of operations -------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_OPERATIONS_OPERATIONS_H
#define ROOFTILE_VERIFY_OPERATIONS_OPERATIONS_H

#include "rooftile/Verify/Cases/Case.h"
#include "rooftile/Verify/Model/OperationModel.h"

namespace rooftile::verify {

const OperationModel &gemmModel();
const OperationModel &trmmModel();
const OperationModel &trsmModel();
const OperationModel &syrkModel();
const OperationModel &herkModel();
const OperationModel &syr2kModel();
const OperationModel &her2kModel();
const OperationModel &symmModel();
const OperationModel &hemmModel();
const OperationModel &trtriModel();
const OperationModel &reduceModel();
const OperationModel &packModel();

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_OPERATIONS_OPERATIONS_H
