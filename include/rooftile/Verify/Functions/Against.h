//===- Against.h - Whole functions beside upstream's loops ------*- C++ -*-===//
//
// Each public function is compiled twice, by the project's pipeline and by upstream
// passes alone (Loops.h), and both are called on the same data. What they
// return, and what they leave in memrefs, is compared element by element.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_FUNCTIONS_AGAINST_H
#define ROOFTILE_VERIFY_FUNCTIONS_AGAINST_H

#include "rooftile/Verify/Engine/Invoke.h"

#include "llvm/Support/MemoryBuffer.h"

namespace rooftile::verify {

struct AgainstOptions {
  CompileOptions compile; ///< of the project's pipeline
  uint64_t seed = 1;
  std::string entry;                       ///< the only function to compare; empty: all public ones
  std::vector<std::vector<int64_t>> sizes; ///< as for callOf
  bool json = false;
};

/// Registers what comparisons with upstream's loops need in a context beside registerEngine.
void registerLoops(mlir::DialectRegistry &registry);

/// Where `entry` is not empty nothing else is called from outside, so nothing else need be
/// callable.
void hideOtherFunctions(mlir::ModuleOp module, llvm::StringRef entry);

/// Compares the public functions of every module of a file, which lines "// -----" separate, and
/// prints a line, or a JSON object, for each. Returns whether all were right; errors are printed at
/// their locations.
bool runAgainstLoops(mlir::MLIRContext &context, std::unique_ptr<llvm::MemoryBuffer> file,
                     const AgainstOptions &options);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_FUNCTIONS_AGAINST_H
