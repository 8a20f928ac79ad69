// A program that runs compiled kernels needs the runtime only: no MLIR, no LLVM, no CUDA to link.
#include "rooftile/Runtime/Runtime.h"

#include <cstdio>

int main() {
  rooftileProfile(true);
  std::printf("%zu launches, error: '%s'\n", rooftileProfileCount(), rooftileLastError());
  rooftileProfile(false);
  return rooftileLastError()[0] != '\0';
}
