//===- Symbols.cpp - What compiled host code calls by name ----------------===//

#include "rooftile/Runtime/Symbols.h"
#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Runtime/HostCode.h"

#define ROOFTILE_RUNTIME_SYMBOLS(X)                                                                \
  X(rooftileModuleLoad)                                                                            \
  X(rooftileModuleLoadJIT)                                                                         \
  X(rooftileModuleUnload)                                                                          \
  X(rooftileModuleGetFunction)                                                                     \
  X(rooftileLaunchClusterKernel)                                                                   \
  X(rooftileLaunchKernel)                                                                          \
  X(rooftileStreamCreate)                                                                          \
  X(rooftileStreamDestroy)                                                                         \
  X(rooftileStreamSynchronize)                                                                     \
  X(rooftileStreamWaitEvent)                                                                       \
  X(rooftileEventCreate)                                                                           \
  X(rooftileEventDestroy)                                                                          \
  X(rooftileEventSynchronize)                                                                      \
  X(rooftileEventRecord)                                                                           \
  X(rooftileMemAlloc)                                                                              \
  X(rooftileMemFree)                                                                               \
  X(rooftileMemcpy)                                                                                \
  X(rooftileMemset16)                                                                              \
  X(rooftileMemset32)                                                                              \
  X(rooftileSetDefaultDevice)                                                                      \
  X(rooftileMemHostRegisterMemRef)                                                                 \
  X(rooftileMemHostUnregisterMemRef)                                                               \
  X(rooftileMemrefCopy)                                                                            \
  X(rooftileGetStream)                                                                             \
  X(rooftileIsAligned)                                                                             \
  X(rooftileHasRoom)                                                                               \
  X(rooftileGlobal)                                                                                \
  X(rooftileStage)                                                                                 \
  X(rooftileStaged)                                                                                \
  X(rooftileUnstage)                                                                               \
  X(rooftileTensorMap)                                                                             \
  X(__truncsfbf2)                                                                                  \
  X(rooftileCpuLaunch)                                                                             \
  X(rooftileCpuRead)                                                                               \
  X(rooftileCpuWrite)                                                                              \
  X(rooftileCpuGlobal)                                                                             \
  X(rooftileCpuCopy)                                                                               \
  X(rooftileCpuCommit)                                                                             \
  X(rooftileCpuWait)                                                                               \
  X(rooftileCpuMultiply)                                                                           \
  X(rooftileCpuWaitForProducts)                                                                    \
  X(rooftileCpuFinish)                                                                             \
  X(rooftileCpuFence)                                                                              \
  X(rooftileCpuArrivals)                                                                           \
  X(rooftileCpuExpect)                                                                             \
  X(rooftileCpuBulkCopy)                                                                           \
  X(rooftileCpuTensorMap)                                                                          \
  X(rooftileCpuTensorCopy)

std::vector<std::pair<std::string, void *>> rooftile::runtimeSymbols() {
  return {
#define X(name) {#name, reinterpret_cast<void *>(name)},
      ROOFTILE_RUNTIME_SYMBOLS(X)
#undef X
      // Functions for loops that MLIR's own passes lower, which gemm-run compares with.
      {"memrefCopy", reinterpret_cast<void *>(rooftileMemrefCopy)},
  };
}
