//===- Chips.h - The chips of Rooftile --------------------------*- C++ -*-===//
//
// A chip is data: one #blas.target text per file in lib/Target/Chips, with a
// source beside every figure. This header finds the right one.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TARGET_CHIPS_H
#define ROOFTILE_TARGET_CHIPS_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Runtime/Device/DeviceFacts.h"

#include <string>

namespace rooftile::target {

/// The chip that is planned for when nothing names one and no known GPU is present.
inline constexpr llvm::StringLiteral kDefaultChip = "h200";

/// The chip that is proposed where a pipeline for AMD GPUs has none.
inline constexpr llvm::StringLiteral kDefaultAmdChip = "mi300x";

/// Names of all chips, as `chip=` accepts them.
llvm::ArrayRef<llvm::StringRef> chipNames();

/// Why no chip is called `name`, in one line: a chip that exists but has no description, or a name
/// that is misspelt, with the nearest one that is known. Empty where lookupChip finds it.
std::string whyUnknown(llvm::StringRef name);

/// The target of the chip called `name`: a chip name (h200) or an architecture name (sm_90a), in
/// upper or lower case, or the path of a file NAME.target that holds a #blas.target, such as
/// `gemm-tune probe` prints. Otherwise reports through `emitError`, and returns null: whyUnknown,
/// or an error with the line of the file.
blas::TargetAttr lookupChip(mlir::MLIRContext *context, llvm::StringRef name,
                            llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The chip of a GPU of this machine, asked from its driver; empty where there is no driver, no
/// such GPU, or none that is known.
std::string detectChip(Device device);

/// The known chip that a driver's device name ("NVIDIA H200") stands for; empty if none.
llvm::StringRef chipOfDevice(llvm::StringRef deviceName);

} // namespace rooftile::target

#endif // ROOFTILE_TARGET_CHIPS_H
