//===- Epilogue.h - The function that is applied to a product ---*- C++ -*-===//
#ifndef ROOFTILE_LIB_COMPILER_EPILOGUE_H
#define ROOFTILE_LIB_COMPILER_EPILOGUE_H

#include "mlir/IR/Builders.h"
#include "rooftile/Operation/Operation.h"

namespace rooftile::compiler {

/// Computes activation(sum + bias) where `builder` stands; `bias` is null where there is none.
mlir::Value applyEpilogue(mlir::OpBuilder &builder, operation::Activation activation,
                          mlir::Value sum, mlir::Value bias);

} // namespace rooftile::compiler

#endif // ROOFTILE_LIB_COMPILER_EPILOGUE_H
