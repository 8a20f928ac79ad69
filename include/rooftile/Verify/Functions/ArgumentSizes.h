//===- ArgumentSizes.h - Sizes of arguments that fit together ---*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_FUNCTIONS_ARGUMENTSIZES_H
#define ROOFTILE_VERIFY_FUNCTIONS_ARGUMENTSIZES_H

#include "mlir/IR/BuiltinOps.h"
#include <cstdint>
#include <vector>

namespace rooftile::verify {

/// Writes `rooftile.sizes` of each argument of each public function with a dynamic size:
/// sizes that are `given` (of matrices and tensors, in order) or noted already, then those that
/// types and operations make of these, then 256 for the first that is still unknown, and so on. An
/// error at a function whose sizes contradict each other, unless its caller has given some.
llvm::LogicalResult noteArgumentSizes(mlir::ModuleOp module,
                                      llvm::ArrayRef<std::vector<int64_t>> given);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_FUNCTIONS_ARGUMENTSIZES_H
