// A kernel is compiled for a chip: without one, or for one of another vendor, that is an error.
// RUN: not gemm-opt %s --thread-to-nvvm 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not gemm-opt %s --blas-attach-target=chip=mi60 --thread-to-nvvm 2>&1 | FileCheck %s --check-prefix=OTHER

// NONE: error: thread-to-nvvm needs a #blas.target of an NVIDIA chip on the module, got none
// OTHER: error: thread-to-nvvm needs a #blas.target of an NVIDIA chip on the module, got mi60
gpu.module @kernels {
  gpu.func @empty() kernel {
    gpu.return
  }
}
