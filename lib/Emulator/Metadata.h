//===- Metadata.h - Arguments of kernels, from a code object's note -*- C++ -*-===//
#ifndef ROOFTILE_LIB_EMULATOR_METADATA_H
#define ROOFTILE_LIB_EMULATOR_METADATA_H

#include "rooftile/Emulator/CodeObject.h"
#include "llvm/ADT/StringMap.h"

namespace rooftile::emulator {

/// Arguments of each kernel, by the symbol of its descriptor: "NAME.kd". `note`: the metadata.
llvm::Expected<llvm::StringMap<std::vector<Argument>>> readMetadata(llvm::StringRef note);

} // namespace rooftile::emulator

#endif // ROOFTILE_LIB_EMULATOR_METADATA_H
