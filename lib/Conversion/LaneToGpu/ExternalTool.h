//===- ExternalTool.h - Programs of others: ld.lld, ptxas -------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETOGPU_EXTERNALTOOL_H
#define ROOFTILE_LIB_CONVERSION_LANETOGPU_EXTERNALTOOL_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace rooftile {

/// Output of a program for one file.
struct ToolOutput {
  llvm::SmallVector<char, 0> bytes; ///< The file that it wrote.
  std::string messages;             ///< Its messages.
};

/// A toolkit that `variables` of the environment name: the folders of those that are set, else
/// `standard`, where it is installed by default.
llvm::SmallVector<std::string> toolkitFolders(llvm::ArrayRef<const char *> variables,
                                              llvm::StringRef standard);

/// Runs `program OPTIONS INPUT -o OUTPUT` on files in the system's temporary folder, which are
/// removed. Fails with an error through `emitError`: the program's own words where it has any.
llvm::FailureOr<ToolOutput> runTool(llvm::StringRef program,
                                    llvm::ArrayRef<llvm::StringRef> options,
                                    llvm::ArrayRef<char> input,
                                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETOGPU_EXTERNALTOOL_H
