// A program that runs compiled kernels needs the runtime only: no MLIR, no LLVM, no CUDA to link.
#include "rooftile/Runtime/Cpu.h"

#include <cstdio>

int main() {
  rooftileCpuLaunch("empty", nullptr, /*gridX=*/1, /*blockX=*/0, /*sharedBytes=*/0, nullptr);
  std::printf("error: %s\n", rooftileLastError());
  rooftileClearError();
  return rooftileLastError()[0] != '\0';
}
