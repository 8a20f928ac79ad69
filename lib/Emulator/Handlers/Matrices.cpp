//===- Matrices.cpp - Accumulation registers ------------------------------===//
//
// "MI200 ISA" and "MI300 ISA": moves between VGPRs and AGPRs.
//
//===----------------------------------------------------------------------===//

#include "LaneLoops.h"
#include "rooftile/Emulator/Handlers.h"

using namespace rooftile::emulator;

void rooftile::emulator::addMatrixHandlers(Handlers &handlers) {
  auto move = [](uint32_t value) { return value; };
  handlers["v_accvgpr_read_b32"] = handlers["v_accvgpr_write_b32"] = handlers["v_accvgpr_mov_b32"] =
      lanes<U32, U32>(move);
  handlers["v_accvgpr_read"] = handlers["v_accvgpr_write"] = handlers["v_accvgpr_read_b32"];
}
