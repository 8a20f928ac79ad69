// RUN: not gemm-opt %s --lane-to-rocdl 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not gemm-opt %s --blas-attach-target=chip=h200 --lane-to-rocdl 2>&1 | FileCheck %s --check-prefix=NVIDIA
// NONE: [[#@LINE+3]]:1: error: lane-to-rocdl needs a #blas.target of an AMD chip on the module, got none
// NVIDIA: [[#@LINE+2]]:1: error: lane-to-rocdl needs a #blas.target of an AMD chip on the module, got h200
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
}
