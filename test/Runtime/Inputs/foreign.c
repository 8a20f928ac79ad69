/* Functions of the names that MLIR's own runtime has: code of this project calls none of them. */
#include <stdio.h>
#include <stdlib.h>

#define FUNCTION(name)                                                                             \
  void *name(void) {                                                                               \
    fprintf(stderr, "%s of another runtime was called\n", #name);                                  \
    exit(3);                                                                                       \
  }

FUNCTION(mgpuModuleLoad)
FUNCTION(mgpuModuleLoadJIT)
FUNCTION(mgpuModuleUnload)
FUNCTION(mgpuModuleGetFunction)
FUNCTION(mgpuLaunchKernel)
FUNCTION(mgpuLaunchClusterKernel)
FUNCTION(mgpuStreamCreate)
FUNCTION(mgpuStreamDestroy)
FUNCTION(mgpuStreamSynchronize)
FUNCTION(mgpuMemAlloc)
FUNCTION(mgpuMemFree)
FUNCTION(mgpuMemcpy)
FUNCTION(mgpuMemset32)
FUNCTION(memrefCopy)
