//===- main.cpp - gemm-tune: what the cost model of a chip is made of -----===//

#include "Commands.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  static int anchor;
  return runGemmTune({argv, size_t(argc)}, {llvm::sys::fs::getMainExecutable(argv[0], &anchor)});
}
