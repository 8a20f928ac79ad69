// RUN: not gemm-opt %s --lane-to-nvvm 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not gemm-opt %s --blas-attach-target=chip=mi60 --lane-to-nvvm 2>&1 | FileCheck %s --check-prefix=AMD
// NONE: [[#@LINE+3]]:1: error: lane-to-nvvm needs a #blas.target of an NVIDIA chip on the module, got none
// AMD: [[#@LINE+2]]:1: error: lane-to-nvvm needs a #blas.target of an NVIDIA chip on the module, got mi60
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
}
