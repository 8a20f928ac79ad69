//===- HostCode.h - What compiled host code calls ---------------*- C++ -*-===//
//
// All functions that the code of the host calls by name, but for those of kernels on the CPU
// (Cpu/Cpu.h). MLIR's gpu-to-llvm and its translation of gpu.launch_func call the names of modules,
// launches, streams and memory. They act on this thread's device, whatever its kind, and record
// errors instead of aborting, so that a caller can report which kernel failed and why.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_RUNTIME_HOSTCODE_H
#define ROOFTILE_RUNTIME_HOSTCODE_H

#include "rooftile/Runtime/Memref.h"
#include "rooftile/Runtime/Runtime.h"

extern "C" {

//===--- Modules and launches ----------------------------------------------===//

/// Chooses the device of this thread.
ROOFTILE_EXPORT void rooftileSetDefaultDevice(int32_t device);

ROOFTILE_EXPORT void *rooftileModuleLoad(void *image, size_t sizeBytes);
ROOFTILE_EXPORT void *rooftileModuleLoadJIT(void *image, int32_t optLevel);
ROOFTILE_EXPORT void rooftileModuleUnload(void *module);
ROOFTILE_EXPORT void *rooftileModuleGetFunction(void *module, const char *name);
ROOFTILE_EXPORT void rooftileLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                                          intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                                          intptr_t blockZ, int32_t sharedBytes, void *stream,
                                          void **params, void **extra, size_t paramsCount);
ROOFTILE_EXPORT void rooftileLaunchClusterKernel(void *function, intptr_t clusterX,
                                                 intptr_t clusterY, intptr_t clusterZ,
                                                 intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                                                 intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                                                 int32_t sharedBytes, void *stream, void **params,
                                                 void **extra, size_t paramsCount);

//===--- Streams and events ------------------------------------------------===//

ROOFTILE_EXPORT void *rooftileStreamCreate();
ROOFTILE_EXPORT void rooftileStreamDestroy(void *stream);
ROOFTILE_EXPORT void rooftileStreamSynchronize(void *stream);
ROOFTILE_EXPORT void rooftileStreamWaitEvent(void *stream, void *event);
ROOFTILE_EXPORT void *rooftileEventCreate();
ROOFTILE_EXPORT void rooftileEventDestroy(void *event);
ROOFTILE_EXPORT void rooftileEventSynchronize(void *event);
ROOFTILE_EXPORT void rooftileEventRecord(void *event, void *stream);

//===--- Memory ------------------------------------------------------------===//

ROOFTILE_EXPORT void *rooftileMemAlloc(uint64_t sizeBytes, void *stream, bool isHostShared);
ROOFTILE_EXPORT void rooftileMemFree(void *pointer, void *stream);
ROOFTILE_EXPORT void rooftileMemcpy(void *to, void *from, uint64_t sizeBytes, void *stream);
ROOFTILE_EXPORT void rooftileMemset32(void *to, unsigned value, size_t count, void *stream);
ROOFTILE_EXPORT void rooftileMemset16(void *to, unsigned short value, size_t count, void *stream);
ROOFTILE_EXPORT void rooftileMemHostRegister(void *pointer, uint64_t sizeBytes);
ROOFTILE_EXPORT void rooftileMemHostUnregister(void *pointer);
ROOFTILE_EXPORT void rooftileMemHostRegisterMemRef(int64_t rank, rooftile::Descriptor *memref,
                                                   int64_t elementBytes);
ROOFTILE_EXPORT void rooftileMemHostUnregisterMemRef(int64_t rank, rooftile::Descriptor *memref,
                                                     int64_t elementBytes);

/// Copies a memref of any strides to another one of the same sizes.
ROOFTILE_EXPORT void rooftileMemrefCopy(int64_t elementBytes, rooftile::Unranked *from,
                                        rooftile::Unranked *to);

/// The device's copy of a constant of the program, `sizeBytes` at `host`: made at the first call,
/// which waits for it. `copies` is the program's own memory for the address, zero at the start,
/// one entry for each of kMostDevices devices.
ROOFTILE_EXPORT void *rooftileGlobal(void **copies, const void *host, int64_t sizeBytes);

//===--- Host code on copies of device memory ------------------------------===//

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

//===--- Before a launch ---------------------------------------------------===//

/// True if `address` is a multiple of `bytes`; else records an error that names the operand of a
/// kernel (`role`: 0 A, 1 B, 2 C, 6 + i the extra operand i of an epilogue, else W, a workspace).
ROOFTILE_EXPORT bool rooftileIsAligned(int64_t address, int64_t bytes, int64_t role);

/// True if a workspace of `present` elements holds the `needed` ones; else records an error with
/// both sizes.
ROOFTILE_EXPORT bool rooftileHasRoom(int64_t present, int64_t needed);

/// Makes a descriptor of a matrix, 128 bytes, by which kernels have boxes of it copied: `vectors`
/// vectors of `length` real elements of `realBytes` (2, 4 or 8; 260: 4, rounded to tf32) each,
/// `vectorBytes` apart; a box has `boxVectors` vectors of `boxLength` real elements. False, with a
/// recorded error, where the hardware does not support it: the address and `vectorBytes` must be
/// multiples of 16, sides of the matrix shorter than 2^31, those of the box at most 256;
/// `swizzleBytes` is 0, or 128 where vectors of the box have as many bytes.
ROOFTILE_EXPORT bool rooftileTensorMap(void *descriptor, int64_t address, int64_t realBytes,
                                       int64_t length, int64_t vectors, int64_t vectorBytes,
                                       int64_t boxLength, int64_t boxVectors, int64_t swizzleBytes);

//===--- What compilers' libraries may lack --------------------------------===//

/// Rounds to bf16, in the lower half of the register of the result.
ROOFTILE_EXPORT float __truncsfbf2(float number);

} // extern "C"

#endif // ROOFTILE_RUNTIME_HOSTCODE_H
