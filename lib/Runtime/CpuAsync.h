//===- CpuAsync.h - Copies that arrive at a wait ----------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_RUNTIME_CPUASYNC_H
#define ROOFTILE_LIB_RUNTIME_CPUASYNC_H

#include "rooftile/Runtime/Cpu.h"

namespace rooftile::cpu {

/// Forgets what `thread` has on its way: nobody waits for it any more.
void dropCopies(Thread &thread);

} // namespace rooftile::cpu

#endif // ROOFTILE_LIB_RUNTIME_CPUASYNC_H
