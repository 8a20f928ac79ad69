//===- Handlers.cpp - What instructions do --------------------------------===//

#include "rooftile/Emulator/Handlers.h"
#include "rooftile/Emulator/Wave.h"

using namespace rooftile::emulator;

/// Both parts read before either writes: the first one's result waits aside for the second one.
static void executeBoth(Wave &wave, const Instruction &in) {
  const Instruction &first = in.parts[0], &second = in.parts[1];
  if (!first.execute || !second.execute)
    return wave.fail("the emulator does not know " + (first.execute ? second.name : first.name));
  const Operand &result = first.operands[0];
  Lanes before{}, after{};
  for (unsigned lane = 0; lane < wave.lanes(); ++lane)
    before[lane] = wave.lane32(result, lane);
  first.execute(wave, first);
  for (unsigned lane = 0; lane < wave.lanes(); ++lane) {
    after[lane] = wave.lane32(result, lane);
    wave.setLane32(result, lane, before[lane]);
  }
  second.execute(wave, second);
  wave.forActive([&](unsigned lane) { wave.setLane32(result, lane, after[lane]); });
}

const Handlers &rooftile::emulator::handlers() {
  static const Handlers &all = *[] { // never destroyed: programs launch after main
    auto *handlers = new Handlers;
    addScalarHandlers(*handlers);
    addScalarMemoryHandlers(*handlers);
    addIntegerHandlers(*handlers);
    addComparisonHandlers(*handlers);
    addFloatHandlers(*handlers);
    addConversionHandlers(*handlers);
    addMatrixHandlers(*handlers);
    addGlobalMemoryHandlers(*handlers);
    addLocalMemoryHandlers(*handlers);
    (*handlers)["v_dual"] = executeBoth;
    return handlers;
  }();
  return all;
}
