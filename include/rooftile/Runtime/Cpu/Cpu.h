//===- Cpu.h - GPU kernels as coroutines of the host ------------*- C++ -*-===//
//
// The contract between lane-to-cpu and the scheduler. A kernel is an LLVM
// switched-resume coroutine, one call per GPU thread:
//
//   void *kernel(void **params, Thread *thread)   -> coroutine handle
//
// It is suspended at its start, at every barrier, matrix instruction and wait for bulk copies, and
// at its end. A handle
// points to a frame whose first word is the resume function (null once the
// coroutine stands at its end) and whose second word is the destroy function.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_RUNTIME_CPU_CPU_H
#define ROOFTILE_RUNTIME_CPU_CPU_H

#include "rooftile/Runtime/Runtime.h"

namespace rooftile::cpu {

struct AsyncCopies;
struct AsyncProducts;
class Arrivals;

/// A matrix instruction, which the lanes of a subgroup execute together: C (m x n) += A (m x k) *
/// B (k x n), all f64, fused multiply-adds in the order of k.
struct MatrixInstruction {
  int64_t lanes, m, n, k;
  int64_t registers[3]; ///< of one lane: of A, B and C
  /// For each operand, lane and register the element that it holds, counted row by row.
  int64_t places[];
};

/// State of one GPU thread.
struct Thread {
  int64_t threadId; ///< 0 .. blockX - 1
  int64_t blockId;  ///< 0 .. gridX - 1
  void *shared;     ///< the workgroup's shared memory
  /// Static number (>= 1) of the barrier the thread stopped at, written by the kernel just before
  /// it suspends, plus kClusterBarrier where it waits for the whole cluster; 0 before the first,
  /// kEnd when it has ended.
  int64_t barrier;
  int64_t clusterRank;           ///< 0 .. clusterX - 1: of the block in its cluster
  int64_t clusterSize;           ///< blocks of a cluster
  void **peers;                  ///< shared memory of the cluster's blocks, by rank
  void *block;                   ///< the runtime's; null where accesses are not recorded
  AsyncCopies *copies = nullptr; ///< what the thread has on its way; the runtime's own
  /// Static number (as of barriers) of the matrix instruction at which the thread stopped, or 0;
  /// written by the kernel with `instruction` and `registers`, those of A, B and C one after the
  /// other. When the thread is resumed, those of C hold the accumulators.
  int64_t collective = 0;
  const MatrixInstruction *instruction = nullptr;
  double *registers = nullptr; ///< kMaxRegisters
  /// Static number (as of barriers) of the wait for bulk copies at which the thread stopped, or 0;
  /// written by the kernel with the address of the counter and the parity of the phase.
  int64_t arrival = 0;
  const void *counter = nullptr;
  int64_t parity = 0;
  Arrivals *arrivals = nullptr;      ///< the counters of the workgroup; the runtime's own
  AsyncProducts *products = nullptr; ///< what the thread multiplies; the runtime's own
};

constexpr int64_t kStart = 0;
constexpr int64_t kEnd = -1;
constexpr int64_t kClusterBarrier = int64_t(1) << 32;
constexpr int64_t kMaxRegisters = 64;

using Kernel = void *(*)(void **params, Thread *thread);

/// Report of a kernel that records its accesses to memory.
struct Record {
  /// Descriptions of its barriers and matrix instructions (the first is number 1) and then of its
  /// accesses, each ended by a null character, and an empty one after them; null for a kernel that
  /// records nothing.
  const char *sites;
  int64_t granuleBytes; ///< bytes of the smallest access to memory
};

} // namespace rooftile::cpu

