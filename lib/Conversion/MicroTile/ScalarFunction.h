//===- ScalarFunction.h - The function of an epilogue, written out -*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_MICROTILE_SCALARFUNCTION_H
#define ROOFTILE_LIB_CONVERSION_MICROTILE_SCALARFUNCTION_H

#include "Numbers.h"

namespace rooftile {

/// What the function in `block` yields for `arguments`. Complex numbers are their parts; arithmetic
/// in f16 and bf16 is done in f32 and rounded after each operation, which gives the same numbers.
Parts applyFunction(mlir::OpBuilder &builder, mlir::Location loc, mlir::Block &block,
                    llvm::ArrayRef<Parts> arguments);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_MICROTILE_SCALARFUNCTION_H
