//===- Symbols.cpp - What compiled host code calls by name ----------------===//

#include "rooftile/Runtime/Symbols.h"

#define ROOFTILE_RUNTIME_SYMBOLS(X)                                                                \
  X(mgpuModuleLoad)                                                                                \
  X(mgpuModuleLoadJIT)                                                                             \
  X(mgpuModuleUnload)                                                                              \
  X(mgpuModuleGetFunction)                                                                         \
  X(mgpuLaunchClusterKernel)                                                                       \
  X(mgpuLaunchKernel)                                                                              \
  X(mgpuStreamCreate)                                                                              \
  X(mgpuStreamDestroy)                                                                             \
  X(mgpuStreamSynchronize)                                                                         \
  X(mgpuStreamWaitEvent)                                                                           \
  X(mgpuEventCreate)                                                                               \
  X(mgpuEventDestroy)                                                                              \
  X(mgpuEventSynchronize)                                                                          \
  X(mgpuEventRecord)                                                                               \
  X(mgpuMemAlloc)                                                                                  \
  X(mgpuMemFree)                                                                                   \
  X(mgpuMemcpy)                                                                                    \
  X(mgpuMemset16)                                                                                  \
  X(mgpuMemset32)                                                                                  \
  X(mgpuSetDefaultDevice)                                                                          \
  X(mgpuMemHostRegisterMemRef)                                                                     \
  X(mgpuMemHostUnregisterMemRef)                                                                   \
  X(memrefCopy)                                                                                    \
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
  X(rooftileCpuCopy)                                                                               \
  X(rooftileCpuCommit)                                                                             \
  X(rooftileCpuWait)                                                                               \
  X(rooftileCpuArrivals)                                                                           \
  X(rooftileCpuExpect)                                                                             \
  X(rooftileCpuBulkCopy)                                                                           \
  X(rooftileCpuTensorMap)                                                                          \
  X(rooftileCpuTensorCopy)

// Only addresses are taken: the parameters stand where the functions are defined.
#define X(name) extern "C" void name();
ROOFTILE_RUNTIME_SYMBOLS(X)
#undef X

std::vector<std::pair<std::string, void *>> rooftile::runtimeSymbols() {
  return {
#define X(name) {#name, reinterpret_cast<void *>(name)},
      ROOFTILE_RUNTIME_SYMBOLS(X)
#undef X
  };
}
