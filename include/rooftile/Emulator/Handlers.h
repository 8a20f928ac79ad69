//===- Handlers.h - What instructions do ------------------------*- C++ -*-===//
//
// A table of handlers by the name of an instruction. Both spellings of an instruction that gfx11
// renamed are in it: ds_read_b32 and ds_load_b32.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_EMULATOR_HANDLERS_H
#define ROOFTILE_EMULATOR_HANDLERS_H

#include "rooftile/Emulator/Instruction.h"
#include "llvm/ADT/StringMap.h"

namespace rooftile::emulator {

using Handlers = llvm::StringMap<Instruction::Handler>;

/// All that is known. An instruction without a handler fails when it is executed, by its name.
const Handlers &handlers();

/// Parts of it.
void addScalarHandlers(Handlers &handlers);       ///< s_*: arithmetic, branches, waits.
void addScalarMemoryHandlers(Handlers &handlers); ///< s_load_*.
void addIntegerHandlers(Handlers &handlers);      ///< v_*: integers, moves, bits, lanes.
void addComparisonHandlers(Handlers &handlers);   ///< v_cmp_*, v_cmpx_*, v_cndmask_*.
void addFloatHandlers(Handlers &handlers);        ///< v_*: floating point.
void addConversionHandlers(Handlers &handlers);   ///< v_cvt_*.
void addMatrixHandlers(Handlers &handlers);       ///< v_mfma_*, v_wmma_*, v_accvgpr_*.
void addGlobalMemoryHandlers(Handlers &handlers); ///< global_*.
void addLocalMemoryHandlers(Handlers &handlers);  ///< ds_*.

} // namespace rooftile::emulator

#endif // ROOFTILE_EMULATOR_HANDLERS_H
