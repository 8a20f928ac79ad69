// Without ptxas, format=bin is an error at the operation that names what is missing; format=auto gives PTX.
// RUN: %bare %not gemm-opt %s --blas-to-nvvm="chip=h200 format=bin" 2>&1 | FileCheck %s --check-prefix=BIN
// RUN: %bare gemm-opt %s --blas-to-nvvm="chip=h200 format=auto" 2>&1 | FileCheck %s --check-prefix=AUTO
// BIN: :[[#@LINE+4]]:3: error: a cubin (format=bin) needs ptxas, which is not in CUDA_ROOT, CUDA_HOME, CUDA_PATH, /usr/local/cuda or PATH: install CUDA's cuda-nvcc, or use format=isa
// AUTO-NOT: error:
// AUTO: gpu.binary {{.*}} assembly = "
func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
