//===- CodeObject.h - AMD code objects without ROCm -------------*- C++ -*-===//
//
// Where the device libraries and the linker of LLVM are, and the last step of a
// code object: linking one object file. ROCm has both in one tree; Debian has them
// in the packages rocm-device-libs and lld.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_CONVERSION_LANETOROCDL_CODEOBJECT_H
#define ROOFTILE_CONVERSION_LANETOROCDL_CODEOBJECT_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace rooftile {

/// The folder that holds amdgcn/bitcode: ROCM_PATH, ROCM_ROOT or ROCM_HOME,
/// /opt/rocm, then the distribution's library folders; empty if none does.
std::string findDeviceLibraries();

/// ld.lld: of ROCM_PATH, ROCM_ROOT or ROCM_HOME or /opt/rocm (llvm/bin), of the LLVM
/// in use (ld.lld-VERSION on PATH, /usr/lib/llvm-VERSION/bin), else the one on
/// PATH; empty if there is none.
std::string findLinker();

/// From now on `program`, with `argument` before all others, stands in for ld.lld: for a program
/// that has lld in it. Linking in the process itself would reset the options of LLVM, which other
/// threads may be reading.
void setLinker(std::string program, std::string argument);

/// Links one relocatable `object` to a code object (hsaco), through files in the
/// system's temporary folder. Fails with an error through `emitError`, which names
/// the missing package or gives the linker's message.
llvm::FailureOr<llvm::SmallVector<char, 0>>
linkCodeObject(llvm::ArrayRef<char> object,
               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace rooftile

#endif // ROOFTILE_CONVERSION_LANETOROCDL_CODEOBJECT_H
