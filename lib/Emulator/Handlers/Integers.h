//===- Integers.h - Groups of integer instructions --------------*- C++ -*-===//
#ifndef ROOFTILE_EMULATOR_HANDLERS_INTEGERS_H
#define ROOFTILE_EMULATOR_HANDLERS_INTEGERS_H

#include "rooftile/Emulator/Handlers.h"

namespace rooftile::emulator {

/// Bits.cpp: shifts, logic, fields, bytes.
void addBitHandlers(Handlers &handlers);
/// Moves.cpp: copies, packed moves, exchanges of lanes.
void addMoveHandlers(Handlers &handlers);

} // namespace rooftile::emulator

#endif // ROOFTILE_EMULATOR_HANDLERS_INTEGERS_H
