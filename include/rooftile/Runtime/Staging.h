//===- Staging.h - Host code on copies of device memory ---------*- C++ -*-===//
#ifndef ROOFTILE_RUNTIME_STAGING_H
#define ROOFTILE_RUNTIME_STAGING_H

#include "rooftile/Runtime/Runtime.h"

extern "C" {

/// Adds the `bytes` bytes of the device at `address` to what host code is to work on; with
/// `isWritten` they are copied back in the end. A null `stage` begins a new one. Returns the stage.
/// Compiled host code calls this and the next two around what touches memory of the device.
ROOFTILE_EXPORT void *rooftileStage(void *stage, int64_t address, int64_t bytes, bool isWritten);

/// The address of the host's copy of the byte at `address`, which must be in the stage (else it is
/// returned as it is). The first call makes all copies, in the order of `stream`, and waits for
/// them; ranges that overlap are one copy. Where a copy fails, with a recorded error, the host's is
/// zeros and nothing goes back.
ROOFTILE_EXPORT int64_t rooftileStaged(void *stage, int64_t address, void *stream);

/// Copies back, in the order of `stream`, waits, and frees the stage.
ROOFTILE_EXPORT void rooftileUnstage(void *stage, void *stream);

} // extern "C"

#endif // ROOFTILE_RUNTIME_STAGING_H