extern "C" {

/// Seeds the order in which the threads of a block run between two barriers, and that of blocks
/// (seed 1: as they come).
ROOFTILE_EXPORT void rooftileCpuSeed(uint64_t seed);

/// Whether launches from now on record accesses; they do at first. Kernels that were not compiled
/// to record are not affected.
ROOFTILE_EXPORT void rooftileCpuRecord(bool on);

/// From now on launches of kernels whose name begins with `prefix` run some of their tiles only:
/// the first, the last and others drawn from the seed, `tiles` in all, each with all of its
/// `blocksPerTile` consecutive blocks. 0 tiles: all of them, as at first.
ROOFTILE_EXPORT void rooftileCpuSample(const char *prefix, int64_t tiles, int64_t blocksPerTile);

/// Bytes of global memory that recorded launches of such kernels have stored to since the last
/// call.
ROOFTILE_EXPORT int64_t rooftileCpuTakeStoredBytes();

/// From now on `isGivingUp` (null: nothing) is called on this thread every 50 ms while it launches
/// kernels; true ends the launch, with an error and a result that is partly written.
ROOFTILE_EXPORT void rooftileCpuAsk(bool (*isGivingUp)());

/// Called by kernels before an access of `bytes` bytes to shared memory, their own or a peer's; the
/// code promises that the address is a multiple of `alignment`, a power of two. `site`: number of
/// its description.
ROOFTILE_EXPORT void rooftileCpuRead(const rooftile::cpu::Thread *thread, const void *address,
                                     int64_t bytes, int64_t alignment, int64_t site);
ROOFTILE_EXPORT void rooftileCpuWrite(const rooftile::cpu::Thread *thread, const void *address,
                                      int64_t bytes, int64_t alignment, int64_t site);

/// Called by kernels beside an access of `bytes` bytes to global memory: before a read (`kind` 0),
/// after a store (1) or an atomic addition (2).
ROOFTILE_EXPORT void rooftileCpuGlobal(const rooftile::cpu::Thread *thread, const void *address,
                                       int64_t bytes, int64_t kind, int64_t site);

/// Runs `gridX` blocks of `blockX` threads of `kernel` to completion. `clusterX` blocks in a row
/// are a cluster: they are resident together, run interleaved and may wait for each other. Shared
/// memory, `sharedBytes` per block, starts as NaN and lies between guard zones.
///
/// Records an error, and stops, when threads of a block or blocks of a cluster stop at different
/// barriers, lanes of a subgroup at different matrix instructions, when bulk copies are waited for
/// that never come, or come and nothing waits for them, or when a guard zone was written; where
/// accesses are recorded (`sites` and `granuleBytes` as in Record), also when no barrier separates
/// two that conflict, when one reads what was never written, lies outside or is misaligned, and
/// when the order of two blocks decides what global memory holds (lib/Runtime/Cpu/GlobalShadow.h).
ROOFTILE_EXPORT void rooftileCpuLaunch(const char *name, rooftile::cpu::Kernel kernel,
                                       int64_t gridX, int64_t blockX, int64_t clusterX,
                                       int64_t sharedBytes, void **params, const char *sites,
                                       int64_t granuleBytes);

/// Starts to copy `sourceBytes` from `source` and zeros up to `bytes`; until a wait for its group
/// the target reads as NaN. Recorded as a write by `site`, now and when it arrives; 0: not
/// recorded.
ROOFTILE_EXPORT void rooftileCpuCopy(rooftile::cpu::Thread *thread, void *target,
                                     const void *source, int64_t bytes, int64_t sourceBytes,
                                     int64_t site);

/// Closes a group: the copies that `thread` started since the last commit.
ROOFTILE_EXPORT void rooftileCpuCommit(rooftile::cpu::Thread *thread);

/// Delivers all groups of `thread` but the last `pending`.
ROOFTILE_EXPORT void rooftileCpuWait(rooftile::cpu::Thread *thread, int64_t pending);

/// Starts C += A * B for the elements of C that the thread has, `repeated` times along N: A and B
/// are in shared memory, as lane.async_mma reads them, of f16, bf16 or tf32 (`format` 0, 1, 2):
/// along K (-1), or in panels so many bytes apart. `sums` are its registers of C, which have no
/// value before rooftileCpuFinish. `last` closes a group. Reads are recorded by `site`, now and
/// when a wait finishes the product; 0: not recorded.
ROOFTILE_EXPORT void rooftileCpuMultiply(rooftile::cpu::Thread *thread,
                                         const rooftile::cpu::MatrixInstruction *instruction,
                                         const void *a, const void *b, float *sums,
                                         int64_t repeated, int64_t format, int64_t panelsOfA,
                                         int64_t panelsOfB, int64_t last, int64_t site);

/// Finishes all groups of products of `thread` but the last `pending`: their factors are read.
ROOFTILE_EXPORT void rooftileCpuWaitForProducts(rooftile::cpu::Thread *thread, int64_t pending);

/// Finishes all products; `count` registers get their sums.
ROOFTILE_EXPORT void rooftileCpuFinish(rooftile::cpu::Thread *thread, float *sums, int64_t count);

/// Products that others start after a barrier see what `thread` wrote to shared memory.
ROOFTILE_EXPORT void rooftileCpuFence(const rooftile::cpu::Thread *thread);

/// Sets up `stages` counters of arrivals, 8 bytes apart, for `copiers` threads each.
ROOFTILE_EXPORT void rooftileCpuArrivals(rooftile::cpu::Thread *thread, const void *counters,
                                         int64_t stages, int64_t copiers);

/// `thread` copies `bytes` bytes in this phase of `counter`.
ROOFTILE_EXPORT void rooftileCpuExpect(rooftile::cpu::Thread *thread, const void *counter,
                                       int64_t bytes);

/// Starts to copy; the target reads as NaN until a thread has waited for this phase of `counter`.
/// Recorded as rooftileCpuCopy.
ROOFTILE_EXPORT void rooftileCpuBulkCopy(rooftile::cpu::Thread *thread, void *target,
                                         const void *source, int64_t bytes, const void *counter,
                                         int64_t site);

/// As rooftileTensorMap, of a matrix and a box for rooftileCpuTensorCopy.
ROOFTILE_EXPORT bool rooftileCpuTensorMap(void *descriptor, int64_t address, int64_t realBytes,
                                          int64_t length, int64_t vectors, int64_t vectorBytes,
                                          int64_t boxLength, int64_t boxVectors,
                                          int64_t swizzleBytes);

/// Starts to copy the box that begins at number `element` of vector `vector`, as
/// rooftileCpuBulkCopy; what lies outside of the matrix arrives as 0.
ROOFTILE_EXPORT void rooftileCpuTensorCopy(rooftile::cpu::Thread *thread, void *target,
                                           const void *descriptor, int64_t element, int64_t vector,
                                           const void *counter, int64_t site);

} // extern "C"

#endif // ROOFTILE_RUNTIME_CPU_CPU_H
