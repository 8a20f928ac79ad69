//===- Mutation.h - Defects in code objects, to test tests ------*- C++ -*-===//
#ifndef ROOFTILE_EMULATOR_MUTATION_H
#define ROOFTILE_EMULATOR_MUTATION_H

#include "rooftile/Emulator/CodeObject.h"

namespace rooftile::emulator {

/// Deletes one instruction that is no padding, drawn by `seed` from those of `kind`: "barrier",
/// "wait", or "any". Returns its text; an error where there is none of this kind.
llvm::Expected<std::string> deleteInstruction(CodeObject &object, llvm::StringRef kind,
                                              uint64_t seed);

} // namespace rooftile::emulator

#endif // ROOFTILE_EMULATOR_MUTATION_H
