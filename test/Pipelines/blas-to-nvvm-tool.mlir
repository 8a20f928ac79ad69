// Reports of ptxas, by a stand-in for it that runs everywhere: spills are a warning at the operation, kept in the
// binary; a refusal is an error at the operation in ptxas' own words.
// RUN: env CUDA_ROOT=%S/Inputs/cuda gemm-opt %s --blas-to-nvvm=chip=a100 -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OBJECT < %t.mlir
// RUN: env CUDA_ROOT=%S/Inputs/cuda not gemm-opt %s --blas-to-nvvm=chip=v100 2>&1 | FileCheck %s --check-prefix=REFUSED
// CHECK: [[#@LINE+4]]:3: warning: kernel gemm_f32_nn_64x64x8 spills 48 bytes a thread on sm_80 with 128 registers: smaller micro tiles, fewer threads or a lower residency leave more; its plan is #blas.plan<macro = [64, 64, 8]
// OBJECT: kernels = <[#gpu.kernel_metadata<"gemm_f32_nn_64x64x8", {{.*}}metadata = {registers = 128 : i64, spill_bytes = 48 : i64, stack_bytes = 56 : i64}>]>, bin = "cubin
// REFUSED: [[#@LINE+2]]:3: error: {{.*}}ptxas failed: ptxas fatal   : Value 'sm_70' is not defined for option 'gpu-name'
func.func @product(%a: memref<128x128xf32>, %b: memref<128x128xf32>, %c: memref<128x128xf32>) {
  blas.gemm ins(%a, %b : memref<128x128xf32>, memref<128x128xf32>) outs(%c : memref<128x128xf32>)
    plan(<macro = [64, 64, 8], micro = [8, 8], lanes = [4, 8], vector = 4,
          a = <via = shared, pad = 4>, b = <via = shared, vector = 4>>)
  return
}
